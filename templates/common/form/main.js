// The bundle that all pages share: it leaves the kit in `pbem`, and the page begins once all other scripts were read.
import { board, choosing, data, dom, fields, game, model, page, parts, pasted, words, yaml } from "./kit.js";
import { start } from "./page.js";

Object.assign(globalThis.pbem, { board, choosing, data, dom, fields, game, model, page, parts, pasted, words, yaml, start });
