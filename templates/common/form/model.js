// The orders as this page holds them: one value, from which the fields and the YAML text are both made.
/** @import { Answers, Doc, Fault, Fields, Judgement, Line, Menu, Path, Prospect, Schema, Typed, Wanted } from "./types" */
import { data, game, parts } from "./given.js";
import * as predicates from "./predicates.js";
import { problems as faultsOf } from "./schema.js";
import * as words from "./words.js";
import { canonical, name, noted, shown } from "./words.js";
import * as yaml from "./yaml.js";
import { isMap } from "./yaml.js";

const FIRST = ["game", "seat", "key", "orders", "stop_if", "press", "wait", "detail", "partial"];
const OF_LINE = ["at", "when", "keep", "until", "if_silent", "do"];

const TESTS = ["has", "at_least", "at_most", "not"];
const WITHDRAW = "none"; // in place of lines: those that were sent before are withdrawn

/** @type {(text: string) => { owner: string, count: number, word: string } | null} */
const label = (text) => {
  const found = /^([a-z0-9_]+)-([1-9][0-9]{0,5})(?:\.([a-z_]+))?$/.exec(text);
  return found && { owner: found[1], count: Number(found[2]), word: found[3] ?? "" };
};

// The order of fields in which orders are written; what the schema does not know comes last.
/** @type {(value: Fields, names: string[]) => Fields} */
function sorted(value, names) {
  const out = Object.create(null);
  for (const name of [...names.filter((one) => one in value), ...Object.keys(value)]) out[name] = value[name];
  return out;
}

/** @type {() => Doc} */
function blank() {
  const doc = Object.create(null);
  Object.assign(doc, { game: data.game, seat: data.seat });
  if (data.key_asked) doc.key = "";
  doc.orders = [{ at: data.ask.next, do: Object.create(null) }];
  return doc;
}

/** @type {(line: Typed<Line>) => string[]} */
function fieldsOf(line) {
  const schema = moveSchema(line);
  return Object.keys(schema.properties ?? {});
}

/** @type {(line: Typed<Line>) => boolean} */
function isStart(line) {
  const own = data.schema.$defs.move.properties ?? {};
  return line.at === "start" || line.at === "open" || (isMap(line.do) && "luck" in line.do && !("luck" in own));
}

/** @type {(line: Typed<Line>) => Schema} */
function moveSchema(line) {
  return data.schema.$defs[isStart(line) ? "start" : "move"];
}

// Conditions as they are written, without those of which it is not chosen yet what they are about: they stand in the fields
// alone.
/** @type {(holder: Fields, name: "when" | "stop_if") => void} */
function state(holder, name) {
  if (!isMap(holder[name])) return;
  const rest = predicates.stated(words.settled(holder[name]));
  if (Object.keys(rest).length || !Object.keys(holder[name]).length) holder[name] = rest;
  else delete holder[name];
}

/** @type {(line: Fields) => Fields} */
function lineForWriting(line) {
  const out = sorted(line, OF_LINE);
  state(out, "when");
  if (!isMap(out.do)) return out;
  out.do = sorted(out.do, fieldsOf(line));
  const called = isStart(line) ? out.do : words.inNames(out.do);
  if (faultsOf(moveSchema(line), called).length <= faultsOf(moveSchema(line), out.do).length) out.do = called;
  return out;
}

// The YAML text; the seat is written as in the form, where it may be a number.
/** @type {(doc: Doc) => string} */
function write(doc) {
  const out = sorted(doc, FIRST);
  state(out, "stop_if");
  if (Array.isArray(doc.orders)) {
    if (doc.orders.length) out.orders = doc.orders.map((line) => (isMap(line) ? lineForWriting(line) : line));
    else delete out.orders;
  }
  const text = yaml.write(out);
  return `${data.marker}\n${/^[0-9]+$/.test(doc.seat) ? text.replace(/^seat: "(.*)"$/m, "seat: $1") : text}`;
}

// Names that YAML reads as numbers, as text: game, seat, key and the readers of press.
/** @type {(value: Fields) => Typed<Doc>} */
function namesAsText(value) {
  for (const name of ["game", "seat", "key"]) if (typeof value[name] === "number") value[name] = String(value[name]);
  if (typeof value.orders === "string" && value.orders.toLowerCase() === WITHDRAW) value.orders = WITHDRAW;
  for (const message of Array.isArray(value.press) ? value.press : []) {
    if (!isMap(message)) continue;
    /** @type {(one: unknown) => unknown} */
    const asText = (one) => (typeof one === "number" ? String(one) : one);
    message.to = Array.isArray(message.to) ? message.to.map(asText) : asText(message.to);
  }
  return value;
}

// Names as reports show them, as ids: in orders, and of the readers of press.
/** @type {(value: Typed<Doc>) => Typed<Doc>} */
function namesAsMeant(value) {
  /** @type {(holder: Fields, name: string) => void} */
  const inPaths = (holder, name) => {
    const asked = holder[name];
    if (isMap(asked)) holder[name] = predicates.inPaths(Object.entries(asked).map(([path, wanted]) => [path, path in predicates.predicates ? wanted : words.meant(wanted, words.wantedOf)]));
  };
  inPaths(value, "stop_if");
  for (const line of listOf(value.orders)) if (isMap(line)) inPaths(line, "when");
  for (const line of listOf(value.orders)) if (isMap(line) && isMap(line.do) && !isStart(line)) line.do = words.meant(line.do);
  /** @type {(one: unknown) => unknown} */
  const seat = (one) => (typeof one !== "string" || isReader(one) ? one : words.seatOf(one) ?? one);
  for (const message of listOf(value.press)) if (isMap(message) && message.to !== undefined) message.to = Array.isArray(message.to) ? message.to.map(seat) : seat(message.to);
  return value;
}
/** @type {(one: string) => boolean} */
const isReader = (one) => ["all", "moderator"].includes(one) || data.players.some(({ seat }) => seat === one);

/** @type {(one: unknown, other: unknown) => boolean} */
const same = (one, other) => {
  if (typeof one === "boolean" || typeof other === "boolean") return one === other;
  if (typeof one === "string") return ["string", "number"].includes(typeof other) && one.toLowerCase() === String(other).toLowerCase();
  return one === other;
};

/** @type {(path: string, view?: unknown) => unknown} */
function look(path, view = data.view) {
  let here = view;
  for (const name of path.split(".")) {
    if (Array.isArray(here)) here = /^[0-9]+$/.test(name) ? here[Number(name)] : undefined;
    else if (isMap(here)) here = here[Object.keys(here).find((key) => same(key, name)) ?? ""];
    else return undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

/** @type {(found: unknown, operator: string, value: unknown) => boolean} */
function passes(found, operator, value) {
  if (operator === "not") return !fits(found, value);
  if (operator === "has") {
    const inside = Array.isArray(found) ? found : isMap(found) ? Object.keys(found) : [];
    return [value].flat().every((one) => inside.some((item) => same(item, one)));
  }
  if (typeof found !== "number" || typeof value !== "number") return false;
  return operator === "at_least" ? found >= value : found <= value;
}

/** @type {(found: unknown, wanted: Wanted) => boolean} */
function fits(found, wanted) {
  if (found === undefined) return false;
  if (Array.isArray(wanted)) return wanted.some((one) => same(found, one));
  if (isMap(wanted)) return Object.entries(wanted).every(([operator, value]) => passes(found, operator, value));
  return same(found, wanted);
}

// Whether a condition holds on a view: that of the report, or one that a line supposes.
/** @type {(condition?: unknown, view?: unknown) => boolean} */
function holds(condition, view = data.view) {
  return Object.entries(condition ?? {}).every(([name, wanted]) => passesOn(view, name, wanted));
}

// Whether one entry of a condition or of a term holds on a view.
/** @type {(view: unknown, name: string, wanted: any) => boolean} */
function passesOn(view, name, wanted) {
  const term = predicates.term(name, wanted);
  if (term) return name in term ? fits(look(name, view), term[name]) : holds(term, view); // a field has its own name
  if (name === "any") return predicates.partsOf({ any: wanted }, name).some((one) => holds(one, view));
  if (name === "all" || name === "not") return predicates.partsOf({ [name]: wanted }, name).every((one) => holds(one, view)) !== (name === "not");
  if (name === "difference") return fits(Number(look(wanted[0], view)) - Number(look(wanted[1], view)), wanted[2]);
  if (name === "count") return fits(Object.values(/** @type {any} */ (look(wanted[0], view) ?? {})).filter((one) => fits(one, wanted[1])).length, wanted[2]);
  return fits(look(name, view), wanted);
}

// Whether a condition holds wherever another one does, as far as their words alone show it.
/** @type {(condition: Fields, given: Fields) => boolean} */
const follows = (condition, given) => Object.entries(condition).every(([path, wanted]) => {
  const key = Object.keys(given).find((one) => same(one, path));
  return key !== undefined && implies(given[key], wanted);
});

/** @type {(given: unknown, wanted: unknown) => boolean} */
function implies(given, wanted) {
  if (canonical(given) === canonical(wanted)) return true;
  if (!isMap(given)) return [given].flat().length > 0 && [given].flat().every((one) => fits(one, wanted));
  /** @type {(operator: string, value: unknown) => boolean} */
  const isWithin = (operator, value) => canonical(given[operator]) === canonical(value) || (["at_least", "at_most"].includes(operator) && passes(given[operator], operator, value));
  return isMap(wanted) && Object.entries(wanted).every(([operator, value]) => operator in given && isWithin(operator, value));
}

const STOP_FIRST = "never tried: your stop holds whenever this condition does";
const STOP_NOW = "your stop holds now, and ends this line unless that changes before the game waits for you again";

// What becomes of a line, with what ends it before it is tried, as far as that is seen. A stop is looked at behind the
// order that is played now, which may change what holds.
/** @type {(prospect: Prospect, line: Typed<Line>, stop: unknown, isBehind: boolean) => Prospect} */
function stopped(prospect, line, stop, isBehind) {
  if (!isMap(stop) || !Object.keys(stop).length || !["later", "not now"].includes(prospect.standing)) return prospect;
  const isNever = isMap(line.when) && Object.keys(line.when).length && !(data.ask.label && line.at === data.ask.label) && (follows(stop, line.when) || parts.tree?.isStopped(line));
  if (isNever) return { ...prospect, lines: [STOP_FIRST], isStopped: true };
  return holds(stop) && !isBehind ? { ...prospect, lines: [...prospect.lines, STOP_NOW], isStopped: true } : prospect;
}

/** @type {(line: Typed<Line>) => boolean} */
const isNow = (line) => data.ask.mine && (line.at === undefined || line.at === data.ask.label);

// Whether the condition of a line holds now, as far as it is filled in.
/** @type {(line: Typed<Line>) => boolean} */
const isMet = (line) => Object.entries(line.when ?? {}).every(([path, wanted]) => isUnsaid(path, wanted) || passesOn(data.view, path, wanted));

// Whether a line is for the present ask, on a condition that does not hold there: it can never be played.
/** @type {(line: Typed<Line>) => boolean} */
const isPast = (line) => data.ask.mine && line.at === data.ask.label && !isMet(line);

/** @type {Menu[]} */
const wholeOrders = data.menus.filter((menu) => menu.paths.includes("") && data.ask.kind !== "start");
// Where the only menus are of whole orders, they are all that is legal.
const areAll = () => wholeOrders.length > 0 && wholeOrders.length === data.menus.length && !game.isOpen;
const tried = new Map(data.tried.map((one) => [canonical(one.order), { ...one, lines: one.lines?.map((at) => data.said[at]) }]));

// What the host has tried beforehand: {lines} or {problems} of an order, or nothing.
/** @type {(order: unknown) => { lines?: string[], problems?: Fault[] } | undefined} */
const trial = (order) => tried.get(canonical(order));

/** @type {(line: Typed<Line>) => boolean} */
function isEmpty(line) {
  return line.do === null || line.do === undefined || (isMap(line.do) && !Object.keys(line.do).length);
}

// The part of an order that fits the schema: all that a game's script is ever given. The same is looked at once, whole
// and begun.
/** @type {[text?: string, part?: Fields][]} */
const looked = [[], []];
/** @type {(order: Fields, isBegun?: boolean) => Fields} */
function fitting(order, isBegun = false) {
  const text = JSON.stringify(order);
  const at = Number(isBegun);
  if (looked[at][0] !== text) {
    /** @type {(one: Fields) => Fault[]} */
    const misfits = (one) => faultsOf(data.schema.$defs.move, one).filter(({ path }) => !isBegun || path.length); // what is missing may come yet
    const bad = new Set(misfits(order).map(({ path }) => path[0]));
    const rest = Object.fromEntries(Object.entries(order).filter(([key]) => !bad.has(key)));
    looked[at] = [text, bad.size ? (misfits(rest).length ? {} : rest) : order];
  }
  return /** @type {Fields} */ (looked[at][1]);
}

// What a game's script says; nothing where it fails, so that all else is told nevertheless.
/** @type {<Name extends keyof Answers>(name: Name, ...given: Parameters<Answers[Name]>) => ReturnType<Answers[Name]> | undefined} */
function ask(name, ...given) {
  try {
    return /** @type {any} */ (game)[name]?.(...given.map((one) => (isMap(one) && name !== "editor" ? fitting(one, name === "places") : one)));
  } catch {
    return undefined;
  }
}

// What is wrong with orders, with paths in the whole, what becomes of each line as things stand, in the words of
// `pbem check`, and what only the host can judge: {problems: [{path, text, hint, atKey}], prospects, unjudged, isBlank}.
// Where nothing is chosen yet, nothing is wrong.
/** @type {(doc: Typed<Doc>) => Judgement} */
function judge(doc) {
  /** @type {string[]} */
  const unjudged = [];
  const found = [...loose(doc), ...conditionProblems(doc, "stop_if", [], unjudged, "your stop")];
  const prospects = [];
  let plays = 0; // 1 where the line that is played has no condition
  let played = 0;
  for (const [number, line] of listOf(doc.orders).entries()) {
    const path = ["orders", number];
    /** @type {number[]} */
    const unsure = [];
    let isAhead = false;
    const wrong = isMap(line) ? [...shapeProblems(line, path), ...conditionProblems(line, "when", path, unsure, 1)] : [];
    /** @type {Prospect} */
    let prospect = { standing: "refused", lines: [] };
    if (!isMap(line) || wrong.length || line.do === undefined) found.push(...wrong);
    else if (isNow(line) && !plays) {
      prospect = judgeNow(line, [...path, "do"], found);
      if (prospect.standing === "plays") [plays, played] = [Object.keys(line.when ?? {}).length ? 2 : 1, number];
    } else if (plays === 1 && line.at === data.ask.label) found.push({ path, text: `order ${played + 1} is played wherever this line could be, so this one never is`, hint: `Leave it out, or give order ${played + 1} a \`when\`.` });
    else if (plays && line.at === data.ask.label) prospect = { standing: "else", lines: ["not needed, as a line above it is played"] };
    else [prospect, isAhead] = [laterOf(line, listOf(doc.orders).slice(0, number)), true];
    if (isMap(line)) prospect = stopped(prospect, line, doc.stop_if, plays > 0);
    if (isMap(line) && prospect.lines.length && (isAhead || !prospect.isJudged)) {
      const told = isStart(line) ? [] : ask("lasting", line.do, isAhead ? /** @type {[Line, Line?]} */ ([line, plays ? listOf(doc.orders)[played] : undefined]) : undefined) ?? [];
      const [never, unknown] = [told.filter((one) => !one.unknown), told.find((one) => one.unknown)];
      found.push(...never.map((one) => ({ ...one, path: [...path, "do", ...one.path] })));
      if (never.length) prospect = { standing: "refused", lines: [] };
      else if (unknown && !prospect.isStopped) prospect = { ...prospect, isJudged: false, lines: [`cannot be judged yet: ${unknown.text}`, ...prospect.lines.slice(1)] };
      if (!never.length && !prospect.isJudged) unsure.push(1);
    }
    if (unsure.length) unjudged.push(`order ${number + 1}`);
    prospects.push(prospect);
  }
  const lines = listOf(doc.orders);
  const isBlank = lines.length > 0 && !(/** @type {unknown[] | undefined} */ (doc.press)?.length) && lines.every((line) => isMap(line) && "do" in line && isEmpty(line))
    && found.every(({ path }) => path[0] === "key" || path[2] === "do");
  return { problems: found, prospects, unjudged, isBlank };
}

/** @type {(line: Typed<Line>) => boolean} */
const isStanding = (line) => Boolean(line.keep || line.until) && line.at === undefined;
// Whether a line is for the present ask alone: what stays is for later too.
/** @type {(line: Typed<Line>) => boolean} */
const isForNow = (line) => isNow(line) && !isStanding(line);

// A line for later, which only the host judges; of one that another above it answers whenever it can, that is told.
/** @type {(line: Typed<Line>, above: unknown[]) => Prospect} */
function laterOf(line, above) {
  /** @type {(one: Typed<Line>) => boolean} */
  const isTried = (one) => {
    const [last, mine] = [one.until, line.at].map((name) => (typeof name === "string" ? label(name) : null));
    return isStanding(one) ? !last || (mine?.owner === last.owner && mine.count <= last.count) : one.at !== undefined && one.at === line.at;
  };
  /** @type {(one: Typed<Line>) => boolean} */
  const isWider = (one) => Object.entries(one.when ?? {}).every(([path, wanted]) => isMap(line.when) && path in line.when && canonical(line.when[path]) === canonical(wanted));
  const before = above.findIndex((one) => isMap(one) && !isEmpty(one) && isTried(one) && isWider(one) && (line.if_silent || !one.if_silent));
  // It is meant to be tried after what stands above it, but for a standing order there.
  const isElse = !Object.keys(line.when ?? {}).length && !isStanding(/** @type {Typed<Line>} */ (above[before] ?? {}));
  const told = before < 0 ? [] : [isElse ? `tried if order ${before + 1} cannot be played` : `order ${before + 1} is tried first; move this one above it to try it before`];
  const isBegun = !data.ask.mine || above.some((one) => isMap(one) && isForNow(one) && !isEmpty(one)); // ready lines follow an order for now
  const wrong = isBegun && parts.ready?.isReady(line) ? null : parts.tree?.outlook(line); // undefined where this page knows of no moves that lead there
  const known = wrong ? `${wrong.unknown ? "cannot be judged yet" : "it cannot be played then"}: ${wrong.text}`
    : wrong === null ? "it can be played if that happens" : "the host's answer tells whether it can be played then";
  return { standing: "later", lines: [known, ...told], isJudged: wrong === null };
}

// A line for the present ask that nothing above it answers.
/** @type {(line: Typed<Line>, path: Path, found: Fault[]) => Prospect} */
function judgeNow(line, path, found) {
  if (!holds(line.when)) return { standing: "not now", lines: ["its condition does not hold"] };
  const wrong = illegal(line).map((one) => ({ ...one, path: [...path, ...one.path] }));
  if (!wrong.length) return { standing: line.if_silent ? "if silent" : "plays", ...forecast(line.do) };
  if (line.at === undefined && wrong.some((one) => one.elsewhere)) return { standing: "later", lines: ["it answers another kind of ask, and waits for one"] };
  const isBorne = wrong.some((one) => one.bearable); // then the rest of the order would be played
  if ((line.keep || line.until) && !isBorne) return { standing: "not now", lines: wrong.map((one) => one.text) };
  found.push(...wrong);
  return { standing: "refused", lines: [] };
}

/** @type {(line: Typed<Line>) => Fault[]} */
function illegal(line) {
  const found = isStart(line) ? [] : ask("problems", line.do) ?? trial(line.do)?.problems ?? [];
  if (!found.length && areAll() && !wholeOrders.some((menu) => menu.items.some((item) => canonical(item.order) === canonical(line.do)))) {
    return [{ path: [], text: "this cannot be ordered now", hint: "Take one of the choices." }];
  }
  return found;
}

/** @type {(steps: string[]) => boolean} */
const isRecord = (steps) => !steps.length || data.records.some((one) => words.isLike(one, steps.join(".")));
/** @type {(one: unknown) => one is number} */
const isNumber = (one) => typeof one === "number";

// Whether something wanted can never be where something of this kind is.
/** @type {(found: unknown, wanted: unknown) => boolean} */
function isUnlike(found, wanted) {
  return isMap(found) || Array.isArray(found) || (typeof found === "boolean") !== (typeof wanted === "boolean") || (isNumber(found) && !isNumber(wanted));
}

/** @type {(found: unknown, operator: string, value: unknown, isWhole: boolean) => boolean} */
function isUnfit(found, operator, value, isWhole) {
  if (operator === "not") return !isMap(value) && [value].flat().some((one) => isUnlike(found, one));
  if (operator === "has") return isWhole || !(isMap(found) || Array.isArray(found));
  return !isNumber(found) || !isNumber(value);
}
/** @type {(found: unknown) => string} */
const kindOf = (found) => (isMap(found) || Array.isArray(found) ? "holds several things" : isNumber(found) ? "is a number" : typeof found === "boolean" ? "is true or false" : "is a single word");

// Whether something that stands behind a path, in braces, is no test.
/** @type {(wanted: unknown) => boolean} */
const isNoTest = (wanted) => isMap(wanted) && (!Object.keys(wanted).length || Object.keys(wanted).some((name) => !TESTS.includes(name)) || isNoTest(wanted.not));

// Whether it is not filled in what must stand at a path: an empty text is a value only where one stands in the view now.
/** @type {(path: string, wanted: unknown) => boolean} */
const isUnsaid = (path, wanted) => /(?<!\\)""/.test(JSON.stringify(wanted)) && look(path) !== "";

// Why conditions can never hold; `unsure` gets a word where nothing like it stands in the view now.
/** @type {<Word>(holder: Typed<Doc & Line>, name: "stop_if" | "when", path: Path, unsure: Word[], word: Word) => Fault[]} */
function conditionProblems(holder, name, path, unsure, word) {
  /** @type {Fault[]} */
  const out = [];
  /** @type {(when: unknown, place: Path) => void} */
  const within = (when, place) => (data.ask.kind === "start" || !isMap(when) ? undefined : Object.entries(when).forEach((entry, _, entries) => one(entry, entries, place)));
  /** @type {(entry: [string, any], entries: [string, any][], place: Path) => unknown} */
  function one([key, wanted], entries, place) {
    /** @type {(key: string, text: string, atKey?: boolean, hint?: string) => unknown} */
    const wrong = (key, text, atKey, hint) => out.push({ path: [...place, key], text, atKey, hint });
    const joined = predicates.JOINTS.includes(key) ? predicates.partsOf({ [key]: wanted }, key) : [];
    if (joined.length) return joined.forEach((part, at) => within(part, isMap(wanted) ? [...place, key] : [...place, key, at]));
    if (predicates.term(key, wanted)) return undefined;
    if (predicates.isSaid(key, wanted) || (key in predicates.predicates && look(key) === undefined)) {
      const [text, ...below] = predicates.flaw(key, wanted);
      return out.push({ path: [...place, key, ...below], text });
    }
    const [other] = /** @type {[string, unknown]} */ (entries.find(([one]) => same(one, key)));
    const steps = key.split(".");
    const at = steps.findIndex((step, end) => {
      const above = steps.slice(0, end);
      const here = end ? look(above.join(".")) : data.view;
      if (here === undefined || here === null) return false;
      return typeof here !== "object" || (isRecord(above) && isMap(here) && !Object.keys(here).includes(step));
    });
    const found = look(key);
    const never = at < 0 && parts.domains?.never(key, wanted, words.thing(key));
    if (isUnsaid(key, wanted)) wrong(key, `this condition is not filled in${key && `: ${words.thing(key)}`}`);
    else if (at >= 0) wrong(key, `${key} is not in your view`, true);
    else if (isNoTest(wanted)) wrong(key, `behind a path stand ${TESTS.join(", ")}`);
    else if (other !== key) wrong(key, `the condition on ${other} stands here already`, true, "Capitals do not count: leave one of them out.");
    else if (never) wrong(key, never[0], false, never[1]);
    else if (found === undefined || found === null) unsure.push(word);
    else {
      const isWhole = isMap(found) && isRecord(steps);
      const isWrong = isMap(wanted) ? Object.entries(wanted).some(([operator, value]) => isUnfit(found, operator, value, isWhole)) : [wanted].flat().some((one) => isUnlike(found, one));
      if (isWrong) wrong(key, `${key} ${kindOf(found)}, and can never be this`);
    }
    return undefined;
  }
  within(holder[name], [...path, name]);
  return out;
}

/** @type {(value: unknown) => unknown[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);

/** @type {(order: unknown) => { lines: string[], isJudged: boolean }} */
function forecast(order) {
  const said = ask("forecast", order) ?? trial(order)?.lines;
  if (said) return { lines: said, isJudged: true };
  const notes = data.menus.flatMap((menu) => menu.paths.flatMap((path) => notesAt(menu, path, valueAt(order, path))));
  return { lines: notes.length ? notes : ["what comes of it, the host's answer says"], isJudged: areAll() || data.ask.kind === "start" };
}

/** @type {(menu: Menu, path: string, value: unknown) => string[]} */
function notesAt(menu, path, value) {
  if (value === undefined || path === "") return [];
  const wanted = [value].flat(2);
  const found = wanted.map((one) => menu.items.find((item) => matches(item.order, one)));
  if (!found.some(Boolean)) return [];
  const told = found.map((item, at) => (item ? noted(shown(item.order), item.note) : shown(wanted[at])));
  return told.map((one) => `${path.split(".").map(name).join(", ")}: ${one}`);
}

// Whether a value is the one of a menu; "..." stands for what is to be filled in.
/** @type {(item: unknown, value: unknown) => boolean} */
function matches(item, value) {
  if (isMap(item)) {
    return isMap(value) && Object.keys(item).every((key) => item[key] === "..." || Array.isArray(item[key]) || canonical(item[key]) === canonical(value[key]));
  }
  return same(item, value);
}

/** @type {(order: unknown, path: string) => unknown} */
function valueAt(order, path) {
  return path === "" ? order : path.split(".").reduce((here, key) => (isMap(here) ? here[key] : undefined), order);
}

// What is wrong outside of the lines' own orders.
/** @type {(doc: Fields) => Fault[]} */
function loose(doc) {
  const found = faultsOf(data.schema, doc).filter(({ path }) => !(path[0] === "orders" && path[2] === "do"));
  for (const [name, wanted] of [["game", data.game], ["seat", data.seat]]) {
    if (typeof doc[name] === "string" && doc[name] !== wanted) found.push({ path: [name], text: `this page is for ${name} ${wanted}` });
  }
  for (const [number, message] of listOf(doc.press).entries()) {
    for (const seat of isMap(message) ? [message.to ?? []].flat() : []) {
      if (typeof seat === "string" && !isReader(seat)) found.push({ path: ["press", number, "to"], text: `there is no seat ${seat} in this game` });
    }
  }
  return [...found, ...lineless(doc)];
}

// What is wrong with orders without a line, in the words of the host: nothing to do, or words about lines.
/** @type {(doc: Fields) => Fault[]} */
function lineless(doc) {
  const isWithdrawn = doc.orders === WITHDRAW;
  if (listOf(doc.orders).length || (doc.orders !== undefined && !isWithdrawn && !Array.isArray(doc.orders))) return [];
  const name = ["stop_if", "wait", "detail"].find((one) => (isMap(doc[one]) ? Object.keys(doc[one]).length : doc[one]));
  if (name) {
    return [{
      path: [name], text: `'${name}' is about lines, and there are none here`, atKey: true, kind: "nothing",
      hint: "Write all your lines with it; without it, those that you sent before stay as they are.",
    }];
  }
  if (isWithdrawn || listOf(doc.press).length) return [];
  return [{ path: ["orders"], text: "there are no orders in this", hint: "Add a line or a message, or withdraw the lines that you sent before.", kind: "nothing" }];
}

// What is wrong with a line whatever the game is like now.
/** @type {(line: Fields, path: Path) => Fault[]} */
function shapeProblems(line, path) {
  const here = [...path, "do"];
  if (isEmpty(line)) return "do" in line ? [{ path: here, text: "`do` is still empty", hint: "Put one of the choices there.", kind: "empty" }] : [];
  const found = faultsOf(moveSchema(line), line.do).map((one) => ({ ...one, path: [...here, ...one.path] }));
  for (const name of ["at", "until"]) if (typeof line[name] === "string" && labelProblem(line[name])) found.push({ path: [...path, name], text: labelProblem(line[name]) });
  if (line.until !== undefined && line.at !== undefined) found.push({ path: [...path, "until"], text: "a line for one ask cannot stay up to another", hint: "Leave one of them out: `until` is for lines that answer whatever you are asked." });
  return found;
}

/** @type {(text: string) => string} */
function labelProblem(text) {
  if (text === data.ask.next || text === data.ask.label) return "";
  const [found, next] = [label(text), label(data.ask.next)];
  if (!found) return text === "start" ? "start has passed" : `'${text}' is no label`;
  if (!next) return "";
  if (found.owner !== next.owner && !found.word) return `${text} is not an ask of yours`;
  if (found.owner === next.owner && found.count < next.count) return `${text} has passed`;
  return "";
}

export { ask, blank, label, isStanding, write, namesAsText, namesAsMeant, follows, holds, look, isNow, isForNow, isMet, isPast, isEmpty, isStart, judge, trial, moveSchema, wholeOrders, areAll, matches, valueAt, canonical, same, isUnsaid, WITHDRAW };
