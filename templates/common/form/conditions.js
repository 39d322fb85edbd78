// Conditions: each in the game's own words, with a list for each thing that it is told; what is a path stands as it is written.
/** @import { Fields, Wanted, When } from "./types" */
/** @template Value @typedef {(now: Value, isTyped?: boolean) => void} Change */
import { data } from "./given.js";
import { at, button, counts, el, select } from "./dom.js";
import * as model from "./model.js";
import * as orders from "./orders.js";
import { BOUNDS, ME, asked, entries, inPaths, isSaid, predicates, sentence } from "./predicates.js";
import * as words from "./words.js";
import * as yaml from "./yaml.js";
import { flow, isMap } from "./yaml.js";

const NONE = ""; // the name of a condition that was begun: it is not chosen yet what it is about
const WRITTEN = "written"; // what a new condition is about that is written as a path
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

// Which of the conditions a row is, for those who hear the page.
/** @type {(id: string) => string} */
const numbered = (id) => `condition ${Number(id.split(".").at(-1)) + 1}`;

// What a predicate is told, by name.
/** @type {(name: string, written: Wanted) => Fields} */
function fieldsOf(name, written) {
  if (isMap(written)) return written;
  const { arguments: given, number } = predicates[name];
  if (typeof written === "boolean") return {};
  return typeof written === "number" && number ? { exactly: written } : { [(asked(predicates[name])[0] ?? given[0]).name]: written };
}

// A predicate of which nothing is said yet.
/** @type {(name: string) => Wanted} */
function unsaid(name) {
  const { arguments: given, number } = predicates[name];
  const needed = asked(predicates[name]);
  if (!needed.length && !number) return given.length ? { [given[0].name]: given[0].default } : true;
  return { ...Object.fromEntries(needed.map((one) => [one.name, ""])), ...(number && { at_least: "" }) };
}

// Whether a condition holds now, where that says something: not of what is looked at later, and of what is not filled in.
/** @type {(id: string, name: string, written: Wanted, isOpen: boolean) => HTMLElement | null} */
function standing(id, name, written, isOpen) {
  const isLater = id.startsWith("line.") && !model.isNow(orders.openLine() ?? {});
  if (isLater || isOpen) return null;
  const isSo = model.holds({ [name]: written });
  return el("span", { class: isSo ? "good" : "muted" }, isSo ? "holds now" : "does not hold now");
}

// The fields of a condition in the game's own words.
/** @type {(id: string, name: string, written: Wanted, change: Change<Wanted | undefined>) => HTMLElement} */
function rowOf(id, name, written, change) {
  const { arguments: given, number } = predicates[name];
  const fields = fieldsOf(name, written);
  const lists = given.map((argument, place) => {
    const value = fields[argument.name] ?? argument.default ?? "";
    const shown = Array.isArray(value) ? flow(value) : String(value);
    const options = byName(Object.entries(argument.values).map(([one, called]) => [one, one === ME ? "you" : played(one, called)]));
    if (Array.isArray(value)) options.unshift([shown, value.map((one) => argument.values[one] ?? one).join(" or ")]);
    else if (!(shown in argument.values)) options.unshift([shown, shown || "choose \u2026"]);
    return list(`${id}.step${place + 1}`, options, shown, `${numbered(id)}: ${argument.name}`, (chosen) => change({ ...fields, [argument.name]: chosen }));
  });
  const bound = BOUNDS.find((one) => one in fields) ?? "at_least";
  const counted = number ? [
    list(`${id}.test`, BOUNDS.map((one) => [one, one.replace("_", " ")]), bound, `${numbered(id)}: test`, (chosen) => {
      const { [bound]: value, ...rest } = fields;
      change({ ...rest, [chosen]: value ?? "" });
    }),
    numberField(`${id}.value`, fields[bound] ?? number.default?.[bound], `${numbered(id)}: number`, (now, isTyped) => change({ ...fields, [bound]: now }, isTyped)),
  ] : [];
  return el("li", { class: "condition" }, el("p", { class: "hint about" }, sentence(name, written)), el("span", { class: "steps" }, lists, counted),
    standing(id, name, written, Object.values(fields).includes("")), removal(id, sentence(name, written), change));
}

/** @type {(id: string, text: string, change: Change<Wanted | undefined>) => HTMLElement} */
const removal = (id, text, change) => button(`${id}.remove`, "\u2715", () => change(undefined), { "aria-label": `remove the condition: ${text}` });

// A number counts as it is typed; the fields stay as they are until it is left.
/** @type {(id: string, value: unknown, name: string, set: Change<unknown>) => HTMLInputElement} */
function numberField(id, value, name, set) {
  const field = el("input", { id, "aria-label": name, type: "number", step: "1", value: /** @type {number | undefined} */ (value ?? ""), autocomplete: "off" });
  field.addEventListener("focus", () => field.select());
  field.addEventListener("input", () => field.value !== "" && set(Number(field.value), true));
  field.addEventListener("change", () => set(field.value === "" ? "" : Number(field.value)));
  return field;
}

// A condition that is a path into the view, or joins others: as it is written, to be written otherwise.
/** @type {(id: string, name: string, written: Wanted, replace: (entry: When) => void, change: Change<Wanted | undefined>) => HTMLElement} */
function rowAsWritten(id, name, written, replace, change) {
  const field = el("input", { id: `${id}.value`, "aria-label": `${numbered(id)}, as it is written`, type: "text", value: words.isBegun(name) ? "" : flow({ [name]: written }).slice(1, -1), autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  field.addEventListener("change", () => {
    try {
      const { value } = yaml.read(`{${field.value}}`);
      if (isMap(value) && Object.keys(value).length) replace(value);
    } catch {
      field.setAttribute("aria-invalid", "true"); // it stays as it was
    }
  });
  const text = words.condition({ [name]: written });
  return el("li", { class: "condition" }, el("p", { class: "hint about" }, text), field, standing(id, name, written, words.isBegun(name) || model.isUnsaid(name, written)), removal(id, text, change));
}

// What a new condition can be about: what fits the line, then all that the game declares.
/** @type {(id: string, given: When, fitting: When[], store: Change<When>) => HTMLElement} */
function fresh(id, given, fitting, store) {
  const all = new Map(fitting.flatMap((one) => Object.entries(one)).map((one) => [model.canonical(one), one]));
  const offered = [...all.values()].filter(([path]) => !(path in given));
  const options = [[NONE, "choose what must be so \u2026"], ...offered.map(([path, wanted], number) => [String(number), words.condition({ [path]: wanted })]),
    ...Object.keys(predicates).map((name) => [name, sentence(name, unsaid(name))]), [WRITTEN, "something else, as you write it"]];
  const { [NONE]: gone, ...others } = given;
  const place = `${id}.${Object.keys(others).length}`;
  const pick = list(`${id}.new`, options, NONE, "A new condition", (chosen) => {
    const [path, wanted] = offered[Number(chosen)] ?? [];
    const added = path ? { [path]: wanted } : chosen === WRITTEN ? { "view.": "" } : inPaths([[chosen, unsaid(chosen)]]);
    store({ ...others, ...added });
    (at(`${place}.step1`) ?? at(`${place}.value`) ?? at(`${place}.remove`))?.focus();
  });
  return el("li", { class: "condition" }, pick, button(`${id}.leave`, "\u2715", () => store(others), { "aria-label": "no new condition" }));
}

// The conditions of a line, or of stop_if, as `current` returns them; `change` gets undefined when the last one goes.
/** @type {(id: string, title: string, current: () => When | undefined, change: Change<When | undefined>, fitting?: When[]) => HTMLElement} */
function editor(id, title, current, change, fitting = []) {
  const given = () => current() ?? {};
  /** @type {Change<When>} */
  const store = (now, isTyped = false) => change(Object.keys(now).length ? now : undefined, isTyped);
  const rows = entries(given()).map(([name, written], number) => {
    const row = `${id}.${number}`;
    if (name === NONE) return fresh(id, given(), fitting, store);
    // What was said of the others may have changed since this row was drawn.
    /** @type {(put: [string, Wanted][], isTyped?: boolean) => void} */
    const put = (put_, isTyped) => store(inPaths(entries(given()).flatMap((one, place) => (place === number ? put_ : [one]))), isTyped);
    /** @type {Change<Wanted | undefined>} */
    const set = (now, isTyped) => put(now === undefined ? [] : [[name, now]], isTyped);
    return isSaid(name, written) ? rowOf(row, name, written, set) : rowAsWritten(row, name, written, (entry) => put(Object.entries(entry)), set);
  });
  const add = () => {
    store({ ...given(), [NONE]: "" });
    at(`${id}.new`)?.focus();
  };
  return el("fieldset", { class: "part" }, el("legend", {}, title),
    rows.length ? el("ul", { class: "entries" }, rows) : null, button(`${id}.add`, "Add a condition", add, { "aria-label": `Add a condition: ${title}` }));
}

export { editor };
