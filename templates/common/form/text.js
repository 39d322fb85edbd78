// The orders as text: the numbers of its lines, what is wrong in it, and where.
/** @import { Fault, Found, Place, Read } from "./types" */
import { at, button, el } from "./dom.js";
import { spell } from "./lines.js";
import { lines } from "./orders.js";
import { keyOf } from "./yaml.js";

const LONG = 2; // lines of orders up to which the text is open on a telephone: the same stand above
const NARROW = 700; // pixels of a window in which a long text is folded away
let isLong = false;

// The line and column of a problem: of its value, of its key, or of what is nearest around it.
/** @type {(read: Read<unknown>, fault: Fault) => Place} */
function placeOf(read, { path, atKey }) {
  const key = atKey && read.keys.get(keyOf(path));
  if (key) return key;
  for (let end = path.length; end >= 0; end--) {
    const mark = read.marks.get(keyOf(path.slice(0, end)));
    if (mark) return mark;
  }
  return { line: 1, column: 1 };
}

// The line of a problem with a caret under its place.
/** @type {(text: string, place: Place) => HTMLElement} */
function shownAt(text, { line, column }) {
  const row = text.split("\n")[line - 1] ?? "";
  const start = Math.max(0, column - 40);
  return el("pre", { "aria-hidden": "true" }, `${row.slice(start, start + 80)}\n${" ".repeat(column - 1 - start)}^`);
}

/** @type {(place: Place) => void} */
function jump({ line, column }) {
  const rows = at("yaml").value.split("\n");
  const spot = rows.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  at("text-fold").open = true;
  at("yaml").focus();
  at("yaml").setSelectionRange(spot, spot);
}

// Draws the numbers of the lines, those with mistakes marked, and below them what is wrong.
/** @type {(found: Found[], isTyped: boolean) => void} */
function draw(found, isTyped) {
  const text = at("yaml").value;
  const count = text.replace(/\n$/, "").split("\n").length;
  const wrong = new Set(found.map(({ line }) => line));
  at("numbers").replaceChildren(...Array.from({ length: count }, (_, one) => el("span", { class: wrong.has(one + 1) ? "bad" : "" }, `${wrong.has(one + 1) ? "▶" : ""}${one + 1}`)));
  at("yaml").rows = count + 1;
  at("text-count").textContent = `${count} rows`;
  const isMany = lines().length > LONG;
  if (isMany !== isLong && document.activeElement !== at("yaml")) at("text-fold").open = !isMany || innerWidth > NARROW;
  isLong = isMany;
  at("problems").replaceChildren(...found.map((one) => el("li", {}, button("", `Row ${one.line}, column ${one.column}`, () => jump(one), { class: "plain" }), `: ${spell(one)}`, isTyped ? shownAt(text, one) : null)));
  at("yaml").setAttribute("aria-invalid", String(found.length > 0));
}

export { draw, placeOf };
