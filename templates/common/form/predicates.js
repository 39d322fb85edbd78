// Conditions in the game's own words: what they come to on the view, and how these words say what a path wants. The page
// thinks in paths and tests; players read and write predicates.
/** @import { Argument, Fields, Predicate, Said, Wanted, When } from "./types" */
import { data } from "./given.js";
import { isMap } from "./yaml.js";

const { predicates = {} } = data;
const JOINTS = ["all", "any", "not"];
const BOUNDS = ["at_least", "at_most", "exactly"];
const ME = "me";

/** @type {(value: unknown) => string} */
const folded = (value) => String(value).toLowerCase();
// The words of a name: "roman denarius" for "The Roman denarius (1)".
/** @type {(value: unknown) => string} */
const plain = (value) => (folded(value).split(" (")[0].match(/[\p{L}\p{N}]+/gu) ?? []).join(" ").replace(/^the (?=.)/, "");
// The id of a value as somebody writes it, by id or by name; undefined if there is none such.
/** @type {(argument: Argument, written: unknown) => string | undefined} */
function idOf({ values, also = {} }, written) {
  for (const spell of [folded, plain]) {
    const found = Object.keys(values).filter((id) => [id, values[id]].map(spell).includes(spell(written)));
    if (found.length === 1) return found[0];
  }
  return also[folded(written)];
}
/** @type {(predicate: Predicate) => Argument[]} */
const asked = (predicate) => predicate.arguments.filter((one) => !one.default);
/** @type {(when: Fields, name: string) => Fields[]} */
const partsOf = (when, name) => /** @type {Fields[]} */ (isMap(when[name]) ? Object.entries(when[name]).map(([key, one]) => ({ [key]: one })) : Array.isArray(when[name]) ? when[name] : []);

// What a predicate is told, by argument: the ids of which one is meant; undefined if it is not told all, or what cannot be.
/** @type {(name: string, written: unknown) => Said | undefined} */
function read(name, written) {
  const predicate = predicates[name];
  const needed = asked(predicate);
  const alone = needed.length ? needed : predicate.arguments;
  const isSo = typeof written === "boolean";
  const fields = isMap(written) ? written : isSo ? {} : typeof written === "number" && predicate.number && !needed.length ? { exactly: written } : alone.length === 1 ? { [alone[0].name]: written } : undefined;
  if (!fields || Object.keys(fields).some((one) => !(predicate.number && BOUNDS.includes(one)) && !predicate.arguments.some((argument) => argument.name === one))) return undefined;
  /** @type {[name: string, ids: (string | undefined)[]][]} */
  const ids = predicate.arguments.map((argument) => [argument.name, [fields[argument.name] ?? argument.default ?? ""].flat().map((one) => (one === "" ? undefined : idOf(argument, one)))]);
  if (ids.some(([, found]) => !found.length || found.includes(undefined))) return undefined;
  const given = BOUNDS.filter((one) => one in fields).map((one) => [one, fields[one]]);
  const number = given.length ? Object.fromEntries(given) : predicate.number?.default ?? {};
  if (predicate.number && (!Object.keys(number).length || Object.values(number).some((one) => !Number.isInteger(one)))) return undefined;
  return { ids: Object.fromEntries(/** @type {[string, string[]][]} */ (ids)), number, isSo: written !== false };
}

/** @type {(part: unknown, ids: { [name: string]: string }, test: unknown) => unknown} */
function filled(part, ids, test) {
  /** @type {(text: string) => string} */
  const inText = (text) => text.replace(/\{(\w+)\}/g, (_, name) => ids[name]);
  if (typeof part === "string") return part === "{number}" ? test : inText(part);
  if (Array.isArray(part)) return part.map((one) => filled(one, ids, test));
  return isMap(part) ? Object.fromEntries(Object.entries(part).map(([key, one]) => [inText(key), filled(one, ids, test)])) : part;
}

/** @type {(predicate: Predicate, said: Said) => When} */
function termOf(predicate, { ids, number, isSo }) {
  /** @type {{ [name: string]: string }[]} */
  let ways = [{ [ME]: data.seat }];
  for (const [name, some] of Object.entries(ids)) ways = ways.flatMap((one) => some.map((id) => ({ ...one, [name]: id === ME ? data.seat : id })));
  const terms = ways.map((way) => /** @type {When} */ (filled(predicate.term, way, number.exactly ?? number)));
  const [[path, wanted], ...more] = Object.entries(terms[0]);
  const isOne = !more.length && terms.every((term) => typeof term[path] === "string");
  const term = terms.length === 1 ? terms[0] : isOne ? { [path]: terms.map((one) => one[path]) } : { any: terms };
  return isSo ? term : wanted === true && !more.length ? { [path]: false } : { not: term };
}

// The term of one entry of a condition; undefined if it is no predicate, or one that is not told what it needs.
/** @type {(name: string, written: Wanted) => When | undefined} */
const term = (name, written) => {
  const said = name in predicates ? read(name, written) : undefined;
  return said && termOf(predicates[name], said);
};
// Whether an entry of a condition is one in the game's words, though perhaps not all is said of it; else it is a path.
/** @type {(name: string, written: Wanted) => boolean} */
const isSaid = (name, written) => name in predicates && (term(name, written) !== undefined || (isMap(written) && Object.keys(written).every((key) => BOUNDS.includes(key) || predicates[name].arguments.some((one) => one.name === key))));
// What is wrong with an entry in the game's words of which not all is said, or what cannot be; and where below it.
/** @type {(name: string, written: Wanted) => [text: string, ...place: string[]]} */
function flaw(name, written) {
  const fields = /** @type {Fields} */ (isMap(written) ? written : {});
  const wrong = predicates[name].arguments.find((one) => fields[one.name] !== undefined && fields[one.name] !== "" && [fields[one.name]].flat().some((value) => idOf(one, value) === undefined));
  if (wrong) return [`'${[fields[wrong.name]].flat().find((value) => idOf(wrong, value) === undefined)}' is no ${wrong.name}`, wrong.name];
  const missing = asked(predicates[name]).find((one) => (fields[one.name] ?? "") === "");
  return [`${name} does not say ${missing ? `which ${missing.name}` : "how many"} is meant`];
}

/** @type {(found: When) => boolean} */
const isPaths = (found) => Object.keys(found).every((key) => !["count", "difference", ...JOINTS].includes(key));

// A condition in paths, as far as its predicates come to paths; the others stay as they are written.
/** @type {(entries: [name: string, written: Wanted][]) => When} */
function inPaths(entries) {
  /** @type {When} */
  const out = {};
  /** @type {When[]} */
  const more = [];
  for (const [name, written] of flat(entries)) {
    const found = term(name, written);
    if (found && isPaths(found) && !Object.keys(found).some((path) => path in out)) Object.assign(out, found);
    else if (name in out) more.push({ [name]: written });
    else out[name] = written;
  }
  return more.length ? { ...out, all: more } : out;
}

// All entries that must hold, those of `all` too.
/** @type {(entries: [name: string, written: Wanted][]) => [name: string, written: Wanted][]} */
const flat = (entries) => entries.flatMap(([name, written]) => (name === "all" ? flat(partsOf({ all: written }, name).flatMap((part) => Object.entries(part))) : [[name, written]]));

/** @type {(form: unknown, value: unknown, found: Fields) => boolean} */
function matches(form, value, found) {
  const place = typeof form === "string" && /^\{(\w+)\}$/.exec(form);
  if (place) return (found[place[1]] ??= value) === value;
  if (isMap(form) && isMap(value)) return Object.keys(form).join() === Object.keys(value).join() && Object.keys(form).every((key) => matches(form[key], value[key], found));
  return form === value;
}

// How a predicate says what is wanted at a path; undefined if it does not.
/** @type {(name: string, path: string, wanted: Wanted) => Wanted} */
function stating(name, path, wanted) {
  const predicate = predicates[name];
  const [[pattern, form], ...more] = Object.entries(predicate.term);
  const [parts, steps] = [pattern, path].map((one) => one.split("."));
  /** @type {Fields} */
  const found = {};
  if (more.length || parts.length !== steps.length || !parts.every((part, at) => matches(part, steps[at], found)) || !matches(form, wanted, found)) return undefined;
  const { number, [ME]: me = data.seat, ...ids } = found;
  if (me !== data.seat) return undefined;
  const said = Object.entries(ids).map(([key, value]) => {
    const argument = /** @type {Argument} */ (predicate.arguments.find((one) => one.name === key));
    const several = [value].flat().map((one) => (one === data.seat && ME in argument.values ? ME : one));
    return [key, several.length > 1 ? several : several[0], several.join() === argument.default];
  }).filter(([, , isDefault]) => !isDefault);
  const told = { ...Object.fromEntries(said), ...(number === undefined ? {} : isMap(number) ? number : { exactly: number }) };
  const [[key, only] = [], ...rest] = Object.entries(told);
  const written = key === undefined ? true : rest.length || BOUNDS.slice(0, 2).includes(key) || (key === "exactly" && asked(predicate).length) || asked(predicate).length > 1 ? told : only;
  const again = term(name, written);
  return again && JSON.stringify(again) === JSON.stringify({ [path]: wanted }) ? written : undefined;
}

// A condition in the game's own words, entry by entry; what no predicate says stays as it is.
/** @type {(when: When) => [name: string, written: Wanted][]} */
const entries = (when) => Object.entries(when).map(([path, wanted]) => {
  for (const name of Object.keys(predicates)) {
    const written = stating(name, path, wanted);
    if (written !== undefined) return [name, written];
  }
  return [path, wanted];
});

// The same as it is written: what is said twice is joined.
/** @type {(when: When) => When} */
function stated(when) {
  const said = entries(when);
  /** @type {(entry: [string, Wanted]) => boolean} */
  const isOnce = ([name]) => said.filter(([one]) => one === name).length === 1;
  /** @type {When} */
  const out = Object.fromEntries(said.filter(isOnce));
  const more = said.filter((one) => !isOnce(one)).map(([name, written]) => ({ [name]: written }));
  return more.length ? { ...out, all: [...partsOf(out, "all"), ...more] } : out;
}

// What a predicate says: "White has at least 2 heroes"; what is not told is left open.
/** @type {(name: string, written: Wanted) => string} */
function sentence(name, written) {
  const { sentence: text, arguments: given, number } = predicates[name];
  const said = read(name, written);
  const fields = isMap(written) ? written : {};
  const ids = said?.ids ?? Object.fromEntries(given.map((one) => [one.name, [idOf(one, fields[one.name] ?? one.default) ?? ""]]));
  const test = said?.number ?? {};
  const isYou = Object.values(ids).some((some) => some.join() === ME);
  const isOne = Object.values(test).includes(1);
  const told = text.replace(/\[([^/|\]]*)([/|])([^\]]*)\]/g, (_, one, sign, other) => ((sign === "/" ? isYou : isOne) ? one : other));
  const counted = Object.entries(test).map(([bound, one]) => `${bound === "exactly" ? "" : `${bound.replace("_", " ")} `}${one}`).join(" and ");
  const full = told.replace(/\{(\w+)\}/g, (_, one) => (one === "number" && number ? counted || "\u2026" : ids[one].map((id) => (id === ME ? "you" : given.find((argument) => argument.name === one)?.values[id] ?? "\u2026")).join(" or ")));
  return said && !said.isSo ? `it is not so that ${full}` : full;
}

/** @type {(when: unknown) => When} */
const asPaths = (when) => inPaths(Object.entries(/** @type {When} */ (when ?? {})));
// What the report holds is read in paths too.
for (const line of [...data.orders, ...(data.plan?.lines ?? []), data.draft?.plan, data.draft?.stop]) if (line?.when) line.when = asPaths(line.when);
data.stop_if = asPaths(data.stop_if);

export { BOUNDS, flaw, isSaid, JOINTS, ME, asPaths, asked, entries, inPaths, partsOf, predicates, read, sentence, stated, term };
