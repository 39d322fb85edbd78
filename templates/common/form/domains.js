// What can ever stand at the paths of a view, as the rules say it: conditions that want something else never hold.
/** @import { Domain, Wanted } from "./types" */
import { data, model, parts, yaml } from "./kit.js";

const { isMap } = yaml;
const { same } = model;
/** @type {(one: unknown) => one is number} */
const isNumber = (one) => typeof one === "number";

/** @type {(pattern: string[], path: string[]) => boolean} */
const isLike = (pattern, path) => pattern.length === path.length && pattern.every((part, at) => part === "*" || part === path[at]);
/** @type {(number: number, domain: Domain) => boolean} */
const isIn = (number, { least = -Infinity, most = Infinity }) => number >= least && number <= most;

// Why what is wanted can never stand at a path: no text that there is, or a number that is too great or too small.
/** @type {(key: string, wanted: Wanted) => string} */
function never(key, wanted) {
  const domain = Object.entries(data.domains ?? {}).find(([pattern]) => isLike(pattern.split("."), key.split(".")))?.[1] ?? {};
  const { values } = domain;
  /** @type {(list: unknown[]) => string} */
  const among = (list) => {
    const texts = list.filter((one) => typeof one === "string" || Number.isInteger(one)).map(String);
    const numbers = list.filter(isNumber);
    if (values && texts.length && !texts.some((one) => values.some((value) => same(value, one)))) return `${key} is never ${texts.join(" or ")}`;
    return numbers.length && !numbers.some((one) => isIn(one, domain)) ? `${key} is never ${numbers.join(" or ")}` : "";
  };
  if (!isMap(wanted)) return among([wanted].flat());
  const { has = [], at_least: least, at_most: most } = wanted;
  if (isNumber(least) && least > (domain.most ?? least)) return `${key} is never as much as ${least}`;
  if (isNumber(most) && most < (domain.least ?? most)) return `${key} is never as little as ${most}`;
  if (isNumber(least) && isNumber(most) && least > most) return `${key} is never at least ${least} and at most ${most} at once`;
  return domain.values ? [has].flat().map((one) => among([one])).find(Boolean) ?? "" : "";
}

// The texts that can stand at a path; undefined if any can.
/** @type {(key: string) => string[] | undefined} */
const values = (key) => Object.entries(data.domains ?? {}).find(([pattern]) => isLike(pattern.split("."), key.split(".")))?.[1].values?.map(String);

parts.domains = { never, values };
