// Orders in a text that holds more: a quoted form, a pasted reply, words above and below them.
/** @import { Excerpt, Fields, Place, Read, Row } from "./types" */
/** @typedef {Read<unknown> | (yaml.Problem & { value?: undefined })} Tried */
import * as yaml from "./yaml.js";
import { isMap } from "./yaml.js";

const TOP = ["game", "seat", "key", "orders", "stop_if", "press", "wait", "detail", "partial"];
const QUOTE = /^ ?>(?: ?>)*/;
const STARTS = new RegExp(`^(?:# pbem form |(?:${TOP.join("|")}):(?: |$))`);
const GOES_ON = /^(?:$| |#|-(?: |$)|[\]}])/;
const STRAY = /^\s*(?:- +)?(?:at|do|when|to|say|keep|until|if_silent):(?: |$)/;

// The rows of each part of the text that may be orders, and whether rows beside them look like orders too.
/** @type {(text: string) => { found: Row[][], isStray: boolean }} */
function partsOf(text) {
  const marked = text.replace(/\r\n?/g, "\n").split("\n").map((line) => [line, QUOTE.exec(line)?.[0] ?? ""]);
  /** @type {(marks: string) => number} */
  const depthOf = (marks) => marks.split(">").length - 1;
  // Quotes without a space behind the mark, by depth: there a space is the player's own.
  const tight = new Set(marked.filter(([line, marks]) => marks && /^[^ ]/.test(line.slice(marks.length))).map(([, marks]) => depthOf(marks)));
  const rows = marked.map(([line, marks], at) => {
    const shift = marks.length + (marks && line[marks.length] === " " && !tight.has(depthOf(marks)) ? 1 : 0);
    return { line: at + 1, shift, depth: depthOf(marks), text: line.slice(shift).trimEnd() };
  });
  /** @type {Row[][]} */
  const found = [];
  /** @type {Row[] | null} */
  let part = null;
  let isStray = false;
  for (const row of rows) {
    // A field that orders do not have, right below them, is a mistake of theirs and no word around them.
    isStray ||= Boolean(part?.at(-1)?.text && row.depth === part[0].depth && /^[^\s:#\-\]}]+(?: +[^\s:]+)?:(?: |$)/.test(row.text) && !STARTS.test(row.text));
    if (part && (row.depth !== part[0].depth || !(STARTS.test(row.text) || GOES_ON.test(row.text)))) part = null;
    if (!part && STARTS.test(row.text)) found.push(part = []);
    if (part) part.push(row);
    else isStray ||= STRAY.test(row.text);
  }
  return { found: found.map(trimmed), isStray };
}

/** @type {(part: Row[]) => Row[]} */
function trimmed(part) {
  while (!(/** @type {Row} */ (part.at(-1)).text)) part.pop();
  return part;
}

/** @type {(part: Row[]) => boolean} */
const isOrders = (part) => ["game", "seat"].every((name) => part.some(({ text }) => text.startsWith(`${name}:`)));
/** @type {(one: unknown) => boolean} */
const isEmpty = (one) => one === null || one === undefined || (isMap(one) && !Object.keys(one).length);
/** @type {(known: Tried) => boolean} */
const isBlank = ({ value }) => isMap(value) && !value.press && (isEmpty(value.orders) || (Array.isArray(value.orders) && value.orders.every((line) => isMap(line) && isEmpty(line.do))));

// What was read, or the problem with it.
/** @type {(text: string) => Tried} */
function tried(text) {
  try {
    return yaml.read(text);
  } catch (problem) {
    if (!(problem instanceof yaml.Problem)) throw problem;
    return problem;
  }
}

// The one set of orders in a text that holds more: its rows, and what they say; nothing if it is not just one.
/** @type {(text: string) => Excerpt & { known: Tried } | null} */
function find(text) {
  const { found, isStray } = partsOf(text);
  if (isStray || !found.every(isOrders)) return null;
  const all = found.map((rows) => ({ rows, text: `${rows.map((row) => row.text).join("\n")}\n` })).map((one) => ({ ...one, known: tried(one.text) }));
  const filled = all.filter(({ known }) => !isBlank(known));
  return filled.length > 1 ? null : filled[0] ?? all[0] ?? null;
}

// Reads a text as orders: as it is, or else the orders in it. `from` tells their rows in the text, if it holds more.
/** @type {(text: string) => Read<Fields> & { from?: Excerpt | null }} */
function read(text) {
  const whole = tried(text);
  if (isMap(whole.value) && Object.keys(whole.value).every((name) => TOP.includes(name))) return /** @type {Read<Fields>} */ (whole);
  const from = find(text);
  const known = from && from.text.trim() !== text.trim() ? from.known : whole;
  if (known === whole) {
    if (whole instanceof yaml.Problem) throw whole;
    if (!isMap(whole.value)) throw new yaml.Problem("these are no orders: expected fields (name: value)", 1, 1);
    return /** @type {Read<Fields>} */ (whole);
  }
  const rows = from ? from.rows : [];
  /** @type {(place: Place) => Place} */
  const there = ({ line, column }) => {
    const row = rows[line - 1] ?? rows.at(-1);
    return { line: row.line, column: column + row.shift };
  };
  if (known instanceof yaml.Problem) throw Object.assign(known, there(known));
  /** @type {(all: Map<string, Place>) => Map<string, Place>} */
  const moved = (all) => new Map([...all].map(([key, mark]) => [key, there(mark)]));
  return { value: /** @type {Fields} */ (known.value), marks: moved(known.marks), keys: moved(known.keys), from };
}

export { read };
