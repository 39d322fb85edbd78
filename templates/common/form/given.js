// What the page was given: the facts of its report; what the game's own script can tell; the parts that some pages have.

/** @type {{ data: import("./types").Data }} */
const { data } = globalThis.pbem;
/** @type {import("./types").Game} */
const game = {}; // set when the page starts
/** @type {import("./types").Parts} */
const parts = {}; // each is set by its script, where the page has it

export { data, game, parts };
