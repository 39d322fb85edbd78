// Conditions: paths into the seat's own view, each with what must be found there.
/** @import { Fields, Wanted, When } from "./types" */
/** @typedef {[names: string[], text: string]} Topic */
/** @template Value @typedef {(now: Value, isTyped?: boolean) => void} Change */
import { data, parts } from "./given.js";
import { at, button, counts, el, select } from "./dom.js";
import * as model from "./model.js";
import * as orders from "./orders.js";
import * as words from "./words.js";
import * as yaml from "./yaml.js";
import { flow, isMap } from "./yaml.js";

/** @type {{ [operator: string]: [name: string, wanted: (value: unknown) => Wanted] }} */
const OPERATORS = {
  is: ["is", (value) => value],
  not: ["is not", (value) => ({ not: value })],
  at_least: ["is at least", (value) => ({ at_least: value })],
  at_most: ["is at most", (value) => ({ at_most: value })],
  has: ["has", (value) => ({ has: value })],
  has_not: ["does not have", (value) => ({ not: { has: value } })],
  as_written: ["fits, as written", (value) => value],
};

// The operator and the value of what is wanted at a path.
/** @type {(wanted: Wanted) => [operator: string, value: unknown]} */
function taken(wanted) {
  if (!isMap(wanted)) return Array.isArray(wanted) ? ["as_written", wanted] : ["is", wanted];
  const [[operator, value] = [], ...more] = Object.entries(wanted);
  if (operator === undefined) return ["as_written", wanted];
  if (more.length || Array.isArray(value)) return ["as_written", wanted];
  if (operator === "not" && isMap(value)) {
    return Object.keys(value).length === 1 && "has" in value && !Array.isArray(value.has) ? ["has_not", value.has] : ["as_written", wanted];
  }
  return operator in OPERATORS ? [operator, value] : ["as_written", wanted];
}

const NONE = ""; // the path of a condition that was begun: it is not chosen yet what it is about
const { compare } = new Intl.Collator(undefined, { numeric: true });
// The names that people see, in their order; what has no name, such as a card that nobody has seen, comes last.
/** @type {(options: string[][]) => string[][]} */
const byName = (options) => [...options].sort(([, one], [, other]) => Number(/^\d/.test(one)) - Number(/^\d/.test(other)) || compare(one, other));

// A seat with who plays it: "Yellow (Ann)".
/** @type {(word: string, called: string) => string} */
const played = (word, called) => `${called}${data.players.filter(({ seat }) => seat === word).map(({ name }) => ` (${name})`).join("")}`;

// A list whose choice counts at once; what is gone through by key, when the list is left.
/** @type {(id: string, options: string[][], value: string, name: string, choose: (value: string) => void) => HTMLSelectElement} */
function list(id, options, value, name, choose) {
  const pick = select(id, options, value, () => {});
  pick.setAttribute("aria-label", name);
  counts(pick, () => pick.value !== value && choose(pick.value), value);
  return pick;
}

/** @type {(node: unknown) => boolean} */
const isLeaf = (node) => !isMap(node) || !Object.keys(node).length;

// Down from a path to the first value that can be asked for.
/** @type {(names: string[]) => string[]} */
function descend(names) {
  /** @type {unknown} */
  let here = names.length ? model.look(names.join(".")) : data.view;
  const out = [...names];
  while (!isLeaf(here)) {
    const [[key, below]] = Object.entries(/** @type {Fields} */ (here));
    out.push(key);
    here = below;
  }
  return out;
}

// A path to the first place of a pattern, without the things that another path does not name: they are to be chosen.
/** @type {(path: string[], pattern: string[], named?: string[]) => string[]} */
const unchosen = (path, pattern, named = []) => path.map((step, at) => (pattern[at] === "*" && step !== named[at] ? NONE : step));

// What a new condition asks for first: what is true now; of what is true or false, that it is true; of numbers nothing, as
// the player has one in mind. The word of one of many things, such as the owner of a site, is to be chosen.
/** @type {(path: string) => Wanted} */
function asNow(path) {
  const found = model.look(path);
  if (typeof found === "boolean") return true;
  if (Array.isArray(found)) return { has: "" }; // which of them is to be chosen
  const isToChoose = isMap(found) || found === null || typeof found === "number" || found === undefined;
  return isToChoose || (typeof found === "string" && words.factOf(path)?.includes("*") && parts.domains?.values(path)) ? "" : found;
}

// The fields of one condition; `current` returns all that stand beside it, as they are when something is changed.
/** @type {(id: string, current: () => When, path: string, change: Change<When>) => HTMLElement} */
function rowFor(id, current, path, change) {
  const names = path.split(".");
  const wanted = current()[path];
  /** @type {(newPath: string, value: Wanted, isTyped?: boolean) => void} */
  const replaced = (newPath, value, isTyped = false) => {
    /** @type {When} */
    const out = {};
    for (const [key, one] of Object.entries(current())) out[key === path ? newPath : key] = key === path ? value : one;
    change(out, isTyped);
  };
  // What is asked of one place stays what is asked of another of its kind.
  const walk = steps(id, names, (chosen) => {
    const kept = [...chosen, ...names.slice(chosen.length)].join(".");
    const isLike = [kept, path].map((one) => model.look(one)).map((one) => (Array.isArray(one) ? "list" : typeof one));
    const stays = isLike[0] === isLike[1] && isLike[0] !== "undefined" && words.factOf(kept) === words.factOf(path);
    const next = stays ? kept : descend(chosen).join(".");
    const isNumber = typeof model.look(path) === "number"; // of one seat it is no number of another
    if (next === path || !(next in current())) replaced(next, !stays ? asNow(next) : isNumber && next !== path && operator !== "as_written" ? OPERATORS[operator][1]("") : wanted);
  });
  const remove = button(`${id}.remove`, "✕", () => {
    const { [path]: gone, ...rest } = current();
    change(rest);
  }, { "aria-label": `remove the condition on ${words.thing(path)}` });
  if (words.isBegun(path)) return el("li", { class: "condition" }, el("p", { class: "hint about" }, `${words.thing(path)}:`), walk, remove);
  const [operator, value] = taken(wanted);
  const operators = allowed(model.look(path), operator).map((name) => [name, OPERATORS[name][0]]);
  const pick = list(`${id}.test`, operators, operator, `${words.thing(path)}: test`, (name) => replaced(path, OPERATORS[name][1](name === "as_written" ? wanted : value)));
  const holdsNow = model.holds({ [path]: wanted });
  const isUnsaid = model.isUnsaid(path, wanted);
  const isLater = id.startsWith("line.") && !model.isNow(orders.openLine() ?? {});
  return el("li", { class: "condition" }, el("p", { class: "hint about" }, `${words.thing(path)}:`), walk, pick,
    valueField(`${id}.value`, path, operator, value, (now, isTyped) => replaced(path, OPERATORS[operator][1](now), isTyped)),
    isLater || isUnsaid ? null : el("span", { class: holdsNow ? "good" : "muted" }, holdsNow ? "holds now" : "does not hold now"), remove);
}

// The nearest path to one before that a pattern has in the view, as its steps; undefined if it has none.
/** @type {(parts: string[], before?: string[], here?: unknown) => string[] | undefined} */
function pathOf(parts, before = [], here = data.view) {
  if (!parts.length) return [];
  const [part, ...rest] = parts;
  if (!isMap(here)) return undefined;
  const keys = Object.keys(here).filter((key) => part === "*" || part === key);
  for (const key of keys.includes(before[0]) ? [before[0], ...keys] : keys) {
    const found = pathOf(rest, before.slice(1), here[key]);
    if (found) return [key, ...found];
  }
  return undefined;
}

const facts = Object.entries(data.facts).map(([pattern, text]) => ({ pattern, parts: pattern.split("."), text: text.replace(/\{\d\}/g, "\u2026") }));

// Which of the conditions a row is, for those who hear the page.
/** @type {(id: string) => string} */
const numbered = (id) => `condition ${Number(id.split(".").at(-1)) + 1}`;

// What is asked for, in the words of the game, and a choice for each thing that these leave open; the steps of the path
// where the game has no words.
/** @type {(id: string, names: string[], choose: (names: string[]) => void) => HTMLElement} */
function steps(id, names, choose) {
  const now = words.factOf(names.join("."));
  const told = facts.filter(({ pattern, parts }) => pattern === now || pathOf(parts)).map(({ pattern, text }) => [pattern, text]);
  const chosen = now ?? names[0];
  const options = told.length ? told : Object.keys(data.view).map((key) => [key, words.name(key)]);
  if (!options.some(([key]) => key === chosen)) options.push([chosen, words.name(chosen)]);
  const first = list(`${id}.step0`, options, chosen, `${numbered(id)}: what it is about`, (key) => choose(told.length ? unchosen(/** @type {string[]} */ (pathOf(key.split("."), names)), key.split("."), names) : [key]));
  const parts = now?.split(".");
  return el("span", { class: "steps" }, first, names.map((_, at) => ((parts ? parts[at] === "*" : at > 0) ? step(id, names, at, choose, parts?.slice(at + 1)) : null)));
}

// A choice for one step of a path; `rest` is what has to follow where the game has words for it.
/** @type {(id: string, names: string[], at: number, choose: (names: string[]) => void, rest?: string[]) => HTMLElement} */
function step(id, names, at, choose, rest) {
  const here = at ? model.look(names.slice(0, at).join(".")) : data.view;
  const keys = isMap(here) ? Object.keys(here).filter((key) => !rest || pathOf(rest, [], here[key])) : [];
  const found = keys.find((key) => model.same(key, names[at]));
  const options = byName(keys.map((key) => [key, played(key, words.name(key))]));
  if (names[at] === NONE) options.unshift([NONE, "choose \u2026"]);
  else if (found === undefined) options.push([names[at], `${words.name(names[at])} (not in the report)`]);
  return list(`${id}.step${at + 1}`, options, found ?? names[at], `${numbered(id)}: of ${names.slice(0, at).map(words.name)}`, (key) => choose([...names.slice(0, at), key, ...(rest ? names.slice(at + 1) : [])]));
}

/** @type {(found: unknown, operator: string) => string[]} */
function allowed(found, operator) {
  let names = ["is", "not"];
  if (typeof found === "number") names = ["is", "not", "at_least", "at_most"];
  if (Array.isArray(found) || isMap(found)) names = ["has", "has_not"];
  if (found === undefined || found === null) names = ["is", "not", "at_least", "at_most", "has", "has_not"];
  return names.includes(operator) ? names : [...names, operator];
}

/** @type {(id: string, path: string, operator: string, value: unknown, set: Change<unknown>) => HTMLElement} */
function valueField(id, path, operator, value, set) {
  const found = model.look(path);
  const name = `${words.thing(path)}: value`;
  if (operator !== "as_written" && typeof found === "boolean") return list(id, [["true", "yes"], ["false", "no"]], String(value), name, (now) => set(now === "true"));
  const known = Array.isArray(found) || ((typeof found === "string" || found === null) && (typeof value === "string" || value === null)) ? parts.domains?.values(path) : undefined;
  if (known && operator !== "as_written") {
    const options = [["", "choose \u2026"], ...byName(known.map((one) => [one, played(one, words.value(one))]))];
    if (!known.includes(String(value)) && value !== "") options.push([String(value), words.name(String(value))]);
    return list(id, options, String(value ?? ""), name, set);
  }
  const field = el("input", {
    id, "aria-label": name, type: typeof found === "number" && operator !== "as_written" ? "number" : "text", step: "any",
    value: operator === "as_written" || typeof value === "object" ? flow(value) : typeof value === "string" ? data.names[value] ?? data.called[value] ?? value : /** @type {number | undefined} */ (value), list: `${id}.words`,
    autocomplete: "off", autocapitalize: "off", spellcheck: "false",
  });
  field.addEventListener("focus", () => field.select());
  // A number counts as it is typed; the fields stay as they are until it is left.
  if (field.type === "number") field.addEventListener("input", () => field.value !== "" && set(Number(field.value), true));
  field.addEventListener("change", () => set(field.type !== "number" ? read(field.value, operator) : field.value === "" ? "" : Number(field.value)));
  const near = [...new Set(Array.isArray(found) ? found : siblings(path))].filter((one) => typeof one === "string");
  return el("span", {}, field, el("datalist", { id: `${id}.words` }, near.slice(0, 60).map((word) => el("option", { value: words.name(word) }))));
}

/** @type {(text: string, operator: string) => unknown} */
function read(text, operator) {
  const named = operator === "as_written" ? undefined : words.wantedOf(text);
  if (named !== undefined) return named;
  try {
    return yaml.read(text).value;
  } catch {
    return operator === "as_written" ? "" : text;
  }
}

// The values beside the one of a path, as suggestions of what may stand there.
/** @type {(path: string) => unknown[]} */
function siblings(path) {
  const around = path.includes(".") ? model.look(path.slice(0, path.lastIndexOf("."))) : data.view;
  return isMap(around) ? [...Object.values(around), ...Object.keys(data.view.board ?? {})] : [];
}

// What a new condition can be about: what fits the line, then all that the game has words for.
/** @type {(id: string, given: When, fitting: When[], store: Change<When>) => HTMLElement} */
function fresh(id, given, fitting, store) {
  const all = new Map(fitting.flatMap((one) => Object.entries(one)).map((one) => [model.canonical(one), one]));
  const offered = [...all.values()].filter(([path]) => !(path in given));
  /** @type {(names?: string[]) => unknown} */
  const isFree = (names) => names && !(names.join(".") in given);
  const told = /** @type {Topic[]} */ (facts.map(({ parts, text }) => [pathOf(parts), text])).filter(([names]) => isFree(names));
  const rest = told.length ? told : /** @type {Topic[]} */ (Object.keys(data.view).filter((key) => key !== "me").map((key) => [descend([key]), words.name(key)])).filter(([names]) => isFree(names));
  const options = [[NONE, "choose what must be so \u2026"], ...offered.map(([path, wanted], number) => [String(number), words.condition({ [path]: wanted })]), ...rest.map(([names, text]) => [names.join("."), text])];
  const { [NONE]: gone, ...others } = given;
  const pick = list(`${id}.new`, options, NONE, "A new condition", (chosen) => {
    const names = unchosen(chosen.split("."), words.factOf(chosen)?.split(".") ?? []).join(".");
    const [path, wanted] = offered[Number(chosen)] ?? [names, asNow(names)];
    store({ ...others, [path]: wanted });
    at(`${id}.${Object.keys(others).length}.step0`)?.focus();
  });
  return el("li", { class: "condition" }, pick, button(`${id}.leave`, "\u2715", () => store(others), { "aria-label": "no new condition" }));
}

// The conditions of a line, or of stop_if, as `current` returns them; `change` gets undefined when the last one goes.
/** @type {(id: string, title: string, current: () => When | undefined, change: Change<When | undefined>, fitting?: When[]) => HTMLElement} */
function editor(id, title, current, change, fitting = []) {
  const given = () => current() ?? {};
  /** @type {Change<When>} */
  const store = (now, isTyped = false) => change(Object.keys(now).length ? now : undefined, isTyped);
  const rows = Object.keys(given()).map((path, number) => (path === NONE ? fresh(id, given(), fitting, store) : rowFor(`${id}.${number}`, given, path, store)));
  const add = () => {
    store({ ...given(), [NONE]: "" });
    at(`${id}.new`)?.focus();
  };
  return el("fieldset", { class: "part" }, el("legend", {}, title),
    rows.length ? el("ul", { class: "entries" }, rows) : null, button(`${id}.add`, "Add a condition", add, { "aria-label": `Add a condition: ${title}` }));
}

export { editor };
