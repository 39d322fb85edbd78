// The orders that stand on the page, and the line of them that is open. Whoever draws them is told of each change.
/** @import { Doc, Line, When } from "./types" */
/** @typedef {{ changed: (isTyped: boolean) => void, opened: () => void }} Drawer */
import { data } from "./given.js";
import * as model from "./model.js";

const state = {
  doc: model.blank(),
  open: 0, // the number of the line that is open
  /** @type {string[]} */
  taken: [], // ready lines that were taken, each as it is compared: none that was made by hand
  isReadable: true, // the text says what stands in `doc`
};
/** @type {Drawer} */
let drawn = { changed: (isTyped) => isTyped, opened: () => {} };

/** @type {() => Doc} */
const doc = () => state.doc;
/** @type {() => Line[]} */
const lines = () => (Array.isArray(state.doc.orders) ? state.doc.orders : []);
/** @type {() => Line | undefined} */
const openLine = () => lines()[state.open];
// The line that answers the present ask: the first whose condition holds; what it asks for is not looked at.
/** @type {() => Line | undefined} */
const lineNow = () => lines().find((line) => model.isNow(line) && !model.isEmpty(line) && model.isMet(line));

// Whether a line for later can never be played, after the order for now if one is chosen, as the game's script knows.
/** @type {(line: Line) => boolean} */
function isNever(line) {
  const now = lineNow();
  return Boolean(!model.isNow(line) && model.ask("lasting", line.do, /** @type {[Line, Line?]} */ ([line, now]))?.some(({ unknown }) => !unknown));
}

// Who draws what stands here: `changed(isTyped)` is called after a change, `opened()` when another line was opened.
/** @type {(who: Drawer) => void} */
function listen(who) {
  drawn = who;
}

/** @type {(isTyped?: boolean) => void} */
const changed = (isTyped = false) => drawn.changed(isTyped);

/** @type {(number: number) => void} */
function openAt(number) {
  state.open = number;
  drawn.opened();
}

/** @type {<Thing, Name extends keyof Thing>(place: Thing, name: Name, value: Thing[Name], isTyped?: boolean) => void} */
function setIn(place, name, value, isTyped = false) {
  if (value === undefined) delete place[name];
  else place[name] = value;
  changed(isTyped);
}

// Puts an order into the open line; the first one is made if there is none, and where the open one is for the present
// ask on a condition that does not hold, so that it would never be played.
/** @type {(value: unknown) => void} */
function order(value) {
  if (!state.isReadable) return;
  let line = openLine();
  if (line && model.isPast(line)) {
    add({ at: data.ask.label, do: structuredClone(value) }, lines().findIndex((one) => !model.isPast(one)));
    return;
  }
  if (!line) {
    line = { at: data.ask.next };
    state.doc.orders = [...lines(), line];
    state.open = lines().length - 1;
  }
  line.do = structuredClone(value);
  changed();
}

// Adds a line at a place, or at the end, which is open then.
/** @type {(line: Line, place?: number) => void} */
function add(line, place = -1) {
  const number = place < 0 ? lines().length : place;
  replace([...lines().slice(0, number), line, ...lines().slice(number)], number);
}

// Other lines instead of those that stand here; one of them is open.
/** @type {(list: Line[], number: number) => void} */
function replace(list, number) {
  state.doc.orders = structuredClone(list);
  state.open = number;
  changed();
}

/** @type {(when?: When) => void} */
const stop = (when) => setIn(state.doc, "stop_if", structuredClone(when));

export { state, doc, lines, openLine, lineNow, isNever, listen, changed, openAt, setIn, order, add, replace, stop };
