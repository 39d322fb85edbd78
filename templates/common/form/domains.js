// What can ever stand at the paths of a view, as the rules say it: conditions that want something else never hold.
/** @import { Domain, Wanted } from "./types" */
import { data, model, parts, words, yaml } from "./kit.js";

const { isMap } = yaml;
const { same } = model;
/** @type {(one: unknown) => one is number} */
const isNumber = (one) => typeof one === "number";

/** @type {(key: string) => Domain | undefined} */
const domainOf = (key) => Object.entries(data.domains ?? {}).find(([pattern]) => words.isLike(pattern, key))?.[1];
/** @type {(number: number, domain: Domain) => boolean} */
const isIn = (number, { least = -Infinity, most = Infinity }) => number >= least && number <= most;

const MOST_LISTED = 12; // so many values are all named

// What can stand at a path: a few texts, or the bounds of a number.
/** @type {(domain: Domain, isText: boolean) => string} */
function bounds({ values = [], least, most }, isText) {
  if (isText) return values.length <= MOST_LISTED ? `It can be ${values.map((one) => words.value(one)).join(", ")}.` : "";
  if (least === undefined) return `It is at most ${most}.`;
  return most === undefined ? `It is at least ${least}.` : `It is from ${least} to ${most}.`;
}

// Which seats players have who are named where a seat can stand.
/** @type {(list: unknown[]) => string} */
const seatsOf = (list) => list.map((one) => [one, typeof one === "string" && words.seatOf(one)]).map(([one, seat]) => (seat ? `${one} plays ${seat}. ` : "")).join("");

// Why what is wanted can never stand at a path: no text that there is, or a number that is too great or too small; and
// what can. `thing` says the path in words.
/** @type {(key: string, wanted: Wanted, thing: string) => [text: string, hint?: string] | undefined} */
function never(key, wanted, thing) {
  const domain = domainOf(key) ?? {};
  const { values } = domain;
  /** @type {(list: unknown[]) => string} */
  const strange = (list) => {
    const texts = list.filter((one) => typeof one === "string" || Number.isInteger(one)).map(String);
    return texts.filter((one) => values && !values.some((value) => same(value, one))).join(" or ");
  };
  if (!isMap(wanted)) {
    const list = [wanted].flat();
    const numbers = list.filter(isNumber);
    if (strange(list)) return [`${thing} is never ${strange(list)}`, `${seatsOf(list)}${bounds(domain, true)}`];
    return numbers.length && !numbers.some((one) => isIn(one, domain)) ? [`${thing} is never ${numbers.join(" or ")}`, bounds(domain, false)] : undefined;
  }
  const { has = [], not, at_least: least, at_most: most } = wanted;
  const always = not === undefined || isMap(not) ? undefined : never(key, not, thing); // "is not Haithbu" would hold whatever comes
  if (always) return always;
  if (isNumber(least) && least > (domain.most ?? least)) return [`${thing} is never as much as ${least}`, bounds(domain, false)];
  if (isNumber(most) && most < (domain.least ?? most)) return [`${thing} is never as little as ${most}`, bounds(domain, false)];
  if (isNumber(least) && isNumber(most) && least > most) return [`${thing} is never at least ${least} and at most ${most} at once`];
  const missing = [has].flat().map((one) => strange([one])).find(Boolean);
  return missing ? [`${missing} is never among ${thing}`, bounds(domain, true)] : undefined;
}

parts.domains = { never };
