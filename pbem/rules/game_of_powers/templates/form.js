// Game of Powers: a click on the board sails, takes, plays, claims; offers are put together from what can be had.
// What lies where comes from the view; where a ship can sail and what can be done there stands in tables of the hints.
/**
 * @typedef {"clockwise" | "anticlockwise"} Way
 * @typedef {"take_tokens" | "take_cards" | "play_cards"} Action
 * @typedef {string | number} Card by its number, or its name
 * @typedef {Card | { site?: string, category?: string, token?: string, score?: number }} Wanted
 * @typedef {{ give: Card[], want: Wanted[] }} Terms
 * @typedef {Terms & { with: string, counters?: Terms[] }} Trade
 * @typedef {{ reverse?: Card, extra?: Card }} Cards that are returned to sail
 * @typedef {{ take_tokens?: string | string[], take_cards?: Wanted | Wanted[], play_cards?: Card[], claim?: string | string[], trade?: Trade }} Deeds
 * @typedef {{ place?: string, facing?: string, accept?: boolean | Terms, decline?: boolean, counter?: Terms }} Answer
 * @typedef {Answer & Cards & Deeds & { sail?: string | number }} Order
 * @typedef {{ [type: string]: number }} Tokens
 * @typedef {{ card: string, site: string, category: string, token: string, score: number }} Wish "" and 0 leave it open
 * @typedef {{ give: { tokens: Tokens, cards: string[] }, want: { tokens: Tokens, cards: Wish[] } }} Deal
 * @typedef {{ city: string, direction: Way, hand: number, known: string[], tokens: Tokens, held: number, played: string[], categories: Tokens, points: number, asks: number }} Side
 * @typedef {{ name: string, section: string, site: boolean, tokens: Tokens, ships: string[] }} Port
 * @typedef {{ by: string }} Offer
 * @typedef {{ free_spaces: number, taken_tokens: number, taken_cards: number, token_limit: number, hand_limit: number }} Limits
 * @typedef {{ players: { [seat: string]: Side }, cities: { [city: string]: Port }, fields: { [section: string]: string[] }, tasks: { [task: string]: number[] }, names: { [task: string]: string }, cards: { [card: string]: string } }} Table
 * @typedef {Table & { me: string, kind: string, order: string[], hand: string[], tokens: Tokens, trade: Offer | null, pile: number, under: string[], box: string[], may_trade: boolean, limits: Limits }} View
 * @typedef {{ why?: number, said?: number[], tokens?: number[], claims?: { [task: string]: number }, due?: number, less?: number[] }} Turn a node of the tables
 * @typedef {[spaces: number | string, due: number, idle: number | number[]] | undefined} Leg where no course leads, the part that is wrong and why
 * @typedef {{ [card: string]: { name: string, site: string, category: string, token: string, score: number } }} Faces
 * @typedef {{ cards: Faces, resting: boolean, lines: string[], accept: number[], courses?: { [cards: string]: Leg[] | undefined }, ways: { [city: string]: Cards[] }, tokens: { [city: string]: Turn }, plays: { [city: string]: Turn }, fields: { [section: string]: { [due: string]: Turn } }, claims: { [task: string]: number }, pile: number[][][] }} Hints what is not asked for is missing
 * @typedef {{ city: string, way: Way, spaces: number, reverse?: string, extra?: string, due: number, idle: Turn, cards: string[] }} Sailed
 * @typedef {(Sailed & { problems?: undefined }) | ({ [Name in keyof Sailed]?: undefined } & { problems: Fault[] })} Course
 * @typedef {{ course: Course, tokens: Tokens, hand: string[], taken: string[], claim: string | null, problems: Fault[], said: string[], node?: Turn, played?: string[] }} Plan
 * @typedef {[city: string, way: Way]} Spot where the ship can be
 * @typedef {{ spots: Spot[], hand: string[], tokens: Tokens, isKnown: boolean, gone: { [card: string]: string } }} Then isKnown: hand and tokens are certain
 * @typedef {{ node(course: Sailed): Turn, wishes(value: unknown): (string | Wish)[], fits(one: string, wish: string | Wish, course: Sailed): boolean }} Act
 */
/** @import { Choice, Context, Data, Drawn, Fault, Game, Given, Line, Meaning, Path } from "../../../../templates/common/form/types" */
import { choosing, data, dom, fields, model, page, words, yaml } from "../../../../templates/common/form/kit.js";

/** @type {() => Game<Order, View>} */
export default () => {
  /** @type {Data<View, Hints, Order>} */
  const { view, hints, menus } = data;
  const { el, select, labelled } = dom;
  const { isMap } = yaml;
  const { name: titled, shown } = words;
  if (!view.me || !view.cities) return {};

  const me = view.players[view.me];
  const ring = Object.keys(view.cities);
  const types = Object.keys(view.tokens);
  const { limits } = view;
  /** @type {Way[]} */
  const WAYS = ["clockwise", "anticlockwise"];
  const ACTIONS = { take_tokens: "take tokens", take_cards: "take cards", play_cards: "play cards" };
  const LEAST = /^tokens? you hold least of$/; // the note of a choice that says so itself
  const ANSWERS = { accept: "accept", decline: "decline", counter: "make a counter-offer" };
  const rivals = view.order.filter((seat) => seat !== view.me);
  const kind = data.ask.mine ? view.kind : "";

  /** @type {<One>(value?: One | One[] | null) => One[]} */
  const entries = (value) => (value === undefined || value === null ? [] : /** @type {any[]} */ ([value].flat()));
  /** @type {(items: string[]) => string} */
  const listed = (items) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`);
  /** @type {(number: number, one: string) => string} */
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  /** @type {(seat: string) => string} */
  const capital = (seat) => seat.charAt(0).toUpperCase() + seat.slice(1);
  /** @type {(values: Tokens | number[]) => number} */
  const sum = (values) => Object.values(values).reduce((all, one) => all + one, 0);
  /** @type {(text: unknown) => string} */
  const word = (text) => String(text).toLowerCase().trim().split(/\s+/).join("_");
  /** @type {(tokens: string[]) => Tokens} */
  const tally = (tokens) => Object.fromEntries(types.map((one) => [one, tokens.filter((other) => other === one).length]));
  /** @type {(tokens: Tokens, more: Tokens, sign?: number) => Tokens} */
  const added = (tokens, more, sign = 1) => Object.fromEntries(types.map((one) => [one, tokens[one] + sign * (more[one] ?? 0)]));
  /** @type {(tokens: Tokens) => string[]} */
  const tokenWords = (tokens) => types.filter((one) => tokens[one] > 0).map((one) => count(tokens[one], `${one} token`));
  /** @type {(tokens: Tokens) => string[]} */
  const inWords = (tokens) => types.filter((one) => tokens[one] > 0).map((one) => (tokens[one] > 1 ? `${tokens[one]} ${one}` : one));

  const faces = hints?.cards ?? {};
  const byName = new Map(Object.entries(faces).map(([card, face]) => [word(face.name), card]));
  /** @type {(text: unknown) => string} */
  const cardOf = (text) => {
    if (isMap(text)) return "";
    const number = String(text).trim().replace(/^#+/, "");
    return number in faces || !hints ? number : byName.get(word(text)) ?? number;
  };
  /** @type {(card: string) => string} */
  const titleOf = (card) => (card in faces ? `${faces[card].name} (${card})` : card);
  const sites = ring.filter((city) => view.cities[city].site);
  const cityNames = new Map(ring.flatMap((city) => [[city, city], [word(view.cities[city].name), city]]));
  /** @type {(text: unknown) => string} */
  const cityOf = (text) => cityNames.get(word(text)) ?? word(text);
  /** @type {(city: string) => string} */
  const nameOf = (city) => view.cities[city].name;
  const taskNames = new Map(Object.entries(view.names).flatMap(([task, name]) => [[task, task], [word(name), task]]));
  /** @type {(text: unknown) => string} */
  const taskOf = (text) => taskNames.get(word(text)) ?? word(text);
  /** @type {(cards: Iterable<string>) => string[]} */
  const inOrder = (cards) => [...cards].sort((a, b) => Number(a) - Number(b));

  // A wish for a card: {card, site, category, token, score}, as the host reads it.
  /** @type {(value: Wanted) => Wish} */
  function wishOf(value) {
    if (isMap(value)) {
      return { card: "", site: "site" in value ? cityOf(value.site) : "", category: "category" in value ? word(value.category) : "", token: "token" in value ? word(value.token) : "", score: value.score ?? 0 };
    }
    const wish = { card: "", site: "", category: "", token: "", score: 0 };
    if (word(value) === "any") return wish;
    return sites.includes(cityOf(value)) ? { ...wish, site: cityOf(value) } : { ...wish, card: cardOf(value) };
  }
  /** @type {(card: string, wish: Wish) => boolean} */
  const fits = (card, wish) => ["", card].includes(wish.card) && /** @type {const} */ (["site", "category", "token"]).every((key) => ["", faces[card][key]].includes(wish[key])) && wish.score <= faces[card].score;

  /** @type {(wish: string | Wish) => string} */
  function wishInWords(wish) {
    if (typeof wish === "string") return wish;
    if (wish.card) return wish.card in faces ? titleOf(wish.card) : `card ${wish.card}`;
    const origin = wish.site in view.cities ? ` from ${nameOf(wish.site)}` : "";
    return `any${wish.category ? ` ${wish.category}` : ""} card${origin}${wish.token ? ` that costs ${wish.token} tokens` : ""}${wish.score ? ` of ${count(wish.score, "point")} or more` : ""}`;
  }

  /** @type {(city: string, way: Way, spaces: number) => string} */
  const ahead = (city, way, spaces) => ring[(((ring.indexOf(city) + (way === WAYS[0] ? spaces : -spaces)) % ring.length) + ring.length) % ring.length];
  /** @type {(way: Way) => Way} */
  const opposite = (way) => /** @type {Way} */ (WAYS.find((one) => one !== way));
  /** @type {(city: string, way: Way) => string} */
  const reachLine = (city, way) => `From there you reach ${ring.slice(0, limits.free_spaces).map((_, one) => nameOf(ahead(city, way, one + 1))).join(" or ")} without a card.`;

  /** @type {(path: Path, text: string, hint?: string) => Fault} */
  const wrong = (path, text, hint) => ({ path, text, hint });
  /** @type {(path: Path, line: number) => Fault} */
  const because = (path, line) => wrong(path, hints.lines[line]);
  /** @type {(lines: number[]) => string[]} */
  const told = (lines) => lines.map((line) => hints.lines[line]);
  /** @type {(card: string) => boolean} */
  const held = (card) => view.hand.includes(card);
  /** @type {(card: string) => string} */
  const notHeld = (card) => `${titleOf(card)} is not in your hand`;

  // How the ship sails: {city, way, spaces, reverse, extra, cards}, or {problems}.
  /** @type {(order: Order) => Course} */
  function courseOf(order) {
    const used = /** @type {("reverse" | "extra")[]} */ (["reverse", "extra"]).filter((name) => name in order).map((name) => /** @type {const} */ ([name, cardOf(order[name])]));
    const missing = used.filter(([, card]) => !held(card)).map(([name, card]) => wrong([name], notHeld(card)));
    if (missing.length) return { problems: missing };
    const { reverse, extra } = /** @type {{ reverse?: string, extra?: string }} */ (Object.fromEntries(used));
    const way = reverse ? opposite(me.direction) : me.direction;
    const city = typeof order.sail === "number" ? ahead(me.city, way, order.sail) : cityOf(order.sail);
    const leg = hints?.courses?.[`${reverse ?? ""}/${extra ?? ""}`]?.[ring.indexOf(city)];
    if (!leg) return { problems: [wrong(["sail"], "your ship cannot sail there")] };
    const [spaces, due, idle] = leg;
    if (typeof spaces !== "number") return { problems: [because([spaces], due)] };
    if (/** @type {number} */ (order.sail) > spaces) return { problems: [wrong(["sail"], `${nameOf(city)} is only ${count(spaces, "space")} ahead`)] };
    return { city, way, spaces, reverse, extra, due, idle: typeof idle === "number" ? { why: idle } : { said: idle }, cards: used.map(([, card]) => card) };
  }

  // How the ship sails, if the order says so.
  /** @type {(order: Order) => Course} */
  const courseIn = (order) => (kind === "move" && "sail" in order ? courseOf(order) : { problems: [] });

  // What an order wishes to take or play, and the table of what can be had there.
  /** @type {{ [name in Action]: Act }} */
  const ACTS = {
    take_tokens: { node: (course) => hints.tokens[course.city], wishes: tokensWanted, fits: (one, wish) => ["any", one].includes(/** @type {string} */ (wish)) },
    take_cards: { node: (course) => hints.fields[view.cities[course.city].section][course.due], wishes: cardsWanted, fits },
    play_cards: { node: (course) => hints.plays[course.city], wishes: (value) => entries(value).map(cardOf), fits: (one, card, course) => one === card && !course.cards.includes(card) },
  };
  /** @type {(order: Order) => Action | undefined} */
  const actionOf = (order) => /** @type {Action[]} */ (Object.keys(ACTS)).find((name) => name in order);

  // What comes of the action of an order: {node, taken, problems, name}.
  /** @type {(order: Order, course: Sailed) => { node: Turn, taken: string[], name?: Action, problems: Fault[], said: string[] }} */
  function acted(order, course) {
    const name = actionOf(order);
    if (!name) return { node: course.idle, taken: [], problems: idleProblems(course.idle), name, said: told(course.idle.said ?? []) };
    const { node: nodeAt, wishes, fits: isFit } = ACTS[name];
    const wanted = wishes(order[name]);
    const start = nodeAt(course);
    const { node, taken, refused } = choosing.walk(start, wanted, (one, wish) => isFit(one, wish, course));
    const missing = start.due ? refused.map(({ at }) => wishInWords(wanted[at])) : [];
    /** @type {Fault[]} */
    const problems = node.why === undefined ? [] : [{ ...because([name], node.why), hint: name !== "play_cards" && missing.length ? `Not there: ${missing.join(", ")}.` : undefined }];
    if (name === "play_cards" && !problems.length) problems.push(...refused.map(({ at, why }) => unplayed(/** @type {string} */ (wanted[at]), [name, at], course, why)));
    const less = wanted.length > taken.length ? start.less ?? [] : [];
    const pile = name === "take_cards" ? hints.pile[course.cards.length][taken.length] : [];
    const found = name === "take_tokens" ? tookTokens(course.city, taken) : name === "take_cards" ? [`You take ${listed(taken.map(titleOf))}; all see which.`] : told(node.said ?? []);
    return { node, taken, name, problems, said: [...found, ...told([...pile, ...less])] };
  }

  /** @type {(city: string, taken: string[]) => string[]} */
  function tookTokens(city, taken) {
    const left = inWords(added(view.cities[city].tokens, tally(taken), -1)).join(", ");
    return [`You take ${listed(taken)}; at ${nameOf(city)} are left: ${left || "none, so the field is filled anew"}.`];
  }

  /** @type {(idle: Turn) => Fault[]} */
  function idleProblems({ why }) {
    if (why === undefined) return [];
    const what = opened.get("now")?.slice(5, -1); // the action may be chosen, and nothing for it yet
    return [what ? wrong([], `no ${what} is chosen yet`) : because([], why)];
  }

  /** @type {(card: string, path: Path, course: Sailed, why?: number) => Fault} */
  function unplayed(card, path, course, why) {
    if (!held(card)) return wrong(path, notHeld(card));
    if (course.cards.includes(card)) return wrong(path, `${titleOf(card)} is returned to sail, and cannot be played too`);
    return why === undefined ? wrong(path, `${titleOf(card)} comes from ${nameOf(faces[card].site)}, and your ship ends at ${nameOf(course.city)}`) : because(path, why);
  }

  // One type or site without brackets stands for each token or card.
  /** @type {(value: Order["take_tokens"]) => string[]} */
  function tokensWanted(value) {
    const found = entries(value).map(word);
    return Array.isArray(value) || ![...types, "any"].includes(found[0]) ? found : Array(limits.taken_tokens).fill(found[0]);
  }
  /** @type {(value: Order["take_cards"]) => Wish[]} */
  function cardsWanted(value) {
    const found = entries(value).map(wishOf);
    return Array.isArray(value) || found[0].card ? found : Array(limits.taken_cards).fill(found[0]);
  }

  // What a turn comes to, and what is wrong with it.
  /** @type {(order: Order) => Plan} */
  function planOf(order) {
    const course = courseOf(order);
    /** @type {Plan} */
    const plan = { course, tokens: view.tokens, hand: view.hand, taken: [], claim: null, problems: course.problems ?? [], said: [] };
    if (course.problems) return plan;
    const { node, taken, problems, said, name } = acted(order, course);
    const hand = view.hand.filter((card) => !course.cards.includes(card));
    const played = name === "play_cards" ? taken : [];
    Object.assign(plan, { node, taken, said, played });
    plan.problems.push(...problems);
    plan.hand = name === "take_cards" ? inOrder([...hand, ...taken]) : hand.filter((card) => !played.includes(card));
    plan.tokens = name === "take_tokens" ? added(view.tokens, tally(taken)) : Object.fromEntries(types.map((one, at) => [one, node.tokens?.[at] ?? view.tokens[one]]));
    if (problems.length && !played.length) return plan;
    if (order.claim !== undefined) claim(plan, entries(order.claim).map(taskOf), Array.isArray(order.claim));
    if (order.trade) plan.problems.push(...tradeProblems(order.trade, plan));
    return plan;
  }

  /** @type {(plan: Plan, wanted: string[], isList: boolean) => void} */
  function claim(plan, wanted, isList) {
    const whyNot = plan.node?.claims ?? hints.claims;
    plan.claim = wanted.find((task) => !(task in whyNot)) ?? null;
    if (plan.claim) return;
    plan.problems.push(...wanted.map((task, at) => because(isList && wanted.length > 1 ? ["claim", at] : ["claim"], whyNot[task])));
  }

  // Both sides of a deal, as the host reads them.
  /** @type {(thing: unknown) => boolean} */
  const isToken = (thing) => typeof thing === "string" && types.includes(word(thing));
  /** @type {(deal: Terms) => Deal} */
  const dealOf = (deal) => ({
    give: { tokens: tally(entries(deal.give).filter(isToken).map(word)), cards: entries(deal.give).filter((one) => !isToken(one)).map(cardOf) },
    want: { tokens: tally(entries(deal.want).filter(isToken).map(word)), cards: entries(deal.want).filter((one) => !isToken(one)).map(wishOf) },
  });

  /** @type {(trade: Trade, plan: Plan) => Fault[]} */
  function tradeProblems(trade, plan) {
    const partner = word(trade.with);
    const { city } = /** @type {Sailed} */ (plan.course);
    if (view.players[partner]?.city !== city) return [wrong(["trade", "with"], `the ship of ${trade.with} is not at ${nameOf(city)}, where yours ends`)];
    const offers = /** @type {[Path, Terms][]} */ ([[["trade"], trade], ...entries(trade.counters).map((terms, at) => [["trade", "counters", at], terms])]);
    for (const [path, deal] of offers) {
      const found = dealProblems(dealOf(deal), partner, plan.tokens, plan.hand, path);
      if (found.length) return found;
    }
    return [];
  }

  /** @type {(deal: Deal, partner: string, tokens: Tokens, hand: string[], path: Path) => Fault[]} */
  function dealProblems({ give, want }, partner, tokens, hand, path) {
    const other = view.players[partner];
    const out = [];
    /** @type {(have: Tokens, asked: Tokens) => boolean} */
    const lacks = (have, asked) => types.some((one) => have[one] < asked[one]);
    if (lacks(tokens, give.tokens)) out.push(wrong([...path, "give"], `you cannot give ${tokenWords(give.tokens).join(", ")}: you hold ${tokenWords(tokens).join(", ") || "no token"} then`));
    const bad = give.cards.find((card) => !hand.includes(card) || give.cards.filter((one) => one === card).length > 1);
    if (bad) out.push(wrong([...path, "give"], `${titleOf(bad)} ${hand.includes(bad) ? "is named twice" : "is not in your hand then"}`));
    const away = want.cards.find(({ card }) => card && isElsewhere(partner, card));
    if (away) out.push(wrong([...path, "want"], `${titleOf(away.card)} is not in the hand of ${capital(partner)}`));
    else if (lacks(other.tokens, want.tokens)) out.push(wrong([...path, "want"], `${capital(partner)} cannot give ${tokenWords(want.tokens).join(", ")}`));
    else if (want.cards.length > other.hand) out.push(wrong([...path, "want"], `${capital(partner)} holds ${other.hand} cards only`));
    if (out.length) return out;
    /** @type {(tokens_: number, cards_: number) => boolean} */
    const over = (tokens_, cards_) => tokens_ > limits.token_limit || cards_ > limits.hand_limit;
    const [given, wanted] = [sum(give.tokens), sum(want.tokens)];
    const most = `${limits.token_limit} tokens or ${limits.hand_limit} cards`;
    if (over(sum(tokens) - given + wanted, hand.length - give.cards.length + want.cards.length)) return [wrong([...path, "want"], `after it you would hold more than ${most}`)];
    if (over(other.held - wanted + given, other.hand - want.cards.length + give.cards.length)) return [wrong([...path, "give"], `after it ${capital(partner)} would hold more than ${most}`)];
    return [];
  }

  /** @type {(partner: string, card: string) => boolean} */
  const isElsewhere = (partner, card) => [...Object.values(view.fields).flat(), ...Object.entries(view.players).flatMap(([seat, side]) => [...side.played, ...(seat === partner ? [] : side.known)]), ...view.hand, ...view.under, ...view.box].includes(card);

  /** @type {(order: Order) => Fault[]} */
  function answerProblems(order) {
    if (order.counter) return view.kind === "trade" ? dealProblems(dealOf(order.counter), /** @type {Offer} */ (view.trade).by, view.tokens, view.hand, ["counter"]) : [wrong([], "a counter-offer can only be accepted or declined")];
    return order.accept === true ? hints.accept.map((line) => because(["accept"], line)) : [];
  }

  /** @type {(order: Order) => Fault[]} */
  function problems(order) {
    if (!hints) return [];
    const isTurn = "sail" in order;
    const never = always(order, kind !== "move");
    if (never.length) return never;
    /** @type {(text: string, hint?: string) => Fault[]} */
    const elsewhere = (text, hint) => [{ ...wrong([], text, hint), elsewhere: true }];
    if (kind === "move") return isTurn ? planOf(order).problems : elsewhere("no offer waits for you", "Say where to sail.");
    if (kind === "start city") return "place" in order ? [] : elsewhere("your ship is not placed yet");
    if (isTurn || "place" in order) return elsewhere("you are asked to answer an offer", "Accept, decline or counter it.");
    return answerProblems(order);
  }

  // What is wrong whenever the order comes to be played: names that nothing has, and what this game is played without.
  /** @type {(order: Order, isLater: boolean) => Fault[]} */
  function always(order, isLater) {
    const out = named(order, isLater);
    if (order.claim !== undefined && !Object.keys(view.names).length) out.push(wrong(["claim"], "this game is played without tasks", "Leave it out."));
    if (!view.may_trade && (order.trade || Object.keys(ANSWERS).some((name) => name in order))) out.push(wrong(order.trade ? ["trade"] : [], "this game is played without trade", "Leave it out."));
    if ("place" in order) out.push(...(me.city ? [wrong([], "your ship has its place already")] : startProblems(order)));
    if (order.reverse !== undefined && order.extra !== undefined && cardOf(order.reverse) === cardOf(order.extra)) out.push(wrong(["extra"], `${titleOf(cardOf(order.extra))} cannot both turn the ship and take it further`));
    return out;
  }

  /** @type {(order: Order, ahead?: [line: Line, played?: Line]) => Fault[]} */
  function lasting(order, ahead) {
    const found = always(order, true);
    if (found.length || !ahead || !("sail" in order)) return found;
    const then = carried(...ahead);
    const missing = [order.reverse, order.extra, ...entries(order.play_cards)].flatMap((one) => (one === undefined ? [] : cardOf(one))).find((card) => !then.hand.includes(card));
    const never = neverThen(order, then);
    return never.length || !missing ? never : [{ ...wrong([], `whether you get ${titleOf(missing)} is not known yet`), unknown: true }];
  }

  // What the host knows of the seat itself at a later ask: where its ship can be, its hand, and the cards that are gone.
  /** @type {(line: Line, played?: Line) => Then} */
  function carried({ at, when = {} }, played) {
    /** @type {{ [card: string]: string }} */
    const gone = {};
    for (const [seat, side] of Object.entries(view.players)) for (const card of side.played) gone[card] = `${seat === view.me ? "you have" : `${capital(seat)} has`} played ${titleOf(card)}`;
    for (const card of view.box) gone[card] = `${titleOf(card)} is out of the game`;
    /** @type {Then} */
    const then = { spots: [...ring].sort().flatMap((city) => [...WAYS].reverse().map((way) => /** @type {Spot} */ ([city, way]))), hand: view.hand, tokens: view.tokens, isKnown: false, gone };
    const asked = model.label(typeof at === "string" ? at : "");
    if (!me.city || asked?.owner !== view.me || asked.word) return then;
    const isNext = asked.count === me.asks + 1;
    const plan = asked.count > me.asks && kind === "move" && isMap(played?.do) && "sail" in played.do ? planOf(/** @type {Order} */ (played.do)) : null;
    if (plan?.course.city) {
      const { course, hand, tokens, played: put = [] } = plan;
      for (const card of put) gone[card] = `you play ${titleOf(card)} before then`;
      if (hints.resting) for (const card of course.cards) gone[card] = `you return ${titleOf(card)} before then`;
      Object.assign(then, { hand, tokens }, isNext && { spots: [[course.city, course.way]], isKnown: !view.may_trade });
    } else if (isNext && !data.ask.mine && !view.trade) Object.assign(then, { spots: [[me.city, me.direction]], isKnown: !view.may_trade });
    /** @type {(name: string, one: string) => boolean} */
    const isMet = (name, one) => typeof when[`players.${view.me}.${name}`] !== "string" || when[`players.${view.me}.${name}`] === one;
    then.spots = then.spots.filter(([city, way]) => isMet("city", city) && isMet("direction", way));
    return then;
  }

  // Why a turn can never be carried out at a later ask, wherever the ship is then; in the host's words.
  /** @type {(order: Order, then: Then) => Fault[]} */
  function neverThen(order, then) {
    const found = then.spots.map((spot) => wrongFrom(order, spot, then));
    if (!found.length || found.includes(null)) return [];
    const told = /** @type {Fault[]} */ (found);
    /** @type {(fault: Fault) => number} */
    const often = (fault) => told.filter(({ text }) => text === fault.text).length;
    return [told.reduce((most, one) => (often(one) > often(most) ? one : most))];
  }

  /** @type {(order: Order, spot: Spot, then: Then) => Fault | null} */
  function wrongFrom(order, [start, heading], then) {
    const { reverse, extra } = order;
    const [turning, further] = [reverse, extra].map((card) => (card === undefined ? "" : cardOf(card)));
    if (turning && lost(turning, then)) return wrong(["reverse"], lost(turning, then));
    if (further && lost(further, then)) return wrong(["extra"], lost(further, then));
    const way = turning ? opposite(heading) : heading;
    const steps = typeof order.sail === "number" ? order.sail : ring.findIndex((_, n) => ahead(start, way, n) === cityOf(order.sail));
    const city = ahead(start, way, steps);
    if (city === start) return wrong(["sail"], `your ship is at ${nameOf(city)} then, and cannot stay there`);
    const free = limits.free_spaces;
    if (steps <= free && further) return wrong(["extra"], `${nameOf(city)} is ${steps} ahead then, and ${free} spaces need no card`);
    if (steps > free && !further) return wrong(["sail"], `${nameOf(city)} is ${steps} spaces ahead then, and ${free} is the most without a card`);
    if (steps > free && faces[further]?.score < steps - free) return wrong(["extra"], `${nameOf(city)} is ${steps} spaces ahead then, and ${titleOf(further)} takes you ${free} + ${faces[further].score} at most`);
    return noAction(order, city, [turning, further], then);
  }

  // Why a card cannot be in the hand then; "" if it may be.
  /** @type {(card: string, then: Then) => string} */
  const lost = (card, { gone, hand, isKnown }) => gone[card] ?? (isKnown && !hand.includes(card) ? `${titleOf(card)} is not in your hand, and cannot come to it by then` : "");

  /** @type {(order: Order, city: string, returned: string[], then: Then) => Fault | null} */
  function noAction(order, city, returned, then) {
    const cards = entries(order.play_cards).map((one) => unplayable(cardOf(one), city, returned, then));
    if (cards.length) return cards.every(Boolean) ? wrong(["play_cards", 0], cards[0]) : null;
    const [tokens, hand] = [sum(then.tokens), then.hand.length - returned.filter(Boolean).length];
    if (order.take_tokens && then.isKnown && tokens >= limits.token_limit) return wrong(["take_tokens"], `you hold ${tokens} tokens then, the most there is`);
    if (order.take_cards === undefined) return null;
    if (then.isKnown && hand >= limits.hand_limit) return wrong(["take_cards"], `you hold ${hand} cards then, the most there is`);
    const wishes = cardsWanted(order.take_cards).map((wish) => absent(wish, city, then));
    return wishes.length && wishes.every(Boolean) ? wrong(["take_cards", 0], wishes[0]) : null;
  }

  /** @type {(card: string, city: string, returned: string[], then: Then) => string} */
  function unplayable(card, city, returned, then) {
    if (!view.cities[city].site) return `no card can be played at ${nameOf(city)}`;
    if (lost(card, then)) return lost(card, then);
    if (returned.includes(card)) return `${titleOf(card)} is returned to sail, and cannot be played too`;
    if (!(card in faces)) return "";
    const { site, token } = faces[card];
    if (site !== city) return `${titleOf(card)} comes from ${nameOf(site)}, and your ship ends at ${nameOf(city)}`;
    return then.isKnown && !then.tokens[token] ? `${titleOf(card)} costs 1 ${token}, and you have none then` : "";
  }

  // Why no card that fits a wish can lie open at a city then; "" if one may.
  /** @type {(wish: Wish, city: string, then: Then) => string} */
  function absent(wish, city, then) {
    const why = (wish.card ? [wish.card] : Object.keys(faces).filter((card) => fits(card, wish))).map((card) => absence(card, city, then));
    return why.length && why.every(Boolean) ? why[0] : "";
  }

  /** @type {(card: string, city: string, then: Then) => string} */
  function absence(card, city, { gone, hand }) {
    if (gone[card] || !hints?.resting) return gone[card] ?? "";
    if (hand.includes(card) || view.hand.includes(card)) return `${titleOf(card)} is in a hand, and never lies in a field again`;
    const { section } = view.cities[city];
    const elsewhere = Object.keys(view.fields).find((one) => one !== section && view.fields[one].includes(card));
    if (elsewhere) return `${titleOf(card)} lies in ${elsewhere}, and the cards at ${nameOf(city)} are ${section}`;
    const holder = rivals.find((seat) => view.players[seat].known.includes(card));
    return holder ? `${titleOf(card)} is in the hand of ${holder}, and never lies in a field again` : "";
  }

  // Names that nothing has. Who is not asked has no hints, and knows cards by number alone.
  // All cards there are, which are numbered from 1.
  const total = view.pile + view.box.length + Object.values(view.fields).flat().length + sum(Object.values(view.players).map((side) => side.hand + side.played.length));
  /** @type {(order: Order, isLater: boolean) => Fault[]} */
  function named(order, isLater) {
    /** @type {Fault[]} */
    const out = [];
    /** @type {(one: unknown) => boolean} */
    const isCard = (one) => cardOf(one) in faces || (isLater && (cardOf(one) in view.cards || !(Number(cardOf(one)) < 1 || Number(cardOf(one)) > total)));
    /** @type {(path: Path, value: unknown, fine: boolean) => void} */
    const check = (path, value, fine) => { if (value !== undefined && !fine) out.push(wrong(path, `'${shown(value)}' cannot stand here`)); };
    if (typeof order.sail === "string") check(["sail"], order.sail, cityOf(order.sail) in view.cities);
    for (const name of /** @type {const} */ (["reverse", "extra"])) check([name], order[name], isCard(order[name]));
    entries(order.take_tokens).forEach((one, at) => check(["take_tokens", at], one, one === "any" || types.includes(word(one))));
    /** @type {(wish: Wish) => boolean} */
    const real = (wish) => isLater || Object.keys(faces).some((card) => fits(card, wish));
    entries(order.take_cards).forEach((one, at) => check(["take_cards", at], one, real(wishOf(one))));
    entries(order.play_cards).forEach((one, at) => check(["play_cards", at], one, isCard(one)));
    entries(order.claim).forEach((one, at) => check(Array.isArray(order.claim) ? ["claim", at] : ["claim"], one, taskOf(one) in view.names));
    for (const [path, deal] of /** @type {[Path, Terms][]} */ ([...(order.trade ? [[["trade"], order.trade]] : []), .../** @type {("accept" | "counter")[]} */ (["accept", "counter"]).filter((name) => isMap(order[name])).map((name) => [[name], order[name]]), ...entries(order.trade?.counters).map((one, at) => [["trade", "counters", at], one])])) {
      for (const one of entries(deal.give)) check([...path, "give"], one, isToken(one) || isCard(one));
      for (const one of entries(deal.want)) check([...path, "want"], one, isToken(one) || real(wishOf(one)));
    }
    check(["trade", "with"], order.trade?.with, rivals.includes(word(order.trade?.with)));
    return out;
  }

  /** @type {(order: Order) => Fault[]} */
  function startProblems(order) {
    const city = cityOf(order.place);
    if (!(city in view.cities)) return [wrong(["place"], `there is no city '${order.place}'`)];
    return order.facing !== undefined && headingOf(city, order.facing) ? [] : [wrong(["facing"], `it must be clockwise (${nameOf(ahead(city, WAYS[0], 1))}) or anticlockwise (${nameOf(ahead(city, WAYS[1], 1))})`)];
  }
  /** @type {(city: string, facing: unknown) => Way | undefined} */
  const headingOf = (city, facing) => WAYS.find((way) => [way, ahead(city, way, 1)].includes(/** @type {string[]} */ (WAYS).includes(word(facing)) ? word(facing) : cityOf(facing)));

  // What will happen, in the words of `pbem check`.
  /** @type {(order: Order) => string[] | null} */
  function forecast(order) {
    if (!hints) return null;
    if (kind === "move" && "sail" in order) return turnLines(order);
    if (order.counter) return offerLines(/** @type {Offer} */ (view.trade).by, dealOf(order.counter));
    if (kind !== "start city" || !("place" in order)) return null; // the host has tried the answers
    const place = cityOf(order.place);
    return model.trial({ place, facing: headingOf(place, order.facing) })?.lines ?? null;
  }

  /** @type {(order: Order) => string[]} */
  function turnLines(order) {
    const plan = planOf(order);
    const course = /** @type {Sailed} */ (plan.course);
    const out = /** @type {[string, string][]} */ ([["turn round", course.reverse], ["sail further", course.extra]]).filter(([, card]) => card)
      .map(([use, card]) => `You return ${titleOf(card)} to ${use}; it would be worth ${faces[card].score}.`);
    out.push(`You sail ${count(course.spaces, "space")} ${course.way} to ${nameOf(course.city)}.`, ...plan.said);
    if (plan.claim) out.push(`You claim ${view.names[plan.claim]}: ${view.tasks[plan.claim][0]} points.`);
    out.push(holdings(plan));
    if (order.trade) out.push(...offerLines(word(order.trade.with), dealOf(order.trade)), ...entries(order.trade.counters).map(dealOf).map(counterLine));
    return [...out, reachLine(course.city, course.way)];
  }

  /** @type {(plan: Plan) => string} */
  function holdings({ played: cards = [], claim: task, tokens, hand }) {
    const gained = cards.reduce((all, card) => all + faces[card].score, 0) + (task ? view.tasks[task][0] : 0);
    const points = gained ? `your points go from ${me.points} to ${me.points + gained}` : `your points stay ${me.points}`;
    return `Then ${points}; you hold ${inOrder(hand).map(titleOf).join(", ") || "no card"}, and ${tokenWords(tokens).join(", ") || "no token"} (together ${hand.length + sum(tokens)}).`;
  }

  /** @type {(deal: Deal) => string} */
  const given = ({ give }) => listed([...tokenWords(give.tokens), ...give.cards.map(titleOf)]) || "nothing";
  /** @type {(deal: Deal) => string} */
  const asked = ({ want }) => listed([...tokenWords(want.tokens), ...want.cards.map(wishInWords)]) || "nothing";
  /** @type {(deal: Deal) => string} */
  const counterLine = (deal) => `A counter-offer in which you give ${given(deal)} at most, for ${asked(deal)} at least, is accepted at once.`;

  /** @type {(partner: string, deal: Deal) => string[]} */
  function offerLines(partner, deal) {
    const { give } = deal;
    return [`You offer ${capital(partner)} ${given(deal)} for ${asked(deal)}; silence declines.`,
      ...(give.cards.length ? [`The offer shows ${capital(partner)} the cards that you name; all see them if it is accepted.`] : []),
      "It is made after all else of your turn, so what you take now can be in it."];
  }

  // An order as the host says it.
  /** @type {(order: Order) => string} */
  function spell(order) {
    if (order.decline) return "decline the offer";
    if (order.accept) return `accept the offer${isMap(order.accept) ? ` if ${spelledDeal(order.accept, "at most ", "at least ")}` : ""}`;
    if (order.counter) return `answer the offer with another: ${spelledDeal(order.counter)}`;
    if (!("sail" in order)) return "";
    /** @type {(wish: Wish) => string} */
    const wished = (wish) => (wishInWords(wish) === "any card" ? "the best card left" : wishInWords(wish));
    return [
      ...[["turn round", order.reverse], ["sail further", order.extra]].filter(([, card]) => card !== undefined).map(([use, card]) => `return ${titleOf(cardOf(card))} to ${use}`),
      `sail ${typeof order.sail === "number" ? `${count(order.sail, "space")} ahead` : `to ${nameOf(cityOf(order.sail))}`}`,
      order.take_tokens && `take tokens: ${tokensWanted(order.take_tokens).map((one) => (one === "any" ? "one that you hold least of" : one)).join(", then ")}`,
      order.take_cards && `take cards: ${cardsWanted(order.take_cards).map(wished).join(", then ")}`,
      order.play_cards && `play ${listed(entries(order.play_cards).map((one) => titleOf(cardOf(one))))}`,
      order.claim && `claim ${entries(order.claim).map((one) => view.names[taskOf(one)]).join(", else ")}`,
      order.trade && `offer ${capital(word(order.trade.with))} a trade: ${spelledDeal(order.trade)}`,
      ...entries(order.trade?.counters).map((terms) => `accept a counter-offer if ${spelledDeal(terms, "at most ", "at least ")}`),
    ].filter(Boolean).join("; ");
  }
  /** @type {(terms: Terms, most?: string, least?: string) => string} */
  const spelledDeal = (terms, most = "", least = "") => `you give ${most}${given(dealOf(terms))} and get ${least}${asked(dealOf(terms))}`;

  // A line for later that names each thing it takes is worth nothing once one of them is gone.
  /** @type {(order: Order) => string} */
  function passedOver(order) {
    const name = actionOf(order);
    if (!name) return "sail" in order ? "Not whole yet: what to do there is missing. It is skipped where anything can be done" : "";
    if (name === "play_cards") return "";
    const what = /** @type {"tokens" | "cards"} */ (name.slice(5));
    const [named, most] = [ACTS[name].wishes(order[name]).length, limits[`taken_${what}`]];
    if (named < most) return `Only ${named} of ${most} ${what} named: it is skipped where ${most} can be taken. Add "any", or another`;
    return entries(/** @type {unknown[]} */ (order[name])).map(word).includes("any") ? "" : 'If these are gone by then, it is skipped: the next line that fits is played, or you are asked. Add "any" to take others';
  }

  /** @type {(order: Order, now: boolean) => string} */
  function left(order, now) {
    if (!now) return passedOver(order);
    if (kind !== "move" || !hints) return "";
    /** @type {Partial<Plan> & Pick<Plan, "hand" | "tokens">} */
    const plan = "sail" in order && !courseOf(order).problems ? planOf(order) : { hand: view.hand, tokens: view.tokens };
    const city = plan.course?.city;
    const name = city && actionOf(order);
    const taken = name && name !== "play_cards" ? `; ${plan.taken?.length} of ${count(/** @type {number} */ (ACTS[name].node(/** @type {Sailed} */ (plan.course)).due), name.slice(5, -1))} chosen` : "";
    return `You ${city ? "then " : ""}hold ${count(plan.hand.length, "card")} and ${tokenWords(plan.tokens).join(", ") || "no token"}${taken}`;
  }

  // What a click means of the ways to a city: that without a card, if there is one; else each card that can be returned.
  /** @type {(city: string) => Cards[]} */
  const bestWays = (city) => hints.ways[city].filter((way, _, all) => !Object.keys(way).length || all.every((one) => Object.keys(one).length));
  /** @type {(way: Cards, city: string) => string} */
  const spelledWay = ({ reverse, extra }, city) => {
    /** @type {(card: Card) => string} */
    const returned = (card) => `${titleOf(String(card))}${faces[String(card)]?.site === city ? ", which could be played there" : ""}`;
    return [reverse && `turning round with ${returned(reverse)}`, extra && `further with ${returned(extra)}`].filter(Boolean).join(", ");
  };
  /** @type {(order: unknown, note: string) => Choice} */
  const noted = (order, note) => ({ order, note });
  /** @type {(text: string) => string} */
  const printed = (text) => {
    const [points, ...rest] = text.trim().split(/\s{2,}/).map((one) => one.trim());
    return [...rest, count(Number(points), "point")].join(", ");
  };
  /** @type {(card: string) => string} */
  const cardNote = (card) => (faces[card] ? `${faces[card].name}, ${nameOf(faces[card].site)}, ${faces[card].category}, ${faces[card].token}, ${count(faces[card].score, "point")}` : printed(view.cards[card] ?? ""));
  /** @type {(card: string) => Choice} */
  const choice = (card) => noted(Number(card), cardNote(card));
  /** @type {(city: string) => string} */
  const portNote = (city) => `${view.cities[city].section}; ${inWords(view.cities[city].tokens).join(", ") || "no token"}${view.cities[city].ships.length ? `; ${listed(view.cities[city].ships)} there` : ""}`;

  // What stands in a place of an order for now.
  /** @type {(place: string, given: Given<Order>) => Choice[] | null} */
  function options(place, given) {
    const order = isMap(given) ? given : {};
    const course = courseIn(order);
    const [top] = place.split(".");
    if (["reverse", "extra"].includes(place)) return view.hand.map(choice);
    if (place === "take_tokens" && course.city) return tokenChoices(view.cities[course.city].tokens, "at your goal");
    if (place === "take_cards" && course.city) return [...view.fields[view.cities[course.city].section].map(choice), noted("any", "the best one left")];
    if (place === "play_cards" && course.city) return view.hand.filter((card) => faces[card].site === course.city && !course.cards.includes(card)).map((card) => noted(Number(card), `${cardNote(card)}; costs ${faces[card].token}, you hold ${view.tokens[faces[card].token]}`));
    if (place === "trade.with") return partners(course.city).map((seat) => noted(seat, `at ${nameOf(view.players[seat].city)}${course.city && view.players[seat].city !== course.city ? ", which is not your goal" : ""}; ${count(view.players[seat].hand, "card")}; ${inWords(view.players[seat].tokens).join(", ") || "no token"}`));
    if (place.endsWith(".give")) return [...tokenChoices(kind === "move" && course.city ? planOf({ ...order, trade: undefined }).tokens : view.tokens, "of yours"), ...view.hand.map(choice)];
    if (place.endsWith(".want")) return wanted(top === "trade" ? word(order.trade?.with) : view.trade?.by);
    return null;
  }

  // Whom an offer can be made to; all others too where nobody is at the goal, with a note.
  /** @type {(city?: string) => string[]} */
  function partners(city) {
    const there = rivals.filter((seat) => !city || view.players[seat].city === city);
    return there.length ? there : rivals;
  }

  /** @type {(tokens: Tokens, where: string) => Choice[]} */
  const tokenChoices = (tokens, where) => [...types.filter((one) => tokens[one] > 0).map((one) => noted(one, where === "of yours" ? `you hold ${tokens[one]} then` : `${tokens[one]} ${where}; you hold ${view.tokens[one]}`)), ...(where === "at your goal" ? [noted("any", "one of those you hold least of")] : [])];

  // What can be wanted of a seat: its tokens, its cards as far as known, any card.
  /** @type {(seat?: string) => Choice[]} */
  function wanted(seat) {
    const side = view.players[/** @type {string} */ (seat)];
    if (!side) return [...types.map((one) => noted(one, "a token")), noted("any", "any card")];
    const kinds = [...sites.map((city) => noted(city, `any card from ${nameOf(city)}`)), ...Object.keys(me.categories).map((one) => noted({ category: one }, `any ${one} card`))];
    return [...types.filter((one) => side.tokens[one]).map((one) => noted(one, `${side.tokens[one]} of ${seat}'s`)), ...side.known.map(choice), ...(side.hand ? [noted("any", "any card"), ...kinds] : [])];
  }

  // The cards in hand when a line for later is played, as far as the lines above it tell: what they take is there then.
  /** @type {() => string[]} */
  function handThen() {
    const all = page.lines();
    const above = all.slice(0, Math.max(0, all.findIndex((one) => one === page.openLine()))).filter((line) => isMap(line?.do) && !line.keep);
    const mine = above.find((line) => model.isNow(line) && kind === "move" && "sail" in line.do);
    const plan = mine && planOf(mine.do);
    const taken = above.filter((line) => line !== mine).flatMap((line) => entries(line.do.take_cards)).filter((one) => !isMap(one)).map(cardOf);
    return inOrder(new Set([...(plan && !plan.problems.length ? plan.hand : view.hand), ...taken.filter((card) => card in faces)]));
  }

  // What can stand in a place of an order for later.
  /** @type {(place: string) => Choice[] | null} */
  function later(place) {
    const cities = ring.map((city) => noted(city, nameOf(city)));
    if (place === "place") return cities;
    if (place === "sail") return [...ring.slice(0, limits.free_spaces).map((_, at) => noted(at + 1, `${count(at + 1, "space")} ahead`)), ...cities];
    if (place === "facing") return WAYS.map((way) => noted(way, ""));
    if (["reverse", "extra", "play_cards"].includes(place)) return handThen().map(choice);
    if (place === "take_tokens") return [...types.map((one) => noted(one, "")), noted("any", "one of those you then hold least of")];
    if (place === "take_cards") return [...sites.map((city) => noted(city, `any card from ${nameOf(city)}`)), ...Object.keys(me.categories).map((one) => noted({ category: one }, `any ${one} card`)), noted("any", "the best of all")];
    if (place === "claim") return Object.entries(view.names).map(([task, name]) => noted(task, name));
    if (place === "trade.with") return rivals.map((seat) => noted(seat, ""));
    if (place.endsWith(".give")) return [...types.map((one) => noted(one, "a token")), ...handThen().map(choice)];
    return place.endsWith(".want") ? [...types.map((one) => noted(one, "a token")), noted("any", "any card"), ...sites.map((city) => noted(city, `any card from ${nameOf(city)}`))] : null;
  }

  /** @type {(order: Given<Order>, names: string[]) => Order} */
  const without = (order, names) => Object.fromEntries(Object.entries(isMap(order) ? order : {}).filter(([name]) => !names.includes(name)));
  /** @type {<One>(list: One[], one: One) => One[]} */
  const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
  /** @type {(order: Order, name: Action, list: unknown[]) => Order} */
  const withList = (order, name, list) => ({ ...without(order, Object.keys(ACTIONS)), ...(list.length ? { [name]: list } : {}) });

  // What a click on the board can mean for an order: [{title, note, order}].
  /** @type {(clicked: string, given: Given<Order>) => Meaning<Order>[] | null} */
  function places(clicked, given) {
    const order = isMap(given) ? given : {};
    const line = page.openLine();
    if (line && !model.isNow(line)) return ofLater(clicked, order);
    if (!hints) return [];
    if (kind !== "move") return null;
    if (clicked in view.cities) return ofCity(clicked, order);
    if (types.includes(clicked)) return ofToken(clicked, order);
    if (clicked in view.names) return ofTask(clicked, order);
    return clicked in faces ? ofCard(clicked, order) : [];
  }

  /** @type {(clicked: string, order: Order) => Meaning<Order>[]} */
  function ofLater(clicked, order) {
    if (clicked in view.cities) return [{ title: `sail to ${nameOf(clicked)}`, order: { ...order, sail: clicked } }];
    if (types.includes(clicked)) return [{ title: `take ${clicked}`, order: withList(order, "take_tokens", [...entries(order.take_tokens), clicked]) }];
    if (clicked in view.names) return claiming(clicked, order);
    const isHeld = handThen().includes(clicked);
    if (clicked in faces && !isHeld) return [{ title: `take card ${clicked}, if it still lies open`, order: withList(order, "take_cards", toggled(entries(order.take_cards).map(Number), Number(clicked))) }];
    return isHeld ? [{ title: `play card ${clicked}`, order: withList(order, "play_cards", toggled(entries(order.play_cards).map(Number), Number(clicked))) }] : [];
  }

  // Another city than that of a turn with an action is asked about: what was chosen there is lost.
  /** @type {(city: string, order: Order) => Meaning<Order>[]} */
  function ofCity(city, order) {
    if (city === me.city) return [];
    const isSame = city === courseOf(order).city;
    const asks = !isSame && Boolean(actionOf(order) || order.trade);
    const gone = actionOf(order) ? ["the action", ...(order.trade ? ["the offer"] : [])] : ["the offer"];
    return bestWays(city).map((way) => {
      const cards = [way.reverse, way.extra].filter(Boolean);
      const worth = cards.length ? `worth ${cards.map((card) => count(faces[cardOf(card)].score, "point")).join(" and ")}` : portNote(city);
      return {
        title: `${[`sail to ${nameOf(city)}`, spelledWay(way, city)].filter(Boolean).join(", ")}${asks ? " instead" : ""}`,
        note: asks ? `${worth}; ${listed(gone)} of your turn to ${nameOf(/** @type {string} */ (courseOf(order).city ?? cityOf(order.sail)))} ${gone.length > 1 ? "are" : "is"} taken back` : worth,
        asks,
        order: { ...without(order, ["sail", "reverse", "extra", "trade", ...(isSame ? [] : Object.keys(ACTIONS))]), sail: city, ...way },
      };
    });
  }

  // Whether as many tokens are named as can be taken there.
  /** @type {(order: Order, course: Sailed) => boolean} */
  const isFull = (order, course) => entries(order.take_tokens).length >= /** @type {number} */ (hints.tokens[course.city].due);

  /** @type {(type: string, order: Order) => Meaning<Order>[]} */
  function ofToken(type, order) {
    const course = courseIn(order);
    if (!course.city || !view.cities[course.city].tokens[type]) return [];
    const list = entries(order.take_tokens);
    const there = list.filter((one) => one === type).length;
    const found = there < view.cities[course.city].tokens[type] && !isFull(order, course) ? [{ title: `take ${type}`, note: `${view.cities[course.city].tokens[type]} at ${nameOf(course.city)}`, order: withList(order, "take_tokens", [...list, type]) }] : [];
    return there ? [...found, { title: `${type}: take it back`, order: withList(order, "take_tokens", list.filter((_, at) => at !== list.lastIndexOf(type))) }] : found;
  }

  /** @type {(task: string, order: Order) => Meaning<Order>[]} */
  const ofTask = (task, order) => {
    const isOpen = entries(order.claim).map(taskOf).includes(task) || ("sail" in order && !courseOf(order).problems && !(task in (planOf(order).node?.claims ?? hints.claims)));
    return isOpen ? claiming(task, order) : [];
  };

  // Several claims are a list: the first that can be had is.
  /** @type {(task: string, order: Order) => Meaning<Order>[]} */
  function claiming(task, order) {
    const old = entries(order.claim).map(taskOf);
    const list = toggled(old, task);
    const title = old.includes(task) ? `${view.names[task]}: take the claim back` : `${old.length ? "else " : ""}claim ${view.names[task]}`;
    return [{ title, note: `${view.tasks[task][0]} points`, order: { ...without(order, ["claim"]), ...(list.length && { claim: list.length > 1 ? list : list[0] }) } }];
  }

  /** @type {(card: string, order: Order) => Meaning<Order>[]} */
  function ofCard(card, order) {
    const course = courseIn(order);
    const number = Number(card);
    /** @type {Meaning<Order>[]} */
    const found = [];
    const title = titleOf(card);
    /** @type {(name: "take_cards" | "play_cards", verb: string) => void} */
    const offer = (name, verb) => {
      const list = entries(order[name]);
      const isIn = list.some((one) => cardOf(one) === card);
      found.push({ title: isIn ? `${title}: take it back` : `${verb} ${title}`, note: cardNote(card).replace(`${faces[card].name}, `, ""), order: withList(order, name, isIn ? list.filter((one) => cardOf(one) !== card) : [...list, number]) });
    };
    if (course.city && view.fields[view.cities[course.city].section].includes(card)) offer("take_cards", "take");
    if (!held(card)) return found;
    if (course.city && faces[card].site === course.city && !course.cards.includes(card)) offer("play_cards", "play");
    for (const name of /** @type {const} */ (["reverse", "extra"])) {
      if (order[name] !== undefined && cardOf(order[name]) === card) found.push({ title: `${title}: do not return it`, order: without(order, [name]) });
    }
    if (order.trade && !entries(order.trade.give).some((one) => cardOf(one) === card)) found.push({ title: `give ${title} to ${order.trade.with}`, note: cardNote(card), order: { ...order, trade: { ...order.trade, give: [...entries(order.trade.give), number] } } });
    return found;
  }

  // Why what was clicked is no part of the turn, by what would be wrong with a turn that has it; "" if nothing is.
  /** @type {(clicked: string, given: Given<Order>) => string} */
  function whyNot(clicked, given) {
    if (!hints || kind !== "move") return "";
    const order = isMap(given) ? given : {};
    /** @type {(more: Order) => string} */
    const wrongWith = (more) => planOf({ ...without(order, Object.keys(ACTIONS)), ...more }).problems.find(({ path }) => path[0] === Object.keys(more)[0])?.text ?? "";
    if (clicked in view.cities) return courseOf({ sail: clicked }).problems?.[0].text ?? "";
    if (![...types, ...Object.keys(view.names), ...Object.keys(faces)].includes(clicked)) return "";
    const course = courseIn(order);
    if (course.problems) return "say first where you sail";
    const { tokens, section, name } = view.cities[course.city];
    if (types.includes(clicked)) return tokens[clicked] ? order.take_tokens && isFull(order, course) ? "all tokens are chosen: take one off first (click it again)" : wrongWith({ take_tokens: [clicked] }) : `no ${clicked} token lies at ${name}`;
    if (clicked in view.names) return planOf({ ...order, claim: clicked }).problems[0]?.text ?? "";
    if (held(clicked)) return wrongWith({ play_cards: [clicked] });
    return view.fields[section].includes(clicked) ? wrongWith({ take_cards: [clicked] }) : `${titleOf(clicked)} does not lie in ${section}, where you take cards at ${name}`;
  }

  // Every city, card, token and task of the picture can be clicked, also for orders that are given ahead.
  const drawn = new Map(/** @type {[string, string][]} */ ([...ring.flatMap((city) => [nameOf(city), `${nameOf(city)} (${city})`].map((one) => [one, city])), ...types.map((one) => [one, one]), ...Object.entries(view.names).map(([task, name]) => [name, task])]));
  /** @type {HTMLElement[]} */
  const taps = []; // by type
  for (const title of document.querySelectorAll("#board svg g > title")) {
    const [head, ...rest] = title.textContent.split(": ");
    const meant = drawn.get(head) ?? "";
    if (meant in view.cities) title.textContent = [nameOf(meant), ...rest].join(": ");
    const named_ = meant || (head in view.cards ? head : undefined);
    if (named_ && title.parentElement) title.parentElement.dataset.place = named_;
    if (types.includes(meant)) taps.push(/** @type {HTMLElement} */ (title.parentElement));
  }

  // Tokens are tapped where the ship goes: over each of that city's lies a place, which the board makes wide enough.
  /** @type {(name?: string) => SVGGElement | null} */
  const placeOf = (name) => /** @type {SVGGElement | null} */ (document.querySelector(`#board [data-place="${name}"]`));
  /** @type {(city: string | undefined, taken: Tokens) => void} */
  function moveTaps(city, taken) {
    for (const [at, tap] of taps.entries()) {
      const token = placeOf(city)?.querySelector(`[href="#token-${at + 1}"]`);
      tap.setAttribute("display", token ? "" : "none");
      tap.dataset.place = types[at];
      tap.style.cssText = `outline-offset:0;outline-width:4px${taken[types[at]] > 1 ? ";outline-style:double" : ""}`;
      if (token) tap.setAttribute("transform", `translate(${Number(token.getAttribute("x")) + 5} ${token.getAttribute("y")})`);
      else delete tap.dataset.place;
    }
  }

  /** @type {(clicked: string, order: Given<Order>) => boolean} */
  const isChosen = (clicked, order) => {
    if (!isMap(order)) return false;
    const named_ = [order.sail, order.place, ...entries(order.take_tokens), ...entries(order.claim)];
    const cards = [order.reverse, order.extra, ...entries(order.take_cards), ...entries(order.play_cards)].filter((one) => one !== undefined && !isMap(one));
    return named_.includes(clicked) || cards.some((one) => cardOf(one) === clicked);
  };

  // The ship where it goes, pointing the way in which it will sail on; and where its tokens can be tapped. The cards in
  // hand that are gone when a line for later is played are pale. The frame of a token leaves the number beside it free, and
  // is double where it is taken twice.
  /** @type {(city?: string, way?: Way) => Drawn[]} */
  const shipAt = (city = "", way) => (city in view.cities && way ? [[city, `own-ship${angleAt(city, way)}`]] : []);
  /** @type {(order: Given<Order>) => Drawn[]} */
  function goesTo(order) {
    const { sail, place, facing, take_tokens } = /** @type {Order} */ (isMap(order) ? order : {});
    const [city, way] = sail === undefined ? [] : endOf({ ...page.openLine(), do: order });
    moveTaps(city, tally(entries(take_tokens)));
    const line = page.openLine();
    hull?.classList.toggle("unsure", isLost(line));
    const kept = line && !model.isNow(line) ? handThen() : view.hand;
    for (const card of view.hand) placeOf(card)?.classList.toggle("unsure", !kept.includes(card));
    return place === undefined ? shipAt(city, way) : shipAt(cityOf(place), headingOf(cityOf(place), facing));
  }

  // Where the own ship is when a line for later is played: as its condition says, or where the last own line before it
  // sails to; no city where several such lines sail to several.
  /** @type {(line?: Line) => [city: string | undefined, way: Way]} */
  function shipThen(line) {
    const said = /** @type {{ [path: string]: any }} */ (line?.when ?? {}); // wanted may be more than one city: then no ship is drawn
    const before = page.lines().filter((one) => isMap(one.do) && "sail" in one.do && turnOf(one) < turnOf(line));
    const last = Math.max(...before.map(turnOf));
    const ends = before.filter((one) => turnOf(one) === last).map(endOf);
    const [city, way] = new Set(ends.map(String)).size === 1 ? ends[0] : [];
    return [said[`players.${view.me}.city`] ?? city, said[`players.${view.me}.direction`] ?? way ?? me.direction];
  }

  // The own ship as it is drawn now.
  const hull = placeOf(me.city)?.querySelectorAll("[href='#hull']")[view.cities[me.city].ships.indexOf(view.me)];

  // Whether nobody knows where the own ship is when a line for a later turn is played.
  /** @type {(line?: Line) => boolean} */
  function isLost(line) {
    const turn = turnOf(line);
    const [city] = shipThen(line);
    const stays = !data.ask.mine && turn === me.asks + 1;
    return turn > 0 && !(line && model.isNow(line)) && !stays && !(typeof city === "string" && city in view.cities);
  }

  /** @type {() => Drawn[]} */
  const supposed = () => (isLost(page.openLine()) && hull ? [[me.city, "?"]] : shipAt(...shipThen(page.openLine())));

  // The number of the own ask that a line is for; 0 if it is for no one ask.
  /** @type {(line?: Line) => number} */
  function turnOf(line) {
    const asked = model.label((line && model.isForNow(line) ? data.ask.label : line?.at) ?? "");
    return asked?.owner === view.me && !asked.word ? asked.count : 0;
  }

  // Where a line leaves the ship.
  /** @type {(line: Line) => [city: string | undefined, way: Way | undefined]} */
  function endOf(line) {
    const order = /** @type {Order} */ (line.do);
    if (model.isNow(line)) {
      const { city, way } = courseIn(order);
      return [city, way];
    }
    const [start, heading] = shipThen(line);
    const way = order.reverse === undefined ? heading : opposite(heading);
    return [typeof order.sail !== "number" ? cityOf(order.sail) : start && ahead(start, way, order.sail), way];
  }

  // How a ship is turned that points to the next city: as the board draws it.
  /** @type {(city: string, way: Way) => number} */
  function angleAt(city, way) {
    const [here, there] = [city, ahead(city, way, 1)].map((one) => /** @type {SVGGElement} */ (placeOf(one)).getBBox());
    return there.y > here.y ? 90 : there.y < here.y ? -90 : there.x < here.x ? 180 : 0;
  }

  // Where to sail, with the cards that it takes.
  /** @type {(context: Context<Order>) => HTMLElement} */
  function sailField(context) {
    const order = isMap(context.order) ? context.order : {};
    const all = ring.slice(1).flatMap((_, at) => {
      const city = ahead(me.city, me.direction, at + 1);
      return hints.ways[city].map((way) => ({ city, way, spaces: at + 1 }));
    });
    const city = typeof order.sail === "number" ? courseOf(order).city : "sail" in order ? cityOf(order.sail) : "";
    /** @type {(way: Cards) => string} */
    const used = ({ reverse, extra }) => [reverse, extra].map((card) => (card === undefined ? "" : cardOf(card))).join("/");
    const at = all.findIndex((one) => one.city === city && used(one.way) === used(order));
    const options_ = [["", "none"], ...all.map((one, n) => [String(n), `${nameOf(one.city)}: ${spelledWay(one.way, one.city) || count(one.spaces, "space")}; ${portNote(one.city)}`])];
    if ("sail" in order && at < 0) options_.push(["=", `${shown(order.sail)}, with the cards below`]);
    const id = `${context.id}.sail`;
    return labelled(id, "Sail", select(id, options_, at >= 0 ? String(at) : "sail" in order ? "=" : "", (picked) => {
      if (picked === "=") return;
      const rest = without(order, ["sail", "reverse", "extra", ...(picked !== "" && all[Number(picked)].city === city ? [] : ["take_tokens", "take_cards", "play_cards"])]);
      context.change(picked === "" ? rest : { ...rest, sail: all[Number(picked)].city, ...all[Number(picked)].way });
    }));
  }

  // A choice between parts of an order that stand for each other.
  /** @type {(context: Context<Order>, name: string, title: string, parts: { [part: string]: string }, start: { [part: string]: true }) => [field: HTMLElement, chosen: string]} */
  function oneOf(context, name, title, parts, start) {
    const now = Object.keys(parts).find((one) => one in (context.order ?? {})) ?? "";
    const pick = select(`${context.id}.${name}`, [["", "none"], ...Object.entries(parts)], now || opened.get(context.id + name) || "", (value) => {
      opened.set(context.id + name, value);
      if (context.now) opened.set("now", value);
      context.change({ ...without(context.order, Object.keys(parts)), ...(start[value] && { [value]: structuredClone(start[value]) }) });
    });
    return [labelled(`${context.id}.${name}`, title, pick), now || opened.get(context.id + name) || ""];
  }
  /** @type {Map<string, string>} */
  const opened = new Map();

  // Which offers are accepted beforehand: all, or those on certain terms.
  /** @type {(context: Context<Order>, value: unknown) => HTMLElement[]} */
  function accepting(context, value) {
    const id = `${context.id}.accept`;
    const pick = select(id, [["all", "any that is made"], ["terms", "only one on these terms"]], isMap(value) ? "terms" : "all", (found) => context.change({ accept: found === "all" || { give: [], want: [] } }));
    const { properties: sides = {} } = context.whole.properties.accept;
    return [labelled(id, "Which offers", pick), ...(isMap(value) ? ["give", "want"].map((side) => fields.part(context, ["accept", side], sides[side])) : [])];
  }

  // The fields of an order: a turn, or an answer.
  /** @type {(context: Context<Order>) => HTMLElement[] | null} */
  function editor(context) {
    const { now } = context;
    const order = context.order ?? {};
    if (now && kind === "start city") return null;
    const isAsked = now && kind !== "move"; // an offer waits for an answer
    const isAnswer = isAsked || Object.keys(ANSWERS).some((name) => name in order) || (page.openLine()?.at ?? "").includes(".");
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => fields.part(context, [name], context.whole.properties[name]);
    // What the words of a turn say already is not said again beside them.
    /** @type {(item: Choice) => Choice} */
    const once = (item) => (LEAST.test(item.note) ? { ...item, note: "" } : item);
    const whole = now ? model.wholeOrders.map((menu) => ({ ...menu, items: menu.items.map(once) })).map((menu, at) => el("details", { id: `${context.id}.quick${at}`, open: !Object.keys(order).length }, el("summary", { id: `${context.id}.quick${at}.summary` }, menu.title), fields.wholeOrders(context, menu, at, false))) : [];
    if (isAnswer) {
      if (isAsked) {
        const plain = model.wholeOrders.map((menu, at) => fields.wholeOrders(context, { ...menu, items: menu.items.filter((item) => !item.order.counter) }, at));
        // A counter-offer takes the place of accepting or declining.
        const countering = { id: context.id, now, whole: context.whole, order: without(order, ["accept", "decline"]), change: context.change };
        return kind === "counter" ? plain : [...plain, fields.part(countering, ["counter"], context.whole.properties.counter)];
      }
      const [pick, chosen] = oneOf(context, "answer", "Your answer", ANSWERS, { accept: true, decline: true });
      return /** @type {HTMLElement[]} */ ([pick, chosen === "counter" ? part("counter") : null, ...(chosen === "accept" ? accepting(context, order.accept) : [])].filter(Boolean));
    }
    if (!now && !me.city && !("sail" in order)) return ["place", "facing"].map(part);
    const [pick, action] = oneOf(context, "action", "What to do there", ACTIONS, {});
    return /** @type {HTMLElement[]} */ ([...whole, now ? sailField(context) : part("sail"), now && !view.hand.length && !order.reverse && !order.extra ? el("p", { class: "hint" }, "No card in hand to turn round or sail further.")
      : el("div", { class: "row" }, part("reverse"), part("extra")), pick, action && (!now || courseOf(order).city) ? fields.part(context, [action], { ...context.whole.properties[action], type: "array" }) : null,
      Object.keys(view.names).length ? part("claim") : null, view.may_trade ? part("trade") : null].filter(Boolean));
  }

  return { joins: { take_tokens: ", then ", take_cards: ", then ", claim: ", else " }, places: (clicked, order) => places(clicked, order) ?? fromMenus(clicked), whyNot, isChosen, drawn: goesTo, supposed, options, later, problems, lasting, forecast, left, words: spell, editor, isOpen: ["trade", "counter"].includes(kind) };

  // Start cities, by the list of them.
  /** @type {(clicked: string) => Meaning<Order>[]} */
  function fromMenus(clicked) {
    return menus.flatMap((menu) => menu.items).filter((item) => item.order.place === clicked).map((item) => ({ title: `${titled(clicked)}, facing ${titled(/** @type {string} */ (item.order.facing))}`, note: item.note, order: item.order }));
  }
};
