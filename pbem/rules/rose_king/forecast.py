"""What a legal move will do, in sentences for the seat that orders it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.events import Seat
from pbem.core.interface import Forecast
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import count, listing
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.scoring import Change, change, decide, find_lands, territories
from pbem.rules.rose_king.state import Card, Draw, Move, Play, Square, opponent
from pbem.rules.rose_king.view import View, may_come, may_end, moves_seen


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what a move will do, and what the opponent can do then; the move is legal on the view."""
    if view.me is None:
        return Forecast(())
    match move:
        case Play():
            return Forecast(_after_play(facts, view, view.me, move))
        case Draw():
            return Forecast(_after_draw(facts, view, view.me))


def _after_play(facts: Facts, view: View, me: Seat, move: Play) -> tuple[str, ...]:
    square, foe = facts.leaps[view.crown][move.card], opponent(me)
    then = view.with_token(square, me)
    changed = change(facts, view.board, find_lands(facts, view.board), me, square)
    hand = without(view.side(me).hand, (move.card,))
    left = view.left_for(me) - (not move.hero)
    return (
        f"{move.card} takes the crown from {view.crown} to {square}.",
        _token(view, me, move, square, left),
        _points(view, me, changed),
        *_shapes(me, changed),
        f"You keep {count(len(hand), 'card')}: {', '.join(hand)}." if hand else "You keep no card.",
        _ending(facts, then) if left == 0 else _reply(facts, then, foe),
    )


def _token(view: View, me: Seat, move: Play, square: Square, left: int) -> str:
    if move.hero:
        heroes = count(view.side(me).heroes - 1, "hero", "heroes")
        return f"Your hero turns over the {opponent(me)} token on {square}; you have {heroes} left."
    pool = "in the common pool" if view.supply is not None else "of your own"
    return f"You place a {me} token on {square}; {count(left, 'token is', 'tokens are')} left {pool}."


def _shapes(me: Seat, changed: Change) -> tuple[str, ...]:
    """Say what becomes of the territories that the token touches."""
    size = 1 + sum(changed.joined)
    lines = []
    match changed.joined:
        case ():
            lines.append("It stands alone.")
        case (before,):
            lines.append(f"Your territory of {before} grows to {size}.")
        case several:
            lines.append(f"Your territories of {listing(several)} become one of {size}.")
    if changed.broken:
        rest = changed.pieces
        became = "is gone" if not rest else f"{'shrinks' if len(rest) == 1 else 'breaks'} to {listing(rest)}"
        lines.append(f"{opponent(me).capitalize()}'s territory of {changed.broken} {became}.")
    return tuple(lines)


def _points(view: View, me: Seat, changed: Change) -> str:
    mine, yours = view.side(me).points, view.side(opponent(me)).points
    foe = f"goes from {yours} to {yours - changed.loss}" if changed.loss else f"stays at {yours}"
    return f"Points: you go from {mine} to {mine + changed.gain}, {opponent(me)} {foe}."


def _reply(facts: Facts, then: View, foe: Seat) -> str:
    """Say what the opponent can do then."""
    moves = moves_seen(facts, then, foe)
    plain = [move.card for move in moves if isinstance(move, Play) and not move.hero]
    heroic = [move.card for move in moves if isinstance(move, Play) and move.hero]
    parts = []
    if plain:
        parts.append(f"play {listing(plain, 'or')}")
    if heroic:
        parts.append(f"play {listing(heroic, 'or')} with a hero")
    if Draw() in moves:
        parts.append("draw a card")
    can = f"can then {listing(parts, 'or')} ({count(len(moves), 'move')})"
    return f"{foe.capitalize()} {can if parts else 'would have to skip'}."


def _ending(facts: Facts, then: View) -> str:
    """Say how the game ends with the last token."""
    winners, decided_by = decide(territories(facts, then.board))
    how = f"{winners[0]} wins by {decided_by}" if winners else "a draw"
    return f"It is the last token, and the game ends: {how}."


def _after_draw(facts: Facts, view: View, me: Seat) -> tuple[str, ...]:
    coming, held = may_come(facts, view), len(view.side(me).hand) + 1
    source = "the pile" if view.pile else "the discards, which are reshuffled"
    return (
        f"You draw one of {count(len(coming), 'card')} from {source}: {', '.join(coming)}.",
        f"The crown stays on {view.crown}, and the points stay: {view.side(me).points} for you, "
        f"{view.side(opponent(me)).points} for {opponent(me)}.",
        f"You then hold {count(held, 'card')}.",
        _reply_to_draw(facts, view, me, coming),
    )


def _reply_to_draw(facts: Facts, view: View, me: Seat, coming: Sequence[Card]) -> str:
    """Say what the opponent can do after a draw; with both hands full and stuck the game is over."""
    reply = _reply(facts, view, opponent(me))
    ending = may_end(facts, view, me)
    if ending and len(ending) == len(coming):
        return "Nobody could move then, and the game would end."
    ends = f" If you draw {listing(ending, 'or')}, nobody can move and the game ends."
    return f"{reply}{ends * bool(ending)}"
