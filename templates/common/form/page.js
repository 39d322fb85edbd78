// The page: the lines, the messages and the YAML below them, which always say the same.
/** @import { Doc, Excerpt, Fields, Found, Line, Place, Prospect, Read, Typed } from "./types" */
/** @typedef {Place & { text: string, hint?: string }} Unread */
import * as adding from "./adding.js";
import * as board from "./board.js";
import { at, drawing } from "./dom.js";
import { data, game, parts } from "./given.js";
import * as differing from "./differing.js";
import * as leaving from "./leaving.js";
import * as cards from "./lines.js";
import * as model from "./model.js";
import * as orders from "./orders.js";
import { lines, openLine, state } from "./orders.js";
import * as past from "./past.js";
import * as pasted from "./pasted.js";
import * as pending from "./pending.js";
import * as press from "./press.js";
import * as sending from "./sending.js";
import * as writing from "./text.js";
import * as words from "./words.js";
import * as yaml from "./yaml.js";

/** @type {["undo" | "redo", number][]} */
const STEPS = [["undo", -1], ["redo", 1]];
/** @type {{ [name: string]: string }} */
const PARTS = { press: "messages", stop_if: "your stop", wait: "waiting for the deadline", partial: "what is done with mistakes", key: "your key" };
const MANY = 4; // lines that are named one by one
const FEW = 2; // changes that are told one by one when they are undone
let isKept = true;
/** @type {boolean | null} */
let isStored = false; // the device keeps the draft
let isText = false; // the text was edited after the fields
/** @type {Excerpt | null} */
let sent = null; // the orders in a text that holds more, which alone are sent

// Something was changed in the fields: the text is written anew, and the fields too unless it was typed.
/** @type {(isTyped?: boolean) => void} */
function changed(isTyped = false) {
  isKept = false;
  isText = false;
  at("yaml").value = model.write(state.doc);
  const isLeft = leaving.isLeft();
  remember(isTyped || isLeft);
  refresh(null, null, state.doc, !isTyped && !isLeft);
  if (isLeft) leaving.settled(() => isText || refresh(null, null, state.doc));
}

// Another line was opened.
function opened() {
  remember();
  refresh();
}

// Keeps what stands here, to come back to it.
/** @type {(isTyped?: boolean) => void} */
function remember(isTyped) {
  at("done").textContent = "";
  isStored = past.note([at("yaml").value, isText, state.open, state.taken], isTyped && document.activeElement?.id);
  drawKept();
}

function drawKept(text = "This device keeps your draft.") {
  at("kept").textContent = isStored ? text : past.has(-1) ? "Your draft is lost when you close this page." : "";
  for (const [id, step] of STEPS) at(id).setAttribute("aria-disabled", String(!past.has(step)));
}

// Goes back to a text that stood here before, or forward again.
/** @type {(step: number) => void} */
function go(step) {
  if (!past.has(step)) return;
  /** @type {Fields} */
  const before = structuredClone(state.doc);
  show(past.go(step));
  board.forget();
  drawKept();
  /** @type {(name: string) => boolean} */
  const isSame = (name) => words.canonical(before[name] ?? null) === words.canonical(/** @type {Fields} */ (state.doc)[name] ?? null);
  const others = Object.keys(PARTS).filter((name) => !isSame(name)).map((name) => PARTS[name]);
  const said = [...isSame("orders") ? [] : differing.lines(listOf(before.orders), lines()), ...others];
  const told = said.length > FEW ? step < 0 && "all is as it was before that" : said.join("; ");
  at("done").textContent = `${step < 0 ? "Undone" : "Done again"}${told ? `: ${told}` : ""}.`;
}

/** @type {(value: unknown) => Line[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);

/** @type {(state: past.State) => void} */
function show([text, wasText, number, taken = []]) {
  isKept = false;
  state.open = number;
  state.taken = taken;
  isText = wasText;
  at("yaml").value = text;
  readText();
}

// Draws all fields anew and gives the focus back to where it was.
function draw() {
  const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const focused = active?.id;
  const spot = /** @type {[number | null, number | null]} */ ([active?.selectionStart, active?.selectionEnd]);
  drawing.is = true;
  cards.draw();
  press.draw();
  parts.ready?.draw();
  parts.tree?.draw();
  drawing.is = false;
  at("fields").disabled = !state.isReadable;
  const again = focused && /** @type {HTMLInputElement | null} */ (at(focused));
  if (again && again !== document.activeElement) {
    again.focus({ preventScroll: true });
    if (typeof spot[0] === "number" && again.setSelectionRange && again.type === "text") again.setSelectionRange(...spot);
  }
}

// The text was edited: if it can be read, the fields follow it.
function typed() {
  isKept = false;
  isText = true;
  remember(true);
  readText();
}

function readText() {
  state.isReadable = false;
  sent = null;
  unjudged();
  /** @type {ReturnType<typeof pasted.read>} */
  let document_;
  try {
    document_ = pasted.read(at("yaml").value);
  } catch (problem) {
    at("fields").disabled = true;
    refresh(null, problem instanceof yaml.Problem ? problem : { line: 1, column: 1, text: "this page cannot read this" }, state.doc, false);
    return;
  }
  sent = document_.from ?? null;
  unjudged();
  const value = model.namesAsMeant(model.namesAsText(document_.value));
  // The fields can show what has the outer shape of orders.
  state.isReadable = model.judge(value).problems.every(({ path, kind }) => kind === "nothing" || (path[0] === "orders" && path[2] === "do") || (kind !== "type" && (["game", "seat"].includes(String(path[0])) || path[2] === "at")));
  if (state.isReadable) {
    state.doc = /** @type {Doc} */ (value);
    state.open = Math.min(state.open, Math.max(0, lines().length - 1));
  }
  refresh(document_, null, value);
}

// Takes away what was said of another text, and links to what stands here now.
function unjudged() {
  at("verdict").textContent = "Not judged. The host checks it.";
  at("problems").replaceChildren();
  at("now").textContent = "";
  for (const one of document.querySelectorAll("#lines .forecast, #lines .left, #lines .wrong")) one.replaceChildren();
  sending.draw();
}

// Everything that follows from the orders, first of all what is wrong and where and the link for a mail; then the
// fields and what each line comes to.
/** @type {(read?: Read<unknown> | null, unread?: Unread | null, value?: Typed<Doc>, isDrawn?: boolean) => void} */
function refresh(read = null, unread = null, value = state.doc, isDrawn = true) {
  if (!read) sent = null;
  unjudged();
  const known = read ?? (unread ? null : yaml.read(at("yaml").value));
  const { problems, prospects, unjudged: unsure, isBlank } = unread ? { problems: [], prospects: [], unjudged: [], isBlank: false } : model.judge(value);
  /** @type {Found[]} */
  const found = isBlank ? [] : unread
    ? [{ line: unread.line, column: unread.column, text: unread.text, hint: unread.hint }]
    : problems.map((one) => ({ ...one, ...writing.placeOf(/** @type {Read<unknown>} */ (known), one) })).sort((a, b) => a.line - b.line || a.column - b.column);
  writing.draw(found, isText);
  const silence = unread || isBlank ? "" : unanswered(prospects);
  drawVerdict(found, unread, unsure, isBlank, silence);
  if (isDrawn) draw();
  if (state.isReadable) {
    for (const [number, line] of lines().entries()) cards.drawOutputs(line, number, prospects[number], found.filter(({ path }) => path?.[0] === "orders" && path[1] === number));
    board.mark(openLine()?.do);
  }
  const open = openLine();
  at("bar-at").textContent = open ? open.at ?? "whenever the game waits for you" : data.ask.next;
  const isFor = at("open-for");
  if (isFor) isFor.textContent = open?.at ?? "whenever the game waits for you";
  if (state.isReadable && !found.length && open) {
    const told = outcome();
    at("now").textContent = sentences([silence, ...(model.ask("brief", told) ?? told)]);
  }
  adding.draw();
  drawUnadded();
  pending.draw();
  announce(found);
}

// Something is chosen in a list by key, and counts when the list is left.
function drawUnadded() {
  at("unadded").hidden = !/** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("#fields [data-is]")]).some((one) => !one.hidden && one.value !== one.dataset.is && one.value !== "\u2026");
}

// What is said where lines stand here and none of them answers what is asked now.
/** @type {(prospects: Prospect[]) => string} */
function unanswered(prospects) {
  const isAnswered = !data.ask.mine || !lines().length || prospects.some(({ standing }) => ["plays", "if silent", "refused"].includes(standing));
  return isAnswered ? "" : `No line answers ${data.ask.label} as things stand${data.deadline ? "" : "; the game will wait for you"}.`;
}

// Sentences one after another: each begins with a capital, and ends.
/** @type {(list: string[]) => string} */
const sentences = (list) => list.filter(Boolean).map((one) => `${one[0].toUpperCase()}${one.slice(1)}${/[.!?:]$/.test(one) ? "" : "."}`).join(" ");

// The verdict on all of it, and what can be done with it then.
/** @type {(found: Found[], unread: Unread | null, unsure: string[], isBlank: boolean, silence: string) => void} */
function drawVerdict(found, unread, unsure, isBlank, silence) {
  const rows = sent?.rows.map(({ line }) => line);
  const taken = rows ? `Read from rows ${rows[0]} to ${rows.at(-1)}; only they are sent, without marks of a quote. ` : "";
  const wrongs = unread ? "This page cannot read this:" : `${found.length === 1 ? "One thing is" : `${found.length} things are`} wrong or missing:`;
  const none = unsure.length ? `No mistakes seen. Not judged by this page: ${unsure.length > MANY ? `${unsure.length} orders` : unsure.join(", ").replace(/(?<=\d, )order /g, "").replace(/order (?=\d+,)/, "orders ")}. The host checks it.` : "No mistakes found. The host checks it again.";
  at("verdict").textContent = `${taken}${isBlank ? "Nothing is chosen yet." : found.length ? wrongs : `${silence && `${silence} `}${none}`}`;
  const isNothing = isBlank || (found.length > 0 && found.every(({ kind }) => kind === "nothing"));
  at("loosely").hidden = !(isText && found.length) || isNothing;
  at("back").hidden = state.isReadable;
  sending.draw(!found.length);
  for (const id of /** @type {const} */ (["copy", "save", "share"])) at(id).disabled = isNothing;
  at("go").hidden = isNothing || found.some(({ kind }) => kind === "empty");
  if (isNothing) at("mail").hidden = true;
  at("how").hidden = isNothing;
  const [first] = found;
  const spelled = !first ? "" : first.kind === "empty" ? `Order ${/** @type {number} */ (first.path?.[1]) + 1} is empty: choose something for it, or remove it.` : cards.spell(first);
  at("now").textContent = spelled || at("verdict").textContent;
  lacking = spelled && ` But something is wrong or missing: ${spelled}`;
}

let lacking = ""; // what is said beside a text that is handed on

const toSend = () => sent?.text ?? at("yaml").value;

// What the open line comes to, as it stands in its card: what is left, then the forecast, a sentence each.
/** @type {() => string[]} */
const outcome = () => /** @type {string[]} */ ([at(`line.${state.open}.left`), ...(at(`line.${state.open}.forecast`)?.children ?? [])].map((one) => one?.textContent).filter(Boolean));

/** @type {number | undefined} */
let saying;
// Says for those who hear the page what the open line comes to, when typing rests.
/** @type {(found: Found[]) => void} */
function announce(found) {
  clearTimeout(saying);
  saying = setTimeout(() => {
    const wrong = found.length ? `${found.length} wrong or missing.` : "";
    at("said").textContent = sentences([...outcome(), wrong]);
  }, 400);
}

/** @type {(text: string) => void} */
function told(text) {
  isKept = true;
  drawKept("This device keeps your draft until you are asked next.");
  at("done").textContent = text + lacking;
}

function start() {
  Object.assign(game, globalThis.pbem.rules?.());
  orders.listen({ changed, opened });
  pending.listen();
  at("plain").hidden = true;
  at("app").hidden = false;
  board.listen();
  parts.tree?.start();
  adding.listen();
  at("yaml").addEventListener("input", typed);
  at("back").addEventListener("click", () => {
    state.isReadable = true;
    changed();
  });
  sending.listen(toSend, told);
  leaving.listen();
  for (const [id, step] of STEPS) at(id).addEventListener("click", () => go(step));
  for (const name of ["input", "change"]) at("fields").addEventListener(name, drawUnadded);
  addEventListener("keydown", (event) => {
    const step = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
    if (!step || !(event.ctrlKey || event.metaKey) || event.altKey || /** @type {Element} */ (event.target).matches("textarea, [type=text], [type=number]")) return;
    event.preventDefault();
    go(step);
  });
  addEventListener("beforeunload", (event) => {
    if (!isKept && !isStored) event.preventDefault();
  });
  at("yaml").value = model.write(state.doc);
  past.note([at("yaml").value, false, 0]);
  const draft = past.draft();
  isStored = Boolean(draft);
  if (draft) show(draft);
  else refresh();
  drawKept("This is your draft, kept on this device.");
}

export { start };
