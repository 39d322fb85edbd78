// What was done on the page, to be undone and done again; and the draft, which the device keeps until the ask is over.
import { data } from "./given.js";
/** @typedef {[text: string, wasTyped: boolean, open: number, taken?: string[]] & { spot?: string | false }} State */

const key = data.marker;
const MOST = 60; // steps back that are kept
/** @type {State[]} */
const states = [];
let here = -1;

// What comes of work with the storage of the device; nothing where there is none.
/** @type {<Result>(work: (all: Storage) => Result) => Result | null} */
function stored(work) {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

// Notes how the page is now, [text, was it typed, the open line, the ready lines that were taken], and keeps it; `spot` says where it was typed, and
// what is typed on there is undone with it. Tells whether the device keeps it.
/** @type {(state: State, spot?: string | false) => boolean | null} */
function note(state, spot) {
  const last = states[here];
  if (last && last[0] === state[0]) {
    [, , last[2], last[3]] = state;
    return keep();
  }
  states.length = here + 1;
  if (!last || !spot || last.spot !== spot) here += 1;
  states[here] = Object.assign(state, { spot });
  if (here > MOST) states.splice(0, 1 + --here - MOST);
  return here > 0 && keep();
}

// The key of the seat is not kept: every page that a browser opens from the device may read what such a page keeps.
/** @type {(text: string) => string} */
const withoutKey = (text) => text.replace(/^key:.*$/gm, 'key: ""');

const keep = () => stored((all) => {
  all.setItem(key, JSON.stringify([here, ...states.map(([text, ...rest]) => [withoutKey(text), ...rest])]));
  return true;
});

// The draft of this ask, with what was done before it and undone after it; those of asks that are over are thrown away.
/** @type {() => State | null} */
const draft = () => stored((all) => {
  const mine = key.split(" ").slice(0, 5).join(" ");
  for (const one of Object.keys(all)) if (one !== key && one.startsWith(`${mine} `)) all.removeItem(one);
  const [at, ...kept] = JSON.parse(/** @type {string} */ (all.getItem(key)));
  if (!Array.isArray(kept[at])) return null;
  states.splice(0, 1, ...kept);
  here = at;
  return states[here];
});

/** @type {(step: number) => boolean} */
const has = (step) => Boolean(states[here + step]);
/** @type {(step: number) => State} */
function go(step) {
  here += step;
  delete states[here].spot;
  keep();
  return states[here];
}

export { note, draft, has, go };
