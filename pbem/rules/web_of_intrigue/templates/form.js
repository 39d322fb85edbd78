// Web of Intrigue: what a click on the diamond means, action points, and the roll that each bid needs.
// Difficulties, Houses, distances and what each special adds come from the report; only the sums are made here.
/**
 * @typedef {"special_1" | "special_2" | "special_3" | "bid_1" | "bid_2" | "bid_3"} Phase
 * @typedef {"square" | "squares" | "row" | "column" | "player"} Subject what a special works on
 * @typedef {{ points: number, enact?: string, for?: string, square?: string, squares?: string[], row?: number, column?: string, player?: string | number }} Action
 * @typedef {{ player: string | number, house: string }} Guess
 * @typedef {{ [At in Phase]?: Action } & { guess?: Guess, move?: string }} Order
 * @typedef {{ name: string, category: string, difficulty: number, controller: string | null, needed: number, helped: { [special: string]: number } }} Thing
 * @typedef {{ name: string, effect: string, subject: Subject | "" }} Special
 * @typedef {{ kind: string, value: number, category?: string, unless?: string, element: string, direction: string }} Effect some kinds have no value or element
 * @typedef {{ house: string, modifiers: { [category: string]: number }, square: string, action_points: number, guesses: { player: string, house: string, turn: number, right: boolean }[] }} Own
 * @typedef {{ sides: number, near: number[], each_further: number, rival: number, one_in: number, radius: number }} Numbers
 * @typedef {{ objects: { [id: string]: Thing }, specials: { [id: string]: Special }, owners: { [id: string]: { category: string, controller: string } } }} Tiles
 * @typedef {Tiles & { me: string, own: Own, numbers: Numbers, houses: string[], size: number, web: { [square: string]: string }, players: { [seat: string]: { income: number } }, can_be: { [seat: string]: string[] }, options: { reveal_reach: string } }} View
 * @typedef {{ specials: { [id: string]: Effect }, gains: { [id: string]: { [holder: string]: number } }, elements: { [house: string]: string }, wrong_costs: number }} Hints
 * @typedef {{ [name: string]: number }} Parts what adds to a die
 * @typedef {{ held: string[], parts: Parts, needed: number | null }} Case a bid, if these objects are controlled by then
 * @typedef {(place: Phase | "move", value?: Action | string) => Order} Changed the order with something else in a place
 */
/** @import { Choice, Context, Data, Drawn, Fault, Game, Given, Meaning } from "../../../../templates/common/form/types" */
import { data, fields, page, words } from "../../../../templates/common/form/kit.js";

/** @type {() => Game<Order, View>} */
export default () => {
  /** @type {Data<View, Hints, Order>} */
  const { view, hints } = data;
  /** @type {Phase[]} */
  const SPECIALS = ["special_1", "special_2", "special_3"];
  /** @type {Phase[]} */
  const BIDS = ["bid_1", "bid_2", "bid_3"];
  const MOST_POINTS = 5; // that an action begins with
  const PHASES = SPECIALS.flatMap((name, at) => [name, BIDS[at]]);
  /** @type {Subject[]} */
  const SUBJECTS = ["square", "squares", "row", "column", "player"];
  if (!view.own || !hints) return {};

  const { name: phase } = words; // "bid 1" for bid_1, and what an object is called
  const { own, objects, specials, owners, numbers } = view;
  const squareOf = Object.fromEntries(Object.entries(view.web).map(([square, tile]) => [tile, square]));
  const others = Object.keys(view.players).filter((seat) => seat !== view.me);
  /** @type {(value: number) => string} */
  const signed = (value) => (value < 0 ? String(value) : `+${value}`);
  /** @type {(number: number, one: string) => string} */
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  /** @type {(items: (string | number)[], last?: string) => string} */
  const listed = (items, last = "and") => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`);
  /** @type {(word: string) => string} */
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  /** @type {(values: number[]) => number} */
  const sum = (values) => values.reduce((all, one) => all + one, 0);

  // A name or id as an id: without case, punctuation and "the".
  /** @type {(text: unknown) => string} */
  const plain = (text) => String(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim().split(" ").filter((word) => word !== "the").join(" ");
  const ids = new Map([...Object.entries(objects), ...Object.entries(specials)].flatMap(([id, { name }]) => [[plain(id), id], [plain(name), id]]));
  /** @type {(text: unknown) => string} */
  const idOf = (text) => ids.get(plain(text)) ?? String(text);
  /** @type {(text: string) => string | undefined} */
  const house = (text) => view.houses.find((one) => plain(one) === plain(text).replace(/^house /, ""));
  /** @type {(text: unknown) => string} */
  const seatOf = (text) => String(text).toLowerCase().replace(/^player\s*|^p/, "");

  // Steps between two squares, the shorter way round.
  /** @type {(one: string, other: string) => number} */
  function distance(one, other) {
    const steps = [one, other].map((square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1]);
    return sum([0, 1].map((axis) => {
      const apart = Math.abs(steps[0][axis] - steps[1][axis]);
      return Math.min(apart, view.size - apart);
    }));
  }

  /** @type {(steps: number) => number} */
  const distanceModifier = (steps) => (steps < numbers.near.length ? numbers.near[steps]
    : /** @type {number} */ (numbers.near.at(-1)) + numbers.each_further * (steps - numbers.near.length + 1));

  /** @type {(needed: number) => number} */
  const winningFaces = (needed) => Math.max(0, Math.min(numbers.sides, numbers.sides + 1 - needed));

  /** @type {(needed: number) => string} */
  function spellRoll(needed) {
    const faces = winningFaces(needed);
    if (faces === numbers.sides) return "any roll wins";
    if (faces === 0) return `${needed} needed, out of reach`;
    return `${needed}${needed < numbers.sides ? " or more" : ""} needed, ${faces} in ${numbers.sides}`;
  }

  /** @type {(parts: Parts) => string} */
  function spellParts(parts) {
    const total = signed(sum(Object.values(parts)));
    const named = Object.entries(parts).map(([name, value]) => `${name} ${signed(value)}`);
    return named.length ? `${total} (${named.join(", ")})` : total;
  }

  /** @type {(id: string) => string | undefined} */
  const categoryOf = (id) => objects[id]?.category ?? owners[id]?.category;
  /** @type {(effect: Effect, held: string[]) => boolean} */
  const isBarred = (effect, held) => Boolean(effect.unless) && held.some((id) => categoryOf(id) === effect.unless);

  // The own orders, phase after phase, as if nobody else acted.
  class Outlook {
    constructor() {
      /** @type {{ [tile: string]: string }} */
      this.where = { ...squareOf };
      /** @type {string[]} */
      this.enacted = [];
      // Each set of objects that can be controlled by now, and which of the bids can have won them.
      this.branches = [Object.keys(owners).filter((id) => owners[id].controller === view.me)];
      /** @type {{ [object: string]: Phase[] }} */
      this.tries = {};
    }

    /** @type {(place: Phase, action: Action) => string} */
    enact(place, action) {
      const id = idOf(action.enact);
      const effect = hints.specials[id];
      this.enacted.push(id);
      this.shift(action, effect);
      const given = SUBJECTS.filter((name) => name in action).map((name) => `${name} ${listed([action[name]].flat().map((one) => (name === "player" ? seatOf(one) : String(one).toLowerCase())))}`);
      const said = `${phase(place)} (${count(action.points, "point")}): ${specials[id].name}${given.length ? ` with ${given.join(", ")}` : ""}: ${specials[id].effect}.`;
      const barred = this.branches.every((held) => isBarred(effect, held));
      return barred ? `${said} You control a ${effect.unless}, and while you do it gives you nothing.` : said;
    }

    // Tiles that are seen move as an own special moves them; what it brings in nobody knows.
    /** @type {(action: Action, effect: Effect) => void} */
    shift(action, effect) {
      const on = Object.fromEntries(Object.entries(this.where).map(([tile, square]) => [square, tile]));
      /** @type {(square: unknown) => string} */
      const low = (square) => String(square).toLowerCase();
      if (effect.kind === "exchange_tiles") {
        const [one, other] = /** @type {string[]} */ (action.squares).map(low);
        if (on[one]) this.where[on[one]] = other;
        if (on[other]) this.where[on[other]] = one;
      } else if (effect.kind === "shift_row" || effect.kind === "shift_column") {
        const isRow = effect.kind === "shift_row";
        const step = ["left", "up"].includes(effect.direction) ? view.size - 1 : 1;
        for (const [square, tile] of Object.entries(on)) {
          const [letter, number] = [square[0], Number(square.slice(1))];
          if (isRow && number === action.row) this.where[tile] = String.fromCharCode(97 + (letter.charCodeAt(0) - 97 + step) % view.size) + number;
          if (!isRow && letter === low(action.column)) this.where[tile] = letter + ((number - 1 + step) % view.size + 1);
        }
      }
    }

    /** @type {(held: string[], id: string, isRivals: boolean) => Parts} */
    weigh(held, id, isRivals) {
      /** @type {Parts} */
      const parts = { House: own.modifiers[objects[id].category] };
      const effects = this.enacted.map((one) => /** @type {const} */ ([one, hints.specials[one]]));
      const square = this.where[id];
      if (!effects.some(([, effect]) => effect.kind === "ignore_distance")) parts.distance = distanceModifier(distance(own.square, square));
      if (isRivals) parts.control = numbers.rival;
      for (const [holder, value] of Object.entries(hints.gains[id] ?? {})) if (held.includes(holder)) parts[phase(holder)] = value;
      for (const [one, effect] of effects) {
        const applies = effect.kind === "category_bonus" ? effect.category === objects[id].category && !isBarred(effect, held)
          : effect.kind === "adjacent_bonus" && this.where[one] !== undefined && distance(this.where[one], square) === 1;
        if (applies) parts[specials[one].name] = effect.value;
      }
      return Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
    }

    elementBonuses() {
      /** @type {{ [element: string]: number }} */
      const found = {};
      for (const effect of this.enacted.map((one) => hints.specials[one])) {
        if (effect.kind === "element_bonus") found[effect.element] = (found[effect.element] ?? 0) + effect.value;
      }
      return found;
    }

    /** @type {(place: Phase, action: Action) => string[]} */
    bid(place, action) {
      const id = idOf(action.for);
      const cases = this.branches.map((held) => this.case(held, id));
      const deciding = this.deciding(id, cases);
      const head = `${phase(place)} (${count(action.points, "point")}): ${objects[id].name}, difficulty ${objects[id].difficulty}`;
      if (cases.every(({ needed }) => needed === null)) return [`${head}: you control it already, and the bid does nothing.`];
      this.rolls = "The rolls suppose that no other player moves a tile or takes an object first.";
      /** @type {{ [when: string]: string }} */
      const told = {};
      for (const one of cases) {
        const when = this.when(id, one, deciding);
        told[when] ??= `${when && `if ${when}, `}${this.spell(id, one)}`;
      }
      const taken = this.ifTaken(id, cases[0], deciding);
      this.branchOut(place, id, cases);
      return [`${head}: ${Object.values(told).join("; ")}.`, ...taken];
    }

    // A bid, if these objects are controlled by then; no roll is needed for one that is.
    /** @type {(held: string[], id: string) => Case} */
    case(held, id) {
      if (held.includes(id)) return { held, parts: {}, needed: null };
      const parts = this.weigh(held, id, id in owners);
      for (const [element, value] of Object.entries(this.elementBonuses())) {
        if (id in owners && elementsOf(id).join() === element) parts[`player ${owners[id].controller} being of ${capital(element)}`] = value;
      }
      return { held, parts, needed: objects[id].difficulty - sum(Object.values(parts)) };
    }

    // The objects of earlier bids on whose control this one hangs, as few as will do.
    /** @type {(id: string, cases: Case[]) => string[]} */
    deciding(id, cases) {
      const varying = Object.keys(this.tries).filter((one) => new Set(cases.map(({ held }) => held.includes(one))).size > 1);
      /** @type {(ids: string[], found?: { [held: string]: string }) => boolean} */
      const tellApart = (ids, found = {}) => cases.every(({ held, parts, needed }) => {
        const outcome = JSON.stringify([needed, parts]);
        return (found[ids.map((one) => held.includes(one)).join()] ??= outcome) === outcome;
      });
      return varying.reduceRight((left, one) => {
        const rest = left.filter((other) => other !== one);
        return one !== id && tellApart(rest) ? rest : left;
      }, varying);
    }

    // How the deciding bids go in a case: "bid 1 or bid 2 wins"; "" where nothing decides.
    /** @type {(id: string, one: Omit<Case, "parts">, deciding: string[]) => string} */
    when(id, { held, needed }, deciding) {
      return listed((needed === null ? [id] : deciding).map((one) => {
        const bids = [...new Set(this.tries[one])].map(phase);
        return held.includes(one) ? `${listed(bids, "or")} wins` : `${listed(bids)} fail${bids.length < 2 ? "s" : ""}`;
      }));
    }

    // What can be controlled after this bid, for those after it.
    /** @type {(place: Phase, id: string, cases: Case[]) => void} */
    branchOut(place, id, cases) {
      const after = cases.flatMap(({ held, needed }) => {
        const faces = needed === null ? 0 : winningFaces(needed);
        const most = Math.max(0, ...(id in owners ? this.possible(id) : []).map(([, value]) => value));
        const canWin = needed !== null && winningFaces(needed - most) > 0;
        if (canWin) (this.tries[id] ??= []).push(place);
        return [...(canWin ? [[...held, id].sort()] : []), ...(faces < numbers.sides ? [held] : [])];
      });
      this.branches = [...new Map(after.map((held) => [held.join(), held])).values()];
    }

    /** @type {(id: string, one: Case) => string} */
    spell(id, { parts, needed }) {
      if (needed === null) return "you control it already, and the bid does nothing";
      return `${spellParts(parts)}, ${spellRoll(needed)}${id in owners ? this.elements(needed, id) : ""}`;
    }

    // The bonuses against an element of which an object's controller may be, and what the roll would be if it were.
    /** @type {(id: string) => [element: string, value: number][]} */
    possible(id) {
      const elements = id in owners && elementsOf(id);
      return Object.entries(this.elementBonuses()).filter(([element]) => !elements || (elements.length > 1 && elements.includes(element)));
    }

    /** @type {(needed: number, id: string) => string} */
    elements(needed, id) {
      return this.possible(id).map(([element, value]) => [element, spellRoll(needed - value)]).filter(([, roll]) => roll !== spellRoll(needed))
        .map(([element, roll]) => `; or, if the owner is of ${capital(element)}, ${roll}`).join("");
    }

    /** @type {(id: string, one: Case, deciding: string[]) => string[]} */
    ifTaken(id, { held, needed }, deciding) {
      if (id in owners || needed === null) return [];
      const rivals = objects[id].difficulty - sum(Object.values(this.weigh(held, id, true)));
      const when = deciding.length ? ` and ${this.when(id, { held, needed }, deciding)}` : "";
      return [`If another player takes it first${when}: ${spellRoll(rivals)}${this.elements(rivals, "")}.`];
    }
  }

  // The elements that the House of an object's controller can be of.
  /** @type {(id: string) => string[]} */
  const elementsOf = (id) => [...new Set(view.can_be[owners[id].controller].map((name) => hints.elements[name]))];

  /** @type {(guess: Guess) => string} */
  function guessLine({ player, house: named }) {
    const [seat, name] = [seatOf(player), /** @type {string} */ (house(named))];
    const head = `guess: player ${seat} is ${name}`;
    for (const made of own.guesses.filter((one) => one.player === seat)) {
      if (made.right) return `${head}: you know already that this player is ${house(made.house)}, which pays each turn by itself, and nothing changes.`;
      if (house(made.house) === name) return `${head}: you guessed so in turn ${made.turn}, and it was wrong.`;
    }
    if (name === own.house) return `${head}: that is your own House, so it will be wrong.`;
    if (!view.can_be[seat].includes(name)) return `${head}: it will be wrong; by all you know this player is ${listed(view.can_be[seat], "or")}.`;
    return `${head}: if right, worth ${Math.floor(view.players[seat].income / numbers.one_in)} each turn as things stand, unless this player guessed yours too; to guess it once is enough.${hints.wrong_costs ? ` If wrong, it costs ${count(hints.wrong_costs, "victory point")}.` : ""}`;
  }

  // The squares around one within a distance, all around the edges.
  /** @type {(centre: string, radius: number) => string[]} */
  function diamond(centre, radius) {
    /** @type {string[]} */
    const all = [];
    for (let x = 0; x < view.size; x++) for (let y = 1; y <= view.size; y++) all.push(String.fromCharCode(97 + x) + y);
    return all.filter((square) => distance(centre, square) <= radius);
  }

  // Where an order moves to, which is the own square if it does not.
  /** @type {(order: Order) => string} */
  const goalOf = ({ move = "stay" }) => String(move).toLowerCase().replace("stay", own.square);

  /** @type {(goal?: string) => string} */
  function moveLine(goal) {
    const to = goalOf({ move: goal });
    if (to === own.square) return `move: you stay on ${own.square}.`;
    const fresh = diamond(to, numbers.radius).filter((square) => !(square in view.web)).length;
    return `move: from ${own.square} to ${to}; ${count(fresh, "square")} of your next diamond you do not see now.`;
  }

  // An order of the line that is open, with what is half made of it too, such as a special that still wants a square.
  /** @type {(order: Given<Order>) => Order} */
  const written = (order) => ({ ...(/** @type {Order} */ (order)), ...page.openLine()?.do });

  // The actions of an order, each with its phase.
  /** @type {(order: Order, phases?: Phase[]) => [Phase, Action][]} */
  const actionsIn = (order, phases = PHASES) => phases.flatMap((place) => (order[place] ? [[place, order[place]]] : []));

  /** @type {(order: Order) => number} */
  const spentOn = (order) => sum(PHASES.map((place) => Number(order?.[place]?.points) || 0));

  /** @type {(order: Order) => string[]} */
  function forecast(order) {
    const outlook = new Outlook();
    const out = actionsIn(order).flatMap(([place, action]) => (place.startsWith("bid") ? outlook.bid(place, action) : outlook.enact(place, action)));
    if (outlook.rolls) out.push(outlook.rolls);
    if (order.guess) out.push(guessLine(order.guess));
    out.push(moveLine(order.move));
    const spent = spentOn(order);
    const left = own.action_points - spent;
    return [...out, `You spend ${spent} of ${count(own.action_points, "action point")}${left ? ` and lose ${left}` : ""}.`];
  }

  const clear = () => Object.keys(view.web).filter(isClear);
  /** @type {(square: unknown) => boolean} */
  const isClear = (square) => (view.web[String(square).toLowerCase()] ?? "?") !== "?";
  /** @type {{ [subject: string]: (square: string) => string | number }} */
  const lineOf = { row: (square) => Number(square.slice(1)), column: (square) => square[0] };
  /** @type {(subject: string) => (string | number)[]} */
  const lines = (subject) => [...new Set(clear().map(lineOf[subject]))];
  /** @type {(tile: string) => string} */
  const tileName = (tile) => objects[tile]?.name ?? specials[tile]?.name ?? "an obscured tile";

  /** @type {(place: Phase, action: Action, special: Special) => Fault | null} */
  function subjectProblem(place, action, { name, subject }) {
    const extra = SUBJECTS.find((one) => one in action && one !== subject);
    if (extra) return { path: [place, extra], text: `${name} takes no ${extra}` };
    if (!subject) return null;
    if (!(subject in action)) return { path: [place], text: `${name} needs ${subject === "squares" ? "two squares" : `a ${subject}`}` };
    /** @type {(text: string) => Fault} */
    const wrong = (text) => ({ path: [place, subject], text });
    const { [subject]: value, squares = [] } = action;
    const isReveal = hints.specials[idOf(action.enact)].kind === "reveal_tile";
    if (subject === "square" && isReveal && view.options.reveal_reach === "anywhere") return diamond(own.square, view.size * 2).includes(String(value).toLowerCase()) ? null : wrong(`there is no square ${value}`);
    if (subject === "square") return isClear(value) || (isReveal && String(value).toLowerCase() in view.web) ? null : wrong(`you do not see a tile on ${value}`);
    if (subject === "squares") return squares.length === 2 && squares[0] !== squares[1] && squares.every(isClear) ? null : wrong("two different squares whose tiles you see are needed");
    if (subject in lineOf) return lines(subject).some((one) => String(one) === String(value).toLowerCase()) ? null : wrong(`you see no tile of ${subject} ${value}`);
    return others.includes(seatOf(value)) ? null : wrong(`there is no other player ${value}`);
  }

  /** @type {(order: Order) => Fault[]} */
  function problems(order) {
    /** @type {(Fault | null)[]} */
    const out = [];
    /** @type {Set<string>} */
    const enacted = new Set();
    for (const [place, action] of actionsIn(order, SPECIALS)) {
      const id = idOf(action.enact);
      if (!specials[id]) out.push({ path: [place, "enact"], text: `you do not see a special ${action.enact}` });
      else if (enacted.has(id)) out.push({ path: [place, "enact"], text: `${specials[id].name} is enacted already`, hint: "Each special can be enacted once a turn." });
      else out.push(subjectProblem(place, action, specials[id]));
      enacted.add(id);
    }
    for (const [place, action] of actionsIn(order, BIDS)) {
      if (!objects[idOf(action.for)]) out.push({ path: [place, "for"], text: `you do not see an object ${action.for}` });
    }
    const spent = spentOn(order);
    if (spent > own.action_points) out.push({ path: [/** @type {Phase} */ (PHASES.findLast((place) => order[place])), "points"], text: `your actions take ${count(spent, "point")}, and you have ${own.action_points}`, hint: `Take ${spent - own.action_points} away.` });
    if (order.guess && !others.includes(seatOf(order.guess.player))) out.push({ path: ["guess", "player"], text: `there is no other player ${order.guess.player}` });
    if (order.guess && !house(order.guess.house)) out.push({ path: ["guess", "house"], text: `there is no House ${order.guess.house}` });
    const goal = goalOf(order);
    if (!(goal in view.web)) out.push({ path: ["move"], text: `${goal} is not in your diamond` });
    return /** @type {Fault[]} */ (out.filter(Boolean));
  }

  // Points for one more action: an even share of what is left, so that six actions take no more than there are.
  /** @type {(order: Order) => number} */
  const pointsFor = (order) => {
    const free = PHASES.filter((place) => !order?.[place]).length;
    return Math.max(1, Math.min(MOST_POINTS, Math.floor((own.action_points - spentOn(order)) / Math.max(1, free))));
  };

  // The objects for a bid, each with as many specials as can come before it; what they do not bring into reach is last.
  /** @type {(items: Choice<Action>[], most: number) => Choice<Action>[]} */
  function bidItems(items, most) {
    const told = items.map(({ order, note }) => {
      const { helped, needed: first, controller } = objects[/** @type {string} */ (order.for)];
      let needed = first;
      const used = Object.keys(helped).slice(0, most).filter((name) => needed > 1 && (needed -= helped[name]));
      const [said] = note.split("; with ");
      const isLast = controller === view.me || needed > numbers.sides;
      return { order, note: used.length ? `${said}; with ${listed(used)} before it, ${spellRoll(needed)}` : said, isLast };
    });
    return [...told.filter((one) => !one.isLast), ...told.filter((one) => one.isLast)];
  }

  // What stands in a place of a special that works on something.
  /** @type {(place: string, order: Given<Order>) => Choice[] | null | undefined} */
  function options(place, order) {
    /** @type {(all: string[]) => Choice[]} */
    const squares = (all) => all.map((square) => ({ order: square, note: square in view.web ? tileName(view.web[square]) : "not in your diamond" }));
    const [slot, subject] = /** @type {[Phase, Subject]} */ (place.split("."));
    const items = data.menus.find((menu) => menu.paths.includes(place))?.items;
    if (BIDS.includes(slot) && !subject) return items && bidItems(items, BIDS.indexOf(slot) + 1);
    if (SPECIALS.includes(slot) && !subject) {
      const taken = SPECIALS.filter((one) => one !== slot).map((one) => written(order)[one]?.enact);
      return items?.filter((item) => !taken.includes(item.order.enact));
    }
    if (!SPECIALS.includes(slot)) return null;
    if (subject === "square") return squares(Object.keys(view.web));
    if (subject === "squares") return squares(clear());
    if (subject in lineOf) return lines(subject).map((order) => ({ order, note: "" }));
    return subject === "player" ? others.map((seat) => ({ order: seat, note: `can be ${listed(view.can_be[seat], "or")}` })) : null;
  }

  // What a square can complete: a special that waits for it.
  /** @type {(order: Order, square: string, changed: Changed) => Meaning<Order>[]} */
  function completing(order, square, changed) {
    return actionsIn(order, SPECIALS).flatMap(([place, action]) => {
      const special = /** @type {Special} */ (specials[idOf(action.enact)] ?? {});
      const had = [action.squares ?? []].flat();
      const value = /** @type {{ [subject: string]: string | string[] }} */ ({ square, squares: [...had, square] })[String(special.subject)] ?? lineOf[special.subject]?.(square);
      if (!value || (special.subject in action && had.length !== 1)) return [];
      const part = { ...action, [special.subject]: value };
      const isFirst = Array.isArray(value) && value.length === 1 && value[0] === square;
      if (isFirst ? !isClear(square) : subjectProblem(place, part, special)) return [];
      return [{ title: `${special.name}: ${special.subject} ${listed([value].flat())}`, note: isFirst ? "then another" : "", order: changed(place, part) }];
    });
  }

  // A click on a square: complete a special with it, bid for what lies there, enact it, or go there.
  /** @type {(word: string, given: Given<Order>) => Meaning<Order>[]} */
  function places(word, given) {
    const order = written(given);
    const square = word in view.web ? word : squareOf[word];
    if (!square) return [];
    const tile = view.web[square];
    /** @type {Changed} */
    const changed = (place, value) => {
      const { [place]: gone, ...rest } = order;
      return value === undefined ? rest : { ...rest, [place]: value };
    };
    const found = completing(order, square, changed);
    const isObject = tile in objects;
    const slots = isObject ? BIDS : SPECIALS;
    const key = isObject ? "for" : "enact";
    const present = slots.filter((one) => order[one] && idOf(order[one][key]) === tile);
    const free = slots.find((one) => !order[one]);
    for (const place of present) found.push({ title: `${phase(place)}: take it back`, note: tileName(tile), order: changed(place) });
    if ((isObject || tile in specials) && free && (isObject || !present.length)) {
      const note = options(free, given)?.find((item) => item.order[key] === tile)?.note;
      found.push({ title: `${phase(free)}: ${isObject ? "bid" : "enact"}`, note, order: changed(free, { [key]: tile, points: pointsFor(order) }) });
    }
    const [isHere, isGoal] = [square === own.square, goalOf(order) === square];
    const title = isHere ? "move: stay here" : isGoal ? "move: stay after all" : `move: go to ${square}`;
    if (!isHere || !isGoal || !found.length) found.push({ title, note: "", order: changed("move", isGoal && !isHere ? undefined : square) });
    return found;
  }

  /** @type {(word: string, given: Given<Order>) => boolean} */
  const isChosen = (word, given) => drawn(given).some(([square]) => square === word);

  // What the order puts on each square: numbers of bids and specials, and the own pawn where it goes.
  /** @type {(given: Given<Order>) => Drawn[]} */
  function drawn(given) {
    const order = written(given);
    const marks = actionsIn(order).flatMap(([place, action]) => {
      const [kind, number] = place.split("_");
      const tiles = [squareOf[idOf(action.for ?? action.enact)], action.square, action.squares].flat().filter(Boolean);
      return tiles.map((square) => /** @type {Drawn} */ ([String(square).toLowerCase(), `${kind[0]}${number}`]));
    });
    return goalOf(order) === own.square ? marks : [...marks, [goalOf(order), "goal"]];
  }

  // The usual fields; where nothing is chosen for the move, its list says what that does.
  /** @type {(context: Context<Order>) => HTMLElement[]} */
  function editor(context) {
    return Object.entries(context.whole.properties).map(([name, schema]) => {
      const made = fields.part(context, [name], schema);
      const none = name === "move" && made.querySelector("option[value='']");
      if (none) none.textContent = `none: you stay on ${own.square}`;
      return made;
    });
  }

  return {
    places, isChosen, drawn, options, editor, problems, forecast,
    left: (order, isNow) => (isNow ? `${own.action_points - spentOn(written(order))} of ${own.action_points} action points left` : ""),
    start: (name, order) => (name === "points" ? pointsFor(written(order)) : undefined),
  };
};
