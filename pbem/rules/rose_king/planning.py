"""Lines that are ready for a seat's next turns: its best answer to each reply that the opponent can give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.foresight import Plan, Planned
from pbem.core.interface import Json, Label
from pbem.rules.kit.ranking import without
from pbem.rules.rose_king.bots.greedy import Thought, Weights
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import legal_moves, target, write_move
from pbem.rules.rose_king.scoring import Lands, find_lands, lands_after, points_of, sizes
from pbem.rules.rose_king.state import SEATS, Card, Draw, Move, Play, opponent
from pbem.rules.rose_king.view import View, holder_of, legal_orders

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
    lines = sorted(_lines_from(facts, view, now, asks), key=lambda line: line.depth)
    if view.me is None or not lines:
        return Plan()
    return Plan(tuple(line.planned for line in lines), open=_left_open(view.me, asks))


def next_lines(facts: Facts, view: View, now: Move | None) -> Iterator[Planned]:
    """Yield the lines of `plan` for the next turn alone, each when it is asked for."""
    return (line.planned for line in _lines_from(facts, view, now, 1))


def _lines_from(facts: Facts, view: View, now: Move | None, asks: int) -> Iterator[_Line]:
    """Yield the lines for the next turns of a seat, as `plan` is told."""
    if view.me is None or view.to_move is None:
        return
    here, move = _here(facts, view), None
    if view.to_move == view.me:
        move = now or _best(facts, here)
        here = _after(facts, here, move) if move is not None else here.with_turn_of(opponent(view.me))
    if _is_over(here.view):
        return
    drawn = {seat: int(seat == view.me and isinstance(move, Draw)) for seat in SEATS}
    path = _Path(here, {}, (), drawn)
    yield from _lines(facts, path, view.me, view.side(view.me).asks + 1, asks)


def best(facts: Facts, view: View, drawn: int = 0) -> Move | None:
    """Return what the greedy bot likes best for the owner of a view on turn, the first of equals.

    Args:
        facts: The board and the cards.
        view: What it sees.
        drawn: How many cards it holds besides that nobody knows yet.
    """
    return _best(facts, _here(facts, view), drawn)


def after(facts: Facts, view: View, move: Move) -> View:
    """Return what the owner of a view would see after a move of the seat on turn.

    A drawn card is not known: the hand stays as it is.

    Source: manual page 2, "A Turn".
    """
    return _after(facts, _here(facts, view), move).view


class _Here(NamedTuple):
    """A position as its owner sees it, and the territories on its board."""

    view: View
    lands: Lands

    def with_turn_of(self, seat: Seat) -> _Here:
        """Return the same with a seat on turn."""
        return self._replace(view=replace(self.view, to_move=seat))


def _here(facts: Facts, view: View) -> _Here:
    return _Here(view, find_lands(facts, view.board))


def _best(facts: Facts, here: _Here, drawn: int = 0) -> Move | None:
    """Return what `best` does."""
    view = here.view
    moves = _that_fit(facts, view, legal_orders(facts, view), drawn)
    if view.me is None or not moves:
        return None
    thought = Thought(facts, view, view.me, Weights(), here.lands)
    return max(moves, key=thought.worth)


def _by_drawn(facts: Facts, here: _Here, drawn: int) -> tuple[Move | None, dict[Card, Move]]:
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
    thought = Thought(facts, view, view.me, Weights(), here.lands)
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


def _after(facts: Facts, here: _Here, move: Move) -> _Here:
    """Return what `after` does, with the territories then."""
    view, lands = here.view, here.lands
    seat = view.to_move
    assert seat is not None, "somebody is on turn"
    board, crown, pile = view.board, view.crown, view.pile
    foe, supply, discards, own = opponent(seat), view.supply, view.discards, view.side(seat)
    changed: dict[Seat, dict[str, Any]] = {
        seat: {"turned": isinstance(move, Play) and move.hero},
        foe: {"asks": view.side(foe).asks + 1},
    }
    if isinstance(move, Draw):
        pile = max(0, pile - 1)
    else:
        square = target(facts, crown, move.card)
        assert square is not None, "a legal card leads somewhere"
        changed[seat] |= {"hand": without(own.hand, (move.card,)), "heroes": own.heroes - move.hero}
        crown, discards = square, (*discards, move.card)
        lands = lands_after(facts, board, lands, seat, square)
        board = {**board, square: holder_of(seat)}
        if not move.hero:
            supply = None if supply is None else supply - 1
            changed[seat]["tokens_left"] = None if own.tokens_left is None else own.tokens_left - 1
        for one in SEATS:
            found = sizes(lands, board, one)
            roses, points, largest = sum(found), points_of(found), max(found, default=0)
            changed[one] |= {"roses": roses, "points": points, "largest": largest}
    sides = {one: replace(view.side(one), **changed[one]) for one in SEATS}
    then = replace(
        view,
        to_move=foe,
        crown=crown,
        board=board,
        red=sides[SEATS[0]],
        white=sides[SEATS[1]],
        pile=pile,
        discards=discards,
        supply=supply,
        lost_token=view.me is not None and sides[opponent(view.me)].turned,
    )
    return _Here(then, lands)


def _that_fit(facts: Facts, view: View, moves: tuple[Move, ...], drawn: int) -> tuple[Move, ...]:
    """Return the moves of the seat on turn without the draw for which its hand is too full."""
    assert view.to_move is not None, "somebody is on turn"
    is_full = len(view.side(view.to_move).hand) + drawn >= facts.hand_limit
    return tuple(move for move in moves if not (is_full and isinstance(move, Draw)))


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

    here: _Here
    when: Mapping[str, Json]
    words: tuple[str, ...]
    drawn: Mapping[Seat, int]


class _Line(NamedTuple):
    planned: Planned
    depth: int


def _lines(facts: Facts, path: _Path, me: Seat, count: int, asks: int, depth: int = 1) -> Iterator[_Line]:
    """Yield the answers to each reply to a position, and to the replies to those."""
    foe, before = opponent(me), path.here.view
    for reply in _replies(facts, path, None if depth == 1 else LIKELY):
        if reply is None and path.drawn[me]:
            continue  # the own card that was drawn is seen before the opponent moves again
        place = _after(facts, path.here, reply) if reply is not None else path.here.with_turn_of(me)
        here = place.view
        words = (*path.words, _told(foe, before, here, reply))
        if depth == 1 and isinstance(reply, Draw):
            answer, better = _by_drawn(facts, place, path.drawn[me])
        else:
            answer, better = _best(facts, place, path.drawn[me]), dict[Card, Move]()
        if answer is None or _is_over(here):
            continue
        when: dict[str, Json] = {"crown": here.crown, **path.when}
        label, said = Label(f"{me}-{count}"), f"If {' and then '.join(words)}"
        for card, move in better.items():
            note = f"{said} and draws {card}{_answer(here, _after(facts, place, move).view, me, move)}"
            drew: dict[str, Json] = {**when, f"{foe}.hand": {"has": str(card)}}
            yield _Line(Planned(label, write_move(move), note, drew), depth)
        then = _after(facts, place, answer)
        after_it = then.view
        note = f"{said}{_answer(here, after_it, me, answer)}"
        yield _Line(Planned(label, write_move(answer), note, when), depth)
        if asks > 1 and not _is_over(after_it):
            taken = {here.crown: foe} if here.crown != before.crown else {}
            taken |= {after_it.crown: me} if isinstance(answer, Play) else {}
            known = {**path.when, **{f"board.{square}": str(seat) for square, seat in taken.items()}}
            if not taken:
                continue  # two draws: nothing tells that turn from the one before
            more = {foe: isinstance(reply, Draw), me: isinstance(answer, Draw)}
            drawn = {seat: held + more[seat] for seat, held in path.drawn.items()}
            yield from _lines(facts, _Path(then, known, words, drawn), me, count + 1, asks - 1, depth + 1)


def _replies(facts: Facts, path: _Path, most: int | None) -> list[Move | None]:
    """Return what the opponent on turn can do, what brings it most first; None is a skipped turn."""
    view = path.here.view
    foe = view.to_move
    assert foe is not None, "the opponent is on turn"
    side = view.side(foe)
    moves = legal_moves(facts, view.crown, view.board, foe, side.hand, side.heroes)
    moves = _that_fit(facts, view, moves, path.drawn[foe])
    if not moves:
        return [None]
    thought = Thought(facts, replace(view, me=foe), foe, Weights(), path.here.lands)
    ranked: list[Move | None] = [*sorted(moves, key=lambda move: -thought.worth(move))]
    return ranked[:most]


def _told(foe: Seat, before: View, here: View, reply: Move | None) -> str:
    name = foe.capitalize()
    if not isinstance(reply, Play):
        return f"{name} leaves the crown on {before.crown}"
    gain = here.side(foe).points - before.side(foe).points
    how = "turns over" if reply.hero else "takes"
    return f"{name} {how} {here.crown} ({gain:+d})"


def _answer(here: View, then: View, me: Seat, move: Move) -> str:
    if isinstance(move, Draw):
        return ""
    gain = then.side(me).points - here.side(me).points
    return f": {'turn over' if move.hero else 'take'} {then.crown}, you {gain:+d}"


def _left_open(me: Seat, asks: int) -> str:
    foe = opponent(me).capitalize()
    return "" if asks < 2 else f"what {foe} can play with a card that it draws by then, and unlikely replies"
