// What is added to the orders: a line for the next ask, a standing order, a message.
import { at } from "./dom.js";
import { data } from "./given.js";
import * as model from "./model.js";
import * as orders from "./orders.js";
import { lines, state } from "./orders.js";
import * as words from "./words.js";

const SHORT = 40; // letters of an order that stands on a button

const own = data.labels.filter((one) => !one.includes(".")); // follow-ups are left out
// The label of the first own ask that is not among some.
/** @type {(labels: (string | undefined)[]) => string | undefined} */
const firstBeside = (labels) => own.find((one) => !labels.includes(one));

// The number of a line for later in which nothing is chosen yet; -1 if there is none.
/** @type {() => number} */
const emptyLine = () => lines().findIndex((line) => model.isEmpty(line) && !model.isNow(line));

// The label of the line that is added next: the first ask that no line answers whatever happens; behind a line with a
// condition it is the "else", and what is left unsaid is for the present ask.
/** @type {() => string} */
function nextLabel() {
  const answered = lines().filter((line) => !Object.keys(line.when ?? {}).length && !model.isStanding(line)).map((line) => line.at ?? data.ask.next);
  const known = answered.flatMap((one) => model.label(one) ?? []).sort((one, other) => other.count - one.count);
  return firstBeside(answered) ?? (known.length ? `${known[0].owner}-${known[0].count + 1}` : data.ask.next);
}

function draw() {
  const empty = emptyLine();
  const next = nextLabel();
  const before = own[own.indexOf(next) - 1]; // for which no line more is looked for
  const why = before && before !== data.ask.label ? ` (${before} has one without a condition)` : "";
  at("add-line").textContent = empty < 0 ? `Add a line for ${next}${why}` : `Fill in order ${empty + 1}`;
}

function listen() {
  at("add-line").addEventListener("click", () => {
    const empty = emptyLine();
    if (empty >= 0) {
      orders.openAt(empty);
      at(`line.${empty}.at`)?.focus();
      return;
    }
    orders.add({ at: nextLabel(), do: {} }, lines().findIndex(model.isStanding));
    at(`line.${state.open}.at`)?.focus();
  });
  const kept = data.draft?.keep;
  at("add-keep").hidden = !kept;
  const standing = kept ? words.order(kept) : "";
  if (standing && standing.length <= SHORT) at("add-keep").append(`: ${standing}`);
  at("add-keep").addEventListener("click", () => {
    // It ends with the next ask that no line answers, unless the player says otherwise.
    const known = lines().filter((line) => !model.isEmpty(line)).map((line) => line.at);
    const until = data.draft?.until && (firstBeside(known) ?? data.draft.until);
    orders.add({ ...(until ? { until } : { keep: true }), do: kept });
    /** @type {HTMLElement} */ (document.querySelector("#lines .open select, #lines .open input"))?.focus();
  });
  at("add-press").addEventListener("click", () => {
    state.doc.press = [...(state.doc.press ?? []), { to: ["all"], say: "" }];
    orders.changed();
    at(`press.${state.doc.press.length - 1}.say`)?.focus();
  });
}

export { draw, listen };
