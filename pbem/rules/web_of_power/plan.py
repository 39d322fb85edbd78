"""Ready lines for the next turns: the best placements by what happens in their country, then what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Final

from pbem.core.events import Seat
from pbem.core.foresight import Later, Plan, Planned
from pbem.core.interface import Json, Label
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.bots.greedy import Thought, Weights
from pbem.rules.web_of_power.choices import note_gain
from pbem.rules.web_of_power.choosing import Seated, choose_act
from pbem.rules.web_of_power.drawing import without
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.foresight import foresee
from pbem.rules.web_of_power.orders import move_of, read_move, write_move
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, Card, Country, Discarded, Move, Placed, Site
from pbem.rules.web_of_power.state import Plan as Wish
from pbem.rules.web_of_power.view import View, board_seen, seated
from pbem.rules.web_of_power.worth import gain_of

LINES: Final = 6
"""So many lines with a condition stand for the next turn; for later ones the last line alone."""

KINDS: Final = 2
"""So many placements in one country stand in a line, the best first."""

FEW: Final = 3
"""So many sites of a country are looked at after a change there."""

REST: Final = 16
"""So many placements stand in the line that is always possible."""

CLOSE: Final = 0.7
"""Placements in a country whose worth differs by less, in points, stand for each other in that line."""

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
        found = [*islice(planner.answers(), LINES if number == 1 else 0), planner.rest()]
        before = ((now,) if view.to_move == view.me else ()) + (None,) * (number - 1)
        lines += [line for line in found if _may_be_played(facts, view, line, before)]
        best = planner.likely()
        place = _Place(place.board.after(view.me, best) if best else place.board, (), is_whole=False)
    return Plan(tuple(lines))


def _may_be_played(facts: Facts, view: View, line: Planned, before: tuple[Move | None, ...]) -> bool:
    """Tell whether a line may be played at all: the cards that it wants can come, the game is not over."""
    return not foresee(facts, view, Later(read_move(facts, line.do), line.at, before, line.when)).never


@dataclass(frozen=True, slots=True)
class _Place:
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
    if isinstance(act, Discarded):
        return _Place(board, without(view.hand, (act.card,)), is_whole=False)
    return _Place(board.after(me, act), without(view.hand, act.cards), is_whole=False)


@dataclass(frozen=True, slots=True)
class _Change:
    """What others may have placed in a country by then.

    Attributes:
        country: Where.
        seat: For whom it is reckoned: the one that holds most there; None if nobody places anything.
        cloisters: How many cloisters.
        advisors: How many advisors.
    """

    country: Country
    seat: Seat | None = None
    cloisters: int = 0
    advisors: int = 0


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a seat does best in a country after a change there, and what that is worth to the bot."""

    worth: float
    needed: int
    change: _Change
    board: Board
    acts: tuple[Placed, ...]


class _Planner:
    """Plans one turn: weighs what may be placed as the greedy bot does."""

    def __init__(self, facts: Facts, view: View, place: _Place, at: Label) -> None:
        assert view.me is not None, "a seat plans"
        self.facts, self.view, self.place, self.at, self.seat = facts, view, place, at, view.me
        cards = tuple(card for card in facts.counts for _ in range(facts.limits.pieces))
        self.hand = place.hand if place.is_whole else facts.in_order((*place.hand, *cards))
        self._paid = {
            (country, count): payments(facts, self.hand, country, count)
            for country in facts.lands
            for count in range(1, facts.limits.pieces + 1)
        }
        self._liked = {country: self._by_liking(country) for country in facts.lands}
        self._usual = {country: self._weighed(place.board, country) for country in facts.lands}

    def likely(self) -> Placed | None:
        """Return the placement that is best if nothing changes."""
        worth = {act: points for found in self._usual.values() for act, points in found.items()}
        return max(worth, key=worth.__getitem__, default=None)

    def answers(self) -> Iterator[Planned]:
        """Yield the lines for what may happen in one country, the best placements first."""
        changes = (*map(_Change, self.facts.lands), *self._changes())
        answers = [answer for change in changes for answer in self._answers(change)]
        fewest: dict[_Change, int] = {}
        for answer in sorted(answers, key=lambda answer: -answer.worth):
            if answer.needed < fewest.get(answer.change, answer.needed + 1):  # else it is never reached
                fewest[answer.change] = answer.needed
                yield self._line(answer)

    def _changes(self) -> Iterator[_Change]:
        """Yield what one other seat may place in a country in one turn."""
        board, others = self.place.board, [seat for seat in self.view.seats if seat != self.seat]
        for country in self.facts.lands:
            held, free = board.cloisters_in(country), len(board.free_sites(country))
            rival = max(others, key=lambda seat: held.get(seat, 0))
            for built, sent in ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2)):
                if built > free or (board.is_empty(country) and (built, sent) != (1, 0)):
                    continue
                if sent <= board.advisor_room(country) + built:
                    yield _Change(country, rival, built, sent)

    def _answers(self, change: _Change) -> Iterator[_Answer]:
        """Yield the best placements in a country after a change there, by the cards that they need.

        Which sites another seat takes is not known: those that the seat likes best stay free if they can,
        and if there are few, those that it likes least do too.
        """
        country, seat = change.country, change.seat
        if not self._paid[country, 1]:
            return
        sites, board = self._liked[country], self.place.board
        taken = [sites[len(sites) - change.cloisters :]] if change.cloisters else [[]]
        if change.cloisters and len(sites) <= FEW:
            taken.append(sites[: change.cloisters])
        worth: dict[Placed, float] = {}
        boards: dict[Placed, Board] = {}
        for gone in taken:
            after = board
            for piece in (*gone, *(ADVISOR,) * change.advisors) if seat is not None else ():
                assert seat is not None, "somebody placed it"
                after = after.with_piece(seat, country, piece)
            found = self._usual[country] if after is board else self._weighed(after, country)
            worth, boards = {**found, **worth}, {**dict.fromkeys(found, after), **boards}
        by_need: dict[int, list[Placed]] = {}
        for act in sorted(worth, key=lambda act: -worth[act]):
            by_need.setdefault(self._needs(act), []).append(act)
        for needed, acts in by_need.items():
            yield _Answer(worth[acts[0]], needed, change, boards[acts[0]], tuple(acts[:KINDS]))

    def _weighed(self, board: Board, country: Country) -> dict[Placed, float]:
        """Return the placements in a country that are worth more than a new card."""
        me = Seated(board, self.seat, self.hand, self.view.alliances)
        nobody = dict.fromkeys(self.view.seats, 0)
        advisors: Mapping[Country, Mapping[Seat, int]] = {
            one: {**nobody, **board.advisors_in(one)} for one in self.facts.lands
        }
        thought = Thought(me, replace(self.view, hand=self.hand, advisors=advisors), Weights())
        worth = {act: thought.worth(act) for act in self._candidates(board, country)}
        return {act: points for act, points in worth.items() if points >= Weights().fresh}

    def _candidates(self, board: Board, country: Country) -> Iterator[Placed]:
        """Yield the placements in a country that come into question, after a change on few sites only."""
        best = [site for site in self._liked[country] if site not in board.cloisters]
        best = best if board is self.place.board else best[:FEW]
        singles = [(site,) for site in best]
        pairs = [*combinations(best, 2), *((site, ADVISOR) for site in best)]
        for pieces in (*singles, (ADVISOR,), *pairs, (ADVISOR, ADVISOR)):
            paid = self._paid[country, len(pieces)]
            wanted = tuple((piece,) for piece in pieces)
            if paid and not isinstance(fit_pieces(board, self.seat, country, wanted), Obstacle):
                yield Placed(country, pieces, paid[0])

    def _by_liking(self, country: Country) -> list[Site]:
        """Return the free sites of a country, those that make the longest chains first."""
        board = self.place.board
        me = Seated(board, self.seat, self.hand, self.view.alliances)
        free = board.free_sites(country)
        if not self._paid[country, 1]:
            return [*free]
        gains = {site: gain_of(me, Placed(country, (site,), ())) for site in free}
        return sorted(free, key=lambda site: (-gains[site].chain, -gains[site].longest))

    def _needs(self, act: Placed) -> int:
        """Return how many cards of its country a placement needs that the seat does not surely hold; or 0."""
        count = len(act.pieces)
        is_paid = self.place.is_whole or payments(self.facts, self.place.hand, act.country, count)
        return 0 if is_paid else count

    def _line(self, answer: _Answer) -> Planned:
        """Return the line for what a seat does best after a change, if nothing else happened there."""
        change, board = answer.change, answer.board
        country = change.country
        when: dict[str, Json] = {
            f"free.{country}": len(board.free_sites(country)),
            f"room.{country}": board.advisor_room(country),
        }
        if answer.needed:
            when[f"held.{self.facts.lands[country].card}"] = {"at_least": answer.needed}
        me = Seated(board, self.seat, self.hand, self.view.alliances)
        gain = gain_of(me, answer.acts[0])
        own = note_gain(me, replace(gain, cloisters={self.seat: gain.of(self.seat)}, alliances={}))
        note = f"{self._happens(change)}: {own}"
        plans = list[Json](self._plans(answer.acts))
        return Planned(self.at, {"place": plans[0] if len(plans) == 1 else plans}, note, when)

    def _happens(self, change: _Change) -> str:
        """Return a change in words: "If somebody places 1 cloister in Franken"."""
        title = self.facts.titles[change.country]
        if change.seat is None:
            return f"If nobody places in {title}"
        kinds = ((change.cloisters, CLOISTER), (change.advisors, ADVISOR))
        pieces = listing(count(number, name) for number, name in kinds if number)
        return f"If somebody places {pieces} in {title}"

    def _plans(self, acts: Iterable[Placed]) -> Iterator[Json]:
        for act in acts:
            yield write_move(move_of(act))["place"]

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


def _alike(worth: Mapping[Placed, float]) -> Iterable[list[Placed]]:
    """Return placements in a country in groups: as many pieces each, and worth about the same; best first."""
    best: dict[int, float] = {}
    found: dict[tuple[int, int], list[Placed]] = {}
    for act in sorted(worth, key=worth.__getitem__, reverse=True):
        number = len(act.pieces)
        less = best.setdefault(number, worth[act]) - worth[act]
        found.setdefault((number, int(less / CLOSE)), []).append(act)
    return found.values()
