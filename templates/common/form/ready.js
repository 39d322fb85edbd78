// Lines that the rules have ready for what may happen, to be taken singly or all at once.
/** @import { Line, ReadyLine, Typed } from "./types" */
import { data, dom, game, model, page, parts, words, yaml } from "./kit.js";

const { at, bold, button, el } = dom;
/** @type {(line: Line) => Line} */
const written = ({ at: label, when, keep, do: order }) => ({ ...(label && { at: label }), ...(when && { when }), ...(keep && { keep }), do: order });
/** @type {(line: Typed<Line>) => string} */
const key = (line) => model.canonical(written(/** @type {Line} */ (line)));
const plan = data.plan ?? { lines: [], open: "" };
// What the lines build on stands before them: the order for now.
/** @type {ReadyLine[]} */
const now = data.ask.mine && data.draft?.now ? [{ at: data.ask.label, do: data.draft.now, note: "Now, before the others" }] : [];
const ready = [...now, ...plan.lines];
const places = new Map(ready.map((line, place) => [key(line), place]));
const { lines } = page;

// Puts lines where they belong among others: before those that are to be tried after them. An empty line makes room.
/** @type {(list: Line[], others?: Line[], was?: Line) => void} */
function take(list, others = lines(), was = page.openLine()) {
  /** @type {(line: Line) => boolean} */
  const isLeft = (line) => !model.isEmpty(line) || (model.isNow(line) && !list.some(model.isNow));
  const out = others.filter(isLeft);
  let open = 0;
  for (const line of list.map(written)) {
    // What is tried after it stands below it: other ready lines, and standing orders.
    const later = out.findIndex((one) => (places.get(key(one)) ?? (model.isStanding(one) ? ready.length : -1)) > (places.get(key(line)) ?? -1));
    open = later < 0 ? out.length : later;
    out.splice(open, 0, line);
  }
  page.state.taken = [...new Set([...page.state.taken, ...list.map(key)])];
  const stays = out.indexOf(/** @type {Line} */ (was)); // what was open stays so: what is taken is told in a sentence
  page.replace(out, stays < 0 ? open : stays);
}

// A value as it is compared where it does not matter in which order things stand: not in lists of what comes first.
/** @type {(value: unknown, field?: string) => string} */
function unordered(value, field = "") {
  if (Array.isArray(value)) return model.canonical(game.joins?.[field] ? value : value.map((one) => unordered(one)).sort());
  return yaml.isMap(value) ? model.canonical(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unordered(one, name)]))) : model.canonical(value ?? null);
}

/** @type {(keys: Set<string>) => void} */
const drop = (keys) => page.replace(lines().filter((one) => !keys.has(key(one))), 0);

// The number of the own line that answers what a ready line would answer, and is no ready line itself; 0 if there is none.
/** @type {(line: ReadyLine) => number} */
const answeredBy = (line) => 1 + lines().findIndex((one) => line.at && one.at === line.at && !line.keep && !model.isNow(one) && !model.isEmpty(one) && !one.if_silent && !places.has(key(one)) && model.follows(one.when ?? {}, line.when ?? {}));

// One line that is ready: what it answers, and the order. Those that are taken stand among the orders, and there alone.
/** @type {(line: ReadyLine, place: number) => HTMLElement} */
function row(line, place) {
  const id = `ready.${place}`;
  const answered = answeredBy(line);
  return el("li", { id }, `${line.note}${line.keep ? ", each time until you send other orders" : ""}: `, bold(words.order(line.do), words.inShort(line.do)), answered ? ` (order ${answered} comes first then) ` : " ",
    button(`${id}.take`, "Take it", () => {
      take([line]);
      const left = [...document.querySelectorAll("#ready-lines button")];
      (/** @type {HTMLElement} */ (left.find(({ id: other }) => Number(other.split(".")[1]) > place) ?? left[0] ?? at("ready-drop"))).focus({ preventScroll: true });
    }, { "aria-label": `Take it: ${line.note}` }));
}

// How many were taken that stand here, and where they stand: what was made by hand is the player's own.
/** @type {(here: Set<string>) => void} */
function drawTaken(here) {
  const mine = new Set(page.state.taken = page.state.taken.filter((one) => here.has(one)));
  const text = `${mine.size === ready.length ? "All" : mine.size} taken, above. `;
  at("ready-taken").replaceChildren(...(mine.size ? [text, button("ready-drop", mine.size === 1 ? "Leave it out" : "Leave them out", () => drop(mine))] : []));
}

// The condition on which a player of these rules would want to be asked.
function stop() {
  const { when, if: told } = data.draft?.stop ?? {};
  const doc = page.doc();
  if (!when || (doc.stop_if && key({ when: doc.stop_if }) !== key({ when }))) return [];
  return [dom.checkbox("ready-stop-if", `Stop, and ask me, if ${told}`, Boolean(doc.stop_if), (on) => page.stop(on ? when : undefined))];
}

// Whether the order for now is another than that which they are made for. What was added to it, such as what to draw,
// makes no other of it.
function isOther() {
  const mine = page.lineNow();
  return Boolean(now.length && mine && Object.entries(now[0].do).some(([field, value]) => unordered(mine.do[field], field) !== unordered(value, field)));
}

let isBegun = false;
let isShown = false; // also those that are made for another order than the one that is chosen

// What is said of lines for another order, and what can be done: to take that order with them, or to look at them.
function instead() {
  return [`They are made for another order now: ${words.inShort(now[0].do)}. `,
    button("ready-instead", "Take that order, with its lines", () => {
      const rest = lines().filter((line) => !model.isForNow(line));
      take(ready.filter((line) => !rest.some((one) => key(one) === key(line)) && !answeredBy(line)), rest, rest[0]);
    }), " ",
    button("ready-show", isShown ? "Hide these lines" : "Show lines made for another order", () => {
      isShown = !isShown;
      draw();
      at("ready-show")?.focus({ preventScroll: true });
    }), " "];
}

function draw() {
  const here = new Set(lines().filter((line) => !model.isEmpty(line)).map(key));
  // A draft that holds some of them comes back with them in sight.
  if (!isBegun && page.state.taken.some((one) => here.has(one))) at("ready").open = true;
  isBegun = true;
  const other = isOther();
  const mine = page.lineNow();
  const rest = ready.filter((line) => !here.has(key(line)));
  const never = rest.filter(page.isNever);
  const open = rest.filter((line) => !never.includes(line) && (other ? isShown || model.isStanding(line) : !(mine && line === now[0])));
  const left = open.filter((line) => !answeredBy(line)); // to be taken all at once, where they are made for this order
  const out = never.length && (!other || isShown) ? `Left out, as ${never.length === 1 ? "it" : "they"} can never be played${mine ? " after your order for now" : ""}: ${never.length}. ` : "";
  at("ready-for").replaceChildren(...(other ? instead() : []), out, plan.open && (!other || isShown) ? `No ready line for: ${plan.open}.` : "");
  drawTaken(here);
  const groups = Map.groupBy ? Map.groupBy(open, (line) => line.at ?? "") : new Map([["", open]]);
  at("ready-lines").replaceChildren(...[...groups].flatMap(([label, rows]) => [
    el("h3", {}, label ? `For ${label}` : "Whenever the game waits for you"),
    el("ol", {}, rows.map((line) => row(line, ready.indexOf(line)))),
  ]));
  at("ready-stop").replaceChildren(...stop());
  at("take-all").hidden = !left.length || other;
  at("take-all").onclick = () => take(left);
}

parts.ready = { draw, noteOf: (line) => ready[places.get(key(line)) ?? -1]?.note, isReady: (line) => places.has(key(line)) && !isOther(), isOther };
