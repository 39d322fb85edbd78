// What things are called in reports, and orders and conditions in words. What is written stays what the host reads.
/** @import { Fields, Wanted, When } from "./types" */
import { data, game } from "./given.js";
import { JOINTS, entries, isSaid, partsOf as parts, sentence } from "./predicates.js";
import { isMap } from "./yaml.js";

const { names, called, facts, menus, orders, plan, ask } = data;
const ELSE = ", else ";
/** @type {{ [letter: string]: string }} */
const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss", ı: "i" };
/** @type {{ [letter: string]: string }} */
const UMLAUTS = { ä: "ae", ö: "oe", ü: "ue", å: "aa" };

/** @type {(one: string | number) => string} */
const name = (one) => names[one] ?? String(one).replaceAll("_", " ");

// A word of the view as a condition says it: of a site that is free, "nobody".
/** @type {(one: unknown) => string} */
const value = (one) => (typeof one === "string" && called[one]) || shown(one);

// A value without the marks of YAML: {play: N2, hero: true} is "play N2, hero". In a list, a list is of alternatives.
/** @type {(value: unknown, join?: string) => string} */
function shown(value, join = " and ") {
  if (Array.isArray(value)) return value.map((one) => (isMap(one) ? `(${shown(one)})` : Array.isArray(one) ? shown(one, ELSE) : shown(one))).join(join);
  if (isMap(value)) return partsOf(value).join(", ");
  return value === null ? "nothing" : value === true ? "yes" : value === false ? "no" : typeof value === "string" ? name(value) : String(value);
}

/** @type {(fields: Fields) => string[]} */
const partsOf = (fields) => Object.entries(fields).map(([key, one]) => {
  const [field, part] = [name(key), one === true ? "" : shown(one, game.joins?.[key])];
  return part.startsWith(`${field} `) ? part : `${field} ${part}`.trim();
});

// A choice with its note, which may begin with its name. In "10 left" the number 10 is no name, but another number.
/** @type {(text: string, note?: string) => string} */
function noted(text, note) {
  const begins = /^\d+$/.test(text) ? /^(?:[:,;]|$)/ : /^(?![\p{L}\p{N}])/u; // what stands behind a name
  return !note || (note.startsWith(text) && begins.test(note.slice(text.length))) ? note || text : `${text}: ${note}`;
}

/** @type {(value: unknown) => string} */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (isMap(value)) return `{${Object.keys(value).sort().map((key) => `${key}:${canonical(value[key])}`)}}`;
  return JSON.stringify(value);
};
const said = new Map([...menus.flatMap(({ items }) => items), ...[...orders, ...(plan?.lines ?? [])].map((line) => ({ order: line.do, words: line.words }))].filter(({ words }) => words).map(({ order, words }) => [canonical(order), words]));

// An order as `pbem check` says it, where the host has said it beforehand, or the game's script knows its words.
/** @type {(one: unknown) => string} */
const order = (one) => said.get(canonical(one)) ?? (spelled(one) || (isMap(one) ? partsOf(one).join("; ") : shown(one)));
/** @type {(one: unknown) => string | undefined} */
function spelled(one) {
  try {
    return isMap(one) ? game.words?.(one) : undefined;
  } catch {
    return undefined; // it is not whole yet
  }
}

const LONG = 240; // letters of an order that is said whole

// An order as it is said where there is little room: what is tried first, and how much may stand in for it.
/** @type {(one: unknown) => string} */
function inShort(one) {
  const text = order(one);
  if (text.length <= LONG) return text;
  const [first, ...others] = text.split(/, else (?![^(]*\))/);
  const said = first.length <= LONG ? first : `${first.slice(0, LONG)}\u2026`;
  return others.length ? `${said}${ELSE}${others.length} more choices` : said;
}

// Whether a pattern, such as "*.heroes", is one of a path.
/** @type {(pattern: string, path: string) => boolean} */
function isLike(pattern, path) {
  const [parts, steps] = [pattern, path].map((one) => one.split("."));
  return parts.length === steps.length && parts.every((part, at) => part === "*" || part === steps[at]);
}

// The pattern of a path that the game has words for, such as "*.heroes" for "red.heroes"; undefined if there is none.
/** @type {(path: string) => string | undefined} */
const factOf = (path) => Object.keys(facts).find((pattern) => isLike(pattern, path));

// What a path of a condition means: "the number of heroes of Red".
/** @type {(path: string) => string} */
function thing(path) {
  const pattern = factOf(path);
  const steps = path.split(".");
  if (pattern === undefined) return steps.map(name).join(", ");
  const stood = steps.filter((_, at) => pattern.split(".")[at] === "*").map((step) => name(step) || "\u2026");
  return facts[pattern].replace(/\{(\d)\}/g, (_, at) => stood[at]);
}

/** @type {(wanted: Wanted) => string} */
const are = (wanted) => ([wanted].flat().length > 1 ? "are" : "is");
// "the points of Red are at most 6", as the host says it.
/** @type {(about: string) => string} */
const verb = (about) => (/^the (points|ships)\b/.test(about) ? "are" : "is");
/** @type {(items: string[], last: string) => string} */
const listed = (items, last) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`);
/** @type {(wanted: Wanted, last?: string) => string} */
const several = (wanted, last = "and") => listed([wanted].flat().map((one) => (one === "" ? "\u2026" : value(one))), last); // what is not chosen yet

// What is looked for in a list: things, also where their names are numbers.
/** @type {(wanted: Wanted) => string} */
const things = (wanted) => several([wanted].flat().map((one) => (typeof one === "number" ? String(one) : one)));

/** @type {(about: string, operator: string, wanted: Wanted) => string} */
function compared(about, operator, wanted) {
  if (operator === "has") return `${things(wanted)} ${are(wanted)} among ${about}`;
  if (operator !== "not") return `${about} ${verb(about)} ${operator === "at_least" ? "at least" : "at most"} ${shown(wanted)}`;
  if (isMap(wanted) && Object.keys(wanted).join() === "has") return `${things(wanted.has)} ${are(wanted.has)} not among ${about}`;
  if (isMap(wanted)) return `it is not so that ${Object.entries(wanted).map(([inner, one]) => compared(about, inner, one)).join(" and ")}`;
  return wanted === true ? `it is not so that ${about}` : `${about} ${verb(about)} not ${several(wanted, "or")}`;
}

// Whether it is not chosen yet what a condition is about: a step of its path is empty.
/** @type {(path: string) => boolean} */
const isBegun = (path) => path.split(".").includes("");
// Conditions without those of which it is not chosen yet what they are about.
/** @type {(when: When) => When} */
const settled = (when) => Object.fromEntries(Object.entries(when).filter(([path]) => !isBegun(path)));

/** @type {(name: string, told: string[]) => string} */
const joined = (name, told) => (name === "not" ? `it is not so that ${listed(told, "and")}` : name === "any" ? listed(told, "or") : told.join(", and "));

// A condition without the "if", as the host says it: "the crown is on E5, and the heroes of Red is at most 1".
/** @type {(when: When) => string} */
const condition = (when) => entries(when).map(([path, wanted]) => {
  if (isBegun(path)) return "\u2026";
  if (isSaid(path, wanted)) return sentence(path, wanted);
  if (JOINTS.includes(path)) return joined(path, parts({ [path]: wanted }, path).map((one) => condition(/** @type {When} */ (one))));
  const about = thing(path);
  if (typeof wanted === "boolean") return wanted ? about : `it is not so that ${about}`;
  return isMap(wanted) ? Object.entries(wanted).map(([operator, value]) => compared(about, operator, value)).join(" and ") : `${about} ${verb(about)} ${several(wanted, "or")}`;
}).join(", and ");

// A name as names are compared: without capitals, accents, spaces and signs.
/** @type {(text: unknown) => string} */
const fold = (text) => String(text).toLowerCase().replace(/[łøđðþæœßı]/g, (one) => LETTERS[one]).normalize("NFKD").replace(/[\p{M}']/gu, "")
  .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "the").join("");
/** @type {(text: unknown) => string[]} */
const ways = (text) => [fold(text), fold(String(text).normalize("NFC").toLowerCase().replace(/[äöüå]/g, (one) => UMLAUTS[one]))];

// Finds the one id that is called so: by itself, or by one of its names.
/** @type {(pairs: [id: string, called: string[]][]) => (text: unknown) => string | undefined} */
function finder(pairs) {
  const found = new Map();
  for (const [id, called] of pairs) for (const one of [id, ...called].flatMap(ways)) found.set(one, new Set(found.get(one)).add(id));
  return (text) => {
    const ids = new Set(ways(text).flatMap((way) => [...(found.get(way) ?? [])]));
    return ids.size === 1 ? [...ids][0] : undefined;
  };
}
const idOf = finder(Object.entries(names).map(([id, called]) => [id, [called]]));
// The id that a word of a condition means, also by what only conditions call so.
const wantedOf = finder(Object.entries({ ...names, ...called }).map(([id, known]) => [id, [known]]));
const seatOf = finder(data.players.map(({ seat, name: player }) => [seat, [`Player ${seat}`, `seat ${seat}`, player]]));

// An order with ids for the names in it, as the host reads them.
/** @type {(value: unknown, find?: (text: string) => string | undefined) => unknown} */
function meant(value, find = idOf) {
  if (Array.isArray(value)) return value.map((one) => meant(one, find));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, meant(one, find)]));
  return typeof value === "string" && !(value in names) && ask.kind !== "start" ? find(value) ?? value : value;
}

// An order with the names that people read in place of ids with underscores, where the page reads them back.
/** @type {(value: unknown) => unknown} */
function inNames(value) {
  if (Array.isArray(value)) return value.map(inNames);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inNames(one)]));
  return typeof value === "string" && value.includes("_") && names[value] && idOf(names[value]) === value ? names[value] : value;
}

export { inNames, isBegun, settled, name, value, shown, noted, order, inShort, isLike, thing, condition, wantedOf, seatOf, meant, canonical };
