// The page: the lines, the messages and the YAML below them, which always say the same.
"use strict";
pbem.page = (() => {
  const { el, button, labelled, select, checkbox } = pbem.dom;
  const { isMap, keyOf } = pbem.yaml;
  const { data, model, past } = pbem;
  const at = (id) => document.getElementById(id);
  const MAIL_LENGTH = 1900; // characters of a mailto link that every mail program takes
  const STANDINGS = {
    plays: "will be played", "not now": "not now", else: "else", later: "later",
    "if silent": "if you send nothing else by the deadline",
  };
  let doc = model.blank();
  let open = 0;
  let isReadable = true;
  let isKept = true;
  let isStored = false; // the device keeps the draft
  let isText = false; // the text was edited after the fields
  let sent = null; // the orders in a text that holds more, which alone are sent

  const lines_ = (value) => (Array.isArray(value.orders) ? value.orders : []);
  const lines = () => lines_(doc);
  const askOf = (line) => (line.at === undefined ? "whenever you are asked" : `for ${line.at}${model.isNow(line) ? ", now" : ""}`);
  const openLine = () => lines()[open];
  const seatName = (seat) => `${/^\d+$/.test(seat) ? "Player " : ""}${pbem.words.name(seat).replace(/^player /, "")}`;

  // Something was changed in the fields: the text is written anew, and the fields too unless it was typed.
  function changed(isTyped = false) {
    isKept = false;
    isText = false;
    at("yaml").value = model.write(doc);
    remember(isTyped);
    refresh(null, null, doc, !isTyped);
  }

  // Keeps what stands here, to come back to it.
  function remember(isTyped) {
    at("done").textContent = "";
    isStored = past.note([at("yaml").value, isText, open], isTyped && document.activeElement?.id);
    drawKept();
  }

  function drawKept(text = "Until then this device keeps them, also when you close the page.") {
    at("kept").textContent = isStored ? text : "They are not kept here when you close it.";
    for (const [id, step] of [["undo", -1], ["redo", 1]]) at(id).setAttribute("aria-disabled", !past.has(step));
  }

  // Goes back to a text that stood here before, or forward again.
  function go(step) {
    if (!past.has(step)) return;
    show(past.go(step));
    drawKept();
    at("done").textContent = step < 0 ? "Undone." : "Done again.";
  }

  function show([text, wasText, number]) {
    isKept = false;
    open = number;
    isText = wasText;
    at("yaml").value = text;
    readText();
  }

  // Puts an order into the open line; the first one is made if there is none.
  function order(value) {
    if (!isReadable) return;
    if (!openLine()) {
      doc.orders = [...lines(), { at: data.ask.next, do: {} }];
      open = lines().length - 1;
    }
    openLine().do = structuredClone(value);
    changed();
  }

  // Other lines instead of those that stand here; one of them is open.
  function replace(list, number) {
    doc.orders = structuredClone(list);
    open = number;
    changed();
  }

  // Draws all fields anew and gives the focus back to where it was.
  function draw() {
    const focused = document.activeElement?.id;
    const spot = document.activeElement?.selectionStart;
    at("lines").replaceChildren(...lines().map(card));
    at("none").replaceChildren(...withdrawal());
    at("stop").replaceChildren(pbem.conditions.editor("stop_if", "Stop playing on, if", doc.stop_if, (now) => setIn(doc, "stop_if", now), data.draft?.stop?.when));
    at("press").replaceChildren(...(doc.press ?? []).map(message));
    at("flags").replaceChildren(...flags());
    pbem.ready?.draw();
    pbem.tree?.draw();
    at("fields").disabled = !isReadable;
    const again = focused && document.getElementById(focused);
    if (again && again !== document.activeElement) {
      again.focus();
      if (typeof spot === "number" && again.setSelectionRange && again.type === "text") again.setSelectionRange(spot, spot);
    }
  }

  // Without a line: what was sent before stays, unless the player says otherwise.
  function withdrawal() {
    if (lines().length) return [];
    const is = doc.orders === model.WITHDRAW;
    const said = is ? "There is no line here, and lines that you sent before are withdrawn: none of them will run."
      : "There is no line here. Lines that you sent before stay as they are.";
    return [el("p", { class: "hint" }, said), checkbox("withdraw", "Withdraw all lines that I sent before", is, (on) => setIn(doc, "orders", on ? model.WITHDRAW : []))];
  }

  function setIn(place, name, value, isTyped = false) {
    if (value === undefined) delete place[name];
    else place[name] = value;
    changed(isTyped);
  }

  const moved = (list, from, to) => {
    const [one] = list.splice(from, 1);
    list.splice(to, 0, one);
  };

  // Up, down and away for one of several things; `name` says which, `after` is done first.
  function tools(id, name, list, number, after = () => {}) {
    const move = (to) => {
      moved(list, number, to);
      after(to);
      changed();
      at(`${id.replace(/\d+$/, to)}.${to < number ? "up" : "down"}`)?.focus();
    };
    return el("span", { class: "tools" },
      button(`${id}.up`, "↑", () => move(number - 1), { disabled: number === 0, "aria-label": `Move ${name} up` }),
      button(`${id}.down`, "↓", () => move(number + 1), { disabled: number === list.length - 1, "aria-label": `Move ${name} down` }),
      button(`${id}.remove`, "✕", () => {
        list.splice(number, 1);
        after(Math.max(0, number - 1));
        changed();
        at("add-line").focus();
      }, { "aria-label": `Remove ${name}` }));
  }

  // One line of orders.
  function card(line, number) {
    const id = `line.${number}`;
    const isOpen = number === open;
    const name = `line ${number + 1}`;
    const title = `Line ${number + 1}, ${askOf(line)}`;
    const head = el("div", { class: "head" }, el("h3", {}, lines().length > 1 && !isOpen
      ? button(`${id}.open`, title, () => {
        open = number;
        remember();
        refresh();
      }, { class: "plain", "aria-label": `${title}: open` }) : title), tools(id, name, doc.orders, number, (to) => { open = to; }));
    const outputs = [el("div", { id: `${id}.forecast`, class: "forecast" }), el("div", { id: `${id}.wrong`, class: "wrong" })];
    if (!isOpen) return el("li", { class: "line" }, head, el("p", {}, caseOf(line), model.isEmpty(line) ? "" : el("b", {}, pbem.words.order(line.do))), outputs);
    const fields = isShown(line) ? pbem.fields.order(`${id}.do`, () => lines()[number], (now, isTyped) => setIn(lines()[number], "do", now, isTyped))
      : el("p", {}, "The fields cannot show this order; it stands below.");
    const left = el("div", { id: `${id}.left`, class: "left" });
    return el("li", { class: "line open" }, head, left, outputs, fields, extras(id, line));
  }

  // When a line is played, in words: what it answers, or what it wants.
  function caseOf(line) {
    if (!isMap(line.when) || !Object.keys(line.when).length) return "";
    const told = pbem.tree?.toldOf(line);
    return told ? `If ${told}: ` : `Only if ${Object.entries(line.when).map(([path, wanted]) => `${pbem.words.thing(path)}: ${pbem.words.shown(wanted)}`).join("; ")}: `;
  }

  // Whether the fields can show an order: where it does not fit the schema, only what is missing may be wrong.
  function isShown(line) {
    if (model.isEmpty(line)) return true;
    const kinds = pbem.schema.problems(model.moveSchema(line), line.do).filter(({ kind }) => kind === "type");
    return isMap(line.do) && !kinds.length;
  }

  function label(id, line) {
    const known = data.labels;
    const now = data.ask.mine ? data.ask.label : "";
    const options = [["", "whenever I am asked"], ...known.map((one) => [one, one === now ? `${one} (now)` : one])];
    if (line.at !== undefined && !known.includes(line.at)) options.push([line.at, line.at]);
    const pick = select(`${id}.at`, options, line.at ?? "", (value) => setIn(line, "at", value || undefined));
    return labelled(`${id}.at`, "For which ask", pick);
  }

  // Conditions, standing orders and lines for silence.
  function extras(id, line) {
    if (model.isStart(line) || data.ask.kind === "start") return null;
    const isUsed = line.when || line.keep || line.if_silent || !model.isNow(line);
    const box = el("details", { id: `${id}.extras`, open: Boolean(isUsed) || shown.has(id) },
      el("summary", { id: `${id}.summary` }, "For which ask, and if what"),
      label(id, line),
      pbem.conditions.editor(`${id}.when`, "Only if", line.when, (now) => setIn(line, "when", now), data.draft?.plan?.when),
      checkbox(`${id}.keep`, "Keep this line after it was used (standing order)", line.keep === true, (on) => {
        if (on && line.at === data.ask.after) delete line.at;
        setIn(line, "keep", on || undefined);
      }),
      checkbox(`${id}.if_silent`, "Only if I send nothing else by the deadline", line.if_silent === true, (on) => setIn(line, "if_silent", on || undefined)));
    box.addEventListener("toggle", () => shown[box.open ? "add" : "delete"](id));
    return box;
  }
  const shown = new Set();

  // One message to other seats.
  function message(one, number) {
    const id = `press.${number}`;
    const readers = [["all", "everybody"], ...data.players.filter(({ seat }) => seat !== data.seat).map(({ seat, name }) => [seat, `${seatName(seat)}: ${name}`]), ["moderator", "the moderator"]];
    const to = [one.to ?? []].flat();
    const boxes = readers.map(([seat, name]) => checkbox(`${id}.to.${seat}`, name, to.includes(seat), (on) => {
      const isBeside = (other) => !on || (other === "all") === (seat === "all"); // all, or some of them
      setIn(one, "to", readers.map(([other]) => other).filter((other) => (other === seat ? on : to.includes(other) && isBeside(other))));
    }));
    const text = el("textarea", { id: `${id}.say`, rows: 3, maxlength: 4000 }, one.say ?? "");
    text.addEventListener("input", () => setIn(one, "say", text.value, true));
    return el("li", { class: "line" }, el("div", { class: "head" }, el("h3", {}, `Message ${number + 1}`), tools(id, `message ${number + 1}`, doc.press, number, () => {
        if (!doc.press.length) delete doc.press;
      })),
      el("fieldset", { class: "part" }, el("legend", {}, "To"), boxes), labelled(`${id}.say`, "Text", text),
      checkbox(`${id}.anonymous`, "Anonymous, where the game allows it", one.anonymous === true, (on) => setIn(one, "anonymous", on || undefined)));
  }

  function flags() {
    const out = [];
    if (data.key_asked) {
      const key = el("input", { type: "text", id: "key", value: doc.key ?? "", autocomplete: "off" });
      key.addEventListener("input", () => setIn(doc, "key", key.value, true));
      out.push(labelled("key", "Your key", key, "From the moderator; the host takes no orders of this game without it."));
    }
    out.push(checkbox("wait", "Wait for the deadline: do not run the game early for these orders", doc.wait === true, (on) => setIn(doc, "wait", on || undefined)));
    out.push(checkbox("partial", "If something is wrong, drop that and take the rest", doc.partial === true, (on) => setIn(doc, "partial", on || undefined)));
    return out;
  }

  // The text was edited: if it can be read, the fields follow it.
  function typed() {
    isKept = false;
    isText = true;
    remember(true);
    readText();
  }

  function readText() {
    isReadable = false;
    sent = null;
    unjudged();
    let document_ = null;
    try {
      document_ = pbem.pasted.read(at("yaml").value);
    } catch (problem) {
      at("fields").disabled = true;
      refresh(null, problem instanceof pbem.yaml.Problem ? problem : { line: 1, column: 1, text: "this page cannot read this" }, doc, false);
      return;
    }
    sent = document_.from ?? null;
    unjudged();
    const value = model.namesAsMeant(model.namesAsText(document_.value));
    // The fields can show what has the outer shape of orders.
    isReadable = model.judge(value).problems.every(({ path, kind }) => kind === "nothing" || (path[0] === "orders" && path[2] === "do") || (kind !== "type" && (["game", "seat"].includes(path[0]) || path[2] === "at")));
    if (isReadable) {
      doc = value;
      open = Math.min(open, Math.max(0, lines().length - 1));
    }
    refresh(document_, null, value);
  }

  // Takes away what was said of another text, and links to what stands here now.
  function unjudged() {
    at("verdict").textContent = "Not judged. The host checks it.";
    at("problems").replaceChildren();
    at("now").textContent = "";
    for (const one of document.querySelectorAll("#lines .forecast, #lines .left, #lines .wrong")) one.replaceChildren();
    drawLink(toSend());
  }

  // Everything that follows from the orders, first of all what is wrong and where and the link for a mail; then the
  // fields and what each line comes to.
  function refresh(read = null, unread = null, value = doc, isDrawn = true) {
    const text = at("yaml").value;
    if (!read) sent = null;
    unjudged();
    const known = read ?? (unread ? null : pbem.yaml.read(text));
    const { problems, prospects, unjudged: open_, isBlank } = unread ? { problems: [], prospects: [], unjudged: [] } : model.judge(value);
    const found = isBlank ? [] : unread
      ? [{ line: unread.line, column: unread.column, text: unread.text, hint: unread.hint }]
      : problems.map((one) => ({ ...one, ...placeOf(known, one) })).sort((a, b) => a.line - b.line || a.column - b.column);
    drawText(text, found, unread, open_, isBlank);
    if (isDrawn) draw();
    if (isReadable) {
      for (const [number, line] of lines().entries()) drawOutputs(line, number, prospects[number], found.filter(({ path }) => path?.[0] === "orders" && path[1] === number));
      pbem.board.mark(openLine()?.do);
    }
    at("bar-at").textContent = openLine()?.at ?? data.ask.next;
    if (isReadable && !found.length && openLine()) at("now").textContent = [at(`line.${open}.left`), at(`line.${open}.forecast`)?.firstChild].map((one) => one?.textContent).filter(Boolean).join("; ");
    drawUnadded();
    announce(found);
  }

  // Something is chosen in a list, and waits to be added.
  function drawUnadded() {
    at("unadded").hidden = ![...document.querySelectorAll("#fields .adder select, #fields .adder input")].some((one) => !one.hidden && one.value && one.value !== "\u2026");
  }

  // The line and column of a problem: of its value, of its key, or of what is nearest around it.
  function placeOf(read, { path, atKey }) {
    const key = atKey && read.keys.get(keyOf(path));
    if (key) return key;
    for (let end = path.length; end >= 0; end--) {
      const mark = read.marks.get(keyOf(path.slice(0, end)));
      if (mark) return mark;
    }
    return { line: 1, column: 1 };
  }

  function drawOutputs(line, number, { standing, lines: said }, found) {
    const id = `line.${number}`;
    const isEmpty = model.isEmpty(line);
    const [first, ...rest] = isEmpty ? ["nothing is chosen yet"] : said;
    const told = found.length && !isEmpty ? [] : [el("p", {}, el("b", {}, `${isEmpty ? "empty" : STANDINGS[standing]}: `), first), ...rest.map((one) => el("p", {}, one))];
    at(`${id}.forecast`).replaceChildren(...told);
    at(`${id}.wrong`).replaceChildren(...(isEmpty ? [] : found.map((one) => el("p", {}, spell(one)))));
    at(`${id}.left`)?.replaceChildren(leftOf(line));
  }

  const leftOf = (line) => (isMap(line.do) ? model.ask("left", line.do, model.isNow(line)) : "") ?? "";
  const spell = ({ text, hint }) => `${text[0].toUpperCase()}${text.slice(1)}.${hint ? ` ${hint}` : ""}`;

  // The numbers of the lines beside the text, what is wrong below it, and the link.
  function drawText(text, found, unread, open_, isBlank) {
    const count = text.replace(/\n$/, "").split("\n").length;
    const wrong = new Set(found.map(({ line }) => line));
    at("numbers").replaceChildren(...Array.from({ length: count }, (_, one) => el("span", { class: wrong.has(one + 1) ? "bad" : "" }, `${wrong.has(one + 1) ? "▶" : ""}${one + 1}`)));
    at("yaml").rows = count + 1;
    at("problems").replaceChildren(...found.map((one) => el("li", {}, button("", `Line ${one.line}, column ${one.column}`, () => jump(one), { class: "plain" }), `: ${spell(one)}`, isText ? shownAt(text, one) : null)));
    at("yaml").setAttribute("aria-invalid", String(found.length > 0));
    const rows = sent?.rows.map(({ line }) => line);
    const taken = rows ? `Read from lines ${rows[0]} to ${rows.at(-1)}; only they are sent, without marks of a quote. ` : "";
    const wrongs = unread ? "This page cannot read this:" : `${found.length === 1 ? "One thing is" : `${found.length} things are`} wrong or missing:`;
    const none = open_.length ? `No mistakes seen. Not judged by this page: ${open_.join(", ").replaceAll(/(?<=line \d+, )line /g, "")}. The host checks it.` : "No mistakes found. The host checks it again.";
    at("verdict").textContent = `${taken}${isBlank ? "Nothing is chosen yet." : found.length ? wrongs : none}`;
    const isNothing = isBlank || (found.length > 0 && found.every(({ kind }) => kind === "nothing"));
    at("loosely").hidden = !(isText && found.length) || isNothing;
    at("back").hidden = isReadable;
    drawLink(toSend());
    for (const id of ["copy", "save", "share"]) at(id).disabled = isNothing;
    at("go").hidden = isNothing;
    if (isNothing) at("mail").hidden = true;
    at("now").textContent = found.length && !isNothing ? spell(found[0]) : at("verdict").textContent;
  }

  const toSend = () => sent?.text ?? at("yaml").value;

  // The line of a problem with a caret under its place.
  function shownAt(text, { line, column }) {
    const row = text.split("\n")[line - 1] ?? "";
    const start = Math.max(0, column - 40);
    return el("pre", { "aria-hidden": "true" }, `${row.slice(start, start + 80)}\n${" ".repeat(column - 1 - start)}^`);
  }

  function jump({ line, column }) {
    const rows = at("yaml").value.split("\n");
    const spot = rows.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    at("yaml").focus();
    at("yaml").setSelectionRange(spot, spot);
  }

  function drawLink(text) {
    const link = at("mail");
    at("go").href = "#send";
    if (!data.address) {
      link.hidden = true;
      return;
    }
    link.hidden = false;
    const address = data.address.split("@").map(encodeURIComponent).join("@");
    const whole = `mailto:${address}?subject=${encodeURIComponent(data.subject)}&body=${encodeURIComponent(text.replace(/\n/g, "\r\n"))}`;
    const isLong = whole.length > MAIL_LENGTH;
    link.href = isLong ? `mailto:${address}?subject=${encodeURIComponent(data.subject)}` : whole;
    at("go").href = isLong ? "#send" : link.href;
    link.textContent = isLong ? "Open an empty mail" : "Open a mail";
    at("long").hidden = !isLong;
  }

  let saying = 0;
  // Says for those who hear the page what the open line comes to, when typing rests.
  function announce(found) {
    clearTimeout(saying);
    saying = setTimeout(() => {
      const wrong = found.length ? `${found.length} wrong or missing.` : "";
      const left = at(`line.${open}.left`)?.textContent ?? "";
      const said = [...(at(`line.${open}.forecast`)?.children ?? [])].map((one) => one.textContent).join(" ");
      at("said").textContent = [left, said, wrong].filter(Boolean).join(" ");
    }, 400);
  }

  function told(text) {
    isKept = true;
    drawKept("This device keeps them until your next ask.");
    at("done").textContent = text;
  }

  async function copy() {
    const text = toSend();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = at("yaml");
      const whole = box.value;
      box.value = text;
      box.select();
      document.execCommand("copy");
      box.value = whole;
    }
    told("Copied. Paste it into an answer to the report.");
  }

  function save() {
    const link = el("a", { href: URL.createObjectURL(new Blob([toSend()], { type: "text/yaml" })), download: `${data.game}.${data.seat}.yaml` });
    link.click();
    URL.revokeObjectURL(link.href);
    told(`Saved as ${data.game}.${data.seat}.yaml. Send this file with an answer to the report.`);
  }

  // Hands the orders to another program, where the device can; nothing is said when that was given up.
  async function share() {
    try {
      await navigator.share({ title: data.subject, text: toSend() });
      told("Handed on. Send it as a mail there.");
    } catch {}
  }

  // Lines that wait already are replaced by what is sent now; they can be taken over.
  function drawPending() {
    if (!data.orders.length && !Object.keys(data.stop_if).length) return;
    at("pending").hidden = false;
    at("take-over").addEventListener("click", () => {
      const kept = data.orders.map(({ at: label_, when, keep, if_silent, do: order_ }) => ({
        ...(label_ && { at: label_ }), ...(Object.keys(when).length && { when }), ...(keep && { keep }), ...(if_silent && { if_silent }), do: order_,
      }));
      if (Object.keys(data.stop_if).length) doc.stop_if = structuredClone(data.stop_if);
      at("pending").hidden = true;
      replace([...lines().filter((line) => !model.isEmpty(line)), ...kept], 0);
      at("add-line").focus();
    });
  }

  function start() {
    drawPending();
    at("plain").hidden = true;
    at("app").hidden = false;
    pbem.board.listen();
    pbem.tree?.start();
    at("add-line").addEventListener("click", () => {
      const known = lines().map((line) => line.at);
      const later = openLine() && !model.isNow(openLine()) && openLine().at; // another line for the same ask
      const next = later || (data.labels.find((one) => !known.includes(one) && !one.includes(".")) ?? known.at(-1) ?? data.ask.next);
      doc.orders = [...lines(), { at: next, do: {} }];
      open = lines().length - 1;
      changed();
      at(`line.${open}.at`)?.focus();
    });
    at("add-keep").hidden = !data.draft?.keep;
    at("add-keep").addEventListener("click", () => {
      doc.orders = [...lines(), { keep: true, do: structuredClone(data.draft.keep) }];
      open = lines().length - 1;
      changed();
      at(`line.${open}.keep`)?.focus();
    });
    at("add-press").addEventListener("click", () => {
      doc.press = [...(doc.press ?? []), { to: ["all"], say: "" }];
      changed();
      at(`press.${doc.press.length - 1}.say`).focus();
    });
    at("yaml").addEventListener("input", typed);
    at("back").addEventListener("click", () => {
      isReadable = true;
      changed();
    });
    at("copy").addEventListener("click", copy);
    at("save").addEventListener("click", save);
    at("share").hidden = !navigator.share;
    at("share").addEventListener("click", share);
    for (const id of ["mail", "go"]) at(id).addEventListener("click", () => at(id).href.startsWith("mailto:") && told("Your mail program should have opened. Send the mail there."));
    for (const [id, step] of [["undo", -1], ["redo", 1]]) at(id).addEventListener("click", () => go(step));
    for (const name of ["input", "change"]) at("fields").addEventListener(name, drawUnadded);
    addEventListener("keydown", (event) => {
      const step = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
      if (!step || !(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("textarea, [type=text], [type=number]")) return;
      event.preventDefault();
      go(step);
    });
    addEventListener("beforeunload", (event) => {
      if (!isKept && !isStored) event.preventDefault();
    });
    at("yaml").value = model.write(doc);
    past.note([at("yaml").value, false, 0]);
    const draft = past.draft();
    isStored = Boolean(draft);
    if (draft) show(draft);
    else refresh();
    drawKept("This is your draft, as this device kept it.");
  }

  const stop = (when) => setIn(doc, "stop_if", structuredClone(when));

  return { start, order, replace, stop, openLine, doc: () => doc };
})();
pbem.page.start();
