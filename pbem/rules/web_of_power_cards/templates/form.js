// Web of Power, the card game: clicks take cards and put stones; what a turn comes to, the host has tried.
import { choosing, data, dom, fields, model, page, words } from "../../../../templates/common/form/kit.js";

/** @typedef {import("../../../../templates/common/form/types").Order} Order */
/** @typedef {import("../../../../templates/common/form/types").Choice} Choice */
/** @typedef {import("../../../../templates/common/form/types").Context} Context */
/** @typedef {import("../../../../templates/common/form/types").Drawn} Drawn */
/** @typedef {import("../../../../templates/common/form/types").Fault} Fault */
/** @typedef {import("../../../../templates/common/form/types").Line} Line */
/** @typedef {import("../../../../templates/common/form/types").Node} Node */
/** @typedef {{ title: string, note?: string, order: Order, asks?: boolean }} Click what it can mean; `asks` where it spends something */
/** @typedef {{ holder: string, country: string, symbol: string | null, symbols: number, route: string | null, depth: number | null, stone: string | null, law: boolean }} Place */
/** @typedef {{ reserve: number, on: string[], paid: number, given: number }} Stones how many lie in reserve, and the cards that others lie on */
/** @typedef {{ me: string, can_take: string[], ends: string[], laws: string[], cards: { [card: string]: Place }, players: { [seat: string]: { stones: string[], reserve: number, removed: number } }, unseen: { [law: string]: number }, names: { [country: string]: string }, law_names: { [law: string]: string }, numbers: { columns: number, limit: number, limit_with_law: number, most_on_cards: number, own_claim_free: boolean } }} View */
/** @typedef {{ laws: string[], takes: { [laws: string]: number }[], lines: string[], nodes: Node[], deepest: number, inside: string, gone: string, locked: string }} Hints */
/** @typedef {{ node: Node, taken: string[], failed?: number, wanted: string[][], why?: string }} Taking the cards up to one that cannot be taken, and why */

export default () => {
  const { menus } = data;
  /** @type {View} */
  const view = data.view;
  /** @type {Hints | null} */
  const hints = data.hints;
  const { el } = dom;
  const { trial } = model;
  const { walk } = choosing;
  const { name: titled } = words;
  if (!view.me || !view.cards) return {};
  const ELSE = ", else ";

  /** @type {(value: any) => any[]} */
  const listed = (value) => (value === undefined || value === null ? [] : [value].flat());
  /** @type {(value: any) => any[]} */
  const steps = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]);
  /** @type {(word: any) => boolean} */
  const isCard = (word) => word in view.cards;
  /** @type {(order: Order, name: string) => Order} */
  const without = (order, name) => Object.fromEntries(Object.entries(order).filter(([key]) => key !== name));
  /** @type {(order: Order, name: string, entries: any[]) => Order} */
  const changed = (order, name, entries) => (entries.length ? { ...order, [name]: entries } : without(order, name));

  const me = view.players[view.me];
  const lying = Object.keys(view.cards).filter((card) => view.cards[card].depth !== null);
  /** @type {(number: number, one: string) => string} */
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : one.endsWith("s") ? "es" : "s"}`;
  /** @type {(items: string[], last?: string) => string} */
  const listing = (items, last = "and") => items.map((one, at) => `${at === 0 ? "" : at === items.length - 1 ? ` ${last} ` : ", "}${one}`).join("");
  /** @type {(items: string[]) => string} */
  const either = (items) => listing(items, "or");
  /** @type {(place: Place) => string} */
  const marks = ({ symbol, symbols, route }) => [symbol ? count(symbols, symbol) : "no symbol", route].filter(Boolean).join(", ");
  /** @type {(card: string) => string} */
  const shown = (card) => `${card} (${marks(view.cards[card])})`;
  /** @type {(order: Order) => number} */
  const mostSymbols = (order) => view.numbers[listed(order.use).includes("three_symbols") ? "limit_with_law" : "limit"];
  /** @type {(cards: string[]) => string[]} */
  const freeAfter = (cards) => lying.filter((card) => view.cards[card].stone === null && !cards.includes(card));

  // An order as `pbem check` says it; nothing where no card to take is named yet.
  /** @type {(order: Order) => string | undefined} */
  function inWords(order) {
    if (order.skip) return "take nothing";
    const take = steps(order.take).map(listed);
    if (!take.length) return undefined;
    /** @type {(name: string) => string} */
    const named_ = (name) => (name === "any" ? "any card" : isCard(name) ? name : titled(name));
    /** @type {(names: string[]) => string} */
    const else_ = (names) => names.map(named_).join(ELSE);
    const [also, use, pay, claim, from] = ["also", "use", "pay", "claim", "from"].map((name) => listed(order[name]));
    const laws_ = use.map((one) => `"${Object.entries(view.law_names).find((names) => names.includes(one))?.[1] ?? one}"`);
    return [
      `take ${take.map(else_).join(", then ")}`,
      also.length ? `take too, as far as possible, ${listing(also.map(named_))}` : "",
      laws_.length ? `play the law card ${listing(laws_)} if it helps` : "",
      pay.length && !pay.includes("any") ? `pay, if need be, with the stone on ${else_(pay)}` : pay.length || !take.flat().every(isCard) ? "pay a stone if need be" : "",
      claim.length ? `put a stone on ${else_(claim)}` : "",
      from.length ? `if you can place no more, move the one on ${else_(from)}` : "",
    ].filter(Boolean).join("; ");
  }

  // The turn that an order comes to, without its stone: alternatives give way to the first that can be taken.
  /** @type {(order: Order) => any} */
  function settled(order) {
    /** @type {any} */
    const fixed = { take: [] };
    for (const name of ["use", "pay"]) if (listed(order[name]).length) fixed[name] = listed(order[name]);
    const found = taking(order);
    if (!found || listed(order.also).length) return null;
    fixed.take = found.wanted.map(([first], at) => found.taken[at] ?? first);
    return fixed;
  }

  // The cards that an order takes, looked up in the table for its law cards, as far as they are held: of alternatives
  // the first that can be taken. Nothing where a name stands for many cards.
  /** @type {(order: Order) => Taking | null} */
  function taking(order) {
    const wanted = steps(order.take).map(listed);
    if (!hints || !wanted.flat().every(isCard) || wanted.length > hints.deepest) return null;
    const use = hints.laws.filter((law) => listed(order.use).includes(law)).join();
    const [plain, paying] = hints.takes.map((starts) => starts[use]);
    const { node, taken, failed, refused } = walk(listed(order.pay).some((card) => me.stones.includes(card)) ? paying : plain, wanted);
    if (failed === undefined) return { node, taken, wanted };
    const { one, why } = refused.find(({ at }) => at === failed) ?? {};
    const before = walk(paying, taken.slice(0, failed));
    return { ...before, failed, wanted, why: hints.lines[why ?? -1] ?? unreached(one, before.taken) };
  }

  // Why a card that lies at no end of a row cannot be taken after others.
  /** @type {(card: string, before: string[]) => string} */
  function unreached(card, before) {
    const row = rowsAfter(before).find((one) => one.includes(card)) ?? [];
    const at = row.indexOf(card);
    const parts = [card, at, row.length - 1 - at];
    return (row.length ? hints?.inside : hints?.gone)?.replace(/\{\}/g, () => String(parts.shift())) ?? "";
  }

  // What it comes to with its stone: {lines} or {problems}, or nothing if the host must say. The host has tried a
  // stone on one free card; on another it does the same.
  /** @type {(order: Order) => { lines?: string[], problems?: Fault[] } | null | undefined} */
  function outcome(order) {
    const fixed = settled(order);
    const claims = listed(order.claim);
    if (!fixed || !claims.length) return fixed && trial(fixed);
    const [example, ...free] = freeAfter(fixed.take);
    const claimed = claims.every(isCard) && claims.find((card) => card === example || free.includes(card));
    /** @type {(card: string) => boolean} */
    const isMine = (card) => me.stones.includes(card); // it may be given up, and then its card is free
    if (!claimed || listed(order.pay).length || claims.slice(0, claims.indexOf(claimed)).some(isMine)) return null;
    const source = listed(order.from).find((card) => isMine(card) && !fixed.take.includes(card));
    const found = trial({ ...fixed, claim: [example], ...(source && { from: [source] }) });
    /** @type {(line: string) => boolean} */
    const isStone = (line) => /^You (put a stone on|move your stone from) /.test(line);
    if (!found?.lines) return found;
    const [tried, wanted] = [example, claimed].map((card) => locked(card, fixed.take));
    const lines = found.lines.map((line) => (isStone(line) ? line.replace(shown(example), shown(claimed)) : line)).filter((line) => line !== tried);
    return { lines: wanted ? lines.flatMap((line) => (isStone(line) ? [line, wanted] : [line])) : lines };
  }

  // What a stone on a card keeps its owner from, where it lies at an end of its row once some cards are taken.
  /** @type {(card: string, take: string[]) => string} */
  function locked(card, take) {
    const isEnd = rowsAfter(take).some((row) => row[0] === card || row[row.length - 1] === card);
    return (isEnd && hints?.locked.replace("{}", card)) || "";
  }

  /** @type {(order: Order) => string[] | null} */
  const forecast = (order) => outcome(order)?.lines ?? null;

  // What is wrong, where just this turn was tried.
  /** @type {(order: Order) => Fault[]} */
  function problems(order) {
    const never = [...twice(order), ...lawProblems(order)];
    if (never.length) return never;
    const plain = { ...order, take: steps(order.take) };
    const found = (trial(order) ?? trial(plain) ?? outcome(order))?.problems;
    if (found || !steps(order.take).length || forecast(order)) return found ?? [];
    const all = taking(order);
    return all ? untaken(all) ?? unpaid(all, order) : [];
  }

  // A stone named to pay with, where every card that is taken is named too: it must lie there, and be needed.
  /** @type {(found: Taking, order: Order) => Fault[]} */
  function unpaid({ node, taken }, order) {
    const pay = listed(order.pay);
    if (!pay.length || ![...pay, ...steps(order.take)].every(isCard) || listed(order.also).length) return [];
    if (listed(order.use).length && taken.some((card) => view.cards[card].law)) return [];
    const lacking = pay.filter((card) => !me.stones.includes(card));
    if (lacking.length) return [{ path: ["pay"], text: `no stone of yours lies on ${either(lacking)}`, hint: "", bearable: true }];
    return node.given ? [] : [{ path: ["pay"], text: `${hints?.lines[node.unpaid]}, so your stone on ${either(pay)} is not needed`, hint: "Leave pay out.", bearable: true }];
  }

  // Names that no card, country or law card has, the law card that is never played, and cards that are gone: also, of a
  // line for later, those that are taken before.
  /** @type {(order: Order, ahead?: [line: Line, played?: Line]) => Fault[]} */
  function lasting(order, ahead) {
    const real = new Set([...Object.keys(view.cards), ...Object.keys(view.names), ...Object.values(view.names), "any"].map((one) => one.toLowerCase()));
    const unknown = ["take", "also", "pay", "claim", "from"].flatMap((name) => listed(order[name]).flat().filter((one) => !real.has(String(one).toLowerCase()))
      .map((one) => ({ path: [name], text: `there is no card or country ${one}` })));
    const [line, played] = ahead ?? [];
    const before = line?.at !== undefined && played ? surelyTaken(played.do) : [];
    const gone = steps(order.take).flatMap((step, at) => {
      const why = listed(step).map((card) => whyGone(card, before));
      return why.every(Boolean) ? [{ path: ["take", at], text: why.slice(0, 3).join(" and ") }] : [];
    });
    return [...unknown, ...lawProblems(order), ...gone];
  }

  // Why a card cannot be taken at any later turn; "" where it may be.
  /** @type {(card: string, before: string[]) => string} */
  function whyGone(card, before) {
    const { holder } = view.cards[card] ?? {};
    if (before.includes(card)) return `you take ${card} before then`;
    if (holder === undefined || lying.includes(card)) return "";
    return holder === view.me ? `${card} is yours already` : `${card} was taken by ${holder[0].toUpperCase()}${holder.slice(1)}`;
  }

  // The cards that an order for now takes for certain: all that are found, but for law cards that nobody has seen, which
  // may change what is taken.
  /** @type {(order: Order) => string[]} */
  function surelyTaken(order) {
    const found = taking(order);
    const take = found && found.failed === undefined ? found.taken : [];
    if (take.length && !take.some((card) => view.cards[card].law)) return take;
    return steps(order.take).map(listed).flatMap(([card, ...others]) => (others.length || !isCard(card) ? [] : [card]));
  }

  const takenBefore = () => surelyTaken(page.lineNow()?.do ?? {});

  /** @type {(order: Order) => Fault[]} */
  const twice = (order) => steps(order.take).map((step) => String([step].flat())).flatMap((word, at, all) => (
    isCard(word) && all.indexOf(word) < at ? [{ path: ["take", at], text: `${word} is named twice`, hint: "Leave it out." }] : []));

  /** @type {(order: Order) => Fault[]} */
  function lawProblems(order) {
    const laws = Object.entries(view.law_names);
    const playable = laws.flatMap(([id, title]) => (id === "minus_two_vp" ? [] : [title]));
    return listed(order.use).flatMap((one, at) => {
      const [law, title] = laws.find((names) => names.some((known) => known.toLowerCase() === String(one).trim().toLowerCase())) ?? [];
      const found = { path: ["use", at], bearable: true };
      if (!law) return [{ ...found, text: `there is no law card '${one}'`, hint: `It can be ${either(playable)}.` }];
      return law === "minus_two_vp" ? [{ ...found, text: `the law card "${title}" is never played: it costs its owner points at the end`, hint: "Leave it out." }] : [];
    });
  }

  // The first card that cannot be taken where it stands, with the host's reason and what can be taken there.
  /** @type {(found: Taking) => Fault[] | null} */
  function untaken({ node, taken, failed, wanted, why }) {
    if (failed === undefined || (!failed && !wanted[0].some((one) => lying.includes(one)))) return null;
    const can = either((node.next ?? []).map(([card]) => card)) || "nothing more";
    return [{ path: ["take", failed], text: why ?? "", hint: `You can take ${can} ${failed ? `after ${listing(taken)}` : "first"}.` }];
  }

  // The cards that an order surely takes, as far as this page can tell; for later, the first of each alternatives.
  /** @type {(order: Order) => string[]} */
  const firsts = (order) => steps(order.take).map((step) => [step].flat()[0]).filter(isCard);
  /** @type {(order: Order, now: boolean) => string[]} */
  const cardsOf = (order, now) => (now && settled({ ...order, also: undefined })?.take) || firsts(order);

  // The own stones once its cards are taken: those in reserve, the cards that others lie on, how many are paid, and
  // how many of these from cards.
  /** @type {(order: Order, take: string[]) => Stones} */
  function stonesAfter(order, take) {
    const { reserve, on = [], paid = 0, given = 0 } = taking({ use: order.use, take, pay: me.stones })?.node ?? present;
    /** @type {string[]} */
    const away = [...listed(order.pay).filter((card) => on.includes(card)), ...on].slice(0, given);
    return { reserve, on: on.filter((/** @type {string} */ card) => !away.includes(card)), paid, given };
  }
  /** @type {Node} */
  const present = { reserve: me.reserve, on: me.stones };
  /** @type {(stones: { reserve: number, on: { length: number } }) => boolean} */
  const canPlace = ({ reserve, on }) => reserve > 0 && on.length < view.numbers.most_on_cards;

  // The card that gets the stone: the first that is free; nothing where a name stands for many cards before it.
  /** @type {(order: Order, take: string[]) => string | undefined} */
  function claimed(order, take) {
    const free = freeAfter(take);
    const found = listed(order.claim).find((card) => !isCard(card) || free.includes(card));
    return isCard(found) ? found : undefined;
  }

  // The rows once some cards are taken.
  /** @type {(take: string[]) => string[][]} */
  function rowsAfter(take) {
    const all = Object.keys(view.cards);
    const wide = view.numbers.columns;
    return all.flatMap((_, at) => (at % wide ? [] : [all.slice(at, at + wide).filter((card) => lying.includes(card) && !take.includes(card))]));
  }

  // What an order would put on the board: its mark on what it takes, thick frames where rows end then, and its stone.
  function isNow() {
    const line = page.openLine();
    return !line || model.isNow(line);
  }
  /** @type {(order: Order) => Drawn[]} */
  const drawn = (order) => marked(order, isNow());
  /** @type {(order: Order, now: boolean) => Drawn[]} */
  function marked(order, now) {
    const take = cardsOf(order, now);
    const ends = rowsAfter(take).flatMap((row) => row.filter((card, at) => (at === 0 || at === row.length - 1) && !view.ends.includes(card)));
    const stone = claimed(order, take);
    return [...named(take, "taken", "solid"), ...named(ends, "end"), ...named(stone ? [stone] : [], "own-stone")];
  }
  /** @type {(cards: string[], mark: string, kind?: "solid") => Drawn[]} */
  const named = (cards, mark, kind) => cards.map((card) => [card, mark, kind]);
  /** @type {(before?: Order) => Drawn[]} */
  const supposed = (before) => (before ? marked(before, true) : []);

  // A click on a card: take it, or leave it; put a stone on it; give up or move the stone that lies there.
  /** @type {(word: string, given: Order) => Click[]} */
  function places(word, given) {
    const order = given ?? {};
    const take = steps(order.take);
    /** @type {Click[]} */
    const out = [];
    /** @type {(title: string, note: string, next: Order) => void} */
    const add = (title, note, next) => void out.push({ title, note, order: next, asks: spends(order, next) });
    if (!isCard(word)) return laws(word, order);
    const note = noteOf(word);
    if (!isNow()) return ofLater(word, order);
    if (take.includes(word)) add(`leave ${word}`, "", changed(order, "take", take.filter((one) => one !== word)));
    else if (canTake(word, order)) add(`take ${word}`, note, { ...order, take: [...take, word] });
    else {
      const law = hints?.laws.find((one) => !listed(order.use).includes(one) && canTake(word, withLaw(order, one)));
      if (law) add(`take ${word}, with the law card ${titled(law)}`, note, { ...withLaw(order, law), take: [...take, word] });
      if (take.length && canTake(word, {})) add(`take ${word} instead`, note, { ...order, take: [word] });
    }
    for (const [name, verb] of [["claim", "put a stone on"], ["pay", "pay with the stone on"], ["from", "move the stone from"]]) {
      const menu = menus.find((one) => one.paths.includes(name));
      const entries = listed(order[name]);
      if (name === "claim" && !take.length && !entries.includes(word)) continue; // a card is taken first
      if (!entries.includes(word) && !isNeeded(name, order)) continue;
      if (entries.includes(word)) add(`do not ${verb} ${word}`, "", changed(order, name, entries.filter((one) => one !== word)));
      else if ((name === "claim" ? freeAfter(take).includes(word) : menu?.items.some((item) => item.order === word)) && !take.includes(word)) add(`${verb} ${word}`, entries.length ? `else, after ${entries.join(", ")}` : "", { ...order, [name]: [...entries, word] });
    }
    return out;
  }

  /** @type {(order: Order, law: string) => Order} */
  const withLaw = (order, law) => ({ ...order, use: [...listed(order.use), law] });

  // Whether an order has a stone or a law card more to be spent than another.
  /** @type {(before: Order, after: Order) => boolean} */
  function spends(before, after) {
    /** @type {(order: Order) => number} */
    const spent = (order) => listed(order.claim).length + listed(order.use).length + steps(order.take).flat().filter((card) => isOther(card)).length;
    return spent(after) > spent(before);
  }
  /** @type {(card: string) => boolean} */
  const isOther = (card) => Boolean(view.cards[card]?.stone) && view.cards[card].stone !== view.me;

  // Whether a card can be taken after those of an order.
  /** @type {(card: string, order: Order) => boolean} */
  function canTake(card, order) {
    const found = taking({ ...order, take: [...steps(order.take), card] });
    return found !== null && found.failed === undefined;
  }

  // Whether an order so far may need a stone to pay with, or one to be moved.
  /** @type {(name: string, order: Order) => boolean} */
  function isNeeded(name, order) {
    const after = stonesAfter(order, cardsOf(order, true));
    if (name === "pay") return !after.reserve && me.stones.length > 1 && (after.paid > 0 || view.can_take.some(isOther));
    return name !== "from" || !canPlace(after);
  }

  // Why a card that was clicked cannot be taken now; "" if it can.
  /** @type {(word: string, given: Order) => string} */
  function whyNot(word, given) {
    if (!isCard(word)) return "";
    if (!lying.includes(word)) return `${word} does not lie on the table any more`;
    const take = cardsOf(given ?? {}, true);
    const found = take.includes(word) ? null : taking({ ...given, take: [...take, word] });
    const [why] = (found && untaken(found)) ?? [];
    if (why && !take.length && view.cards[word].stone === null) return `${why.text}. Take a card first; then you can put a stone on it`;
    return why?.text ?? (view.cards[word].stone === view.me ? `your stone on ${word} stays, as none has to be paid or moved` : "");
  }

  /** @type {(word: string, order: Order) => Click[]} */
  function laws(word, order) {
    const menu = menus.find((one) => one.paths.includes("use"));
    const item = menu?.items.find((one) => one.order === word);
    if (!item) return [];
    const used = listed(order.use);
    const next = used.includes(word) ? used.filter((one) => one !== word) : [...used, word];
    return [{ title: used.includes(word) ? `keep the law card ${titled(word)}` : `play the law card ${titled(word)}`, note: item.note, order: changed(order, "use", next) }];
  }

  /** @type {(word: string, order: Order) => Click[]} */
  const ofLater = (word, order) => (lying.includes(word) && !takenBefore().includes(word) ? [["take", "take"], ["claim", "put a stone on"]].map(([name, verb]) => {
    const there = steps(order[name]);
    return there.includes(word) ? { title: `do not ${verb} ${word}`, order: changed(order, name, there.filter((one) => one !== word)) }
      : { title: `${verb} ${word}${there.length && name === "claim" ? ", if the others are not free" : ""}`, order: changed(order, name, [...there, word]) };
  }) : []);

  /** @type {(card: string) => string} */
  function noteOf(card) {
    const place = view.cards[card];
    const extra = [place.stone === view.me ? "your own stone lies on it" : place.stone ? `stone of ${titled(place.stone)}, so taking it costs you a stone` : "", place.law ? "a law card lies under it" : "", place.depth ? `${place.depth} before it` : ""];
    return [`${view.names[place.country]}, ${marks(place)}`, ...extra].filter(Boolean).join("; ");
  }
  /** @type {(cards: string[]) => Choice[]} */
  const choices = (cards) => cards.map((card) => ({ order: card, note: noteOf(card) }));

  // What can stand in a place of an order for now: what can be taken after what is named already, and so on.
  /** @type {(place: string, given: Order) => Choice[] | null} */
  function options(place, given) {
    const order = given ?? {};
    const fixed = settled({ ...order, also: undefined });
    const items = menus.find((menu) => menu.paths.includes(place))?.items ?? [];
    if (place === "take") return fixed ? choices(lying.filter((card) => canTake(card, fixed))) : items;
    if (place === "also") return choices(lying.filter((card) => !steps(order.take).includes(card) && !listed(order.also).includes(card)));
    if (place === "claim") return choices(freeAfter(fixed?.take ?? []).filter((card) => !listed(order.claim).includes(card)));
    return ["use", "pay", "from"].includes(place) ? items.filter((item) => !listed(order[place]).includes(item.order)) : null;
  }

  // What can stand there later: any card on the table, a country for its cards, or any.
  /** @type {(place: string) => Choice[] | null} */
  function later(place) {
    const wide = [...Object.entries(view.names).map(([country, name]) => ({ order: country, note: `any card of ${name}` })), { order: "any", note: "any card" }];
    const gone = takenBefore();
    if (["take", "also", "claim"].includes(place)) return [...choices(lying.filter((card) => !gone.includes(card))), ...wide];
    if (place === "use") return Object.keys(view.unseen).filter((law) => data.schema.$defs.law?.enum?.includes(law) ?? law !== "minus_two_vp").map((law) => ({ order: law, note: view.law_names[law] }));
    return ["pay", "from"].includes(place) ? choices(me.stones) : null;
  }

  // What the seat has for a later turn after its line for now, as far as that is known.
  /** @type {(order: Order) => string} */
  function leftThen(order) {
    const line = page.lineNow();
    const cards = line ? cardsOf(line.do, true) : [];
    const after = stonesAfter(line?.do ?? {}, cards);
    const isPut = line && claimed(line.do, cards) && canPlace(after) ? 1 : 0;
    const fresh = cards.filter((card) => view.cards[card].law).length;
    const laws_ = [...view.laws.filter((law) => !listed(line?.do.use).includes(law)).map((law) => titled(law)), ...(fresh ? [`${fresh === 1 ? "one" : fresh}, not seen yet`] : [])];
    const on = after.on.length + isPut;
    const isStuck = listed(order.claim).length > 0 && !listed(order.from).length && !canPlace({ reserve: after.reserve - isPut, on: { length: on } }) && on > 0;
    return `${line ? "After your order for now" : "Now"}: ${after.reserve - isPut} of your stones in reserve, ${on} on ${on === 1 ? "a card" : "cards"}; law cards: ${laws_.join(", ") || "none"}${isStuck ? ". No stone more can be put then, only one moved: say which" : ""}${ownStones(order, [...after.on, ...(isPut ? [claimed(line?.do, cards) ?? ""] : [])])}`;
  }

  // A warning of cards to be taken under own stones: that is refused while another card can be taken in their place.
  /** @type {(order: Order, on: string[]) => string} */
  function ownStones(order, on) {
    const under = view.numbers.own_claim_free ? [] : steps(order.take).map(listed).filter((cards) => cards.every((card) => on.includes(card))).flat();
    return under.length ? `. Your own stone lies on ${listing(under)} then: ${under.length > 1 ? "they are" : "it is"} taken only where no other card can be` : "";
  }

  /** @type {(order: Order, now: boolean) => string} */
  function left(order, now) {
    if (!now) return leftThen(order);
    if (!view.can_take) return "";
    const cards = cardsOf(order, true);
    const symbols = cards.reduce((all, card) => all + (view.cards[card].symbols ?? 0), 0);
    const most = mostSymbols(order);
    const after = stonesAfter(order, cards);
    const isPut = claimed(order, cards) && canPlace(after) ? 1 : 0;
    const on = after.on.length + isPut;
    return `${symbols} of ${count(most, "symbol")}; stones${cards.length ? " then" : ""}: ${after.reserve - isPut} in reserve, ${on} on ${on === 1 ? "a card" : "cards"}`;
  }

  // The fields of an order: whole turns to choose from, then its parts; what few turns need is folded.
  /** @type {(context: Context) => HTMLElement[] | null} */
  function editor(context) {
    const order = context.order ?? {};
    const { id, now } = context;
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => fields.part(context, [name], context.whole.properties[name]);
    const whole = now ? model.wholeOrders.map((menu, at) => el("details", { id: `${id}.quick${at}`, open: !Object.keys(order).length }, el("summary", { id: `${id}.quick${at}.summary` }, menu.title), fields.wholeOrders(context, menu, at, false))) : [];
    if (order.skip || (now && !view.can_take.length)) return now ? whole : null;
    const few = ["use", "pay", "from", "also"].filter((name) => !now || name === "also" || menus.some((menu) => menu.paths.includes(name)));
    const isUsed = few.some((name) => name in order) || unfolded.has(id);
    const rest = el("details", { id: `${id}.rest`, open: isUsed }, el("summary", { id: `${id}.rest.summary` }, "Law cards, stones to pay or move, and more"), few.map(part));
    rest.addEventListener("toggle", () => unfolded[rest.open ? "add" : "delete"](id));
    return [...whole, part("take"), part("claim"), rest];
  }
  const unfolded = new Set();

  // Every card on the table can be clicked, also for orders that are given ahead.
  for (const title of document.querySelectorAll("#board svg g > title")) {
    const [head] = title.textContent.split(": ");
    if (title.parentElement && lying.includes(head)) title.parentElement.dataset.place = head;
  }

  return { words: inWords, joins: { take: ", then ", claim: ELSE, pay: ELSE, from: ELSE }, places, whyNot, drawn, supposed, options, later, forecast, problems, lasting, left, editor };
};
