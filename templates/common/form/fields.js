// Fields for what an order can hold, made from its schema and from the menus of what may be ordered now.
/** @import { Context, Fields, Line, Menu, Offered, Path, Rule, Schema } from "./types" */
/** @typedef {(now: unknown, isTyped?: boolean) => void} Change */
import { data, parts } from "./given.js";
import { adds, button, checkbox, counts, el, labelled, select } from "./dom.js";
import * as model from "./model.js";
import { problems as faultsOf, resolve } from "./schema.js";
import * as words from "./words.js";
import { noted, shown } from "./words.js";
import * as yaml from "./yaml.js";
import { flow, isMap } from "./yaml.js";

const OTHER = "\u2026";
/** @type {Map<string, string>} */
const waiting = new Map(); // what is chosen or typed in a list, and not added yet
/** @type {Set<string>} */
const others = new Set(); // fields where something is written that no menu has

/** @type {(schema: Schema) => boolean} */
const isListOrOne = (schema) => schema.if?.type === "array" && schema.then !== undefined;
/** @type {(schema: Schema, name?: string | number) => string} */
const titleOf = (schema, name) => schema.title ?? words.name(/** @type {string} */ (name));

// The menu of what may stand at a place of an order that is asked for now.
/** @type {(place: string, order: unknown, now: boolean) => Offered | null} */
function menuAt(place, order, now) {
  const own = model.ask(now ? "options" : "later", place, order);
  if (own) return { title: "", items: own };
  if (!now) return null;
  return data.menus.find((menu) => menu.paths.includes(place)) ?? null;
}

// All fields of an order. `current` returns the line as it is; `change` gets the order that comes of a change,
// and whether it was typed, so that the fields stay as they are.
/** @type {(id: string, current: () => Line, change: Change) => (HTMLElement | null)[]} */
function order(id, current, change) {
  const line = current();
  const schema = model.moveSchema(line);
  const now = model.isForNow(line);
  const context = { id, now, whole: /** @type {Context["whole"]} */ (schema), change, get order() { return current().do; } };
  const own = model.isStart(line) ? null : model.ask("editor", context);
  if (own) return own;
  const parts = [];
  if (now && model.wholeOrders.length && !model.isStart(line)) parts.push(...model.wholeOrders.map((menu, at) => wholeOrders(context, menu, at)));
  if (now && model.areAll()) return parts;
  const known = schema.properties ?? {};
  const names = Object.keys(known).filter((name) => !isForbidden(schema, line.do, name));
  /** @type {(name: string) => boolean} */
  const isOffered = (name) => !now || model.isStart(line) || !data.menus.length || name in (line.do ?? {}) || data.menus.some((menu) => menu.paths.some((path) => path.split(".")[0] === name));
  const rows = names.filter(isOffered).map((name) => part(context, [name], known[name]));
  const rest = names.filter((name) => !isOffered(name)).map((name) => part(context, [name], known[name]));
  if (parts.length && rows.length) parts.push(el("h4", {}, "Or part by part"));
  return [...parts, ...rows, rest.length ? folded(`${id}.rest`, "Other parts", rest) : null].filter(Boolean);
}

/** @type {Set<string>} */
const unfolded = new Set();

// Fields that few orders need, behind a word that opens them.
/** @type {(id: string, title: string, rows: HTMLElement[]) => HTMLElement} */
function folded(id, title, rows) {
  const box = el("details", { id, open: unfolded.has(id) }, el("summary", { id: `${id}.summary` }, title), rows);
  box.addEventListener("toggle", () => unfolded[box.open ? "add" : "delete"](id));
  return box;
}

// Whether the schema lets a field stand beside what the order has already.
/** @type {(schema: Schema, order: unknown, name: string) => boolean} */
function isForbidden(schema, order, name) {
  if (!isMap(order) || name in order) return false;
  /** @type {(found: Rule) => boolean} */
  const closed = (found) => found === false || (isMap(found) && isMap(found.not) && !Object.keys(found.not).length);
  return [schema, ...(schema.allOf ?? [])].some((rule) => {
    if (rule.if === undefined) return false;
    const branch = faultsOf(rule.if, order, schema).length ? rule.else : rule.then;
    return closed(resolve(branch?.properties?.[name] ?? true, schema));
  });
}

// One of several orders that work as they stand.
/** @type {(context: Context, menu: Menu, number: number, isTitled?: boolean) => HTMLElement} */
function wholeOrders(context, menu, number, isTitled = true) {
  const chosen = model.canonical(context.order);
  const rows = menu.items.map((item, at) => {
    const id = `${context.id}.whole${number}.${at}`;
    const pick = el("input", {
      type: "radio", id, name: `${context.id}.whole${number}`, checked: model.canonical(item.order) === chosen,
      change: () => context.change(structuredClone(item.order)),
    });
    return el("div", { class: "check" }, pick, el("label", { for: id }, el("b", {}, words.order(item.order)), ` ${item.note}`));
  });
  return el("fieldset", { class: "choices" }, el("legend", { class: isTitled ? undefined : "unseen" }, menu.title), rows);
}

/** @type {(context: Context, path: Path) => unknown} */
function get(context, path) {
  return path.reduce((/** @type {any} */ here, key) => (here === null || here === undefined ? undefined : here[key]), context.order);
}

// Puts a value at a place of the order; undefined takes it away, and what is empty then.
/** @type {(context: Context, path: Path, value: unknown, isTyped?: boolean) => void} */
function put(context, path, value, isTyped = false) {
  const changed = isMap(context.order) ? structuredClone(context.order) : {};
  /** @type {(here: any, path: Path) => void} */
  const walk = (here, [key, ...rest]) => {
    if (!rest.length) {
      if (value === undefined) {
        if (Array.isArray(here)) here.splice(/** @type {number} */ (key), 1);
        else delete here[key];
      } else here[key] = value;
      return;
    }
    if (typeof here[key] !== "object" || here[key] === null) here[key] = typeof rest[0] === "number" ? [] : {};
    walk(here[key], rest);
    if (value === undefined && !Object.keys(here[key]).length) {
      if (Array.isArray(here)) here.splice(/** @type {number} */ (key), 1);
      else delete here[key];
    }
  };
  walk(changed, path);
  context.change(changed, isTyped);
}

/** @type {(path: Path) => string} */
const place = (path) => path.filter((key) => typeof key === "string").join(".");
/** @type {(context: Context, path: Path) => string} */
const idOf = (context, path) => [context.id, ...path].join(".");

// The fields for one place of an order, with the menu of what may stand there.
/** @type {(context: Context, path: Path, given: Schema, menu?: Offered | null) => HTMLElement} */
function part(context, path, given, menu = menuAt(place(path), context.order, context.now)) {
  const schema = resolve(given, context.whole);
  if (isListOrOne(schema)) return list(context, path, schema, /** @type {Schema} */ (resolve(/** @type {Schema} */ (schema.then), context.whole).items), menu, true);
  const types = [schema.type ?? []].flat();
  if (types.includes("array")) return list(context, path, schema, schema.items ?? {}, menu, types.length > 1);
  if (types.length === 1 && types[0] === "object") return object(context, path, schema, menu);
  return single(context, path, schema, menu);
}

/** @type {(context: Context, path: Path, schema: Schema, menu: Offered | null) => HTMLElement} */
function object(context, path, schema, menu) {
  const value = get(context, path);
  const known = schema.properties ?? {};
  const rows = [];
  const taken = new Set();
  let shown = Object.keys(known);
  if (menu && menu.items.every((item) => isMap(item.order))) {
    const chosen = menu.items.findIndex((item) => model.matches(item.order, value));
    rows.push(fromMenu(context, path, titleOf(schema, path.at(-1)), menu, chosen, value, schema));
    const item = menu.items[chosen]?.order ?? {};
    const open = Object.keys(item).filter((key) => item[key] === "..." || Array.isArray(item[key]));
    for (const key of Object.keys(item)) if (!open.includes(key)) taken.add(key);
    const needed = new Set([...(schema.required ?? []), ...open, ...Object.keys(value ?? {})]);
    shown = value === undefined ? [] : shown.filter((key) => needed.has(key) && !taken.has(key));
  } else if (context.now && value === undefined) {
    const offered = shown.filter((key) => menuAt(place([...path, key]), context.order, true));
    if (offered.length) shown = offered;
  }
  const isBrief = rows.length > 0; // what a menu has explained needs no more words
  rows.push(...shown.map((key) => part(context, [...path, key], isBrief ? brief(known[key], context) : known[key])));
  const hasMenus = context.now && data.menus.some((one) => one.paths.some((at) => at.startsWith(`${place(path)}.`)));
  if (!menu && !hasMenus && value === undefined && path.length === 1) return folded(`${idOf(context, path)}.fold`, titleOf(schema, path.at(-1)), rows);
  return el("fieldset", { class: "part" }, el("legend", {}, titleOf(schema, path.at(-1))), rows);
}

/** @type {(schema: Schema, context: Context) => Schema} */
const brief = (schema, context) => ({ ...resolve(schema, context.whole), description: "" });

// A menu whose items are the beginnings of an entry, such as {for: france}.
/** @type {(context: Context, path: Path, title: string, menu: Offered, chosen: number, value: unknown, schema: Schema) => HTMLElement} */
function fromMenu(context, path, title, menu, chosen, value, schema) {
  const id = `${idOf(context, path)}.menu`;
  const options = [["", "none"], ...menu.items.map((item, at) => [String(at), noted(spelled(item.order), item.note)])];
  const isOther = value !== undefined && chosen < 0;
  if (isOther) options.push([OTHER, `${shown(value)} (as written)`]);
  const pick = select(id, options, isOther ? OTHER : String(chosen < 0 ? "" : chosen), (picked) => {
    if (picked === OTHER) return;
    if (picked === "") put(context, path, undefined);
    else put(context, path, begun(menu.items[Number(picked)].order, value, schema, context.order));
  });
  pick.setAttribute("aria-label", menu.title || title);
  return el("div", { class: "field" }, pick, chosen < 0 ? null : el("p", { class: "hint" }, menu.items[chosen].note));
}

/** @type {(order: unknown) => string} */
const spelled = (order) => (isMap(order) ? /** @type {string[]} */ (Object.values(order).filter((one) => typeof one === "string" && one !== "...")).map(words.name).join(", ") : shown(order));

// An entry with what the menu says, what it had already, and the least of the numbers that it needs.
/** @type {(item: Fields, value: unknown, schema: Schema, order: unknown) => Fields} */
function begun(item, value, schema, order) {
  const fixed = Object.fromEntries(Object.entries(item).filter(([, one]) => one !== "..." && !Array.isArray(one)));
  const out = { ...fixed };
  for (const name of schema.required ?? []) {
    const known = schema.properties?.[name] ?? {};
    if (!(name in out) && known.type === "integer") out[name] = /** @type {Fields | undefined} */ (value)?.[name] ?? model.ask("start", name, order) ?? known.minimum ?? 0;
  }
  return out;
}

// A list, or one thing in place of a list; each entry can be moved and removed.
/** @type {(context: Context, path: Path, schema: Schema, itemSchema: Schema, menu: Offered | null, oneIsEnough: boolean) => HTMLElement} */
function list(context, path, schema, itemSchema, menu, oneIsEnough) {
  const value = get(context, path);
  /** @type {() => unknown[]} */
  const present = () => {
    const found = get(context, path);
    return found === undefined ? [] : Array.isArray(found) ? [...found] : [found];
  };
  const entries = present();
  const item = resolve(itemSchema, context.whole);
  const id = idOf(context, path);
  /** @type {(now: unknown[]) => void} */
  const store = (now) => put(context, path, now.length === 0 ? undefined : oneIsEnough && now.length === 1 && !isListOrOne(item) && !Array.isArray(now[0]) ? now[0] : now);
  /** @type {(at: number, to: number) => void} */
  const swap = (at, to) => {
    const now = present();
    [now[at], now[to]] = [now[to], now[at]];
    store(now);
  };
  const isDeep = isMap(item.properties) && [item.type].flat().length === 1;
  const rows = entries.map((entry, at) => el("li", {},
    isDeep && isMap(entry) ? object(context, Array.isArray(value) ? [...path, at] : path, { ...item, title: `${at + 1}.` }, null) : el("span", { class: "entry" }, withNote(entry, menu)),
    el("span", { class: "tools" },
      button(`${id}.${at}.up`, "↑", () => swap(at, at - 1), { disabled: at === 0, "aria-label": `${shown(entry)} up` }),
      button(`${id}.${at}.down`, "↓", () => swap(at, at + 1), { disabled: at === entries.length - 1, "aria-label": `${shown(entry)} down` }),
      button(`${id}.${at}.remove`, "✕", () => store(present().filter((_, other) => other !== at)), { "aria-label": `remove ${shown(entry)}` }))));
  const title = titleOf(schema, path.at(-1));
  return el("fieldset", { class: "part" }, el("legend", {}, title),
    rows.length ? el("ol", { class: "entries" }, rows) : null,
    isDeep ? button(`${id}.another`, rows.length ? "Add another" : "Add", () => store([...present(), {}]), { "aria-label": `Add to ${title}` }) : adder(id, title, schema.description, menu, item, (entry) => store([...present(), entry])));
}

/** @type {(entry: unknown, menu: Offered | null) => string} */
function withNote(entry, menu) {
  return noted(shown(entry), menu?.items.find((item) => model.matches(item.order, entry))?.note);
}

// Takes one more entry for a list: of the menu, of the possible words, or as it is typed.
/** @type {(id: string, title: string, hint: string | undefined, menu: Offered | null, item: Schema, add: (value: unknown) => void) => HTMLElement} */
function adder(id, title, hint, menu, item, add) {
  const known = menu ? menu.items : (item.enum ?? []).map((one) => ({ order: one, note: "" }));
  const field = el("input", { id: `${id}.add`, type: "text", "aria-label": `${title}, in words`, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const options = [["", menu && !known.length ? "nothing more fits" : "add …"], ...known.map((one, at) => [String(at), withNote(one.order, menu)]), [OTHER, "something else, in words"]];
  const begun_ = waiting.get(id) ?? "";
  const at = known.findIndex((one) => begun_ && model.canonical(one.order) === begun_);
  /** @type {string | undefined} */
  let added; // what stands there and was added: the fields are drawn anew then, but not always at once
  const pick = menu || known.length ? select(`${id}.pick`, options, others.has(id) ? OTHER : at < 0 ? "" : String(at), (value) => {
    if (value === added) return; // a change by keys can be told after Enter
    others[value === OTHER ? "add" : "delete"](id);
    waiting.set(id, known[Number(value)] && value ? model.canonical(known[Number(value)].order) : "");
    field.hidden = addIt.hidden = value !== OTHER;
  }) : null;
  field.hidden = pick !== null && !others.has(id);
  if (!field.hidden) field.value = begun_;
  field.addEventListener("input", () => {
    added = undefined;
    waiting.set(id, field.value);
  });
  const typed = () => {
    const isPicked = pick !== null && pick.value !== OTHER;
    const is = isPicked ? pick.value : field.value;
    if (is && is === added) return true;
    const value = isPicked ? is && structuredClone(known[Number(is)].order) : fromText(is);
    if (value === undefined || value === null || value === "") return false;
    added = is;
    waiting.delete(id);
    add(value);
    return true;
  };
  for (const one of [field, pick]) if (one) counts(one, typed);
  const addIt = adds(`${id}.addit`, `Add to ${title}`, field, typed); // what is chosen in the list is added at once
  addIt.hidden = field.hidden;
  const label = el("label", { for: pick ? `${id}.pick` : `${id}.add`, class: "unseen" }, `Add to: ${title}`);
  return el("div", { class: "adder" }, label, pick, field, addIt,
    pick || !hint ? null : el("p", { class: "hint" }, hint));
}

// What was typed into a field: a word, a number, or a list or mapping in brackets.
/** @type {(text: string) => unknown} */
function fromText(text) {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  try {
    return yaml.read(trimmed).value;
  } catch {
    return trimmed;
  }
}

/** @type {(context: Context, path: Path, schema: Schema, menu: Offered | null) => HTMLElement} */
function single(context, path, schema, menu) {
  const value = get(context, path);
  const id = idOf(context, path);
  const title = titleOf(schema, path.at(-1));
  /** @type {Change} */
  const set = (now, isTyped) => put(context, path, now, isTyped);
  if (schema.const !== undefined) {
    return el("div", { class: "field" }, checkbox(id, title, value !== undefined, (on) => set(on ? schema.const : undefined)),
      schema.description ? el("p", { class: "hint" }, schema.description) : null);
  }
  const known = menu ? menu.items : (schema.enum ?? []).map((one) => ({ order: one, note: "" }));
  if (known.length) {
    const chosen = value === undefined ? -1 : known.findIndex((item) => model.matches(item.order, value));
    const options = [["", "none"], ...known.map((item, at) => [String(at), noted(shown(item.order), item.note)])];
    const isOther = value !== undefined && chosen < 0;
    options.push([OTHER, isOther ? `${shown(value)} (as written)` : "something else, in words"]);
    const pick = select(id, options, isOther || others.has(id) ? OTHER : String(chosen < 0 ? "" : chosen), (picked) => {
      others[picked === OTHER ? "add" : "delete"](id);
      set(picked === "" || picked === OTHER ? undefined : structuredClone(known[Number(picked)].order));
    });
    const isTyped = isOther || others.has(id);
    if (isTyped) pick.value = OTHER;
    return el("div", {}, labelled(id, title, pick, menu ? "" : schema.description), isTyped ? typed(`${id}.typed`, `${title}, in words`, schema, value, set) : null);
  }
  if (schema.type === "integer" && schema.minimum !== undefined) {
    const field = el("input", { type: "number", id, min: schema.minimum, max: schema.maximum, step: 1, inputmode: "numeric", value: /** @type {number | undefined} */ (value) ?? "" });
    field.addEventListener("input", () => set(field.value === "" ? undefined : Number(field.value), true));
    return labelled(id, title, field, schema.description);
  }
  if (parts.seal && id.endsWith(".seal")) return parts.seal.field(id, title, schema.description, value, set);
  return typed(id, title, schema, value, set);
}

/** @type {(id: string, title: string, schema: Schema, value: unknown, set: Change) => HTMLElement} */
function typed(id, title, schema, value, set) {
  const isText = schema.type === "string";
  const given = value === undefined ? "" : isText && typeof value === "string" ? data.names[value] ?? value : flow(value);
  const field = el("input", { type: "text", id, value: given, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  field.addEventListener("input", () => set(field.value === "" ? undefined : words.meant(isText ? field.value : fromText(field.value)), true));
  return labelled(id, title, field, schema.description);
}

export { order, begun, part, wholeOrders, isListOrOne };
