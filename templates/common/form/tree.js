// Playing ahead on the board: own orders, what others may answer, and own answers to that, which become lines with
// conditions. Rules take part whose script lists the `moves` of a position:
// {seat, do, square, words, when: what tells that it was this, since: what tells it later, view: the position then}.
/** @import { Data, Fault, Fields, Line, Move, Parts, Typed, When } from "./types" */
/** @typedef {Data["view"]} View a position, as its rules tell it */
/** @typedef {{ made: Move[], line?: Line, words?: string, next: Answer[] }} Own what is done after some moves, and what follows */
/** @typedef {Own & { move: Move }} Answer the same after an answer of somebody else */
import { board, data, dom, game, model, page, parts, words, yaml } from "./kit.js";

const { at, bold, button, el } = dom;
const { canonical } = words;
const position = /** @type {NonNullable<Parts["position"]>} */ (parts.position);
const isOffered = () => Boolean(game.moves && data.labels.length);
const labels = data.labels.filter((one) => !one.includes("."));
const isMine = data.ask.mine;
/** @type {Move[] | null} */
let trail = null; // the moves from now to the position that is shown; null: the board shows what is now
/** @type {Line | null} */
let supposed = null; // the line whose position is shown instead, where no moves are known that lead to it
let opened = ""; // which line was open when this was drawn

const { lines } = page;
/** @type {(made: Move[]) => View} */
const viewOf = (made) => made.at(-1)?.view ?? data.view;
/** @type {(view: View) => Move[]} */
const movesIn = (view) => game.moves?.(view) ?? [];
/** @type {(made: Move[]) => Move[]} */
const movesOf = (made) => movesIn(viewOf(made));
/** @type {(move: Move) => boolean} */
const isOwn = ({ seat }) => seat === data.seat;
/** @type {(made: Move[]) => boolean} */
const isOwnTurn = (made) => movesOf(made)[0]?.seat === data.seat;
// The label of the own ask that comes after some moves.
/** @type {(made: Move[]) => string | undefined} */
const labelAfter = (made) => labels[made.filter(isOwn).length];
// The condition of a line for that ask: the last move, and what tells the moves before it.
/** @type {(made: Move[]) => When} */
const whenAfter = (made) => Object.assign({}, made.at(-1)?.when, ...made.slice(isMine ? 1 : 0, -1).map(({ since }) => since));
// A condition as it is compared, in capitals or not: the host reads both. What is only begun is not sent.
/** @type {(when?: When) => string} */
const loose = (when = {}) => canonical(words.settled(when)).toLowerCase();
/** @type {(line: Line) => string | undefined} */
const askOf = (line) => line.at ?? (model.isForNow(line) ? data.ask.label : undefined);
/** @type {(line: Line, made: Move[]) => boolean} */
const isFor = (line, made) => model.isNow(line) === (isMine && !made.length) && askOf(line) === labelAfter(made) && loose(line.when) === loose(made.length ? whenAfter(made) : {});
/** @type {(made: Move[]) => Line | undefined} */
const lineAfter = (made) => lines().find((line) => isFor(line, made) && !model.isEmpty(line));
/** @type {(made: Move[], order: unknown) => Move | undefined} */
const moveOf = (made, order) => movesOf(made).find((one) => canonical(one.do) === canonical(order));

// What follows some moves in the lines that stand here: of each answer the own line and what follows that.
/** @type {(made: Move[]) => Answer[]} */
function replies(made) {
  const found = movesOf(made);
  if (!found.length || isOwn(found[0])) return [];
  return found.map((move) => ({ move, ...own([...made, move]) }));
}

/** @type {(made: Move[]) => Own} */
function own(made) {
  const line = isOwnTurn(made) ? lineAfter(made) : undefined;
  const move = line && moveOf(made, line.do);
  return { made, line, words: move?.words ?? (line && words.order(line.do)), next: move ? replies([...made, move]) : [] };
}

// Whether the stop ends the lines at an own ask on the way, or at the one after some moves.
/** @type {(made: Move[]) => boolean} */
function isStopped(made) {
  const stop = page.doc().stop_if;
  const ways = made.map((_, last) => made.slice(0, last + 1));
  return Boolean(stop) && ways.some((way) => isOwnTurn(way) && model.holds(stop, viewOf(way)));
}

// The first moves: the own order for now, if there is one.
/** @type {() => Move[]} */
function begun() {
  const line = isMine && lineAfter([]);
  const move = line && moveOf([], line.do);
  return move ? [move] : [];
}

/** @type {(nodes: Answer[]) => Answer[]} */
const all = (nodes) => nodes.flatMap((one) => [...(one.line ? [one] : []), ...all(one.next)]);
/** @type {() => Answer[]} */
const nodes = () => (isMine && !begun().length ? [] : replies(begun()));

// The moves up to the first own one that no line brings about, such as after Undo.
/** @type {(made: Move[]) => Move[]} */
function broughtAbout(made) {
  const end = made.findIndex((move, at) => isOwn(move) && move.do && canonical(lineAfter(made.slice(0, at))?.do) !== canonical(move.do));
  return end < 0 ? made : made.slice(0, end);
}

// What can stand between the order for now and a line: the moves of the other side, if the line is for the ask that comes
// right after them; undefined where that is not known.
/** @type {(line: Line) => Move[] | undefined} */
function movesBefore(line) {
  if (!isOffered()) return undefined;
  const made = begun();
  const found = movesOf(made);
  return (isMine && !made.length) || !found.length || isOwn(found[0]) || line.at !== labelAfter(made) ? undefined : found;
}

// Whether some move leads to what a line wants, as far as squares and the like tell it: hands are not known then.
/** @type {(line: Line) => boolean} */
function canBe(line) {
  /** @type {(view: View) => When} */
  const told = (view) => Object.fromEntries(Object.entries(line.when ?? {}).filter(([path]) => typeof model.valueAt(view, path) === "string"));
  return movesBefore(line)?.some(({ view }) => model.holds(told(view), view)) ?? true;
}

// The line of an answer: instead of the one for the same case, and before those that hold more often.
/** @type {(move: Move) => void} */
function take(move) {
  const made = trail ?? [];
  const line = { at: labelAfter(made), ...(Object.keys(whenAfter(made)).length && made.length && { when: whenAfter(made) }), do: move.do };
  const old = own(made);
  const gone = new Set(canonical(old.line?.do) === canonical(move.do) ? [] : all(old.next).map((one) => one.line)); // they built on the other answer
  const list = lines().filter((one) => !model.isEmpty(one) && !gone.has(one));
  const lost = lines().filter((one) => gone.has(one)).length;
  const same = list.findIndex((one) => isFor(one, made));
  /** @type {(one: Line) => number} */
  const size = (one) => Object.keys(one.when ?? {}).length;
  const later = list.findIndex((one) => !model.isNow(one) && (one.at === undefined || one.at === line.at) && size(one) < size(line));
  const place = same >= 0 ? same : !made.length && isMine ? 0 : later >= 0 ? later : list.length;
  list.splice(place, same >= 0 ? 1 : 0, line);
  go([...made, move]);
  opened = keyOf(line);
  page.replace(list, place);
  if (canonical(old.line?.do) !== canonical(move.do)) board.tell(`Order ${place + 1} ${made.length ? `${same >= 0 ? "changed" : "added"}: if ${made[made.length - 1].words}` : "is your order for now"}: ${words.order(move.do)}${lost ? `; ${lost === 1 ? "a line" : `${lost} lines`} that followed from the other order ${lost === 1 ? "is" : "are"} gone, and Undo brings ${lost === 1 ? "it" : "them"} back` : ""}`);
}

/** @type {(made: Move[] | null) => void} */
function go(made) {
  at("done").textContent = "";
  board.forget(); // what was said of another position
  trail = made;
  supposed = null;
}

// Makes a move on the board that is shown.
/** @type {(move: Move) => void} */
function make(move) {
  if (supposed) page.order(move.do);
  else if (isOwn(move) && move.do && labelAfter(trail ?? [])) take(move);
  else {
    go([...(trail ?? []), move]);
    draw();
  }
  shown();
}

// Goes on to the moves that are offered, with the board in sight.
function shown() {
  at("walk-moves").querySelector("button")?.focus({ preventScroll: true });
  document.querySelector("#board svg")?.scrollIntoView({ block: "nearest" });
}

// Leaves out a line and all that build on it.
/** @type {(node: Answer) => void} */
function prune(node) {
  const gone = new Set(all([node]).map(({ line }) => line));
  page.replace(lines().filter((one) => !gone.has(one)), 0);
}

// The position that a line supposes, with its owner on turn: what the order for now spends is spent by then.
/** @type {(line: Line) => View} */
function suppose(line) {
  const view = structuredClone(viewOf(begun()));
  for (const [path, wanted] of Object.entries(line.when ?? {})) {
    const steps = path.split(".");
    const last = String(steps.pop());
    const holder = steps.reduce((here, step) => here?.[step], view);
    if (typeof wanted === "string" && typeof holder?.[last] === "string") holder[last] = wanted;
    if (Array.isArray(holder?.[last]) && yaml.isMap(wanted)) holder[last] = asWanted(holder[last], wanted);
  }
  return { ...view, to_move: data.seat };
}

// A list with what a condition wants in it, and without what it does not.
/** @type {(list: unknown[], wanted: Fields) => unknown[]} */
function asWanted(list, { has, not }) {
  /** @type {(one: unknown) => unknown[]} */
  const listed = (one) => (one === undefined ? [] : [one].flat());
  const gone = listed(yaml.isMap(not) ? not.has : undefined);
  return [...list.filter((one) => !gone.includes(one)), ...listed(has).filter((one) => !list.includes(one))];
}

// What is drawn on the board and a line does not say, such as where the crown is; undefined if it says all.
/** @type {(line: Line) => string | undefined} */
const unsaidBy = (line) => position.marks().find((mark) => typeof line.when?.[mark] !== "string");

/** @type {(line?: Line) => string} */
const keyOf = (line) => (line ? canonical([line.at ?? "", line.when ?? {}]) : "");

// A line that was opened is shown on its board.
function follow() {
  const line = page.openLine();
  const isOther = keyOf(line) !== opened;
  opened = keyOf(line);
  if (!isOther) return;
  if (!line || model.isNow(line) || model.isEmpty(line)) {
    if (line && model.isNow(line)) go(null);
    return;
  }
  const node = all(nodes()).find((one) => one.line === line);
  if (node) go(node.made);
  else {
    go(null);
    supposed = line.when ? line : null;
  }
}

function draw() {
  if (!isOffered()) return;
  follow();
  const open = page.openLine();
  if (supposed && !lines().includes(supposed)) supposed = open?.when ? open : null;
  trail = trail && broughtAbout(trail);
  const made = trail ?? [];
  const unsaid = supposed && unsaidBy(supposed);
  const view = supposed ? suppose(supposed) : trail && viewOf(trail);
  const found = view && !unsaid ? movesIn(view) : [];
  const isEnd = made.length > 0 && found.length > 0 && isOwn(found[0]) && !labelAfter(made);
  const now = supposed ?? (trail ? lineAfter(trail) : begun().length ? lineAfter([]) : undefined);
  position.draw(view, isEnd ? [] : found, now && (view ? found : movesIn(data.view)).find((one) => canonical(one.do) === canonical(now.do)), unsaid ?? "", make);
  at("walk-on").hidden = Boolean(view);
  at("walk-back").hidden = !made.length;
  at("walk-now").hidden = !view;
  at("walk-at").textContent = !view ? "" : [
    supposed ? standsFor(supposed, unsaid) : made.length ? `After this: ${made.map(({ words }) => words).join(", ")}.` : "As it is now.",
    unsaid ? "" : game.told?.(view),
    unsaid ? "Choose what to do then in the fields." : isEnd ? "Lines go no further than this." : found.length ? (isOwn(found[0]) ? "What do you do then?" : "What may follow?") : "The game is over then.",
  ].filter(Boolean).join(" ");
  at("walk-moves").replaceChildren(...(isEnd ? [] : found).map((move, number) => {
    const node = !supposed && !isOwn(move) && own([...made, move]);
    const isTaken = isOwn(move) && now && canonical(now.do) === canonical(move.do);
    const more = isTaken ? " (your order)" : node && isOwnTurn([...made, move]) ? (node.line ? " (answered)" : " (no line yet)") : "";
    return el("li", {}, button(`walk.${number}`, `${move.words}${move.worth ? ` (${move.worth})` : ""}${more}`, () => make(move)));
  }));
  drawTree();
  board.mark(page.openLine()?.do);
}

// What the board is of that a line supposes, for which no moves are known; `unsaid` is what it does not say.
/** @type {(line: Line, unsaid?: string | null) => string} */
function standsFor(line, unsaid) {
  const [name, when] = [`order ${lines().indexOf(line) + 1}`, begun().length ? "after your order for now" : "now"];
  return unsaid ? `The board ${when}: ${name} does not say where the ${words.name(unsaid)} is. It supposes that ${words.condition(line.when ?? {})}.` : `As ${name} supposes it, the rest as it is ${when}.`;
}

// What is planned, as a tree of what may happen.
function drawTree() {
  const found = nodes();
  const known = new Set(all(found).map(({ line }) => line));
  const first = lineAfter([]) ?? lines().find(model.isForNow); // what is planned follows it
  const others = lines().filter((line) => !known.has(line) && !model.isEmpty(line) && line !== first);
  const count = known.size + others.length;
  at("tree").hidden = !count;
  at("tree-count").textContent = String(count);
  if ((count > LONG) !== isLong) at("tree").open = count <= LONG;
  isLong = count > LONG;
  /** @type {(node: Answer) => HTMLElement} */
  const row = (node) => {
    const id = `tree.${canonical(node.made.map((one) => one.do))}`;
    return el("li", {}, `${node.move.words}: `, el("b", {}, node.words), isStopped(node.made) ? " (never tried: your stop ends it before) " : " ",
      button(`${id}.show`, "Show", () => {
        go(node.made);
        draw();
        at("walk-at").scrollIntoView({ block: "nearest" });
      }, { "aria-label": `Show: ${node.move.words}` }), " ",
      button(`${id}.prune`, "Leave out", () => prune(node), { "aria-label": `Leave out: ${node.move.words}, and all that follows` }), list(node.next));
  };
  /** @type {(rows: Answer[]) => HTMLElement | null} */
  const list = (rows) => {
    const answered = rows.filter((one) => one.line);
    const open = rows.filter((one) => !one.line && isOwnTurn(one.made)).length;
    const rest = lines().some((one) => model.isStanding(one) && !model.isEmpty(one)) ? "are left to your standing order" : open === 1 ? "has no line" : "have no line";
    return answered.length ? el("ol", {}, answered.map(row), open ? el("li", { class: "muted" }, `${open} more ${open === 1 ? "answer" : "answers"} ${rest}.`) : null) : null;
  };
  // What was written otherwise, or follows from no move that is known.
  /** @type {(line: Line) => HTMLElement} */
  const other = (line) => el("li", {}, `${[line.at ?? "whenever the game waits for you", line.when && `if ${words.condition(line.when)}`].filter(Boolean).join(", ")}: `, bold(words.order(line.do), words.inShort(line.do)), " ",
    button(`tree.line.${lines().indexOf(line)}`, "Open", () => page.openAt(lines().indexOf(line))));
  at("tree-lines").replaceChildren(list(found) ?? "", others.length && known.size ? el("h3", {}, "Other lines") : "", others.length ? el("ol", {}, others.map(other)) : "");
}

const LONG = 4; // lines of a plan that is folded away: each stands among the orders too
let isLong = false;

function start() {
  at("walk").hidden = !isOffered();
  if (!isOffered()) return;
  at("walk-on").addEventListener("click", () => {
    go(begun());
    draw();
    shown();
  });
  at("walk-back").addEventListener("click", () => {
    go((trail ?? []).slice(0, -1));
    draw();
  });
  at("walk-now").addEventListener("click", () => {
    go(null);
    const now = lines().findIndex(model.isForNow);
    if (now >= 0) page.openAt(now); // the board and the line that is written are of the same ask
    else draw();
    at("walk-on").focus();
  });
}

// Why nothing can be done at a square of the position that is shown, or what can.
/** @type {(square: string) => string} */
function toldAt(square) {
  if (supposed && unsaidBy(supposed)) return standsFor(supposed, unsaidBy(supposed));
  const view = supposed ? suppose(supposed) : viewOf(trail ?? []);
  const why = square && game.whyNot?.(square, null, true, view);
  return why ? `${square}: ${why}.` : "Played ahead: take a marked square, or Back to now.";
}

/** @type {(line: Typed<Line>) => Answer | undefined} */
const nodeOf = (line) => (isOffered() ? all(nodes()).find((one) => one.line === line) : undefined);

// Why a line cannot be played, or is not known to be, where the moves that it answers lead; null if it can, undefined
// where no such moves are known.
/** @type {(line: Typed<Line>) => Fault | null | undefined} */
const outlook = (line) => {
  const node = nodeOf(line);
  if (!node) return undefined;
  return moveOf(node.made, line.do) ? null : game.problems?.(line.do, viewOf(node.made))?.[0];
};

// What a line answers, in words; "" if that is no answer that is known.
/** @type {(line: Typed<Line>) => string} */
const toldOf = (line) => {
  const node = nodeOf(line);
  return node ? node.made.slice(begun().length).map(({ words }) => words).join(", ") : "";
};

parts.tree = { start, draw, toldOf, isStopped: (line) => isStopped(nodeOf(line)?.made ?? []), isOn: () => Boolean(trail ?? supposed), outlook, isOffered, toldAt, canBe, movesBefore };
