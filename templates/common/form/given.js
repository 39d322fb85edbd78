// What the page was given: the facts of its report; what the game's own script can tell; the parts that some pages have.
/** @import { Data, Fields, Game, Parts } from "./types" */

/** @type {{ data: Data<Fields, any, unknown> }} */
const { data } = globalThis.pbem;
/** @type {Game} */
const game = {}; // set when the page starts
/** @type {Parts} */
const parts = {}; // each is set by its script, where the page has it

export { data, game, parts };
