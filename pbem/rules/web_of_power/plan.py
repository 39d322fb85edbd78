"""Ready lines for the next turns: the best placements by what happens in their country, then what is left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, islice
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.foresight import Later, Plan, Planned
from pbem.core.interface import Json, Label
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import listing
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.bots import Thought
from pbem.rules.web_of_power.changes import Change, changes_by, in_words, movers
from pbem.rules.web_of_power.choices import note_gain
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.foresight import foresee
from pbem.rules.web_of_power.orders import Seated, choose_act, read_move, write_move
from pbem.rules.web_of_power.placing import payments
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, Card, Country, Move, Placed, Site
from pbem.rules.web_of_power.state import Plan as Wish
from pbem.rules.web_of_power.view import View, board_seen, seated
from pbem.rules.web_of_power.worth import Gains, gain_of

LINES: Final = 10
"""So many lines with a condition stand for the next turn; for later ones the last line alone."""

UNSURE: Final = 6
"""So many stand where the seat does not know its cards yet."""

FEW: Final = 3
"""So many sites of a country are looked at after a change there."""

REST: Final = 16
"""So many placements stand in the line that is always possible."""

CLOSE: Final = 0.7
"""Placements in a country whose worth differs by less, in points, stand for each other in that line."""

_KINDS: Final = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Cloisters and advisors of a placement; on free sites a country takes all that are alike, or none."""

EITHER: Final = 4
"""So many of them become one at most, with the sites as alternatives."""


def plan_ahead(facts: Facts, view: View, now: Move | None, asks: int) -> Plan:
    """Return lines for the next turns of the owner of a view.

    Args:
        facts: The facts of the game.
        view: What the seat knows.
        now: What it does if it is asked now; None if it is not asked, or that is open.
        asks: For how many of its own turns after the present one lines are wanted.
    """
    if view.me is None or view.to_move is None:
        return Plan()
    place = _present(facts, view, view.me, now)
    count = view.players[view.me].asks
    lines: list[Planned] = []
    for number in range(1, asks + 1):
        planner = _Planner(facts, view, place, Label(f"{view.me}-{count + number}"))
        found = [*planner.lines()] if number == 1 else [planner.rest()]
        before = ((now,) if view.to_move == view.me else ()) + (None,) * (number - 1)
        if place.is_whole:  # only the end of the game can bar a line then, and it bars all
            lines += found if _may_be_played(facts, view, found[0], before) else ()
        else:
            lines += [line for line in found if _may_be_played(facts, view, line, before)]
        best = planner.likely()
        place = _Place(place.board.after(view.me, best) if best else place.board, (), is_whole=False)
    return Plan(tuple(lines))


def _may_be_played(facts: Facts, view: View, line: Planned, before: tuple[Move | None, ...]) -> bool:
    """Tell whether a line may be played at all: the cards that it wants can come, the game is not over."""
    return not foresee(facts, view, Later(read_move(facts, line.do), line.at, before, line.when)).never


class _Place(NamedTuple):
    """The position from which a turn is planned.

    Attributes:
        board: The map as it is then if the others leave it alone.
        hand: The cards that the seat surely holds.
        is_whole: Whether these are all that it holds.
    """

    board: Board
    hand: tuple[Card, ...]
    is_whole: bool


def _present(facts: Facts, view: View, me: Seat, now: Move | None) -> _Place:
    """Return the position after the present turn."""
    board = board_seen(facts, view)
    if view.to_move != me:
        return _Place(board, view.hand, is_whole=True)
    act = None if now is None else choose_act(seated(facts, view, me), now)
    if act is None:
        return _Place(board, (), is_whole=False)
    after = board.after(me, act) if isinstance(act, Placed) else board
    return _Place(after, without(view.hand, act.cards), is_whole=False)


class _Answer(NamedTuple):
    """What a seat does best in a country after a change there.

    Attributes:
        worth: What it is worth to the bot.
        change: The change.
        board: The map after it, as far as it is known.
        act: The placement.
        pieces: Its pieces, with what may stand for a site that is taken.
        is_sure: Whether the cards that the seat surely holds pay for it.
    """

    worth: float
    change: Change
    board: Board
    act: Placed
    pieces: tuple[tuple[str, ...], ...]
    is_sure: bool

    @property
    def free(self) -> int:
        """How many sites are free in the country."""
        return len(self.board.free_sites(self.change.country))


class _Planner:
    """Plans one turn: weighs what may be placed as the greedy bot does."""

    def __init__(self, facts: Facts, view: View, place: _Place, at: Label) -> None:
        assert view.me is not None, "a seat plans"
        self.facts, self.view, self.place, self.at, self.seat = facts, view, place, at, view.me
        cards = tuple(card for card in facts.counts for _ in range(facts.limits.pieces))
        self.hand = place.hand if place.is_whole else facts.in_order((*place.hand, *cards))
        nobody = dict.fromkeys(view.seats, 0)
        advisors = {one: {**nobody, **place.board.advisors_in(one)} for one in facts.lands}
        self._then = replace(view, hand=self.hand, advisors=advisors)
        self._paid = cache(lambda country, count: payments(facts, self.hand, country, count))
        self._gains = Gains(Seated(place.board, self.seat, self.hand, view.alliances))
        self._liked = {country: self._by_liking(country) for country in facts.lands}
        self._usual = {country: self._weighed(place.board, country) for country in facts.lands}
        self._best = {country: max(found.values(), default=0.0) for country, found in self._usual.items()}
        self._movers = movers(view, self.seat)

    def likely(self) -> Placed | None:
        """Return the placement that is best if nothing changes."""
        worth = {act: points for found in self._usual.values() for act, points in found.items()}
        return max(worth, key=worth.__getitem__, default=None)

    def lines(self) -> Iterator[Planned]:
        """Yield the lines for what may happen until then, in the order in which they are tried.

        Others change one country a turn at most, so what is best where nobody places stands in all others.
        If that is not sure in more countries than others have turns, the last line is always possible.
        """
        changes = changes_by(self.place.board, self._movers, is_near=self.place.is_whole)
        answers = [answer for change in changes for answer in self._answers(change)]
        groups: dict[object, list[_Answer]] = {}
        settled: list[Country] = []
        for answer in sorted(answers, key=lambda answer: -answer.worth):
            change = answer.change
            if change.happens and settled and change.country not in settled:
                continue
            key = "opens" if self._opens(answer) else (change.country, answer.free, answer.pieces)
            groups.setdefault(key, []).append(answer)
            if not change.happens and answer.is_sure:
                settled.append(change.country)
            if len(settled) > len(self._movers):
                break
        for group in islice(groups.values(), LINES if self.place.is_whole else UNSURE):
            yield self._opening(group) if self._opens(group[0]) else self._line(group)
        if len(settled) <= len(self._movers) or not self.place.is_whole:
            yield self.rest()

    def _opens(self, answer: _Answer) -> bool:
        """Tell whether an answer takes two pieces to a country where others have begun by then."""
        return len(answer.pieces) > 1 and self.place.board.is_empty(answer.change.country)

    def _answers(self, change: Change) -> Iterator[_Answer]:
        """Yield the best placements in a country after a change there, by the cards that they need.

        Which sites another seat takes is not known: those that the seat likes best stay free if they can.
        Any other site does instead if that is still worth more than what is left in other countries.
        """
        country, board = change.country, self.place.board
        if not self._paid(country, 1):
            return
        gone = (*reversed(self._liked[country]),)[: len(change.cloisters)]
        new = (*gone, *(ADVISOR,) * len(change.advisors))
        for seat, piece in zip((*change.cloisters, *change.advisors), new, strict=True):
            board = board.with_piece(seat, country, piece)
        worth = self._weighed(board, country) if change.happens else self._usual[country]
        least = max(points for one, points in self._best.items() if one != country)
        ranked = sorted(worth, key=lambda act: -worth[act])
        best = {self._needs(act): act for act in ranked[::-1]}
        like = {act.kind: worth[act] for act in ranked}
        for needed, act in best.items():
            is_any = change.cloisters and (needed or like[act.kind] >= least)
            either = [(one, CLOISTER) if is_any and one != ADVISOR else (one,) for one in act.pieces]
            yield _Answer(worth[act], change, board, act, tuple(either), not needed)

    def _weighed(self, board: Board, country: Country) -> dict[Placed, float]:
        """Return the placements in a country that are worth more than a new card."""
        gains = self._gains.on(board)
        thought = Thought(gains, self._then)
        worth = {act: thought.worth(act) for act in self._candidates(board, country)}
        least = thought.weights.fresh
        return {act: points for act, points in worth.items() if points >= least}

    def _candidates(self, board: Board, country: Country) -> Iterator[Placed]:
        """Yield the placements in a country that come into question, after a change on few sites only."""
        best = [site for site in self._liked[country] if site not in board.cloisters]
        best = best if board is self.place.board else best[:FEW]
        for built, sent in _KINDS:
            paid = self._paid(country, built + sent)
            if paid and board.takes(self.seat, country, built, sent):
                for sites in combinations(best, built):
                    yield Placed(country, (*sites, *(ADVISOR,) * sent), paid[0])

    def _by_liking(self, country: Country) -> list[Site]:
        """Return the free sites of a country, those that make the longest chains first."""
        free = self.place.board.free_sites(country)
        if not self._paid(country, 1):
            return [*free]
        gains = {site: self._gains.of(Placed(country, (site,), ())) for site in free}
        return sorted(free, key=lambda site: (-gains[site].chain, -gains[site].longest))

    def _needs(self, act: Placed) -> int:
        """Return how many cards of its country a placement needs that the seat does not surely hold; or 0."""
        count = len(act.pieces)
        is_paid = self.place.is_whole or payments(self.facts, self.place.hand, act.country, count)
        return 0 if is_paid else count

    def _line(self, group: Sequence[_Answer]) -> Planned:
        """Return the line for what a seat does best after one of some changes in a country."""
        first = group[0]
        country, title = first.change.country, self.facts.titles[first.change.country]
        room = _one_of_numbers({one.board.advisor_room(country) for one in group})
        when = {f"free.{country}": first.free, f"room.{country}": room}
        me = Seated(first.board, self.seat, self.hand, self.view.alliances)
        gain = gain_of(me, first.act)
        own = note_gain(me, gain._replace(cloisters={self.seat: gain.of(self.seat)}, alliances={}))
        happens, *others = in_words(one.change for one in group)
        number = len(first.act.pieces)
        several = f", with {number} pieces" if number > 1 else ""
        note = f"If {', or '.join((f'{happens} in {title}', *others))}: {own}{several}"
        return Planned(self.at, _order([first]), note, when)

    def _opening(self, group: Sequence[_Answer]) -> Planned:
        """Return the line for two pieces in a country where others have begun; no other takes as many."""
        found = {one.change.country: one for one in reversed(group)}
        titles = listing((self.facts.titles[country] for country in reversed(found)), "or")
        note = f"If somebody begins in {titles}: two pieces there"
        return Planned(self.at, _order([*found.values()][::-1]), note)

    def rest(self) -> Planned:
        """Return the line that is always possible: the best that is left, else a card is changed."""
        wishes: list[tuple[float, Wish]] = []
        for country, worth in self._usual.items():
            for acts in _alike(worth):
                places = zip(*(act.pieces for act in acts[:EITHER]), strict=True)
                either = tuple(tuple(dict.fromkeys(words)) for words in places)
                wishes.append((worth[acts[0]], Wish((country,), either, None)))
        wishes.sort(key=lambda wish: -wish[0])
        move = Move(tuple(wish for _, wish in wishes[:REST]), (ANY,), ())
        return Planned(self.at, write_move(move), "Else the best that is still possible, or another card")


def _one_of_numbers(numbers: Collection[int]) -> Json:
    """Return the test that a number is one of some: from where to where it is, if none between is missing."""
    least, most = min(numbers), max(numbers)
    if least == most:
        return least
    if most - least >= len(numbers):
        return list[Json](sorted(numbers))
    return {"at_least": least, "at_most": most} if least else {"at_most": most}


def _order(answers: Iterable[_Answer]) -> Json:
    """Return the order that makes the first possible placement of some answers."""
    wishes = (Wish((one.change.country,), one.pieces, None) for one in answers)
    return write_move(Move(tuple(wishes), (), ()))


def _alike(worth: Mapping[Placed, float]) -> Iterable[list[Placed]]:
    """Return placements in a country in groups: as many pieces each, and worth about the same; best first."""
    best: dict[int, float] = {}
    found: dict[tuple[int, int], list[Placed]] = {}
    for act in sorted(worth, key=worth.__getitem__, reverse=True):
        number = len(act.pieces)
        less = best.setdefault(number, worth[act]) - worth[act]
        found.setdefault((number, int(less / CLOSE)), []).append(act)
    return found.values()
