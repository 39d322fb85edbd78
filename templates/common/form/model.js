// The orders as this page holds them: one value, from which the fields and the YAML text are both made.
"use strict";
pbem.model = (() => {
  const { isMap } = pbem.yaml;
  const { data } = pbem;
  const FIRST = ["game", "seat", "key", "orders", "stop_if", "press", "wait", "detail", "partial"];
  const OF_LINE = ["at", "when", "keep", "if_silent", "do"];

  const WITHDRAW = "none"; // in place of lines: those that were sent before are withdrawn

  const label = (text) => {
    const found = /^([a-z0-9_]+)-([1-9][0-9]{0,5})(?:\.([a-z_]+))?$/.exec(text);
    return found && { owner: found[1], count: Number(found[2]), word: found[3] ?? "" };
  };

  // The order of fields in which orders are written; what the schema does not know comes last.
  function sorted(value, names) {
    const out = Object.create(null);
    for (const name of [...names.filter((one) => one in value), ...Object.keys(value)]) out[name] = value[name];
    return out;
  }

  function blank() {
    const doc = Object.create(null);
    Object.assign(doc, { game: data.game, seat: data.seat });
    if (data.key_asked) doc.key = "";
    doc.orders = [{ at: data.ask.next, do: Object.create(null) }];
    return doc;
  }

  function fieldsOf(line) {
    const schema = moveSchema(line);
    return Object.keys(schema.properties ?? {});
  }

  function isStart(line) {
    return line.at === "start" || (isMap(line.do) && "luck" in line.do);
  }

  function moveSchema(line) {
    return data.schema.$defs[isStart(line) ? "start" : "move"];
  }

  function lineForWriting(line) {
    const out = sorted(line, OF_LINE);
    if (isMap(out.do)) out.do = sorted(out.do, fieldsOf(line));
    return out;
  }

  // The YAML text; the seat is written as in the form, where it may be a number.
  function write(doc) {
    const out = sorted(doc, FIRST);
    if (Array.isArray(out.orders)) {
      out.orders = out.orders.map((line) => (isMap(line) ? lineForWriting(line) : line));
      if (!out.orders.length) delete out.orders;
    }
    const text = pbem.yaml.write(out);
    return `${data.marker}\n${/^[0-9]+$/.test(doc.seat) ? text.replace(/^seat: "(.*)"$/m, "seat: $1") : text}`;
  }

  // Names that YAML reads as numbers, as text: game, seat, key and the readers of press.
  function namesAsText(value) {
    for (const name of ["game", "seat", "key"]) if (typeof value[name] === "number") value[name] = String(value[name]);
    if (typeof value.orders === "string" && value.orders.toLowerCase() === WITHDRAW) value.orders = WITHDRAW;
    for (const message of Array.isArray(value.press) ? value.press : []) {
      if (!isMap(message)) continue;
      const asText = (one) => (typeof one === "number" ? String(one) : one);
      message.to = Array.isArray(message.to) ? message.to.map(asText) : asText(message.to);
    }
    return value;
  }

  // Names as reports show them, as ids: in orders, and of the readers of press.
  function namesAsMeant(value) {
    const { meant, seatOf } = pbem.words;
    for (const line of listOf(value.orders)) if (isMap(line) && isMap(line.do) && !isStart(line)) line.do = meant(line.do);
    const seat = (one) => (typeof one !== "string" || isReader(one) ? one : seatOf(one) ?? one);
    for (const message of listOf(value.press)) if (isMap(message) && message.to !== undefined) message.to = Array.isArray(message.to) ? message.to.map(seat) : seat(message.to);
    return value;
  }
  const isReader = (one) => ["all", "moderator"].includes(one) || data.players.some(({ seat }) => seat === one);

  const same = (one, other) => {
    if (typeof one === "boolean" || typeof other === "boolean") return one === other;
    if (typeof one === "string") return ["string", "number"].includes(typeof other) && one.toLowerCase() === String(other).toLowerCase();
    return one === other;
  };

  function look(path) {
    let here = data.view;
    for (const name of path.split(".")) {
      if (Array.isArray(here)) here = /^[0-9]+$/.test(name) ? here[Number(name)] : undefined;
      else if (isMap(here)) here = here[Object.keys(here).find((key) => same(key, name))];
      else return undefined;
      if (here === undefined) return undefined;
    }
    return here;
  }

  function passes(found, operator, value) {
    if (operator === "not") return !fits(found, value);
    if (operator === "has") {
      const inside = Array.isArray(found) ? found : isMap(found) ? Object.keys(found) : [];
      return [value].flat().every((one) => inside.some((item) => same(item, one)));
    }
    if (typeof found !== "number" || typeof value !== "number") return false;
    return operator === "at_least" ? found >= value : found <= value;
  }

  function fits(found, wanted) {
    if (found === undefined) return false;
    if (Array.isArray(wanted)) return wanted.some((one) => same(found, one));
    if (isMap(wanted)) return Object.entries(wanted).every(([operator, value]) => passes(found, operator, value));
    return same(found, wanted);
  }

  // Whether a condition holds on the view of the report.
  function holds(condition) {
    return Object.entries(condition ?? {}).every(([path, wanted]) => fits(look(path), wanted));
  }

  const isNow = (line) => data.ask.mine && (line.at === undefined || line.at === data.ask.label);

  const { canonical, name, shown, noted } = pbem.words;

  const wholeOrders = data.menus.filter((menu) => menu.paths.includes("") && data.ask.kind !== "start");
  // Where the only menus are of whole orders, they are all that is legal.
  const areAll = () => wholeOrders.length > 0 && wholeOrders.length === data.menus.length && !pbem.game.isOpen;
  const tried = new Map(data.tried.map((one) => [canonical(one.order), { ...one, lines: one.lines?.map((at) => data.said[at]) }]));

  // What the host has tried beforehand: {lines} or {problems} of an order, or nothing.
  const trial = (order) => tried.get(canonical(order));

  function isEmpty(line) {
    return line.do === null || line.do === undefined || (isMap(line.do) && !Object.keys(line.do).length);
  }

  // What is wrong with orders, with paths in the whole, and what becomes of each line as things stand, in the
  // words of `pbem check`: {problems: [{path, text, hint, atKey}], prospects: [{standing, lines}]}.
  function judge(doc) {
    const found = loose(doc);
    const prospects = [];
    let plays = false;
    for (const [number, line] of listOf(doc.orders).entries()) {
      const path = ["orders", number];
      const wrong = isMap(line) ? shapeProblems(line, path) : [];
      let prospect = { standing: "refused", lines: [] };
      if (!isMap(line) || wrong.length) found.push(...wrong);
      else if (isNow(line) && !plays) {
        prospect = judgeNow(line, [...path, "do"], found);
        plays = prospect.standing === "plays";
      } else if (plays && line.at === data.ask.label) prospect = { standing: "else", lines: ["not needed, as a line above it is played"] };
      else prospect = { standing: "later", lines: ["whether it is possible is seen when you are asked"] };
      prospects.push(prospect);
    }
    return { problems: found, prospects };
  }

  // A line for the present ask that nothing above it answers.
  function judgeNow(line, path, found) {
    if (!holds(line.when)) return { standing: "not now", lines: ["its condition does not hold"] };
    const wrong = illegal(line).map((one) => ({ ...one, path: [...path, ...one.path] }));
    if (!wrong.length) return { standing: line.if_silent ? "if silent" : "plays", lines: forecast(line.do) };
    if (line.keep) return { standing: "not now", lines: wrong.map((one) => one.text) };
    found.push(...wrong);
    return { standing: "refused", lines: [] };
  }

  function illegal(line) {
    if (areAll() && !wholeOrders.some((menu) => menu.items.some((item) => canonical(item.order) === canonical(line.do)))) {
      return [{ path: [], text: "this cannot be ordered now", hint: "Take one of the choices." }];
    }
    return isStart(line) ? [] : pbem.game.problems?.(line.do) ?? trial(line.do)?.problems ?? [];
  }

  const listOf = (value) => (Array.isArray(value) ? value : []);

  function forecast(order) {
    const said = pbem.game.forecast?.(order) ?? trial(order)?.lines;
    if (said) return said;
    const notes = data.menus.flatMap((menu) => menu.paths.flatMap((path) => notesAt(menu, path, valueAt(order, path))));
    return notes.length ? notes : ["the host will say what it will try"];
  }

  function notesAt(menu, path, value) {
    if (value === undefined || path === "") return [];
    const named = (item) => [value].flat().some((one) => matches(item.order, one));
    return menu.items.filter(named).map((item) => `${path.split(".").map(name).join(", ")}: ${noted(shown(item.order), item.note)}`);
  }

  // Whether a value is the one of a menu; "..." stands for what is to be filled in.
  function matches(item, value) {
    if (isMap(item)) {
      return isMap(value) && Object.keys(item).every((key) => item[key] === "..." || Array.isArray(item[key]) || canonical(item[key]) === canonical(value[key]));
    }
    return same(item, value);
  }

  function valueAt(order, path) {
    return path === "" ? order : path.split(".").reduce((here, key) => (isMap(here) ? here[key] : undefined), order);
  }

  // What is wrong outside of the lines' own orders.
  function loose(doc) {
    const found = pbem.schema.problems(data.schema, doc).filter(({ path }) => !(path[0] === "orders" && path[2] === "do"));
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
  function lineless(doc) {
    const isWithdrawn = doc.orders === WITHDRAW;
    if (listOf(doc.orders).length || (doc.orders !== undefined && !isWithdrawn && !Array.isArray(doc.orders))) return [];
    const name = ["stop_if", "wait"].find((one) => (isMap(doc[one]) ? Object.keys(doc[one]).length : doc[one]));
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
  function shapeProblems(line, path) {
    const here = [...path, "do"];
    if (isEmpty(line)) return "do" in line ? [{ path: here, text: "`do` is still empty", hint: "Put one of the choices there." }] : [];
    const found = pbem.schema.problems(moveSchema(line), line.do).map((one) => ({ ...one, path: [...here, ...one.path] }));
    if (typeof line.at === "string" && labelProblem(line.at)) found.push({ path: [...path, "at"], text: labelProblem(line.at) });
    return found;
  }

  function labelProblem(text) {
    if (text === data.ask.next || text === data.ask.label) return "";
    const [found, next] = [label(text), label(data.ask.next)];
    if (!found) return text === "start" ? "start has passed" : `'${text}' is no label`;
    if (!next) return "";
    if (found.owner !== next.owner && !found.word) return `${text} is not an ask of yours`;
    if (found.owner === next.owner && found.count < next.count) return `${text} has passed`;
    return "";
  }

  // The labels of asks that a line can be for: this one and those that come.
  function labels() {
    const next = label(data.ask.next);
    if (!next) return [data.ask.next];
    const words = pbem.game.words?.() ?? [];
    const out = [data.ask.next];
    for (let more = 0; more < 9; more++) {
      const plain = `${next.owner}-${next.count + more}`;
      if (more || next.word) out.push(...(more ? [plain] : []));
      out.push(...words.map((word) => `${plain}.${word}`));
    }
    return [...new Set(out)];
  }

  return {
    blank, write, namesAsText, namesAsMeant, holds, look, isNow, isEmpty, isStart, judge, trial, moveSchema, wholeOrders,
    areAll, matches, valueAt, canonical, labels, same, WITHDRAW,
  };
})();
