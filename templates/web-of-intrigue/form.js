// Web of Intrigue: what a click on the diamond means, action points, and the roll that each bid needs.
// Difficulties, Houses, distances and what each special adds come from the report; only the sums are made here.
import { data, words } from "../common/form/kit.js";

export default () => {
  const { view, hints } = data;
  const SPECIALS = ["special_1", "special_2", "special_3"];
  const BIDS = ["bid_1", "bid_2", "bid_3"];
  const MOST_POINTS = 5; // that an action begins with
  const PHASES = SPECIALS.flatMap((name, at) => [name, BIDS[at]]);
  const SUBJECTS = ["square", "squares", "row", "column", "player"];
  if (!view.own || !hints) return {};

  const { name: phase } = words; // "bid 1" for bid_1, and what an object is called
  const { own, objects, specials, owners, numbers } = view;
  const squareOf = Object.fromEntries(Object.entries(view.web).map(([square, tile]) => [tile, square]));
  const others = Object.keys(view.players).filter((seat) => seat !== view.me);
  const signed = (value) => (value < 0 ? String(value) : `+${value}`);
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const listed = (items, last = "and") => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`);
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const sum = (values) => values.reduce((all, one) => all + one, 0);

  // A name or id as an id: without case, punctuation and "the".
  const plain = (text) => String(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim().split(" ").filter((word) => word !== "the").join(" ");
  const ids = new Map([...Object.entries(objects), ...Object.entries(specials)].flatMap(([id, { name }]) => [[plain(id), id], [plain(name), id]]));
  const idOf = (text) => ids.get(plain(text)) ?? String(text);
  const house = (text) => view.houses.find((one) => plain(one) === plain(text).replace(/^house /, ""));
  const seatOf = (text) => String(text).toLowerCase().replace(/^player\s*|^p/, "");

  // Steps between two squares, the shorter way round.
  function distance(one, other) {
    const steps = [one, other].map((square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1]);
    return sum([0, 1].map((axis) => {
      const apart = Math.abs(steps[0][axis] - steps[1][axis]);
      return Math.min(apart, view.size - apart);
    }));
  }

  const distanceModifier = (steps) => (steps < numbers.near.length ? numbers.near[steps]
    : numbers.near.at(-1) + numbers.each_further * (steps - numbers.near.length + 1));

  const winningFaces = (needed) => Math.max(0, Math.min(numbers.sides, numbers.sides + 1 - needed));

  function spellRoll(needed) {
    const faces = winningFaces(needed);
    if (faces === numbers.sides) return "any roll wins";
    if (faces === 0) return `${needed} needed, out of reach`;
    return `${needed}${needed < numbers.sides ? " or more" : ""} needed, ${faces} in ${numbers.sides}`;
  }

  function spellParts(parts) {
    const total = signed(sum(Object.values(parts)));
    const named = Object.entries(parts).map(([name, value]) => `${name} ${signed(value)}`);
    return named.length ? `${total} (${named.join(", ")})` : total;
  }

  const categoryOf = (id) => objects[id]?.category ?? owners[id]?.category;
  const isBarred = (effect, held) => Boolean(effect.unless) && [...held].some((id) => categoryOf(id) === effect.unless);

  // The own orders, phase after phase, as if nobody else acted.
  class Outlook {
    constructor() {
      this.where = { ...squareOf };
      this.enacted = [];
      const held = Object.keys(owners).filter((id) => owners[id].controller === view.me);
      this.branches = [{ won: {}, held: new Set(held) }];
    }

    enact(place, action) {
      const id = idOf(action.enact);
      const effect = hints.specials[id];
      this.enacted.push(id);
      this.shift(action, effect);
      const given = SUBJECTS.filter((name) => name in action).map((name) => `${name} ${listed([action[name]].flat().map((one) => (name === "player" ? seatOf(one) : String(one).toLowerCase())))}`);
      const said = `${phase(place)} (${count(action.points, "point")}): ${specials[id].name}${given.length ? ` with ${given.join(", ")}` : ""}: ${specials[id].effect}.`;
      const barred = this.branches.every(({ held }) => isBarred(effect, held));
      return barred ? `${said} You control a ${effect.unless}, and while you do it gives you nothing.` : said;
    }

    // Tiles that are seen move as an own special moves them; what it brings in nobody knows.
    shift(action, effect) {
      const on = Object.fromEntries(Object.entries(this.where).map(([tile, square]) => [square, tile]));
      const low = (square) => String(square).toLowerCase();
      if (effect.kind === "exchange_tiles") {
        const [one, other] = action.squares.map(low);
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

    weigh(held, id, isRivals) {
      const parts = { House: own.modifiers[objects[id].category] };
      const effects = this.enacted.map((one) => [one, hints.specials[one]]);
      const square = this.where[id];
      if (!effects.some(([, effect]) => effect.kind === "ignore_distance")) parts.distance = distanceModifier(distance(own.square, square));
      if (isRivals) parts.control = numbers.rival;
      for (const [holder, value] of Object.entries(hints.gains[id] ?? {})) if (held.has(holder)) parts[phase(holder)] = value;
      for (const [one, effect] of effects) {
        const applies = effect.kind === "category_bonus" ? effect.category === objects[id].category && !isBarred(effect, held)
          : effect.kind === "adjacent_bonus" && this.where[one] !== undefined && distance(this.where[one], square) === 1;
        if (applies) parts[specials[one].name] = effect.value;
      }
      return Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
    }

    elementBonuses() {
      const found = {};
      for (const effect of this.enacted.map((one) => hints.specials[one])) {
        if (effect.kind === "element_bonus") found[effect.element] = (found[effect.element] ?? 0) + effect.value;
      }
      return found;
    }

    bid(place, action) {
      const id = idOf(action.for);
      const cases = this.branches.map((branch) => {
        if (branch.held.has(id)) return { branch, parts: {}, needed: null };
        const parts = this.weigh(branch.held, id, id in owners);
        return { branch, parts, needed: objects[id].difficulty - sum(Object.values(parts)) };
      });
      this.branchOut(place, id, cases);
      const head = `${phase(place)} (${count(action.points, "point")}): ${objects[id].name}, difficulty ${objects[id].difficulty}`;
      if (cases.every(({ needed }) => needed === null)) return [`${head}: you control it already, and the bid does nothing.`];
      const deciding = decidingOf(cases);
      const told = new Map();
      for (const one of cases) if (!told.has(whenOf(one, deciding))) told.set(whenOf(one, deciding), one);
      const said = deciding.length ? [...told].map(([when, one]) => `if ${when}, ${this.spell(id, one)}`).join("; ") : this.spell(id, cases[0]);
      return [`${head}: ${said}.`, ...this.ifTaken(id, cases[0], deciding)];
    }

    // How this bid can go, for the bids after it; what is certain opens no branch.
    branchOut(place, id, cases) {
      const { sides } = numbers;
      this.branches = cases.flatMap(({ branch, needed }) => {
        const faces = needed === null ? sides : winningFaces(needed);
        const most = Math.max(0, ...Object.values(this.elementBonuses()));
        const isHelped = needed !== null && id in owners && winningFaces(needed) === 0 && winningFaces(needed - most) > 0;
        const isOpen = (faces > 0 && faces < sides) || isHelped;
        const way = (won, held) => ({ won: isOpen ? { ...branch.won, [place]: won } : branch.won, held });
        return [
          ...(faces || isOpen ? [way(true, new Set([...branch.held, id]))] : []),
          ...(faces < sides ? [way(false, branch.held)] : []),
        ];
      });
    }

    spell(id, { parts, needed }) {
      if (needed === null) return "you control it already, and the bid does nothing";
      const said = `${spellParts(parts)}, ${spellRoll(needed)}`;
      return id in owners ? said + this.elements(needed, owners[id].controller) : said;
    }

    // What the roll would be if the controller were of an element whose special is enacted.
    elements(needed, owner = null) {
      const possible = new Set(owner === null ? [] : view.can_be[owner].map((name) => hints.elements[name]));
      let told = "";
      for (const [element, value] of Object.entries(this.elementBonuses())) {
        if (owner !== null && !possible.has(element)) continue;
        const roll = spellRoll(needed - value);
        if (owner !== null && possible.size === 1) return `; player ${owner} must be of ${capital(element)}, and so ${roll}`;
        if (roll !== spellRoll(needed)) told += `; or, if the owner is of ${capital(element)}, ${roll}`;
      }
      return told;
    }

    ifTaken(id, { branch, needed }, deciding) {
      if (id in owners || needed === null) return [];
      const rivals = objects[id].difficulty - sum(Object.values(this.weigh(branch.held, id, true)));
      const when = deciding.length ? ` and ${whenOf({ branch }, deciding)}` : "";
      return [`If another player takes it first${when}: ${spellRoll(rivals)}${this.elements(rivals)}.`];
    }
  }

  const whenOf = ({ branch }, deciding) => listed(deciding.filter((place) => place in branch.won).map((place) => `${phase(place)} ${branch.won[place] ? "wins" : "fails"}`)) || "so";

  // The earlier bids on whose success this one hangs.
  function decidingOf(cases) {
    const places = [...new Set(cases.flatMap(({ branch }) => Object.keys(branch.won)))];
    return places.filter((place) => {
      const seen = new Map();
      for (const { branch, parts, needed } of cases) {
        const rest = JSON.stringify(Object.entries(branch.won).filter(([name]) => name !== place));
        seen.set(rest, (seen.get(rest) ?? new Set()).add(JSON.stringify([needed, parts])));
      }
      return [...seen.values()].some((found) => found.size > 1);
    });
  }

  function guessLine({ player, house: named }) {
    const [seat, name] = [seatOf(player), house(named)];
    const head = `guess: player ${seat} is ${name}`;
    for (const made of own.guesses.filter((one) => one.player === seat)) {
      if (made.right) return `${head}: you know already that this player is ${house(made.house)}, and nothing changes.`;
      if (house(made.house) === name) return `${head}: you guessed so in turn ${made.turn}, and it was wrong.`;
    }
    if (name === own.house) return `${head}: that is your own House, so it will be wrong.`;
    if (!view.can_be[seat].includes(name)) return `${head}: it will be wrong; by all you know this player is ${listed(view.can_be[seat], "or")}.`;
    return `${head}: if right, worth ${Math.floor(view.players[seat].income / numbers.one_in)} a turn as things stand, unless this player guessed yours too.`;
  }

  // The squares around one within a distance, all around the edges.
  function diamond(centre, radius) {
    const all = [];
    for (let x = 0; x < view.size; x++) for (let y = 1; y <= view.size; y++) all.push(String.fromCharCode(97 + x) + y);
    return all.filter((square) => distance(centre, square) <= radius);
  }

  function moveLine(goal) {
    const to = goal === undefined ? own.square : String(goal).toLowerCase();
    if (to === "stay" || to === own.square) return `move: you stay on ${own.square}.`;
    const fresh = diamond(to, numbers.radius).filter((square) => !(square in view.web)).length;
    return `move: from ${own.square} to ${to}; ${count(fresh, "square")} of your next diamond you do not see now.`;
  }

  const spentOn = (order) => sum(PHASES.map((place) => Number(order?.[place]?.points ?? 0)));

  function forecast(order) {
    const outlook = new Outlook();
    const out = PHASES.filter((place) => order[place]).flatMap((place) => (place in order && place.startsWith("bid") ? outlook.bid(place, order[place]) : outlook.enact(place, order[place])));
    if (order.guess) out.push(guessLine(order.guess));
    out.push(moveLine(order.move));
    const spent = spentOn(order);
    const left = own.action_points - spent;
    return [...out, `You spend ${spent} of ${count(own.action_points, "action point")}${left ? `; ${left} are not spent, and lost` : ""}.`];
  }

  const clear = () => Object.keys(view.web).filter((square) => view.web[square] !== "?");
  const tileName = (tile) => objects[tile]?.name ?? specials[tile]?.name ?? "an obscured tile";

  function subjectProblem(place, action, { name, subject }) {
    const extra = SUBJECTS.find((one) => one in action && one !== subject);
    if (extra) return { path: [place, extra], text: `${name} takes no ${extra}` };
    if (!subject) return null;
    if (!(subject in action)) return { path: [place], text: `${name} needs ${subject === "squares" ? "two squares" : `a ${subject}`}` };
    const wrong = (text) => ({ path: [place, subject], text });
    const value = action[subject];
    const seen = (square) => clear().includes(String(square).toLowerCase());
    const isReveal = hints.specials[idOf(action.enact)].kind === "reveal_tile";
    if (subject === "square" && isReveal && view.options.reveal_reach === "anywhere") return diamond(own.square, view.size * 2).includes(String(value).toLowerCase()) ? null : wrong(`there is no square ${value}`);
    if (subject === "square") return seen(value) || (isReveal && String(value).toLowerCase() in view.web) ? null : wrong(`you do not see a tile on ${value}`);
    if (subject === "squares") return value.length === 2 && value[0] !== value[1] && value.every(seen) ? null : wrong("two different squares whose tiles you see are needed");
    if (subject === "row") return clear().some((square) => Number(square.slice(1)) === value) ? null : wrong(`you see no tile of row ${value}`);
    if (subject === "column") return clear().some((square) => square[0] === String(value).toLowerCase()) ? null : wrong(`you see no tile of column ${value}`);
    return others.includes(seatOf(value)) ? null : wrong(`there is no other player ${value}`);
  }

  function problems(order) {
    const out = [];
    const enacted = new Set();
    for (const place of SPECIALS.filter((one) => order[one])) {
      const id = idOf(order[place].enact);
      if (!specials[id]) out.push({ path: [place, "enact"], text: `you do not see a special ${order[place].enact}` });
      else if (enacted.has(id)) out.push({ path: [place, "enact"], text: `${specials[id].name} is enacted already`, hint: "Each special can be enacted once a turn." });
      else out.push(subjectProblem(place, order[place], specials[id]));
      enacted.add(id);
    }
    for (const place of BIDS.filter((one) => order[one])) {
      if (!objects[idOf(order[place].for)]) out.push({ path: [place, "for"], text: `you do not see an object ${order[place].for}` });
    }
    const spent = spentOn(order);
    if (spent > own.action_points) out.push({ path: [PHASES.findLast((place) => order[place]), "points"], text: `your actions take ${count(spent, "point")}, and you have ${own.action_points}`, hint: `Take ${spent - own.action_points} away.` });
    if (order.guess && !others.includes(seatOf(order.guess.player))) out.push({ path: ["guess", "player"], text: `there is no other player ${order.guess.player}` });
    if (order.guess && !house(order.guess.house)) out.push({ path: ["guess", "house"], text: `there is no House ${order.guess.house}` });
    const goal = String(order.move ?? "stay").toLowerCase();
    if (goal !== "stay" && !(goal in view.web)) out.push({ path: ["move"], text: `${goal} is not in your diamond` });
    return out.filter(Boolean);
  }

  // Points for one more action: an even share of what is left, so that six actions take no more than there are.
  const pointsFor = (order) => {
    const free = PHASES.filter((place) => !order?.[place]).length;
    return Math.max(1, Math.min(MOST_POINTS, Math.floor((own.action_points - spentOn(order)) / Math.max(1, free))));
  };

  // What stands in a place of a special that works on something.
  function options(place, order) {
    const squares = (all) => all.map((square) => ({ order: square, note: square in view.web ? tileName(view.web[square]) : "not in your diamond" }));
    const [slot, subject] = place.split(".");
    if (SPECIALS.includes(place)) {
      const taken = SPECIALS.filter((one) => one !== place).map((one) => order?.[one]?.enact);
      return data.menus.find((menu) => menu.paths.includes(place))?.items.filter((item) => !taken.includes(item.order.enact));
    }
    if (!SPECIALS.includes(slot)) return null;
    if (subject === "square") return squares(Object.keys(view.web));
    if (subject === "squares") return squares(clear());
    if (subject === "row") return [...new Set(clear().map((square) => Number(square.slice(1))))].map((row) => ({ order: row, note: "a row of your diamond" }));
    if (subject === "column") return [...new Set(clear().map((square) => square[0]))].map((column) => ({ order: column, note: "a column of your diamond" }));
    return subject === "player" ? others.map((seat) => ({ order: seat, note: `can be ${listed(view.can_be[seat], "or")}` })) : null;
  }

  // A click on a square: bid for what lies there, enact it, name it for a special, or go there.
  function places(word, given) {
    const order = given ?? {};
    const square = word in view.web ? word : squareOf[word];
    if (!square) return [];
    const tile = view.web[square];
    const found = [];
    const changed = (place, value) => {
      const { [place]: gone, ...rest } = order;
      return value === undefined ? rest : { ...rest, [place]: value };
    };
    for (const place of SPECIALS.filter((one) => order[one])) {
      const subject = specials[idOf(order[place].enact)]?.subject;
      const value = subject === "square" ? square : subject === "squares" ? [...(order[place].squares ?? []), square].slice(-2)
        : subject === "row" ? Number(square.slice(1)) : subject === "column" ? square[0] : null;
      if (value !== null && (subject === "squares" || !(subject in order[place]))) {
        found.push({ title: `${tileName(idOf(order[place].enact))}: ${subject} ${listed([value].flat())}`, order: changed(place, { ...order[place], [subject]: value }) });
      }
    }
    const isObject = tile in objects;
    const slots = isObject ? BIDS : SPECIALS;
    const key = isObject ? "for" : "enact";
    const present = slots.filter((one) => order[one] && idOf(order[one][key]) === tile);
    const free = slots.find((one) => !order[one]);
    const note = data.menus.flatMap((menu) => menu.items).find((item) => item.order?.[key] === tile)?.note;
    for (const place of present) found.push({ title: `${phase(place)}: take it back`, note: tileName(tile), order: changed(place) });
    if ((isObject || tile in specials) && free && (isObject || !present.length)) {
      found.push({ title: `${phase(free)}: ${isObject ? "bid" : "enact"}`, note, order: changed(free, { [key]: tile, points: pointsFor(order) }) });
    }
    if (square !== own.square) {
      const isGoal = order.move === square;
      found.push({ title: isGoal ? "move: stay after all" : `move: go to ${square}`, order: changed("move", isGoal ? undefined : square) });
    }
    return found;
  }

  const isChosen = (word, order) => {
    const tile = view.web[word] ?? word;
    const square = view.web[word] ? word : squareOf[word];
    return Boolean(order) && (order.move === square || BIDS.some((one) => order[one] && idOf(order[one].for) === tile) || SPECIALS.some((one) => order[one] && (idOf(order[one].enact) === tile || [order[one].square, order[one].squares].flat().includes(square))));
  };

  return {
    places, isChosen, options, problems, forecast,
    left: (order, isNow) => (isNow ? `${own.action_points - spentOn(order)} of ${own.action_points} action points left` : ""),
    start: (name, order) => (name === "points" ? pointsFor(order) : undefined),
  };
};
