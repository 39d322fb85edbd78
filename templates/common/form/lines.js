// The lines of orders on the page: each with its fields, its conditions, and what becomes of it.
/** @import { Found, Line, Prospect, When } from "./types" */
import * as conditions from "./conditions.js";
import { at, bold, button, checkbox, el, labelled, select } from "./dom.js";
import * as fields from "./fields.js";
import { data, parts } from "./given.js";
import * as model from "./model.js";
import { changed, lines, openAt, setIn, state } from "./orders.js";
import { problems as faultsOf } from "./schema.js";
import * as words from "./words.js";
import { isMap } from "./yaml.js";

/** @type {{ [standing: string]: string }} */
const STANDINGS = {
  plays: "will be played", "not now": "not now", else: "else", later: "later",
  "if silent": "if you send nothing else by the deadline",
};
const SILENT = `Only if I send nothing else by the deadline${data.deadline ? ` (${data.deadline})` : ""}`;
const FOR_EVER = "keep";
const LASTS = 6; // asks ahead up to which a standing order can be told to stay
/** @type {Set<string>} */
const unfolded = new Set(); // lines whose conditions were opened

/** @type {(line: Line) => string} */
const askOf = (line) => (line.at === undefined ? `whenever the game waits for you${line.until ? ` up to ${line.until}` : ""}` : `for ${line.at}${model.isNow(line) ? ", now" : ""}`);

// Without a line: what was sent before stays, unless the player says otherwise.
function withdrawal() {
  if (lines().length) return [];
  const is = state.doc.orders === model.WITHDRAW;
  const said = is ? "No line here. Lines that you sent before are withdrawn."
    : "No line here. Lines that you sent before stay as they are.";
  return [el("p", { class: "hint" }, said), checkbox("withdraw", "Withdraw all lines that I sent before", is, (on) => setIn(state.doc, "orders", on ? model.WITHDRAW : []))];
}

/** @type {<One>(list: One[], from: number, to: number) => void} */
const moved = (list, from, to) => {
  const [one] = list.splice(from, 1);
  list.splice(to, 0, one);
};

// Up, down and away for one of several things; `name` says which, `after` is done first.
/** @type {(id: string, name: string, list: unknown[], number: number, after?: (to: number) => void) => HTMLElement} */
function tools(id, name, list, number, after = () => {}) {
  /** @type {(to: number) => void} */
  const move = (to) => {
    moved(list, number, to);
    after(to);
    changed();
    at(`${id.replace(/\d+$/, String(to))}.${to < number ? "up" : "down"}`)?.focus();
  };
  return el("span", { class: "tools" },
    button(`${id}.up`, "↑", () => move(number - 1), { disabled: number === 0, "aria-label": `Move ${name} up` }),
    button(`${id}.down`, "↓", () => move(number + 1), { disabled: number === list.length - 1, "aria-label": `Move ${name} down` }),
    button(`${id}.remove`, "✕", () => {
      list.splice(number, 1);
      after(Math.max(0, Math.min(number, list.length - 1)));
      changed();
      at("add-line").focus();
    }, { "aria-label": `Remove ${name}` }));
}

// One line of orders.
/** @type {(line: Line, number: number) => HTMLElement} */
function card(line, number) {
  const id = `line.${number}`;
  const isOpen = number === state.open;
  const name = `order ${number + 1}`;
  const title = `Order ${number + 1}, ${askOf(line)}`;
  const head = el("div", { class: "head" }, el("h3", {}, lines().length > 1 && !isOpen
    ? button(`${id}.open`, title, () => openAt(number), { class: "plain", "aria-label": `${title}: open` }) : title), tools(id, name, lines(), number, (to) => { state.open = to; }));
  const outputs = [el("div", { id: `${id}.forecast`, class: "forecast" }), el("p", { id: `${id}.stop`, class: "muted" }), el("div", { id: `${id}.wrong`, class: "wrong" })];
  const what = el("div", { class: "what" }, caseOf(line), model.isEmpty(line) ? "" : bold(words.order(line.do), words.inShort(line.do)));
  if (!isOpen) return el("li", { class: "line" }, head, what, outputs);
  const inside = isShown(line) ? fields.order(`${id}.do`, () => lines()[number], (now, isTyped) => setIn(lines()[number], "do", now, isTyped))
    : el("p", {}, "The fields cannot show this order; it stands in the text below.");
  const left = el("div", { id: `${id}.left`, class: "left" });
  return el("li", { class: "line open" }, head, model.isNow(line) || model.isEmpty(line) ? null : what, left, outputs, inside, extras(id, line));
}

// When a line is played, in words: what it answers, or what it wants; of a ready line without a condition, its note.
/** @type {(line: Line) => string} */
function caseOf(line) {
  if (!isMap(line.when) || !Object.keys(line.when).length) {
    const note = model.isNow(line) ? undefined : parts.ready?.noteOf(line);
    return note ? `${note}: ` : "";
  }
  const told = parts.tree?.toldOf(line);
  return `If ${told || words.condition(line.when)}: `;
}

// Whether the fields can show an order: where it does not fit the schema, only what is missing may be wrong.
/** @type {(line: Line) => boolean} */
function isShown(line) {
  if (model.isEmpty(line)) return true;
  const kinds = faultsOf(model.moveSchema(line), line.do).filter(({ kind }) => kind === "type");
  return isMap(line.do) && !kinds.length;
}

/** @type {(id: string, line: Line) => HTMLElement} */
function label(id, line) {
  const known = data.labels;
  const now = data.ask.mine ? data.ask.label : "";
  const options = [["", "whenever I am asked"], ...known.map((one) => [one, one === now ? `${one} (now)` : one])];
  if (line.at !== undefined && !known.includes(line.at)) options.push([line.at, line.at]);
  const pick = select(`${id}.at`, options, line.at ?? "", (value) => setIn(line, "at", value || undefined));
  return labelled(`${id}.at`, "When", pick);
}

// How long a line stays: for one ask, up to one, or until other orders come.
/** @type {(id: string, line: Line) => HTMLElement} */
function standing(id, line) {
  const own = model.label(data.labels.find((one) => !one.includes(".")) ?? data.ask.next);
  const lasts = own ? Array.from({ length: LASTS }, (_, more) => `${own.owner}-${own.count + more + 1}`).slice(0, data.last && data.last - own.count) : []; // none where the game ends
  if (line.until && !lasts.includes(line.until)) lasts.push(line.until);
  const options = [["", "It is over"], ...lasts.map((one) => [one, `It stays up to ${one}`]), [FOR_EVER, "It stays until I send other orders"]];
  const ends = line.until ? `each time up to ${line.until}` : "each time until you send other orders";
  const stays = line.until || line.keep ? `It is played ${ends} that no line above answers, without asking you.` : "";
  return labelled(id, "After it is played", select(id, options, line.until ?? (line.keep ? FOR_EVER : ""), (picked) => {
    delete line.keep;
    delete line.until;
    if (picked && line.at !== undefined) delete line.at; // it answers whatever is asked
    if (picked === FOR_EVER) setIn(line, "keep", true);
    else setIn(line, "until", picked || undefined);
  }), stays);
}

// What a condition of a line is offered first: what tells the moves that can come before it; where none are known, what
// the ready lines for the same ask look at, if they are made for the order that is chosen.
/** @type {(line: Line) => When[]} */
function fitting(line) {
  const moves = parts.tree?.movesBefore(line);
  if (moves) return moves.map(({ when }) => when);
  if (parts.ready?.isOther()) return [];
  return [...(data.plan?.lines ?? []).filter((one) => one.at === line.at), data.draft?.plan].flatMap((one) => (one?.when ? [one.when] : []));
}

// Conditions, standing orders and lines for silence.
/** @type {(id: string, line: Line) => HTMLElement | null} */
function extras(id, line) {
  if (model.isStart(line) || data.ask.kind === "start") return null;
  const isUsed = line.when || line.keep || line.until || line.if_silent || !model.isNow(line);
  const box = el("details", { id: `${id}.extras`, open: Boolean(isUsed) || unfolded.has(id) },
    el("summary", { id: `${id}.summary` }, "When it is played"),
    label(id, line),
    conditions.editor(`${id}.when`, "Only if", () => line.when, (now, isTyped) => setIn(line, "when", now, isTyped), fitting(line)),
    standing(`${id}.keep`, line),
    data.deadline || line.if_silent ? checkbox(`${id}.if_silent`, SILENT, line.if_silent === true, (on) => setIn(line, "if_silent", on || undefined)) : null);
  box.addEventListener("toggle", () => unfolded[box.open ? "add" : "delete"](id));
  return box;
}

// What becomes of a line, what is wrong with it and what is left to spend.
/** @type {(line: Line, number: number, prospect: Prospect, found: Found[]) => void} */
function drawOutputs(line, number, { standing, lines: said, isJudged, isStopped }, found) {
  const id = `line.${number}`;
  const isEmpty = model.isEmpty(line);
  const [first, ...rest] = isEmpty ? ["nothing is chosen yet"] : said;
  const outcome = standing !== "plays" ? STANDINGS[standing] : data.ask.kind === "start" ? "ready to send" : isJudged ? STANDINGS.plays : "not judged here";
  const told = found.length && !isEmpty ? [] : [el("p", {}, el("b", {}, `${isEmpty ? "empty" : outcome}: `), first), ...rest.map((one) => el("p", {}, one))];
  /** @type {HTMLElement} */ (at(`${id}.forecast`)).replaceChildren(...told);
  /** @type {HTMLElement} */ (at(`${id}.wrong`)).replaceChildren(...(isEmpty ? [] : found.map((one) => el("p", {}, spell(one)))));
  const isOnce = line.at === data.ask.label || (standing === "plays" && !model.isStanding(line)); // stops are looked at later
  const stop = isEmpty || found.length || isOnce || isStopped ? {} : state.doc.stop_if ?? {};
  /** @type {HTMLElement} */ (at(`${id}.stop`)).textContent = Object.keys(stop).length ? `Your stop ends it if ${words.condition(stop)}.` : "";
  at(`${id}.left`)?.replaceChildren(isEmpty || found.length || !model.isNow(line) || ["plays", "if silent"].includes(standing) ? leftOf(line) : "");
}

/** @type {(line: Line) => string} */
const leftOf = (line) => (isMap(line.do) ? model.ask("left", line.do, model.isNow(line)) : "") ?? "";
/** @type {(fault: { text: string, hint?: string }) => string} */
const spell = ({ text, hint }) => `${text[0].toUpperCase()}${text.slice(1)}.${hint ? ` ${hint}` : ""}`;

// Draws all lines anew.
function draw() {
  at("lines").replaceChildren(...lines().map(card));
  at("none").replaceChildren(...withdrawal());
}

export { draw, drawOutputs, spell, tools };
