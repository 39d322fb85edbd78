// The board: what is clicked is put into the line that is open.
/** @import { Choice, Drawn, Fields, Meaning, Menu } from "./types" */
import { data, parts } from "./given.js";
import { at, button, el } from "./dom.js";
import * as fields from "./fields.js";
import * as model from "./model.js";
import * as orders from "./orders.js";
import { resolve } from "./schema.js";
import * as words from "./words.js";
import { isMap } from "./yaml.js";

const picture = () => /** @type {SVGSVGElement} */ (document.querySelector("#board svg"));

/** @type {(value: unknown, word: string) => boolean} */
const names = (value, word) => {
  if (Array.isArray(value)) return value.some((one) => names(one, word));
  if (isMap(value)) return Object.entries(value).some(([field, one]) => names(one === true ? field : one, word)); // {draw: true} is what the pile is called
  return model.same(String(value), word);
};

const isLater = () => {
  const line = orders.openLine();
  return line !== undefined && data.ask.kind !== "start" && !model.isForNow(line);
};

// What a place of the board can mean for an order: [{title, note, order}]; of later nothing is noted that is so now.
/** @type {(word: string, order: unknown) => Meaning[]} */
const meanings = (word, order) => (isLater() ? meant(word, order).map((one) => ({ ...one, note: "" })) : meant(word, order));

/** @type {(word: string, order: unknown) => Meaning[]} */
function meant(word, order) {
  if (isLater() && parts.tree?.isOffered()) return []; // the board shows now, and a line for later is written on the board of then
  const own = model.ask("places", word, order);
  if (own) return own;
  return data.menus.flatMap((menu) => menu.items.filter((item) => names(item.order, word)).flatMap((item) => put(menu, item, order)));
}

/** @type {(menu: Menu, item: Choice, order: unknown) => Meaning[]} */
function put(menu, item, order) {
  const title = menu.paths.includes("") ? words.order(item.order) : `${menu.paths.length > 1 ? menu.title : words.name(menu.paths[0])}: ${words.shown(item.order)}`;
  if (menu.paths.includes("")) return [{ title, note: item.note, order: item.order }];
  const path = menu.paths.find((one) => model.valueAt(order, one) === undefined) ?? /** @type {string} */ (menu.paths.at(-1));
  return [{ title, note: item.note, order: withPart(order, path, item.order) }];
}

// An order with an entry of a menu at a path; a list gets one entry more.
/** @type {(order: unknown, path: string, entry: unknown) => Fields} */
function withPart(order, path, entry) {
  /** @type {Fields} */
  const changed = isMap(order) ? structuredClone(order) : {};
  const keys = path.split(".");
  /** @type {Fields} */
  let here = changed;
  let schema = data.schema.$defs.move;
  const whole = schema;
  for (const key of keys.slice(0, -1)) {
    if (Array.isArray(here[key]) && isMap(here[key][0])) here = here[key][0];
    else {
      here[key] = isMap(here[key]) ? here[key] : {};
      here = /** @type {Fields} */ (here[key]);
    }
    schema = resolve(schema.properties?.[key] ?? {}, whole);
    if (fields.isListOrOne(schema)) schema = resolve(schema.else ?? {}, whole);
  }
  const last = /** @type {string} */ (keys.at(-1));
  const below = resolve(schema.properties?.[last] ?? {}, whole);
  const isList = [below.type ?? []].flat().includes("array") || fields.isListOrOne(below);
  if (isList) here[last] = [...(here[last] === undefined ? [] : [here[last]].flat()), entry];
  else here[last] = isMap(entry) ? fields.begun(entry, here[last], below, order) : entry;
  return changed;
}

// Says in the bar, which is always in sight, what was done.
/** @type {(text: string) => void} */
function tell(text) {
  at("done").textContent = text;
}

const box = () => at("board-choice");
/** @type {SVGGElement | null} */
let opened = null; // the place whose choices are shown

function close() {
  box().replaceChildren();
  opened?.focus({ preventScroll: true });
  opened = null;
}

// Takes away what was offered of orders that no longer stand.
function forget() {
  box().replaceChildren();
  opened = null;
}

// Shows something at a place, or where it was clicked if it is wide: below it or above it, and all of it in sight.
/** @type {(place: SVGGElement, parts: HTMLElement[], spot?: MouseEvent) => void} */
function show(place, parts, spot) {
  const panel = box();
  panel.replaceChildren(...parts);
  const around = at("board");
  const edge = around.getBoundingClientRect();
  const shape = place.getBoundingClientRect();
  const isWide = spot?.detail && shape.height > 70;
  const [top, bottom, middle] = isWide ? [spot.clientY - 12, spot.clientY + 12, spot.clientX]
    : [shape.top, Math.min(shape.bottom, shape.top + 70), shape.left + shape.width / 2];
  const [high, wide] = [panel.offsetHeight, panel.offsetWidth];
  const low = Math.min(innerHeight, at("bar").getBoundingClientRect().top) - 4;
  const y = bottom + 4 + high <= low ? bottom + 4 : top - 4 - high >= 0 ? top - 4 - high : Math.max(0, low - high);
  const x = Math.max(edge.left, Math.min(middle - wide / 2, edge.right - wide));
  panel.style.top = `${y - edge.top + around.scrollTop}px`;
  panel.style.left = `${x - edge.left}px`;
}

// What an order says, piece by piece: [field, value].
/** @type {(value: unknown, field?: string) => [field: string, value: unknown][]} */
function pieces(value, field = "") {
  if (Array.isArray(value)) return value.flatMap((one) => pieces(one, field));
  return isMap(value) ? Object.entries(value).flatMap(([key, one]) => pieces(one, key)) : value === undefined ? [] : [[field, value]];
}

// What had to go for what was added, so that nothing goes unsaid.
/** @type {(before: unknown, after: unknown) => string} */
function replaced(before, after) {
  const [old, now] = [before, after].map((order) => pieces(order).map(words.canonical));
  const gone = pieces(before).filter((one) => !now.includes(words.canonical(one)));
  if (!gone.length || now.every((one) => old.includes(one))) return "";
  return `; no longer: ${[...new Set(gone.map(([field, value]) => words.shown({ [field]: value })))].join(", ")}`;
}

// Why something cannot be ordered now, in the words of the host; "" if it can, or nobody knows. `isThing`: it is no place
// of the board, but something that is drawn there.
/** @type {(word: string, isThing?: boolean) => string} */
const whyNot = (word, isThing = false) => (isLater() ? "" : model.ask("whyNot", word, orders.openLine()?.do, isThing)) ?? "";

const nothing = () => `nothing to order there ${!isLater() ? "now" : orders.lines().some((line) => model.isNow(line) && line !== orders.openLine()) ? `for a line for later, as this is the board now: ${parts.tree?.isOffered() ? "try Play ahead from here, or " : ""}open the order for now`
  : parts.tree?.isOffered() ? "yet: try Play ahead from here" : "now"}`;

// Takes the one meaning of a place, or asks at the place which of them is meant.
/** @type {(place: SVGGElement, spot?: MouseEvent) => void} */
function pick(place, spot) {
  if (parts.tree?.isOn()) return;
  const name = nameOf(place);
  const found = meanings(wordOf(place), orders.openLine()?.do);
  opened = null;
  close();
  opened = place;
  const reason = whyNot(wordOf(place));
  if (!found.length) {
    const why = `${reason ? name.split(": ")[0] : name}: ${reason || nothing()}.`;
    tell(why); // a box would hide what stands beside it
    return;
  }
  /** @type {(one: Meaning) => void} */
  const take = (one) => {
    const before = orders.openLine()?.do;
    orders.order(one.order);
    close();
    tell(`${words.noted(one.title, one.note)}${replaced(before, one.order)}`);
  };
  if (found.length === 1 && !found[0].asks) {
    take(found[0]);
    return;
  }
  const choices = found.map((one, at) => button(`meaning.${at}`, "", () => take(one)));
  choices.forEach((one, at) => one.append(el("b", {}, found[at].title), found[at].note ? ` ${found[at].note}` : ""));
  show(place, [el("p", {}, `${name}:${reason ? ` ${reason}.` : ""}`), ...choices, button("meaning.none", "Close", close)], spot);
  choices[0].focus({ preventScroll: true });
}

/** @type {(place: SVGGElement) => string} */
const wordOf = (place) => /** @type {string} */ (place.dataset.place);
const places = () => /** @type {SVGGElement[]} */ ([...(picture()?.querySelectorAll("[data-place]") ?? [])]);
/** @type {(place: SVGGElement) => Element | null} */
const titleOf = (place) => place.querySelector(":scope > title");
/** @type {Map<SVGGElement, string | undefined>} */
const named = new Map();
/** @type {(place: SVGGElement) => string} */
const nameOf = (place) => named.get(place) ?? wordOf(place);

function listen() {
  if (matchMedia("(pointer: coarse)").matches) at("board-said").textContent = "Tap what you want.";
  const drawn = picture();
  if (!drawn) return;
  drawn.setAttribute("role", "group");
  for (const one of drawn.querySelectorAll("title, desc, text")) {
    if (!one.childElementCount && one.textContent.includes("_")) one.textContent = one.textContent.replace(/\w*_\w*/g, words.name);
  }
  for (const one of drawn.querySelectorAll("g:not([data-place]) > title")) one.parentElement?.setAttribute("role", "img");
  for (const place of places()) {
    place.setAttribute("role", "button");
    named.set(place, titleOf(place)?.textContent);
    widen(place);
    place.addEventListener("click", (event) => pick(place, event));
    place.addEventListener("keydown", (event) => key(event, place));
  }
  drawn.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (parts.tree?.isOn()) {
      if (!target.closest(".way")) at("done").textContent = parts.tree.toldAt(cellAt(event));
      return;
    }
    if (target.closest("[data-place]")) return;
    const thing = target.closest("g:has(> title)")?.querySelector(":scope > title")?.textContent ?? cellAt(event);
    at("done").textContent = thing && `${thing}: ${whyNot(thing.split(": ")[0], true) || nothing()}.`;
  });
  addEventListener("resize", settle);
  settle();
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opened) close();
  });
  addEventListener("pointerdown", ({ target }) => {
    if (opened && !box().contains(/** @type {Node} */ (target))) box().replaceChildren();
  });
}

// The cell of the board's table that was clicked, where nothing is drawn in it.
/** @type {(event: MouseEvent) => string} */
function cellAt({ clientX, clientY }) {
  /** @type {SVGRectElement | null} */
  const table = picture().querySelector("[data-table]");
  if (!table) return "";
  const cells = Object.keys(/** @type {Fields} */ (data.view[String(table.dataset.table)]));
  const size = Math.sqrt(cells.length);
  const { left, top, width } = table.getBoundingClientRect();
  const [x, y] = [clientX - left, clientY - top].map((one) => Math.floor(one / width * size));
  return x >= 0 && x < size ? cells[y * size + x] : "";
}

const BAR = 190; // pixels that the bar takes when all of it is said
const BESIDE = 225; // those that stand above a board, below it and in the bar while little is said

// A board is as large as the window has room for, and never smaller than it is drawn; one that is taller still scrolls
// with the page until its end is in sight above the bar.
function settle() {
  const board = at("board");
  board.style.setProperty("--most", `${Math.max(picture().viewBox.baseVal.height, innerHeight - BESIDE)}px`);
  board.style.setProperty("--top", `${Math.min(8, innerHeight - BAR - board.offsetHeight - 8)}px`);
}

// Makes room for a finger around what is small: 33 units are 24 pixels on a telephone, 336 wide.
/** @type {(place: SVGGElement) => void} */
function widen(place) {
  const { x, y, width, height } = place.getBBox();
  const [w, h] = [Math.max(33, width), Math.max(33, height)];
  if (w === width && h === height) return;
  place.classList.toggle("low", h > height); // its frame keeps off what is written above and below
  const room = document.createElementNS(place.namespaceURI, "path");
  room.setAttribute("d", `M${x - (w - width) / 2} ${y - (h - height) / 2}h${w}v${h}h${-w}z`);
  room.setAttribute("fill", "transparent");
  room.setAttribute("stroke", "none");
  place.prepend(room);
}

/** @type {(event: KeyboardEvent, place: SVGGElement) => void} */
function key(event, place) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    pick(place);
  } else if (/^Arrow/.test(event.key)) {
    event.preventDefault();
    nearest(place, event.key)?.focus();
  }
}

// The nearest place in the direction of an arrow key, from mark to mark as the board is drawn, without the names at them;
// best one that lies more in that direction than beside it.
/** @type {(from: SVGGElement, arrow: string) => SVGGElement | undefined} */
function nearest(from, arrow) {
  /** @type {(one: SVGGElement) => [x: number, y: number, wide: number, high: number]} */
  const middle = (one) => {
    const { x, y, width, height } = (one.querySelector(":scope > rect, :scope > use") ?? one).getBoundingClientRect();
    return [x + width / 2, y + height / 2, width, height];
  };
  const [x, y, wide, high] = middle(from);
  const [dx, dy] = /** @type {{ [arrow: string]: number[] }} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[arrow];
  /** @type {[isBeside: number, far: number, SVGGElement] | null} */
  let best = null;
  for (const one of places().filter((other) => other !== from)) {
    const [ox, oy, otherWide, otherHigh] = middle(one);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const step = dx ? Math.min(wide, otherWide) : Math.min(high, otherHigh); // what stands in the same row or column is no step
    if (along <= step / 2 || aside > 4 * along) continue;
    const isBeside = Number(aside > along);
    const far = Math.hypot(along, aside) + 2 * aside;
    if (!best || isBeside < best[0] || (isBeside === best[0] && far < best[1])) best = [isBeside, far, one];
  }
  return best?.[2];
}

// What a line for later finds on the board: what the order for now leaves there, and what its condition says.
/** @type {() => Drawn[]} */
function supposed() {
  return isLater() ? model.ask("supposed", orders.lineNow()?.do) ?? [] : [];
}

const UNKNOWN = "?"; // a mark on what may be elsewhere by then: what is "unsure" at its place

// Draws what the open order would put where, such as a ship at the city that it sails to.
/** @type {(order: unknown) => void} */
function draw(order) {
  for (const one of picture().querySelectorAll("[data-place] > .ghost")) one.remove();
  const found = supposed();
  at("board").classList.toggle("supposed", found.some(([, mark]) => mark !== UNKNOWN));
  at("board").classList.toggle("unknown", found.some(([, mark]) => mark === UNKNOWN));
  for (const [word, mark, kind] of [...found.map(([word, mark]) => [word, mark, "before"]), ...(model.ask("drawn", order) ?? [])]) {
    const place = places().find((one) => one.dataset.place === word);
    if (!place) continue;
    const free = place.querySelector("use[href='#free']");
    const { x, y, width, height } = /** @type {SVGRectElement} */ (place.querySelector("rect"))?.getBBox() ?? place.getBBox();
    const [over] = /translate\([^)]*\)/.exec(mark === UNKNOWN && place.querySelector(".unsure")?.getAttribute("transform") || "") ?? [];
    const ghost = document.createElementNS(place.namespaceURI, over ? "text" : "use");
    if (over) ghost.textContent = mark;
    const spot = over ? [0, 0] : free ? ["x", "y"].map((one) => free.getAttribute(one)) : [x + width - 28, y + height / 2];
    for (const [name, value] of Object.entries({ class: `ghost ${over ? "asks" : kind ?? ""}`, href: `#${mark}`, x: spot[0], y: spot[1], transform: over ?? "" })) ghost.setAttribute(name, String(value));
    place.append(ghost);
  }
}

// Marks what can be ordered, and what the open line names; each place is called by what is there and what it offers.
/** @type {(order: unknown) => void} */
function mark(order) {
  if (!places().length) return;
  draw(order);
  const drawn = places(); // some of them move with the order
  const later = at("board-later");
  if (later) later.hidden = !isLater() || Boolean(parts.tree?.isOn());
  for (const place of drawn) {
    const offered = parts.tree?.isOn() ? [] : meanings(wordOf(place), order).map(({ title }) => title);
    const isOpen = offered.length > 0;
    const isChosen = model.ask("isChosen", wordOf(place), order) ?? names(order ?? null, wordOf(place));
    place.classList.toggle("open", isOpen);
    place.classList.toggle("chosen", isChosen);
    place.setAttribute("aria-pressed", String(isChosen));
    const title = titleOf(place);
    const reason = isOpen || parts.tree?.isOn() ? "" : whyNot(wordOf(place));
    if (title) title.textContent = [nameOf(place), ...offered, reason].filter(Boolean).join("; ");
    place.setAttribute("tabindex", isOpen ? "0" : "-1");
  }
}

export { forget, listen, mark, tell };
