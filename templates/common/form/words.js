// What things are called in reports, and orders and conditions in words. What is written stays what the host reads.
import { data } from "./given.js";
import { isMap } from "./yaml.js";

const { names, facts, menus, orders, plan, ask } = data;
const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss", ı: "i" };
const UMLAUTS = { ä: "ae", ö: "oe", ü: "ue", å: "aa" };

/** @type {(one: any) => string} */
const name = (one) => names[one] ?? String(one).replaceAll("_", " ");

// A value without the marks of YAML: {play: N2, hero: true} is "play N2, hero".
/** @type {(value: any) => string} */
function shown(value) {
  if (Array.isArray(value)) return value.map((one) => (isMap(one) ? `(${shown(one)})` : shown(one))).join(" and ");
  if (isMap(value)) return partsOf(value).join(", ");
  return value === null ? "nothing" : value === true ? "yes" : value === false ? "no" : typeof value === "string" ? name(value) : String(value);
}

const partsOf = (fields) => Object.entries(fields).map(([key, one]) => {
  const [field, part] = [name(key), one === true ? "" : shown(one)];
  return part.startsWith(`${field} `) ? part : `${field} ${part}`.trim();
});

// A choice with its note, which may begin with its name.
/** @type {(text: string, note?: string) => string} */
const noted = (text, note) => (!note || (note.startsWith(text) && !/^[\p{L}\p{N}]/u.test(note.slice(text.length))) ? note || text : `${text}: ${note}`);

/** @type {(value: any) => string} */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (isMap(value)) return `{${Object.keys(value).sort().map((key) => `${key}:${canonical(value[key])}`)}}`;
  return JSON.stringify(value);
};
const said = new Map([...menus.flatMap(({ items }) => items), ...[...orders, ...(plan?.lines ?? [])].map((line) => ({ order: line.do, words: line.words }))].filter(({ words }) => words).map(({ order, words }) => [canonical(order), words]));

// An order as `pbem check` says it, where the host has said it beforehand.
/** @type {(one: import("./types").Order) => string} */
const order = (one) => said.get(canonical(one)) ?? (isMap(one) ? partsOf(one).join("; ") : shown(one));

// What a path of a condition means: "the number of heroes of Red".
/** @type {(path: string) => string} */
function thing(path) {
  const steps = path.split(".");
  for (const [pattern, words] of Object.entries(facts)) {
    const parts = pattern.split(".");
    if (parts.length !== steps.length || !parts.every((part, at) => part === "*" || part === steps[at])) continue;
    const stood = steps.filter((_, at) => parts[at] === "*").map(name);
    return words.replace(/\{(\d)\}/g, (_, at) => stood[at]);
  }
  return steps.map(name).join(", ");
}

// A name as names are compared: without capitals, accents, spaces and signs.
const fold = (text) => String(text).toLowerCase().replace(/[łøđðþæœßı]/g, (one) => LETTERS[one]).normalize("NFKD").replace(/[\p{M}']/gu, "")
  .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "the").join("");
const ways = (text) => [fold(text), fold(String(text).normalize("NFC").toLowerCase().replace(/[äöüå]/g, (one) => UMLAUTS[one]))];

// Finds the one id that is called so: by itself, or by one of its names.
function finder(pairs) {
  const found = new Map();
  for (const [id, called] of pairs) for (const one of [id, ...called].flatMap(ways)) found.set(one, new Set(found.get(one)).add(id));
  return (text) => {
    const ids = new Set(ways(text).flatMap((way) => [...(found.get(way) ?? [])]));
    return ids.size === 1 ? [...ids][0] : undefined;
  };
}
/** @type {(text: string) => any} */
const idOf = finder(Object.entries(names).map(([id, called]) => [id, [called]]));
/** @type {(text: any) => string | undefined} */
const seatOf = finder(data.players.map(({ seat, name: player }) => [seat, [`Player ${seat}`, `seat ${seat}`, player]]));

// An order with ids for the names in it, as the host reads them.
/** @type {(value: any) => any} */
function meant(value) {
  if (Array.isArray(value)) return value.map(meant);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, meant(one)]));
  return typeof value === "string" && !(value in names) && ask.kind !== "start" ? idOf(value) ?? value : value;
}

export { name, shown, noted, order, thing, idOf, seatOf, meant, canonical };
