// Elements of the page. Text of players is only ever put in as text; nothing here reads markup.
/** @import { At, Attributes, Child } from "./types" */

// An element of the page by its id.
const at = /** @type {At} */ ((/** @type {string} */ id) => document.getElementById(id));

// An element with attributes, listeners (functions) and children (elements or text).
/** @type {<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes?: Attributes, ...children: (Child | Child[])[]) => HTMLElementTagNameMap[Tag]} */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "checked" || name === "value" || name === "selected" || name === "disabled") /** @type {any} */ (made)[name] = value;
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : /** @type {string} */ (value));
  }
  made.append(.../** @type {(Node | string)[]} */ (children.flat().filter((one) => one !== null && one !== undefined && one !== "")));
  return made;
}

/** @type {(id: string, text: string, work: () => void, more?: Attributes) => HTMLButtonElement} */
const button = (id, text, work, more = {}) => el("button", { type: "button", id, click: work, ...more }, text);

/** @type {Set<string>} */
const unfolded = new Set();

// A text that stands out; a long one is said in short, and whole once it is opened.
/** @type {(text: string, short: string) => HTMLElement} */
function bold(text, short) {
  if (text === short) return el("b", {}, text);
  const box = el("details", { open: unfolded.has(text) }, el("summary", {}, el("b", {}, short)), text);
  box.addEventListener("toggle", () => unfolded[box.open ? "add" : "delete"](text));
  return box;
}

// A field with its label above it, and what it is for below.
/** @type {(id: string, text: string, field: HTMLElement, hint?: string) => HTMLElement} */
function labelled(id, text, field, hint) {
  const said = hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  if (said) field.setAttribute("aria-describedby", said.id);
  return el("div", { class: "field" }, el("label", { for: id }, text), field, said);
}

/** @type {(id: string, options: string[][], value: string, work: (value: string) => void) => HTMLSelectElement} */
function select(id, options, value, work) {
  const made = el("select", { id, change: () => work(made.value) });
  for (const [key, text] of options) made.append(el("option", { value: key, selected: key === value }, text));
  return made;
}

/** @type {(id: string, text: string, checked: boolean, work: (on: boolean) => void) => HTMLElement} */
function checkbox(id, text, checked, work) {
  const box = el("input", { type: "checkbox", id, checked, change: () => work(box.checked) });
  return el("div", { class: "check" }, box, el("label", { for: id }, text));
}

// Whether fields are drawn anew: one that goes away meanwhile is not left by the player.
const drawing = { is: false };

// What is picked or typed in a field counts at once; what the arrow keys pass over, or is being typed, when the
// field is left or with Enter. Until then it is another value than the one that it began with.
/** @type {(field: HTMLElement, add: () => void, is?: string) => void} */
function counts(field, add, is = "") {
  field.dataset.is = is;
  const isList = field.tagName === "SELECT";
  let isKeyed = false;
  field.addEventListener("pointerdown", () => { isKeyed = false; });
  field.addEventListener("keydown", (event) => {
    isKeyed = true;
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  field.addEventListener("change", () => { if (!drawing.is && !(isList && isKeyed)) add(); });
  field.addEventListener("focusout", () => { if (!drawing.is && isList) add(); });
}

// The button beside a list or a field that counts by itself: with nothing left to add, it leads back there and says so.
/** @type {(id: string, name: string, field: HTMLElement, add: () => boolean) => HTMLButtonElement} */
const adds = (id, name, field, add) => button(id, "Add", () => {
  if (add()) return;
  field.focus();
  at("done").textContent = field.tagName === "SELECT" ? "Nothing to add yet: what you choose in the list is added at once." : "Nothing to add yet: write it first.";
}, { "aria-label": name });

export { adds, at, bold, el, button, labelled, select, checkbox, counts, drawing };
