// Web of Power: a click on the map places pieces; placements, a card to throw away and cards to draw by preference.
// Which placements are possible, and what each brings, comes from the report; here an order is only looked up.
import { choosing, data, dom, fields, model, page, words, yaml } from "../../../../templates/common/form/kit.js";

/** @typedef {import("../../../../templates/common/form/types").Order} Order */
/** @typedef {import("../../../../templates/common/form/types").Choice} Choice */
/** @typedef {import("../../../../templates/common/form/types").Context} Context */
/** @typedef {import("../../../../templates/common/form/types").Fault} Fault */
/** @typedef {import("../../../../templates/common/form/types").Line} Line */
/** @typedef {import("../../../../templates/common/form/types").Node} Node */
/** @typedef {string | string[]} Names several are in order of preference */
/** @typedef {{ country?: Names, pieces: Names | Names[], pay?: string[] }} Placement as it is written */
/** @typedef {{ countries: string[], pieces: string[][], pay: string[] | null }} Plan as it is compared */
/** @typedef {{ country: string, pieces: string[], cards: string[], node: Node }} Act a card that is thrown away has no country */
/** @typedef {{ text: string, piece?: number }} Obstacle */
/** @typedef {{ title: string, note?: string, order: Order }} Click what it can mean */
/** @typedef {{ [name: string]: number }} Counts */
/** @typedef {{ me: string, closing: boolean, hand: string[], held: Counts, face_up: string[], pile: number, unseen: Counts, sites: { [site: string]: string }, free: Counts, room: Counts, limits: Counts, players: { [seat: string]: { cloisters: number, advisors: number } }, places: { [country: string]: { name: string, card: string, sites: string[] } } }} View */
/** @typedef {{ nowhere: string, price: string[], pieces: Counts, payments: { [country: string]: (string[][] | number)[] }, hand: number, lacking: Counts, rest: string[], words: { [name: string]: string }, lines: string[], nodes: Node[] }} Hints of who is not on turn the first two */

export default () => {
  const { menus } = data;
  /** @type {View} */
  const view = data.view;
  /** @type {Hints} */
  const hints = data.hints;
  const { adds, counts, el, button, select, labelled } = dom;
  const { isMap } = yaml;
  const { walk } = choosing;
  const { name: titled, shown, noted: withNote } = words;
  /** @type {(one: any, other: any) => boolean} */
  const same = (one, other) => model.canonical(one) === model.canonical(other);
  const ADVISOR = "advisor";
  const CLOISTER = "cloister";
  if (!view.me || !view.places) return {};

  const isTurn = "pieces" in hints;
  const lands = Object.keys(view.places);
  /** @type {{ [site: string]: string }} */
  const home = Object.fromEntries(lands.flatMap((land) => view.places[land].sites.map((site) => [site, land])));
  const cards = Object.keys(view.held);
  /** @type {(value: any) => any[]} */
  const entries = (value) => (value === undefined || value === null ? [] : [value].flat());
  /** @type {(value: any) => any[]} */
  const listOf = (value) => (Array.isArray(value) ? value : entries(value));
  /** @type {(items: string[], last?: string) => string} */
  const listed = (items, last = "and") => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`);
  /** @type {(items: string[]) => string} */
  const counted = (items) => listed([...new Set(items)].map((one) => (items.filter((other) => other === one).length > 1 ? `${items.filter((other) => other === one).length} ${one}` : one)));
  /** @type {(number: number, one: string) => string} */
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

  // A sentence of the hints by its number, and one with what stands in it.
  /** @type {(number?: number) => string} */
  const line = (number) => hints.lines[number ?? -1] ?? "";
  /** @type {(text: string, ...parts: (string | number)[]) => string} */
  const filled = (text, ...parts) => text.replace(/\{\}/g, () => String(parts.shift()));

  // Cards by their own names or by those of a country that they show.
  /** @type {(words: any) => string[]} */
  const cardsOf = (words) => entries(words).map((one) => (cards.includes(one) ? one : view.places[one]?.card ?? one));

  // A placement as it is compared; without a country it is that of the first site.
  /** @type {(plan: Placement) => Plan} */
  function readPlan(plan) {
    /** @type {string[][]} */
    const pieces = listOf(plan.pieces).map(entries);
    const given = entries(plan.country);
    const countries = given.length ? given : pieces.flat().filter((one) => one in home).slice(0, 1).map((site) => home[site]);
    return { countries, pieces, pay: plan.pay ? cardsOf(plan.pay) : null };
  }
  /** @type {(order: Order) => Placement[]} */
  const plansOf = (order) => /** @type {Placement[]} */ (entries(order?.place).filter(isMap));

  // The node of just these pieces, in this order, if the hand pays for them.
  /** @type {(country: string, pieces: Names[]) => Node | undefined} */
  function nodeOf(country, pieces) {
    const { node, failed } = walk(hints.pieces[country], pieces);
    return failed === undefined && "note" in node ? node : undefined;
  }

  // The placement that a plan comes to in a country, or what is in the way.
  /** @type {(plan: Plan, country: string) => Act | Obstacle} */
  function tried(plan, country) {
    const { node, taken, refused, failed } = walk(hints.pieces[country], plan.pieces);
    if (failed !== undefined) {
      const why = refused.filter(({ at }) => at === failed).map(({ one, why }) => line(why) || (one in home ? filled(hints.words.elsewhere, titled(one), titled(home[one]), titled(country)) : `there is no ${one}`));
      return { text: why.join("; "), piece: failed };
    }
    const ways = hints.payments[country][taken.length - 1];
    const paid = typeof ways === "number" ? undefined : ways.find((way) => !plan.pay || same([...way].sort(), [...plan.pay].sort()));
    if (paid) return { country, pieces: taken, cards: paid, node };
    if (!plan.pay) return { text: line(/** @type {number} */ (ways)) };
    const unfit = filled(hints.words.unfit, plan.pay.map(titled).join(" and "), count(taken.length, "piece"), titled(country));
    return { text: line(walk(hints.hand, plan.pay).refused[0]?.why) || unfit };
  }

  /** @type {{ [word: string]: string }} */
  const WORDS = { advisor: "an advisor", cloister: "a cloister on any free site", any: "any country", match: "an open card of a type that you hold", pile: "the top card of the pile" };
  const ELSE = ", else ";
  /** @type {(word: string) => string} */
  const named = (word) => WORDS[word] ?? titled(word);

  // An order as `pbem check` says it.
  /** @type {(order: Order) => string | undefined} */
  function inWords(order) {
    const plans = plansOf(order);
    const parts = plans.length ? [plans.map(planWords).join(ELSE)] : [];
    if (plans.some((plan) => entries(plan.country).includes("any"))) parts.push(`any country is the first that is possible from ${titled(lands[0])} to ${titled(lands[lands.length - 1])}, even where two cards of one type must pay as a joker`);
    const thrown = entries(order.discard).map((one) => (one === "any" ? "the card that you hold fewest of" : named(one)));
    if (thrown.length) parts.push(`${parts.length ? "if none of that is possible, " : ""}throw away ${thrown.join(ELSE)}`);
    const drawn = listOf(order.draw).map((one) => entries(one).map(named).join(ELSE));
    if (drawn.length) parts.push(`draw ${drawn.length === 1 ? "for each missing card " : ""}${drawn.join(", then ")}`);
    return parts.join("; ") || undefined;
  }

  /** @type {(plan: Placement) => string} */
  function planWords(plan) {
    const pieces = listOf(plan.pieces).map((one) => entries(one).map((word) => WORDS[word] ?? `a cloister on ${titled(word)}`));
    const told = pieces.map(([first, ...others]) => (others.length && pieces.length > 1 ? `${first} (else ${others.join(ELSE)})` : [first, ...others].join(ELSE)));
    const country = readPlan(plan).countries;
    return `place ${listed(told)}${country.length ? ` in ${country.map(named).join(ELSE)}` : ""}${plan.pay ? `, for ${listed(entries(plan.pay).map(named))}` : ""}`;
  }

  /** @type {(plan: Plan) => string[]} */
  const countriesOf = (plan) => plan.countries.flatMap((one) => (one === "any" ? lands : one in view.places ? [one] : []));

  /** @type {(order: Order) => Act | undefined} */
  function chosen(order) {
    for (const plan of plansOf(order).map(readPlan)) {
      for (const country of countriesOf(plan)) {
        const found = tried(plan, country);
        if ("cards" in found) return found;
      }
    }
    const { taken: thrown, node } = walk(hints.hand, [cardsOf(order?.discard)]);
    return thrown.length ? { country: "", pieces: [], cards: thrown, node } : undefined;
  }

  /** @type {(order: Order) => Fault[]} */
  function misnamed(order) {
    /** @type {Fault[]} */
    const out = [];
    /** @type {(words: any[], allowed: string[], kind: string, path: (string | number)[]) => void} */
    const check = (words, allowed, kind, path) => words.forEach((word) => {
      if (!allowed.includes(word)) out.push({ path, text: `there is no ${kind} '${word}'` });
    });
    for (const [number, plan] of plansOf(order).entries()) {
      const path = Array.isArray(order.place) ? ["place", number] : ["place"];
      check(entries(plan.country), [...lands, "any"], "country", [...path, "country"]);
      listOf(plan.pieces).forEach((words, at) => check(entries(words), [CLOISTER, ADVISOR, ...Object.keys(home)], "site or piece", [...path, "pieces", at]));
      if (!out.length && !readPlan(plan).countries.length) out.push({ path, text: hints.nowhere, hint: "Add country: NAME, or name a site." });
      check(cardsOf(plan.pay), cards, "type of card", [...path, "pay"]);
    }
    check(cardsOf(order.discard), [...cards, "any"], "type of card", ["discard"]);
    check(entriesOf(order).flat(), [...cards, "match", "pile"], "type of card", ["draw"]);
    return out;
  }

  /** @type {(order: Order) => Fault[]} */
  function problems(order) {
    if (!isTurn) return [];
    const wrong = misnamed(order);
    if (wrong.length || chosen(order)) return wrong;
    const out = plansOf(order).map((plan, number) => blocked(readPlan(plan), Array.isArray(order.place) ? ["place", number] : ["place"]));
    const lacking = cardsOf(order.discard).map(titled);
    if (lacking.length) out.push({ path: ["discard"], text: `${filled(hints.words[lacking.length > 1 ? "neither" : "lacking"], lacking.join(" nor "))} (${view.hand.map(titled).join(", ") || "it is empty"})` });
    return out;
  }

  /** @type {(plan: Plan, path: (string | number)[]) => Fault} */
  function blocked(plan, path) {
    const found = countriesOf(plan).map((country) => /** @type {Obstacle} */ (tried(plan, country)));
    const [text, ...others] = new Set(found.map((one) => one.text));
    if (found.length !== 1) {
      const more = others.length > 2 ? [filled(hints.words.further, others.length)] : others.map((one) => `; ${one}`);
      return { path, text: [filled(hints.words.several, found.length, text), ...more].join("") };
    }
    const [{ piece }] = found;
    return { path: piece === undefined ? (plan.pay ? [...path, "pay"] : path) : [...path, "pieces", piece], text };
  }

  const UNKNOWN_CARDS = "it depends on cards that you do not know yet";
  // What is wrong with an order whatever happens; for a later turn, also by the pieces that stand there then and by the
  // cards that can be in the hand, as far as these are known.
  /** @type {(order: Order, ahead?: [line: Line, played?: Line]) => Fault[]} */
  function lasting(order, ahead) {
    const wrong = misnamed(order);
    if (wrong.length || !ahead) return wrong;
    const hands = handsThen(...ahead);
    const thrown = cardsOf(order.discard);
    const throwing = hands?.filter((hand) => thrown.some((card) => card === "any" || hand.includes(card))).length;
    if (hands ? throwing === hands.length : thrown.length) return [];
    const built = (ahead[0].at !== undefined && ahead[1] && isTurn && chosen(ahead[1].do)?.pieces) || [];
    const plans = plansOf(order).map(readPlan);
    const never = plans.map((plan, number) => neverThen(plan, Array.isArray(order.place) ? ["place", number] : ["place"], built, hands));
    if (!throwing && never.every((fault) => fault !== null)) return [...never, ...(thrown.length ? [{ path: ["discard"], text: `you cannot hold ${thrown.map(titled).join(" or ")} then` }] : [])];
    const open = plans.filter((_, number) => !never[number]);
    const isPaid = !hands || hands.every((hand) => open.some((plan) => countriesOf(plan).some((country) => pays(hand, plan, country))));
    return isPaid ? [] : [{ path: [], text: UNKNOWN_CARDS, unknown: true }];
  }

  // The hands that there may be at the next own turn, after what is played now; undefined where the host must say.
  /** @type {(line: Line, played?: Line) => string[][] | undefined} */
  function handsThen(line, played) {
    const [asked, then] = [data.ask.next, line.at].map((one) => model.label(typeof one === "string" ? one : ""));
    if (!asked || !then || then.word || then.owner !== asked.owner || Object.keys(line.when ?? {}).some((path) => /^(hand|held)\b/i.test(path))) return undefined;
    if (!data.ask.mine) return then.count === asked.count ? [view.hand] : undefined;
    const act = then.count === asked.count + 1 && isTurn && played ? chosen(played.do) : undefined;
    if (!act || view.closing || view.pile <= view.limits.cards) return undefined;
    return filledUp(without(view.hand, act.cards), view.face_up, entriesOf(played?.do), view.unseen);
  }

  /** @type {(cards: string[], gone: string[]) => string[]} */
  const without = (cards, gone) => gone.reduce((left, card) => left.filter((_, at) => at !== left.indexOf(card)), cards);

  // The hands that cards may be filled up to by what is wanted, while the pile does not run out.
  /** @type {(hand: string[], open: string[], wanted: string[][], unseen: Counts) => string[][]} */
  function filledUp(hand, open, wanted, unseen) {
    if (hand.length >= view.limits.hand) return [hand];
    /** @type {(card: string, lying: string[], left: Counts) => string[][]} */
    const drawn_ = (card, lying, left) => filledUp([...hand, card], lying, wanted.length > 1 ? wanted.slice(1) : wanted, left);
    for (const name of [...(wanted[0] ?? []), ...hints.rest]) {
      if (name === "pile") break;
      const card = open.find((one) => (name === "match" ? hand.includes(one) : one === name));
      if (card) return drawn_(card, without(open, [card]), unseen);
    }
    return cards.filter((card) => unseen[card] > 0).flatMap((card) => drawn_(card, open, { ...unseen, [card]: unseen[card] - 1 }));
  }

  // Whether a hand pays for a placement in a country: a card of it for each piece, or a joker of cards of one type.
  /** @type {(hand: string[], plan: Plan, country: string) => boolean} */
  function pays(hand, { pieces, pay }, country) {
    const { cards: most, joker } = view.limits;
    if (pay && without(hand, pay).length > hand.length - pay.length) return false;
    const [given, own] = [pay ?? hand, view.places[country].card];
    return Array.from({ length: pieces.length + 1 }, (_, jokers) => [jokers, pieces.length - jokers]).some(([jokers, single]) => {
      const price = single + jokers * joker;
      const left = without(given, Array(single).fill(own));
      const pairs = cards.reduce((all, card) => all + Math.floor(left.filter((one) => one === card).length / joker), 0);
      return left.length === given.length - single && pairs >= jokers && price <= most && (!pay || price === pay.length);
    });
  }

  // Why a placement is possible in none of its countries then; null if it may be in one.
  /** @type {(plan: Plan, path: (string | number)[], built: string[], hands?: string[][]) => Fault | null} */
  function neverThen(plan, path, built, hands) {
    const found = countriesOf(plan).map((country) => neverIn(country, plan, path, built, hands));
    const [first, ...others] = found;
    if (!first || !found.every(Boolean)) return null;
    return others.length ? { path, text: `none of ${found.length} countries is possible then: ${first.text}` } : first;
  }

  /** @type {(country: string, plan: Plan, path: (string | number)[], built: string[], hands?: string[][]) => Fault | null} */
  function neverIn(country, plan, path, built, hands) {
    const { pieces, pay } = plan;
    if (pieces.length > view.limits.pieces) return { path: [...path, "pieces"], text: `a turn places ${count(view.limits.pieces, "piece")} at most, not ${pieces.length}` };
    for (const [at, names] of pieces.entries()) {
      const standing_ = names.map((site) => (built.includes(site) && site in home ? view.me : view.sites[site] ?? "free"));
      if (!standing_.includes("free")) return { path: [...path, "pieces", at], text: `a cloister of ${titled(standing_[0])} stands on ${titled(names[0])} then` };
    }
    if (!hands || hands.some((hand) => pays(hand, plan, country))) return null;
    const text = pay?.length ? `you cannot hold ${pay.map(titled).join(" and ")} then` : `you cannot have the cards to pay for ${count(pieces.length, "piece")} in ${titled(country)} then`;
    return { path: pay ? [...path, "pay"] : path, text };
  }

  // What will happen, in the words of `pbem check`.
  /** @type {(order: Order) => string[] | null} */
  function forecast(order) {
    const act = isTurn && chosen(order);
    if (!act) return null;
    const { paid, built, sent, thrown } = hints.words;
    const names = act.cards.map(titled);
    const pieces = act.pieces.map((one) => (one === ADVISOR ? sent : filled(built, titled(one))));
    const said = act.country ? [filled(paid, listed(names), listed(pieces), titled(act.country)), ...(act.node.said ?? []).map(line)] : [filled(thrown, ...names)];
    return [...passedOver(order, act), ...said, drawnThen(act, order)];
  }

  // What stays in the hand after a placement, and what fills it up.
  /** @type {(act: Act, order: Order) => string} */
  function drawnThen(act, order) {
    const { node } = walk(hints.hand, act.cards);
    return filled(line(node.kept), refill(node, entriesOf(order)));
  }

  /** @type {(order: Order, act: Act) => string[]} */
  function passedOver(order, act) {
    const plans = plansOf(order).map(readPlan);
    if (!act.country && plans.length) return [hints.words.none];
    const isOpen = plans.length > 1 || plans.some(({ countries }) => countries.length > 1 || countries.includes("any"));
    return isOpen ? [hints.words.first] : [];
  }

  // What a `draw` names for each missing card in turn, by preference.
  /** @type {(order: Order) => string[][]} */
  const entriesOf = (order) => listOf(order?.draw).map(cardsOf);
  /** @type {(order: Order) => number} */
  const missingAfter = (order) => walk(hints.hand, chosen(order)?.cards ?? []).node.missing;

  // What fills the hand up, card after card; the last of what is wanted serves for all further ones.
  /** @type {(node: Node, wanted: string[][]) => string} */
  function refill(node, wanted) {
    let next = node.draw;
    const texts = Array.from({ length: next === undefined ? 0 : node.missing }, (_, place) => {
      const found = walk(next, [[...new Set([...(wanted[place] ?? wanted.at(-1) ?? []), ...hints.rest])]]);
      next = found.node;
      const lacking = found.refused.filter(({ one }) => one in hints.lacking).map(({ one }) => line(hints.lacking[one]));
      return `${found.taken.map(line).join(", else ")}${lacking.length ? ` (${lacking.join(", ")})` : ""}`;
    });
    return texts.length > 1 && new Set(texts).size === 1 ? `, each: ${texts[0]}` : `: ${texts.join(", then ")}`;
  }

  /** @type {(order: Order, now: boolean) => string} */
  function left(order, now) {
    if (!now) return [heldThen().replace(/\.$/, ""), plansOf(order).length > 1 ? "of its placements the first that is possible then is carried out, and the others are passed over" : ""].filter(Boolean).join("; ");
    if (!isTurn) return "";
    const act = chosen(order);
    const { cloisters, advisors } = view.players[view.me];
    const pieces = act?.pieces ?? [];
    const sent = pieces.filter((one) => one === ADVISOR).length;
    const kept_ = view.hand.length - (act?.cards.length ?? 0);
    const missing = act && !view.closing ? walk(hints.hand, act.cards).node.missing : 0;
    const cards_ = act ? `${count(kept_, "card")}${missing ? ` and ${missing} to draw` : ""}` : count(kept_, "card");
    return `You hold ${counted(view.hand.map(titled)) || "no card"}. Left${act ? " then" : ""}: ${cards_}, ${count(cloisters - pieces.length + sent, "cloister")}, ${count(advisors - sent, "advisor")}`;
  }

  // What the line for now comes to, for those that follow it: a placement, or a card that is thrown away.
  /** @type {() => Act | undefined} */
  function before() {
    const now = page.lineNow();
    return now && isTurn ? chosen(now.do) : undefined;
  }

  // What stays in the hand for a later turn, as far as it is known.
  /** @type {() => string} */
  function heldThen() {
    const act = before();
    if (!act) return `You hold ${counted(view.hand.map(titled)) || "no card"} now`;
    const now = page.lineNow();
    return `After your order for now: ${drawnThen(act, now?.do)}`;
  }

  // How many cards of a type are left then.
  /** @type {(card: string) => string} */
  function kept(card) {
    const act = before();
    return act ? `you keep ${view.held[card] - act.cards.filter((one) => one === card).length}` : `you hold ${view.held[card]} now`;
  }

  // What a list has room for.
  /** @type {(note: string) => string} */
  const brief = (note) => note.replace("points as of now: ", "");

  // What can stand first in a country, or after a piece, with a note.
  /** @type {(country: string, now: boolean, first?: Names) => Choice[]} */
  function piecesIn(country, now, first) {
    const sites = view.places[country]?.sites ?? [];
    if (now) {
      return [...sites, ADVISOR].flatMap((piece) => {
        const node = nodeOf(country, first === undefined ? [piece] : [first, piece]);
        return node ? [{ order: piece, note: brief(line(node.note)) }] : [];
      });
    }
    const taken = before()?.pieces ?? [];
    /** @type {(site: string) => string} */
    const stands = (site) => (taken.includes(site) ? "yours by then" : view.sites[site] === "free" ? "free now" : `${titled(view.sites[site])} stands there now`);
    return [{ order: CLOISTER, note: "any free site" }, ...sites.map((site) => ({ order: site, note: stands(site) })), { order: ADVISOR, note: "" }];
  }
  /** @type {(now: boolean) => Choice[]} */
  const countriesNow = (now) => lands.filter((land) => !now || piecesIn(land, true).length).map((land) => {
    const card = titled(view.places[land].card) === titled(land) ? "" : `card ${titled(view.places[land].card)}`;
    return { order: land, note: [now && `${view.free[land]} free, +${count(view.room[land], "advisor")}`, card].filter(Boolean).join("; ") };
  });

  // The placements in a country that the hand pays for now, each set of pieces once: those of fewest pieces, then advisors, first.
  /** @type {(country: string) => Choice[]} */
  function placementsIn(country) {
    const found = new Map();
    /** @type {string[][]} */
    let all = [[]];
    while (all.length) {
      all = all.flatMap((pieces) => (walk(hints.pieces[country], pieces).node.next ?? []).flatMap(([piece, , taken]) => (taken ? [] : [[...pieces, piece]])));
      for (const pieces of all) {
        const [key, node] = [[...pieces].sort().join(), nodeOf(country, pieces)];
        if (node && !found.has(key)) found.set(key, { order: { place: { country, pieces } }, note: line(node.note) });
      }
    }
    /** @type {(choice: Choice) => number} */
    const rank = ({ order: { place: { pieces } } }) => 9 * pieces.length + pieces.filter((/** @type {string} */ one) => one === ADVISOR).length;
    return [...found.values()].sort((one, other) => rank(one) - rank(other));
  }

  const allNow = isTurn ? lands.flatMap(placementsIn) : [];

  /** @type {(order: Order, plans: Placement[]) => Order} */
  const withPlans = (order, plans) => {
    const { place: gone, ...rest } = isMap(order) ? order : {};
    return plans.length ? { ...rest, place: plans.length === 1 ? plans[0] : plans } : rest;
  };

  // A list of choices for a part of a placement; what is written otherwise stands as it is.
  /** @type {(id: string, title: string, items: Choice[], value: any, none: string | null, set: (value: any) => void) => HTMLElement} */
  function choice(id, title, items, value, none, set) {
    const at = items.findIndex((item) => same(item.order, value));
    const options = [...(none === null ? [] : [["", none]]), ...items.map((item, n) => [String(n), withNote(shown(item.order), item.note)])];
    if (value !== undefined && at < 0) options.push(["=", `${shown(value)} (as written)`]);
    return labelled(id, title, select(id, options, value === undefined ? "" : at < 0 ? "=" : String(at), (picked) => {
      if (picked !== "=") set(picked === "" ? undefined : items[Number(picked)].order);
    }));
  }

  // One placement: country, pieces, cards, and what is to be said of it now.
  /** @type {(context: Context, plans: Placement[], number: number) => HTMLElement} */
  function planFields(context, plans, number) {
    const { id, now } = context;
    const plan = plans[number];
    const read = readPlan(plan);
    const here = `${id}.place.${number}`;
    const country = read.countries.length === 1 ? read.countries[0] : undefined;
    const pieces = listOf(plan.pieces);
    /** @type {(value: Placement | null) => void} */
    const change = (value) => context.change(withPlans(context.order, plans.flatMap((one, at) => (at !== number ? [one] : value ? [value] : []))));
    /** @type {(found: Names[]) => void} */
    const put = (found) => change({ country: plan.country ?? country, pieces: found });
    const rows = [choice(`${here}.country`, "Country", countriesNow(now), plan.country ?? country, null, (land) => change({ country: land, pieces: [piecesIn(land, now)[0].order] }))];
    if (country !== undefined && country in view.places) {
      rows.push(choice(`${here}.first`, "First piece", piecesIn(country, now), pieces[0], null, (piece) => {
        const isKept = pieces.length > 1 && (!now || nodeOf(country, [piece, pieces[1]]));
        put(isKept ? [piece, ...pieces.slice(1)] : [piece]);
      }));
      const more = piecesIn(country, now, pieces[0]);
      if (more.length || pieces.length > 1) rows.push(choice(`${here}.second`, "Second piece", more, pieces[1], "none", (piece) => put(piece === undefined ? [pieces[0]] : [pieces[0], piece])));
      const ways = now ? listOf(hints.payments[country][pieces.length - 1]).filter(Array.isArray) : [];
      const paid = ways.map((one) => ({ order: one, note: "" }));
      if (ways.length > 1 || plan.pay) rows.push(choice(`${here}.pay`, "Cards to pay with", paid, plan.pay, "as few as will do", (cards_) => change({ country: plan.country ?? country, pieces: plan.pieces, ...(cards_ && { pay: [...cards_] }) })));
    } else rows.push(el("p", { class: "hint" }, `${shown(plan)}: choose a country to change it here, or write it below.`));
    /** @type {(to: number) => void} */
    const swap = (to) => context.change(withPlans(context.order, plans.map((one, at) => (at === to ? plan : at === number ? plans[to] : one))));
    const name = `placement ${number + 1}`;
    const tools = el("span", { class: "tools" },
      button(`${here}.up`, "↑", () => swap(number - 1), { disabled: number === 0, "aria-label": `Move ${name} up` }),
      button(`${here}.down`, "↓", () => swap(number + 1), { disabled: number === plans.length - 1, "aria-label": `Move ${name} down` }),
      button(`${here}.remove`, "✕", () => {
        change(null);
        document.getElementById(`${id}.place.add`)?.focus();
      }, { "aria-label": `Remove ${name}` }));
    const title = `${number ? "Or else: " : ""}${listed(read.countries.map(titled), "or") || "?"}: ${read.pieces.map((words) => words.map(titled).join(" or ")).join(", ")}`;
    return el("li", {}, el("div", { class: "entry" }, el("p", {}, el("b", {}, title), " ", tools), plans.length > MANY ? folded(here, rows) : el("div", { class: "row" }, rows), el("p", { class: "hint" }, now ? standing(read) : country && country in view.places ? price(country, pieces.length) : "")));
  }

  const MANY = 3;
  /** @type {Set<string>} */
  const unfolded = new Set();

  // The lists of one of many placements, behind a word that opens them.
  /** @type {(id: string, rows: HTMLElement[]) => HTMLElement} */
  function folded(id, rows) {
    const box = el("details", { id: `${id}.change`, open: unfolded.has(id) }, el("summary", { id: `${id}.change.summary` }, "Change it"), el("div", { class: "row" }, rows));
    box.addEventListener("toggle", () => unfolded[box.open ? "add" : "delete"](id));
    return box;
  }

  // What a placement in a later turn costs.
  /** @type {(country: string, number: number) => string} */
  const price = (country, number) => filled(hints.price[number - 1] ?? "", titled(view.places[country].card), kept(view.places[country].card));

  // In a few words what a placement comes to now.
  /** @type {(plan: Plan) => string} */
  function standing(plan) {
    const found = countriesOf(plan).map((country) => tried(plan, country));
    for (const one of found) if ("cards" in one) return `Pays ${counted(one.cards.map(titled))}; ${line(one.node.note)}.`;
    const [text = "no country", ...others] = new Set(/** @type {Obstacle[]} */ (found).map((one) => one.text));
    return `Not possible now: ${others.length ? filled(hints.words.several, found.length, text) + filled(hints.words.further, others.length) : text}.`;
  }

  /** @type {Map<string, Order>} */
  const begun = new Map(); // what is chosen in a list of placements, and not added yet

  // All placements that are possible now, the best first and then by country; later, any country.
  /** @type {(context: Context, plans: Placement[]) => HTMLElement} */
  function adder(context, plans) {
    const id = `${context.id}.place.add`;
    const best = context.now ? menus.filter((menu) => menu.paths.includes("")).flatMap((menu) => menu.items).filter((item) => isMap(item.order.place)) : [];
    const all = context.now ? allNow : lands.map((land) => ({ order: { place: { country: land, pieces: [CLOISTER] } }, note: "any free site; choose the pieces then" }));
    const items = [...best, ...all];
    /** @type {(item: Choice, at: number) => HTMLElement} */
    const option = (item, at) => el("option", { value: String(at) }, `${titled(item.order.place.country)}: ${/** @type {string[]} */ (item.order.place.pieces).map(titled).join(", ")}; ${brief(item.note)}`);
    const pick = el("select", { id }, el("option", { value: "" }, plans.length ? "another, if that is not possible …" : "choose …"));
    if (best.length) pick.append(el("optgroup", { label: "What brings most now" }, best.map(option)));
    for (const land of lands) {
      const here = items.flatMap((item, at) => (at >= best.length && item.order.place.country === land ? [option(item, at)] : []));
      if (here.length) pick.append(el("optgroup", { label: view.places[land].name }, here));
    }
    const at = items.findIndex((item) => same(item.order, begun.get(id)));
    if (at >= 0) pick.value = String(at);
    pick.addEventListener("change", () => begun.set(id, items[Number(pick.value || NaN)]?.order));
    let isAdded = false; // the fields are drawn anew then
    const add = () => {
      if (isAdded || pick.value === "") return isAdded;
      isAdded = true;
      begun.delete(id);
      context.change(withPlans(context.order, [...plans, structuredClone(items[Number(pick.value)].order.place)]));
      return true;
    };
    counts(pick, add);
    return el("div", { class: "adder" }, el("label", { for: id, class: "unseen" }, "A placement"), pick, adds(`${id}.addit`, "Add this placement", pick, add));
  }

  // The fields of an order, in place of those that any game has.
  /** @type {(context: Context) => HTMLElement[]} */
  function editor(context) {
    const now = context.now;
    const order_ = context.order ?? {};
    const plans = plansOf(order_);
    const known_ = context.whole.properties;
    const held = (now ? [...new Set(view.hand)] : cards).map((card) => ({ order: card, note: now ? `you hold ${view.held[card]}` : kept(card) }));
    const sources = now ? menus.find((menu) => menu.paths.includes("draw"))?.items ?? []
      : [...cards.map((card) => ({ order: card, note: "if it lies open then" })), { order: "match", note: "an open card of a type that you then hold" }, { order: "pile", note: "the top card" }];
    const place = el("fieldset", { class: "part" }, el("legend", {}, "Place pieces"),
      el("p", { class: "hint" }, "On the map: click a site for a cloister, a country for an advisor. The first placement that is possible is carried out."),
      plans.length ? el("ol", { class: "entries" }, plans.map((_, number) => planFields(context, plans, number))) : null, adder(context, plans));
    return [place,
      fields.part(context, ["discard"], known_.discard, { title: "", items: [...held, { order: "any", note: "the one that you hold fewest of" }] }),
      ...(now && view.closing ? [] : [fields.part(context, ["draw"], known_.draw, { title: "", items: sources }),
        el("p", { class: "hint" }, order_.draw === undefined ? "With nothing here: an open card of a type that you then hold, else the pile." : "One entry for each missing card; the last is for all further ones. In words, [match, pile] is one entry: the first that can be had.")].filter(Boolean))];
  }

  // What a click on the map can mean for an order: [{title, note, order}].
  /** @type {(word: string, given: Order) => Click[]} */
  function places(word, given) {
    const order = isMap(given) ? given : {};
    const now = isNow();
    if (now && !isTurn) return [];
    if (word.startsWith(CARD)) return ofCard(word.slice(CARD.length), order, now);
    const country = view.places[word] ? word : home[word];
    return country ? ofPiece(view.places[word] ? ADVISOR : word, country, order, now) : [];
  }

  /** @type {(piece: string, country: string, order: Order, now: boolean) => Click[]} */
  function ofPiece(piece, country, order, now) {
    const plans = plansOf(order);
    const last = plans.at(-1);
    const pieces = listOf(last?.pieces);
    const isHere = last && same(readPlan(last).countries, [country]);
    /** @type {Click[]} */
    const found = [];
    const rest = plans.slice(0, -1);
    /** @type {(all: Names[]) => string} */
    const noted = (all) => (now ? line(nodeOf(country, all)?.note) : "");
    /** @type {(all: Names[]) => unknown} */
    const fits = (all) => (now ? nodeOf(country, all) : all.length <= view.limits.pieces && new Set(all.filter((one) => one !== ADVISOR)).size === all.filter((one) => one !== ADVISOR).length);
    if (isHere && fits([...pieces, piece])) found.push({ title: `${[...pieces, piece].map(titled).join(", ")}: this piece too`, note: noted([...pieces, piece]), order: withPlans(order, [...rest, { ...last, pieces: [...pieces, piece], pay: undefined }].map(clean)) });
    if (isHere && pieces.includes(piece)) {
      const fewer = pieces.filter((_, at) => at !== pieces.lastIndexOf(piece));
      found.push({ title: `${piece === ADVISOR ? "the advisor" : titled(piece)}: take it back`, order: withPlans(order, fewer.length ? [...rest, clean({ country, pieces: fewer })] : rest) });
      return found;
    }
    if (!fits([piece])) return found;
    const plan = { country, pieces: [piece] };
    found.push({ title: `${titled(country)}: ${titled(piece)}${last ? ", instead" : ""}`, note: noted([piece]), order: withPlans(order, [...rest, plan]) });
    if (last) found.push({ title: `${titled(country)}: ${titled(piece)}, if what stands before is not possible`, note: noted([piece]), order: withPlans(order, [...plans, plan]) });
    return found;
  }

  // Why what was clicked cannot be placed now, beside the pieces that stand in the same country or alone; "" if it can.
  /** @type {(word: string, given: Order) => string} */
  function reason(word, given) {
    if (!isTurn) return "";
    const [, card] = word.split(CARD);
    if (card) return view.held[card] || (!view.closing && view.face_up.includes(card)) ? "" : [walk(hints.hand, [card]).refused[0]?.why, hints.lacking[card]].flatMap((one) => line(one) || []).join(", and ");
    const country = view.places[word] ? word : home[word];
    if (!country) return "";
    const last = plansOf(given).map(readPlan).at(-1);
    const beside = last && same(last.countries, [country]) ? last.pieces : [];
    const found = tried({ countries: [country], pieces: [...beside, [view.places[word] ? ADVISOR : word]], pay: null }, country);
    return "text" in found ? found.text : "";
  }

  /** @type {(plan: Placement) => any} */
  const clean = (plan) => Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));

  /** @typedef {(name: string, value: any[], title: string) => void} Put */
  /** @type {(card: string, order: Order, now: boolean) => Click[]} */
  function ofCard(card, order, now) {
    /** @type {Click[]} */
    const found = [];
    /** @type {Put} */
    const put = (name, value, title) => {
      const { [name]: gone, ...rest } = order;
      found.push({ title, note: titled(card), order: value.length ? { ...rest, [name]: name === "draw" || value.length > 1 ? value : value[0] } : rest });
    };
    if (!(now && view.closing) && (!now || view.face_up.includes(card))) ofDrawn(card, order, now, put);
    if (now && !view.held[card]) return found;
    const there = cardsOf(order.discard);
    const title = "throw it away if nothing is placed";
    if (there.includes(card)) put("discard", there.filter((one) => one !== card), `${title}: take it back`);
    else put("discard", [...there, card], `${title}${there.length ? ", after the others" : ""}`);
    return found;
  }

  // A click on a card adds an entry to what is drawn, while cards are missing and as many of it lie open.
  /** @type {(card: string, order: Order, now: boolean, put: Put) => void} */
  function ofDrawn(card, order, now, put) {
    const there = listOf(order.draw);
    const taken = there.filter((one) => same(cardsOf(one), [card])).length;
    const most = now ? missingAfter(order) : view.limits.hand;
    const lying = now ? view.face_up.filter((one) => one === card).length : most;
    if (there.length < most && taken < lying) put("draw", [...there, card], there.length ? "draw it next" : "draw it");
    if (there.length >= most && taken < lying) put("draw", [...there.slice(0, most - 1), card], "draw it, instead of the last");
    if (taken) {
      const at = there.findLastIndex((one) => same(cardsOf(one), [card]));
      put("draw", there.filter((_, other) => other !== at), "draw it: take it back");
    }
  }

  // Makes room for a finger around the house of a site.
  /** @type {(site: Element) => void} */
  function widen(site) {
    const house = site.querySelector("path");
    if (!house) return;
    const around = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ r: 18, fill: "transparent", transform: house.getAttribute("transform") ?? "" })) around.setAttribute(name, String(value));
    site.insertBefore(around, house);
  }

  // Every site, country and card of the picture can be clicked, also for orders that are given ahead. A card has a
  // word of its own, for it can be named like a country; the land of a country stands for its counters.
  const CARD = "card ";
  const spoken = new Map(/** @type {[string, string][]} */ ([...lands.map((land) => [view.places[land].name, land]), ...Object.keys(home).map((site) => [titled(site), site]), ...cards.map((card) => [`${titled(card)} card`, CARD + card])]));
  /** @type {{ [word: string]: Element }} */
  const counters = {};
  for (const title of [...document.querySelectorAll("#board svg g > title")].reverse()) {
    const [drawn_, word] = [title.parentElement, spoken.get(title.textContent.split(":")[0])];
    if (!word || !drawn_) continue;
    drawn_.dataset.place = word;
    if (word in home) widen(drawn_);
    if (view.places[word] && counters[word]) {
      delete drawn_.dataset.place;
      drawn_.addEventListener("click", (event) => {
        event.stopPropagation();
        counters[word].dispatchEvent(new MouseEvent("click", event));
      });
    }
    counters[word] ??= drawn_;
  }

  /** @type {(word: string, order: Order) => boolean} */
  function isChosen(word, order) {
    if (!isMap(order)) return false;
    if (word.startsWith(CARD)) return [...entriesOf(order).flat(), ...cardsOf(order.discard)].includes(word.slice(CARD.length));
    const plans = plansOf(order).map(readPlan);
    return plans.some(({ countries, pieces }) => pieces.flat().includes(view.places[word] ? ADVISOR : word) && (!view.places[word] || countries.includes(word)));
  }

  // The own cloisters that an order places, for the board: of several placements those of the first that is possible.
  // Nothing of an order that is refused, and nothing where a cloister stands already.
  const mine = `house-${data.players.findIndex(({ seat }) => seat === view.me) + 1}`;
  /** @type {(order: Order, now: boolean) => [string, string][]} */
  function founded(order, now) {
    const pieces = now && isTurn ? chosen(order)?.pieces ?? [] : plansOf(order).slice(0, 1).flatMap((plan) => readPlan(plan).pieces.map(([word]) => word));
    return pieces.filter((one) => view.sites[one] === "free").map((site) => [site, mine]);
  }
  const isNow = () => {
    const open = page.openLine();
    return !open || model.isNow(open);
  };
  /** @type {(earlier?: Order) => [string, string][]} */
  const supposed = (earlier) => (earlier ? founded(earlier, true) : []);

  /** @type {(order: Order) => [string, string][]} */
  const drawn = (order) => founded(order, isNow());

  return { words: inWords, joins: { place: ELSE, country: ELSE, draw: ", then ", discard: ELSE }, places, whyNot: reason, isChosen, drawn, supposed, problems, lasting, forecast, left, editor };
};
