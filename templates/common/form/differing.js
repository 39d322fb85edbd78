// What differs between two states of the page, in words.
/** @import { Line } from "./types" */
import * as model from "./model.js";
import * as words from "./words.js";

// What became of lines between two states of them, those that answer the same named together.
/** @type {(before: Line[], after: Line[]) => string[]} */
function lines(before, after) {
  /** @type {(line: Line) => string} */
  const caseOf = ({ do: order_, ...rest }) => words.canonical(rest);
  /** @type {(list: Line[], others: Line[]) => number[]} */
  const beside = (list, others) => list.flatMap((line, at) => (others.some((one) => words.canonical(one) === words.canonical(line)) ? [] : [at]));
  const [gone, come] = [beside(before, after), beside(after, before)];
  /** @type {(at: number) => number | undefined} */
  const wasOf = (at) => gone.find((was) => caseOf(before[was]) === caseOf(after[at]) || (before.length === after.length && was === at));
  const told = come.map((at) => {
    const was = wasOf(at);
    const { when, do: order_ } = after[at];
    if (was === undefined) return `order ${at + 1} is back`;
    const isCase = caseOf(before[was]) !== caseOf(after[at]);
    return `order ${at + 1} says again: ${isCase && when ? `if ${words.condition(when)}: ` : ""}${model.isEmpty(after[at]) ? "nothing is chosen" : words.inShort(order_)}`;
  });
  const kept = come.map(wasOf);
  const left = gone.filter((was) => !kept.includes(was)).map((was) => `order ${was + 1} is gone`);
  return told.length + left.length ? [...told, ...left] : ["the lines stand as before"];
}

export { lines };
