// The Rose King: what can happen on the board move by move, to play ahead on it. Hands lie open.
/**
 * @typedef {"red" | "white"} Seat
 * @typedef {{ [square: string]: Seat | "empty" }} Board
 * @typedef {{ hand: string[], heroes: number, tokens_left: number | null, turned: boolean, drawn?: number, turns?: number }} Side `drawn` are cards that nobody knows yet, `turns` are played ahead
 * @typedef {{ me: Seat, to_move: Seat | null, crown: string, board: Board, red: Side, white: Side, supply: number | null, pile: number, discards: string[], lost_token: boolean }} View
 * @typedef {View & { to_move: Seat }} Turn
 * @typedef {{ ways: { [card: string]: [right: number, down: number] }, limit: number }} Hints nothing for a spectator
 * @typedef {{ play: string, hero?: boolean } | { draw: boolean }} Order
 */
/** @import { Data, Fault, Game, Line, Move } from "../../../../templates/common/form/types" */
import { data, model, words } from "../../../../templates/common/form/kit.js";

/** @type {() => Game<Order, View>} */
export default () => {
  /** @type {Data<View, Hints, Order>} */
  const { hints, view } = data;
  const { name } = words;
  if (!hints) return {};

  /** @type {(seat: Seat) => Seat} */
  const foeOf = (seat) => (seat === "red" ? "white" : "red");

  // The position after a move; whoever moved, the other one is on turn.
  /** @type {(view: Turn, changes: { square?: string, own: Partial<Side>, all?: Partial<View> }) => View} */
  function after(view, changes) {
    const seat = view.to_move;
    const turned = Boolean(changes.square) && view.board[String(changes.square)] !== "empty";
    const board = changes.square ? { ...view.board, [changes.square]: seat } : view.board;
    const lost = seat === view.me ? view[foeOf(seat)].turned : turned;
    return { ...view, ...changes.all, board, to_move: foeOf(seat), lost_token: lost, [seat]: { ...view[seat], turned, turns: (view[seat].turns ?? 0) + 1, ...changes.own } };
  }

  // The points of a seat: the size of each of its territories squared. A corner joins nothing.
  /** @type {(board: Board, seat: Seat) => number} */
  function pointsOf(board, seat) {
    const squares = Object.keys(board);
    const size = Math.sqrt(squares.length);
    const left = new Set(squares.flatMap((square, at) => (board[square] === seat ? [at] : [])));
    /** @type {(at: number) => number} */
    const spread = (at) => (left.delete(at) ? 1 + [at - size, at + size, ...(at % size ? [at - 1] : []), ...((at + 1) % size ? [at + 1] : [])].reduce((all, one) => all + spread(one), 0) : 0);
    return [...left].reduce((all, at) => all + spread(at) ** 2, 0);
  }

  /** @type {(view: Turn, card: string, square: string) => Move<View, Order>} */
  function played(view, card, square) {
    const seat = view.to_move;
    const isHero = view.board[square] !== "empty";
    const side = view[seat];
    /** @type {Partial<Side> & { hand: string[] }} */
    const own = { hand: side.hand.filter((_, at) => at !== side.hand.indexOf(card)), heroes: side.heroes - Number(isHero) };
    if (!isHero && side.tokens_left !== null) own.tokens_left = side.tokens_left - 1;
    const supply = isHero || view.supply === null ? view.supply : view.supply - 1;
    const is = isHero ? "turns over" : "takes";
    const board = { ...view.board, [square]: seat };
    const [gain, loss] = [seat, foeOf(seat)].map((one) => pointsOf(board, one) - pointsOf(view.board, one));
    return {
      seat, square, worth: `+${gain}${loss ? `, ${name(foeOf(seat))} \u2212${-loss}` : ""}`, do: { play: card, ...(isHero && { hero: true }) }, words: `${name(seat)} ${is} ${square} with ${card}${isHero ? " and a hero" : ""}`,
      when: { crown: square }, since: { [`board.${square}`]: seat }, view: after(view, { square, own, all: { crown: square, supply } }),
    };
  }

  // The crown stays, and nobody knows the card yet; or somebody can do nothing.
  /** @type {(view: Turn, order: Order | null, words: string) => Move<View, Order>} */
  function stayed(view, order, words) {
    const { drawn = 0, turns } = view[view.to_move];
    const draws = Number(order !== null);
    const pile = Math.max(0, view.pile - draws);
    const isTheirs = view.to_move !== view.me;
    return { seat: view.to_move, do: order, words: `${name(view.to_move)} ${words}`, ...(order && isTheirs && { worth: "draws a card" }), when: { crown: view.crown, ...(isTheirs && turns && { pile }) }, since: {}, view: after(view, { own: { drawn: drawn + draws }, all: { pile } }) };
  }

  // All that the side on turn can do, as the page plays it; nothing once the game is over, as when neither can move.
  /** @type {(view: View) => Move<View, Order>[]} */
  function moves(view) {
    const found = possible(view);
    if (!view.to_move || found.length || isOver(view)) return found;
    return possible({ ...view, to_move: foeOf(view.to_move) }).length ? [stayed(/** @type {Turn} */ (view), null, "can do nothing")] : [];
  }

  /** @type {(view: View) => boolean} */
  const isOver = (view) => [view.supply, view.red.tokens_left, view.white.tokens_left].includes(0);

  // The square that a card leads the crown to; "" off the board.
  /** @type {(view: View, card: string) => string} */
  function squareOf(view, card) {
    const squares = Object.keys(view.board);
    const size = Math.sqrt(squares.length);
    const spot = squares.indexOf(view.crown);
    const [x, y] = [spot % size + hints.ways[card][0], Math.floor(spot / size) + hints.ways[card][1]];
    return x >= 0 && y >= 0 && x < size && y < size ? squares[y * size + x] : "";
  }

  // What the side on turn can do with the cards that are seen: manual page 2, "A Turn".
  /** @type {(view: View) => Move<View, Order>[]} */
  function possible(view) {
    const seat = view.to_move;
    if (!seat || isOver(view)) return [];
    const { hand, heroes, drawn = 0 } = view[seat];
    const out = [];
    for (const card of new Set(hand)) {
      const square = squareOf(view, card);
      const holder = view.board[square];
      if (holder === "empty" || (holder === foeOf(seat) && heroes)) out.push(played(/** @type {Turn} */ (view), card, square));
    }
    if (hand.length + drawn < hints.limit) out.push(stayed(/** @type {Turn} */ (view), { draw: true }, seat === view.me ? "draws a card" : `leaves the crown on ${view.crown}`));
    return out;
  }

  // Why a card, or a square, cannot be played now, or in a position played ahead: in the words of `pbem check`.
  /** @type {(word: string, order?: unknown, isThing?: boolean, then?: View) => string} */
  function whyNot(word, _order, isThing, then = view) {
    const me = then.me;
    const mover = then.to_move;
    if (isThing && mover && word in then.board && (mover === me || then !== view)) { // E1 is a square and a card
      const card = then[mover].hand.find((one) => squareOf(then, one) === word);
      if (!card) return `no card of ${mover !== me ? `${name(mover)}'s that is known` : then[me].drawn ? "yours that is known" : "your hand"} leads to ${word}`;
      return mover === me ? whyCardNot(then, card) : "";
    }
    return mover === me ? whyCardNot(then, word) : "";
  }

  /** @type {(view: View, word: string) => string} */
  function whyCardNot(view, word) {
    const me = view.me;
    if (word === "draw") return problems({ draw: true }, view)[0]?.text ?? "";
    if (!view[me].hand.includes(word)) return view[foeOf(me)].hand.some((card) => word.endsWith(` ${card}`)) ? `it is ${name(foeOf(me))}'s` : "";
    return whySquareNot(view, word);
  }

  // Why no card of this kind can be played where the crown is, whoever holds it.
  /** @type {(view: View, word: string) => string} */
  function whySquareNot(view, word) {
    const me = view.me;
    const square = squareOf(view, word);
    const holder = view.board[square];
    if (!square) return `${word} leads from ${view.crown} off the board`;
    if (holder === me) return `${square} holds your own token`;
    return holder === foeOf(me) && !view[me].heroes ? `${square} holds a ${holder} token, and you have no hero left` : "";
  }

  // Why a card is not in the hand in a position played ahead, for certain, as the host looks ahead: at later turns than
  // the present one anything may be done until then.
  /** @type {(card: string, then: View) => string} */
  function whyNeverDrawn(card, then) {
    const { turns = 0, drawn = 0 } = then[then.me];
    const draws = turns > Number(view.to_move === view.me) ? turns : drawn;
    return whyGone(card, view[view.me].hand.includes(card), draws, draws + turns + 1);
  }

  // The same by how many cards are drawn, since it was played if it was, and by both sides at most.
  /** @type {(card: string, isPlayed: boolean, draws: number, most: number) => string} */
  function whyGone(card, isPlayed, draws, most) {
    const gone = isPlayed ? `${card} is played before then` : `${card} is not in your hand`;
    if (!draws) return `${gone}, and you draw no card until then`;
    const isSeen = [...view.red.hand, ...view.white.hand, ...view.discards].includes(card);
    return isSeen && view.pile >= most ? `${gone}, and it cannot come back into the pile by then` : "";
  }

  // What is wrong with an order now, or in a position played ahead: in the words of `pbem check`.
  /** @type {(order: Order, then?: View) => Fault[]} */
  function problems(order, then = view) {
    const me = then.me;
    if (then.to_move !== me) return [];
    /** @type {(path: string, text: string) => Fault[]} */
    const wrong = (path, text) => {
      const legal = possible(then).map((one) => words.order(one.do));
      return [{ path: [path], text, hint: legal.length ? `You can order ${legal.join(" or ")}.` : "" }];
    };
    if (!("play" in order)) {
      const held = then[me].hand.length + (then[me].drawn ?? 0);
      return held < hints.limit ? [] : wrong("draw", `you hold ${held} cards already, the most there is`);
    }
    const card = String(order.play).toUpperCase();
    const { hand, heroes } = then[me];
    const isKnown = card in hints.ways;
    const square = isKnown ? squareOf(then, card) : "";
    const holder = then.board[square];
    const isFoe = holder === foeOf(me);
    const isHeld = hand.includes(card);
    const gone = isHeld ? "" : then === view ? `${card} is not in your hand (${hand.join(", ") || "it is empty"})` : whyNeverDrawn(card, then);
    const why = gone || (isKnown ? whySquareNot(then, card) : "");
    if (gone && card in then.board) {
      const [fault] = wrong("play", why);
      const leads = hand.find((one) => squareOf(then, one) === card);
      return [{ ...fault, hint: leads ? `${leads} leads to the square ${card}. ${fault.hint}` : fault.hint }];
    }
    if (why) return wrong(order.hero && isFoe && !heroes ? "hero" : "play", why);
    if (order.hero && holder === "empty") return [{ path: ["hero"], text: `${square} is empty, and a hero only turns over a token of ${foeOf(me)}`, hint: "Leave the hero out." }];
    return !order.hero && isFoe ? [{ path: ["play"], text: `${square} holds a ${holder} token`, hint: "A hero can turn it over." }]
      : isHeld ? [] : [{ path: ["play"], text: `whether you draw ${card} is not known yet`, unknown: true }];
  }

  // Why a card can never be played by a line beyond the next own ask, as the host looks ahead; up to that one, the moves
  // that lead there tell more.
  /** @type {(order: Order, ahead?: [line: Line, played?: Line]) => Fault[]} */
  function lasting(order, [line, played] = [{}]) {
    const [asked, then] = [data.ask.next, line.at ?? ""].map(model.label);
    const turns = asked && then?.owner === asked.owner ? then.count - asked.count : 0; // own ones before it
    const isMine = Number(data.ask.mine);
    const card = "play" in order ? String(order.play).toUpperCase() : "";
    if (turns === isMine && line.at) return elsewhere(line, isMine ? moves(view).find((one) => played && model.canonical(one.do) === model.canonical(played.do))?.view : view);
    if (turns <= isMine || !(card in hints.ways)) return [];
    const now = isMine && played?.do.play;
    const isPlayed = String(now).toUpperCase() === card;
    const draws = now ? turns - 1 : turns;
    const why = (!isPlayed && view[view.me].hand.includes(card) ? "" : whyGone(card, isPlayed, draws, draws + turns + 1)) || ("hero" in order ? "" : whyTaken(card, line.when?.crown));
    return why ? [{ path: ["play"], text: why }] : [];
  }

  // Why the crown cannot be where a line for the next own ask wants it: hands lie open, so each answer is known.
  /** @type {(line: Line, here?: View) => Fault[]} */
  function elsewhere({ when = {} }, here) {
    const can = here ? moves(here) : [];
    const places = Object.entries(when).filter(([path, wanted]) => /^(crown|board\.)/.test(path) && [wanted].flat().every((one) => typeof one === "string"));
    if (!can.length || can.some(({ view: then }) => model.holds(Object.fromEntries(places), then))) return [];
    const wanted = Object.keys(view.board).filter((square) => [when.crown].flat().some((one) => model.same(square, one)));
    return [{ path: [], text: `the crown cannot be on ${wanted.join(" or ") || "a square that fits the condition"} then` }];
  }

  // Why a card leads to no square that is free, from where the crown is wanted; "" where it may.
  /** @type {(card: string, wanted: unknown) => string} */
  function whyTaken(card, wanted) {
    const all = Object.keys(view.board);
    const named = all.filter((crown) => [wanted].flat().some((one) => model.same(crown, one)));
    const found = (named.length ? named : all).map((crown) => {
      const square = squareOf({ ...view, crown }, card);
      if (!square) return `${card} leads from ${crown} off the board`;
      return view.board[square] === "empty" ? "" : `${square} is taken and never becomes empty again`;
    });
    return found.every(Boolean) ? found[0] : "";
  }

  // What the bar has room for comes first: what is played, then the points, and what may follow.
  /** @type {(told: string[]) => string[]} */
  function brief(told) {
    const points = told.find((one) => one.startsWith("Points: "));
    const first = [...new Set([told[0], points, told.at(-1)])].flatMap((one) => one ?? []);
    return [...first, ...told.filter((one) => !first.includes(one))].map((one) => `${one[0].toUpperCase()}${one.slice(1)}`);
  }

  /** @type {(count: number) => string} */
  const ofPoints = (count) => `${count} ${count === 1 ? "point" : "points"}`;

  // A position in a sentence.
  /** @type {(view: View) => string} */
  const told = (view) => `The crown is on ${view.crown}. ${/** @type {Seat[]} */ (["red", "white"]).map((seat) => `${name(seat)} has ${ofPoints(pointsOf(view.board, seat))}, ${view[seat].heroes} ${view[seat].heroes === 1 ? "hero" : "heroes"} and holds ${[...view[seat].hand, ...(view[seat].drawn ? [`${view[seat].drawn} unknown`] : [])].join(", ") || "no card"}`).join("; ")}.`;

  return { moves, told, whyNot, problems, lasting, brief };
};
