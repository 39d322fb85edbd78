"""Lines that are ready for a seat's next turns: its best answer to each reply that the opponent can give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.foresight import Plan, Planned
from pbem.core.interface import Json, Label
from pbem.rules.kit.ranking import without
from pbem.rules.rose_king.bots.greedy import Thought
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import write_move
from pbem.rules.rose_king.scoring import Lands, find_lands, lands_after, measured
from pbem.rules.rose_king.state import SEATS, Card, Draw, Move, Play, opponent
from pbem.rules.rose_king.view import View, legal_orders, moves_seen

LIKELY: Final = 3
"""Further than one turn ahead so many replies are looked at each time, those first that bring most."""


DRAWN: Final = 3
"""So many cards that the opponent may draw are answered apart, each of which brings more than `LOSS`."""
LOSS: Final = 4.0
"""So many points."""


def plan(facts: Facts, view: View, now: Move | None, asks: int) -> Plan:
    """Return lines for the next turns of a seat: where the crown may be then, and the best answer there.

    Hands lie open: each reply of the opponent is known by the square that it takes the crown to, and a draw
    by the crown that stays. A card that is drawn meanwhile is not known.

    Args:
        facts: The board and the cards.
        view: What the seat knows.
        now: What it does if it is on turn; None for what the greedy bot would do.
        asks: For how many of its own turns after the present one.
    """
    lines = tuple(lines_ahead(facts, view, now, asks))
    if view.me is None or not lines:
        return Plan()
    return Plan(lines, open=_left_open(view.me, asks))


def lines_ahead(facts: Facts, view: View, now: Move | None, asks: int) -> Iterator[Planned]:
    """Yield the lines of `plan`, those for the next turn first, each when it is asked for."""
    if view.me is None or view.to_move is None:
        return
    here, drawn = Here.of(facts, view), dict.fromkeys(SEATS, 0)
    if view.to_move == view.me:
        move = now or best(facts, here)
        here = after(facts, here, move)
        drawn[view.me] += isinstance(move, Draw)
    paths = [] if _is_over(here.view) else [_Path(here, {}, (), drawn)]
    for _ in range(asks):
        following: list[_Path] = []
        for path in paths:
            for line, then in _answers(facts, path):
                yield line
                if then is not None:
                    following.append(then)
        paths = following


class Here(NamedTuple):
    """A position as its owner sees it, and the territories on its board."""

    view: View
    lands: Lands

    @classmethod
    def of(cls, facts: Facts, view: View) -> Here:
        """Return a position with its territories."""
        return cls(view, find_lands(facts, view.board))


def best(facts: Facts, here: Here, drawn: int = 0) -> Move | None:
    """Return what the greedy bot likes best for the owner of a view on turn, the first of equals.

    Args:
        facts: The board and the cards.
        here: What it sees.
        drawn: How many cards it holds besides that nobody knows yet.
    """
    view = here.view
    moves = _that_fit(facts, view, legal_orders(facts, view), drawn)
    if view.me is None or not moves:
        return None
    thought = Thought(facts, view, view.me, here.lands)
    return max(moves, key=thought.worth)


def _by_drawn(facts: Facts, here: Here, drawn: int) -> tuple[Move | None, dict[Card, Move]]:
    """Return what is best for the owner of a view on turn if the opponent has just drawn a card.

    Returns:
        What is best over all cards that it may have drawn, and for the few for which that would lose most
        what is better then.
    """
    view = here.view
    moves = _that_fit(facts, view, legal_orders(facts, view), drawn)
    if view.me is None or not moves:
        return None, {}
    seen = {*view.red.hand, *view.white.hand, *(view.discards if view.pile else ())}
    thought = Thought(facts, view, view.me, here.lands)
    worth = {
        card: {move: thought.worth(move, (card,)) for move in moves}
        for card in facts.deck
        if card not in seen
    }
    robust = max(moves, key=lambda move: sum(found[move] for found in worth.values()))
    best_for = {card: max(moves, key=found.__getitem__) for card, found in worth.items()}
    loss = {card: worth[card][move] - worth[card][robust] for card, move in best_for.items()}
    told = sorted((card for card in loss if loss[card] > LOSS), key=lambda card: -loss[card])[:DRAWN]
    return robust, {card: best_for[card] for card in told}


def after(facts: Facts, here: Here, move: Move | None) -> Here:
    """Return what the owner of a view would see after a move of the seat on turn; None skips its turn.

    A drawn card is not known: the hand stays as it is.

    Source: manual page 2, "A Turn".
    """
    view, lands, seat = here.view, here.lands, here.view.mover
    foe, own = opponent(seat), view.side(seat)
    sides: dict[Seat, dict[str, Any]] = {
        seat: {"turned": isinstance(move, Play) and move.hero},
        foe: {"asks": view.side(foe).asks + 1},
    }
    changed: dict[str, Any] = {"to_move": foe}
    if isinstance(move, Draw):
        changed["pile"] = max(0, view.pile - 1)
    elif isinstance(move, Play):
        square = facts.leaps[view.crown][move.card]
        lands = lands_after(facts, view.board, lands, seat, square)
        view = view.with_token(square, seat)
        changed["discards"] = (*view.discards, move.card)
        sides[seat] |= {"hand": without(own.hand, (move.card,)), "heroes": own.heroes - move.hero}
        if not move.hero and own.tokens_left is None:
            changed["supply"] = view.left_for(seat) - 1
        elif not move.hero:
            sides[seat]["tokens_left"] = view.left_for(seat) - 1
        for one in SEATS:
            sides[one] |= measured(lands, view.board, one)
    changed |= {one: replace(view.side(one), **more) for one, more in sides.items()}
    lost = view.me is not None and changed[opponent(view.me)].turned
    return Here(replace(view, **changed, lost_token=lost), lands)


def _that_fit(facts: Facts, view: View, moves: tuple[Move, ...], drawn: int) -> tuple[Move, ...]:
    """Return the moves of the seat on turn without the draw for which its hand is too full."""
    is_full = len(view.side(view.mover).hand) + drawn >= facts.hand_limit
    return tuple(move for move in moves if isinstance(move, Play)) if is_full else moves


def _is_over(view: View) -> bool:
    """Tell whether somebody has placed the last token."""
    return any(view.left_for(seat) == 0 for seat in SEATS)


class _Path(NamedTuple):
    """How a position comes about.

    Attributes:
        here: The position, with the opponent on turn.
        when: What tells it from the others: the squares that were taken on the way.
        words: What happens on the way, the opponent's moves.
        drawn: How many cards each seat has drawn on the way, which nobody knows yet.
    """

    here: Here
    when: Mapping[str, Json]
    words: tuple[str, ...]
    drawn: Mapping[Seat, int]


def _answers(facts: Facts, path: _Path) -> Iterator[tuple[Planned, _Path | None]]:
    """Yield the answers to each reply to a position, each with how it goes on then, if it can be told."""
    before = path.here.view
    foe, me = before.mover, opponent(before.mover)
    for reply in _replies(facts, path):
        place = after(facts, path.here, reply)
        here, words = place.view, (*path.words, _told(before, place.view, reply))
        if not path.words and isinstance(reply, Draw):
            answer, better = _by_drawn(facts, place, path.drawn[me])
        else:
            answer, better = best(facts, place, path.drawn[me]), dict[Card, Move]()
        if answer is None or _is_over(here):
            continue
        when: dict[str, Json] = {"crown": here.crown, **path.when}
        if path.words and not isinstance(reply, Play):
            when["pile"] = here.pile  # else the opponent may have taken that square just now
        label, said = Label(f"{me}-{here.side(me).asks}"), f"If {' and then '.join(words)}"
        for card, move in better.items():
            note = f"{said} and draws {card}{_answer(here, after(facts, place, move).view, move)}"
            drew: dict[str, Json] = {**when, f"{foe}.hand": {"has": str(card)}}
            yield Planned(label, write_move(move), note, drew), None
        then = after(facts, place, answer)
        note = f"{said}{_answer(here, then.view, answer)}"
        taken = {here.crown: foe} if isinstance(reply, Play) else {}
        taken |= {then.view.crown: me} if isinstance(answer, Play) else {}
        known = {**path.when, **{f"board.{square}": str(seat) for square, seat in taken.items()}}
        more = {foe: isinstance(reply, Draw), me: isinstance(answer, Draw)}
        drawn = {seat: held + more[seat] for seat, held in path.drawn.items()}
        ends = _is_over(then.view) or not taken  # two draws: nothing tells that turn from the one before
        further = None if ends else _Path(then, known, words, drawn)
        yield Planned(label, write_move(answer), note, when), further


def _replies(facts: Facts, path: _Path) -> list[Move | None]:
    """Return what the opponent on turn can do, what brings it most first; None is a skipped turn.

    It skips no turn if the seat has drawn a card, for that card is seen before.
    """
    view, foe = path.here.view, path.here.view.mover
    moves = _that_fit(facts, view, moves_seen(facts, view, foe), path.drawn[foe])
    if not moves:
        return [] if path.drawn[opponent(foe)] else [None]
    thought = Thought(facts, replace(view, me=foe), foe, path.here.lands)
    ranked: list[Move | None] = [*sorted(moves, key=lambda move: -thought.worth(move))]
    return ranked[:LIKELY] if path.words else ranked


def _told(before: View, here: View, reply: Move | None) -> str:
    foe = before.mover
    if not isinstance(reply, Play):
        return f"{foe.capitalize()} leaves the crown on {before.crown}"
    gain = here.side(foe).points - before.side(foe).points
    how = "turns over" if reply.hero else "takes"
    return f"{foe.capitalize()} {how} {here.crown} ({gain:+d})"


def _answer(here: View, then: View, move: Move) -> str:
    if isinstance(move, Draw):
        return ""
    gain = then.side(here.mover).points - here.side(here.mover).points
    return f": {'turn over' if move.hero else 'take'} {then.crown}, you {gain:+d}"


def _left_open(me: Seat, asks: int) -> str:
    foe = opponent(me).capitalize()
    return "" if asks < 2 else f"what {foe} can play with a card that it draws by then, and unlikely replies"
