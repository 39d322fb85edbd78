// What scripts outside of the bundle have to build with: those of the games, and the parts that only some pages have.
// They import from here alone: where they run beside the bundle, `pbem` is this.
import { forget, mark, tell } from "./board.js";
import { walk } from "./choosing.js";
import { adds, at, bold, button, checkbox, counts, el, labelled, select } from "./dom.js";
import { part, wholeOrders as wholeFields } from "./fields.js";
import { data as given, game, parts } from "./given.js";
import { ask, follows, holds, isEmpty, isForNow, isNow, isStanding, judge, label, namesAsMeant, namesAsText, same, trial, valueAt, wholeOrders } from "./model.js";
import { doc, isNever, lineNow, lines, openAt, openLine, order, replace, state, stop } from "./orders.js";
import { read as readPasted } from "./pasted.js";
import { stated } from "./predicates.js";
import { canonical, condition, inShort, isLike, name, noted, order as orderInWords, seatOf, settled, shown, value } from "./words.js";
import { Problem, isMap, read, write } from "./yaml.js";

// Each game's own script says what its view, hints and orders are.
/** @type {import("./types").Data<any, any, any>} */
const data = given;
const board = { forget, mark, tell };
const choosing = { walk };
const dom = { adds, at, bold, button, checkbox, counts, el, labelled, select };
const fields = { part, wholeOrders: wholeFields };
const model = { ask, canonical, follows, holds, isEmpty, isForNow, isNow, isStanding, judge, label, namesAsMeant, namesAsText, same, trial, valueAt, wholeOrders };
const page = { doc, isNever, lineNow, lines, openAt, openLine, order, replace, state, stop };
const pasted = { read: readPasted };
const words = { canonical, condition, inShort, isLike, name, noted, order: orderInWords, seatOf, settled, shown, stated, value };
const yaml = { Problem, isMap, read, write };

export { board, choosing, data, dom, fields, game, model, page, parts, pasted, words, yaml };
