// Whether a value fits a JSON Schema, for the keywords that the schemas of orders use: every place where not.
/** @import { Fault, Fields, Path, Rule, Schema } from "./types" */
/** @typedef {(text: string, at?: Path, atKey?: boolean) => unknown} Wrong */
import { data } from "./given.js";
import * as words from "./words.js";
import { flow, isMap } from "./yaml.js";

/** @type {{ [kind: string]: [name: string, is: (value: unknown) => boolean] }} */
const KINDS = {
  object: ["fields (name: value)", isMap],
  array: ["a list", Array.isArray],
  string: ["text", (value) => typeof value === "string"],
  integer: ["a whole number", Number.isInteger],
  number: ["a number", (value) => typeof value === "number"],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  null: ["nothing", (value) => value === null],
};
/** @type {(one: unknown, other: unknown) => boolean} */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** @type {(value: object, key: string) => boolean} */
const has = (value, key) => Object.prototype.hasOwnProperty.call(value, key);

/** @type {(value: unknown) => string} */
function shown(value) {
  const text = value === null ? "nothing" : typeof value === "object" ? flow(value) : String(value);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}

const FEW = 3; // words that are all named

// The words that a value begins, of those that are offered now if there are such: "SW" of SW1.
/** @type {(value: unknown, listed: unknown[]) => string} */
function begunBy(value, listed) {
  const found = typeof value === "string" && value ? listed.map(String).filter((one) => one.toLowerCase().startsWith(value.toLowerCase())) : [];
  const menus = JSON.stringify(data.menus);
  const offered = found.filter((one) => menus.includes(JSON.stringify(one)));
  const near = offered.length ? offered : found;
  return near.length && near.length <= FEW ? `Did you mean ${near.join(" or ")}?` : "";
}

// The schema that a part of the whole stands for, with references followed.
/** @type {<Known extends Rule>(schema: Known, whole: Schema) => Known} */
function resolve(schema, whole) {
  let found = /** @type {Rule} */ (schema);
  for (let hops = 0; isMap(found) && typeof found.$ref === "string" && hops < 10; hops++) {
    const { $ref, ...beside } = found;
    const target = $ref.replace(/^#\/\$defs\//, "");
    found = { ...(whole.$defs ?? {})[target], ...beside };
  }
  return /** @type {typeof schema} */ (found);
}

// What is wrong with a value: [{path, text, hint, atKey}], empty when it fits.
/** @type {(schema: Rule, value: unknown, whole?: Schema, path?: Path) => Fault[]} */
function problems(schema, value, whole = /** @type {Schema} */ (schema), path = []) {
  if (schema === true) return [];
  if (schema === false) {
    return [{ path, text: `${path.length ? path[path.length - 1] : "this"} cannot stand here with the others`, atKey: true }];
  }
  if (schema.$ref) return problems(resolve(schema, whole), value, whole, path);
  /** @type {Fault[]} */
  const out = [];
  /** @type {Wrong} */
  const wrong = (text, at = path, atKey = false) => out.push({ path: at, text, hint: schema.description ?? "", atKey });
  /** @type {(one: Rule) => boolean} */
  const fits = (one) => problems(one, value, whole, path).length === 0;
  if (schema.type !== undefined) {
    const kinds = [schema.type].flat();
    if (!kinds.some((kind) => KINDS[kind][1](value))) {
      wrong(`expected ${kinds.map((kind) => KINDS[kind][0]).join(" or ")}, got ${shown(value)}`);
      out[0].kind = "type";
      return out;
    }
  }
  if ("const" in schema && !same(schema.const, value)) wrong(`expected ${shown(schema.const)}, got ${shown(value)}`);
  if (schema.enum && !schema.enum.some((one) => same(one, value))) out.push({ path, text: `${shown(value)} is not possible here`, hint: begunBy(value, schema.enum) || (schema.description ?? ""), atKey: false });
  if (typeof value === "string") checkText(schema, value, wrong);
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) wrong(`${value} is less than ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) wrong(`${value} is more than ${schema.maximum}`);
  }
  if (Array.isArray(value)) {
    checkList(schema, value, wrong);
    if (schema.items !== undefined) value.forEach((one, at) => out.push(...problems(/** @type {Schema} */ (schema.items), one, whole, [...path, at])));
  }
  if (isMap(value)) out.push(...checkMap(schema, value, whole, path, wrong));
  for (const one of schema.allOf ?? []) out.push(...problems(one, value, whole, path));
  if (schema.anyOf && !schema.anyOf.some(fits)) wrong("this is not enough, or does not go together");
  if (schema.oneOf && schema.oneOf.filter(fits).length !== 1) wrong("this does not go together");
  if (schema.not !== undefined && fits(schema.not)) {
    const name = path.length ? path[path.length - 1] : "this";
    wrong(schema.title ? `${words.name(name)}: ${schema.title.toLowerCase()}` : `${name} cannot stand here`);
  }
  if (schema.if !== undefined) {
    const branch = fits(schema.if) ? schema.then : schema.else;
    if (branch !== undefined) out.push(...problems(branch, value, whole, path));
  }
  return out;
}

/** @type {(schema: Schema, value: string, wrong: Wrong) => void} */
function checkText(schema, value, wrong) {
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) wrong("this is empty or too short");
  if (schema.maxLength !== undefined && length > schema.maxLength) wrong(`this is longer than ${schema.maxLength} characters`);
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) wrong(`${shown(value)} has not the form that is needed here`);
}

/** @type {(schema: Schema, value: unknown[], wrong: Wrong) => void} */
function checkList(schema, value, wrong) {
  if (schema.minItems !== undefined && value.length < schema.minItems) wrong(`${schema.minItems} or more are needed here`);
  if (schema.maxItems !== undefined && value.length > schema.maxItems) wrong(`${schema.maxItems} at most can stand here`);
  if (schema.uniqueItems && new Set(value.map((one) => JSON.stringify(one))).size < value.length) wrong("the same stands here twice");
}

/** @type {(schema: Schema, value: Fields, whole: Schema, path: Path, wrong: Wrong) => Fault[]} */
function checkMap(schema, value, whole, path, wrong) {
  /** @type {Fault[]} */
  const out = [];
  const names = Object.keys(value);
  if (schema.minProperties !== undefined && names.length < schema.minProperties) wrong("nothing is ordered here yet");
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties) wrong(`${schema.maxProperties} at most can stand here`);
  for (const name of schema.required ?? []) if (!has(value, name)) wrong(`the field '${name}' is missing`);
  const known = schema.properties ?? {};
  for (const name of names) {
    if (has(known, name)) out.push(...problems(known[name], value[name], whole, [...path, name]));
    else if (schema.additionalProperties === false) wrong(`unknown field ${shown(name)}`, [...path, name], true);
    else if (schema.additionalProperties !== undefined) {
      out.push(...problems(schema.additionalProperties, value[name], whole, [...path, name]));
    }
  }
  return out;
}

export { problems, resolve };
