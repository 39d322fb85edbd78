// A position of the game, drawn over the board: with the places where moves lead, and what an order does there.
/** @import { Parts } from "./types" */
import { data, dom, model, parts } from "./kit.js";

const { at } = dom;
const MARGIN = 8; // units of the picture below its table
let whole = ""; // the part of the picture that is shown when no move is played ahead

// What is drawn on the board by its place in the view, such as the crown.
/** @type {() => string[]} */
const marks = () => [...new Set(/** @type {SVGElement[]} */ ([...document.querySelectorAll("#board svg [data-shows]")]).map((one) => String(one.dataset.shows)))];

const SVG = "http://www.w3.org/2000/svg";
/** @type {(tag: string, attributes: { [name: string]: string | number }, ...children: Node[]) => SVGElement} */
function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, /** @type {string} */ (value));
  made.append(...children);
  return made;
}

// Draws a position over the board, where moves lead, and what an order does that stands in a line; `unsaid` is the mark
// of which nobody knows where it is in that position.
/** @type {NonNullable<Parts["position"]>["draw"]} */
function draw(view, found, order, unsaid, make) {
  const picture = document.querySelector("#board svg");
  /** @type {SVGRectElement | null | undefined} */
  const table = picture?.querySelector("[data-table]");
  if (!picture || !table) return;
  at("walked")?.remove();
  picture.classList.toggle("walked", Boolean(view));
  picture.classList.toggle("leads-on", Boolean(order?.square));
  crop(picture, table, Boolean(view));
  for (const one of picture.querySelectorAll("[data-place]")) one[view ? "setAttribute" : "removeAttribute"]("aria-disabled", "true");
  const name = String(table.dataset.table);
  const cells = Object.keys(data.view[name]);
  const size = Math.sqrt(cells.length);
  const [left, top, wide] = ["x", "y", "width"].map((one) => Number(table.getAttribute(one)));
  const side = wide / size;
  /** @type {(cell: string) => [x: number, y: number]} */
  const middle = (cell) => [left + (cells.indexOf(cell) % size + 0.5) * side, top + (Math.floor(cells.indexOf(cell) / size) + 0.5) * side];
  /** @type {(id: string, cell: string) => SVGElement} */
  const use = (id, cell) => shape("use", { href: `#${id}`, x: middle(cell)[0], y: middle(cell)[1] });
  /** @type {(cell: string) => SVGElement} */
  const box = (cell) => shape("rect", { x: middle(cell)[0] - side / 2 + 3, y: middle(cell)[1] - side / 2 + 3, width: side - 6, height: side - 6 });
  const shown = marks();
  const out = [];
  if (view) {
    out.push(table.cloneNode(), /** @type {Element} */ (table.nextElementSibling).cloneNode());
    for (const ways of picture.querySelectorAll("[data-joins]")) out.push(joined(/** @type {SVGElement} */ (ways.cloneNode()), view[name], cells, middle, side));
    out.push(...cells.filter((cell) => at(view[name][cell])).map((cell) => use(view[name][cell], cell)));
    for (const one of shown) {
      const cell = /** @type {string} */ (model.valueAt(view, one));
      out.push(shape("g", { class: one === unsaid ? "unsure" : order?.square ? "left-behind" : "" }, use(one, cell)));
      if (one === unsaid) out.push(shape("text", { class: "asks", x: middle(cell)[0], y: middle(cell)[1] }, new Text("?")));
    }
  }
  if (order?.square) {
    out.push(shape("g", { class: "ghost" }, use(order.view[name][order.square], order.square), ...shown.map((one) => use(one, /** @type {string} */ (model.valueAt(order.view, one))))));
  }
  out.push(...(view ? found : []).filter(({ square }) => square).map((move) => {
    const place = shape("g", { role: "button", tabindex: 0, class: "way", "aria-label": move.words }, box(String(move.square)));
    place.addEventListener("click", () => make(move));
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      make(move);
    });
    return place;
  }));
  picture.append(shape("g", { id: "walked" }, ...out));
}

// Shows the table alone while moves are played ahead: what stands below it is of now.
/** @type {(picture: Element, table: SVGRectElement, isCropped: boolean) => void} */
function crop(picture, table, isCropped) {
  whole ||= String(picture.getAttribute("viewBox"));
  const [x, y, wide, high] = whole.split(" ").map(Number);
  const bottom = Number(table.getAttribute("y")) + Number(table.getAttribute("height")) + MARGIN;
  const shown = isCropped ? bottom - y : high;
  picture.setAttribute("viewBox", `${x} ${y} ${wide} ${shown}`);
  picture.setAttribute("height", String((Number(picture.getAttribute("width")) / wide) * shown));
}

// A path between neighbours of one holder.
/** @type {(path: SVGElement, board: { [cell: string]: string }, cells: string[], middle: (cell: string) => number[], side: number) => SVGElement} */
function joined(path, board, cells, middle, side) {
  const size = Math.sqrt(cells.length);
  /** @type {(cell: string) => boolean} */
  const is = (cell) => board[cell] === path.dataset.joins;
  path.setAttribute("d", cells.filter(is).map((cell) => {
    const number = cells.indexOf(cell);
    const [right, below] = [(number + 1) % size && is(cells[number + 1]), is(cells[number + size])];
    return `${right ? `M${middle(cell)}h${side}` : ""}${below ? `M${middle(cell)}v${side}` : ""}`;
  }).join("") || "M0 0");
  return path;
}

parts.position = { marks, draw };
