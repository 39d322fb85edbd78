"""The map as it may be at a later ask, and conditions of lines for it that cannot hold then."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from pbem.core.conditions import is_term_met
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Later
from pbem.core.interface import Json, Problem
from pbem.rules.kit.supposed import fits, why_unfit
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.hands import Hand
from pbem.rules.web_of_power.orders import choose_act
from pbem.rules.web_of_power.state import ADVISOR, Country, Discarded, Move, Placed, Site
from pbem.rules.web_of_power.view import FREE, View, board_seen, seated
from pbem.rules.web_of_power.wording import said

T = TypeVar("T", str, int)

Range = tuple[int, int]
"""The least and the greatest number that there may be."""

FAR: Final = 1000
"""More than there is of anything, points and turns too."""


class Span(NamedTuple):
    """What lies between now and a later ask of a seat.

    Attributes:
        own: Its own turns; None if nobody can say how many.
        others: The turns of the others at most.
        may_run_out: Whether the pile may run out.
    """

    own: int | None
    others: int
    may_run_out: bool


def span_of(facts: Facts, view: View, me: Seat, own: int | None) -> Span:
    """Return what lies between now and the ask that so many own turns come before.

    Source: rulebook, "Scoring and the end": the second half begins at the left of the start marker, so that
    seats may have a turn more before.
    """
    if own is None or view.to_move is None:
        return Span(None, FAR, may_run_out=True)
    seats = view.seats
    others = own * (len(seats) - 1)
    if view.to_move != me:
        others += (seats.index(me) - seats.index(view.to_move)) % len(seats)
    may_run_out = view.pile <= facts.limits.cards * (own + others)
    return Span(own, others + len(seats) * may_run_out, may_run_out)


class Scene:
    """The map at a later ask of a seat, with what its condition supposes.

    Attributes:
        span: What lies between now and that ask.
        when: The condition, its paths in small letters.
        board: The map with all that stands for certain.
        mine: The seat's cloisters left, at least and at most.
        my_advisors: Its advisors left, likewise.
        can_own: Who can hold each site then; "free" is nobody.
        can_be_free: How many free sites each country can have.
        can_have_room: How many advisors each country can take.
        owners: Who holds each site if the condition holds; `free` and `room` likewise.
    """

    def __init__(self, facts: Facts, view: View, me: Seat, later: Later[Move]) -> None:
        self.facts, self.view, self.me = facts, view, me
        self.span = span = span_of(facts, view, me, None if later.before is None else len(later.before))
        self.when = later.folded
        self.board, opened = self._known(later.before)
        pieces = facts.limits.pieces
        built, sent = self.board.cloisters_left(me), self.board.advisors_left(me)
        self.mine: Range = (max(0, built - opened * pieces), built)
        self.my_advisors: Range = (max(0, sent - opened * pieces), sent)
        self.may_build = opened > 0
        self.most = (span.others + opened) * pieces
        anybody = (FREE, *(seat for seat in view.seats if self.adds(seat, 1)))
        held = self.board.cloisters
        self.can_own = {site: (held[site],) if site in held else anybody for site in facts.home}
        self.owners = {site: self.fitting(f"sites.{site}", can) for site, can in self.can_own.items()}
        self.can_be_free = {country: self._free(country) for country in facts.lands}
        self.free = {one: self.within(f"free.{one}", *can) for one, can in self.can_be_free.items()}
        for country, (least, _) in self.free.items():
            self._suppose_free(country, least)
        self.can_have_room = {country: self._room(country) for country in facts.lands}
        self.room = {one: self.within(f"room.{one}", *can) for one, can in self.can_have_room.items()}

    def _known(self, before: tuple[Move | None, ...] | None) -> tuple[Board, int]:
        """Return the map with what settled turns build for certain, and how many own turns are open."""
        board = board_seen(self.facts, self.view)
        if before is None:
            return board, FAR
        placed = [None if move is None else self._placed(number, move) for number, move in enumerate(before)]
        for act in filter(None, placed):
            board = board.after(self.me, act)
        return board, placed.count(None)

    def _placed(self, number: int, move: Move) -> Placed | None:
        """Return what a settled turn places for certain, perhaps nothing; None if that depends on the map."""
        nothing = Placed(next(iter(self.facts.lands)), (), ())
        if number == 0 and self.view.to_move == self.me:
            act = choose_act(seated(self.facts, self.view, self.me), move)
            return nothing if isinstance(act, Discarded) else act
        if not move.plans:
            return nothing
        plan = move.plans[0]
        is_one = len(move.plans) == len(plan.countries) == 1 and not move.discard
        is_plain = all(len(one) == 1 and one[0] in (ADVISOR, *self.facts.home) for one in plan.pieces)
        if not (is_one and is_plain and plan.countries[0] in self.facts.lands):
            return None
        return Placed(Country(plan.countries[0]), tuple(one[0] for one in plan.pieces), ())

    def fitting(self, path: str, values: Sequence[T]) -> Sequence[T]:
        """Return the texts or numbers with which the condition may hold at a path."""
        if (wanted := self.when.get(path)) is None:
            return values
        return tuple(value for value in values if fits(value, wanted))

    def within(self, path: str, least: int, most: int) -> Range:
        """Return the numbers from one to another with which the condition may hold; (1, 0) if none may."""
        if path not in self.when:
            return least, most
        found = self.fitting(path, _from(least, most))
        return (found[0], found[-1]) if found else (1, 0)

    def _free(self, country: Country) -> Range:
        """Return how many sites of a country may be free, at least and at most."""
        sites = self.facts.lands[country].sites
        sure = sum(self.owners[site] == (FREE,) for site in sites)
        can_be = sum(FREE in self.owners[site] for site in sites)
        now = len(self.board.free_sites(country))
        return min(max(sure, now - self.most), can_be), can_be

    def _suppose_free(self, country: Country, least: int) -> None:
        """Take every site that can be free for free, if so many are free as can be."""
        can_be = [site for site in self.facts.lands[country].sites if FREE in self.owners[site]]
        if least >= len(can_be):
            self.owners.update((site, (FREE,)) for site in can_be)

    def _room(self, country: Country) -> Range:
        """Return how many advisors a country takes, at least and at most."""
        held, built = self.board.cloisters_in(country), self.built(country)
        greatest = max(held.get(seat, 0) + self.adds(seat, built) for seat in self.view.seats)
        sent = sum(self.board.advisors_in(country).values())
        return max(0, self.board.advisor_room(country) - self.most), max(0, greatest - sent)

    def built(self, country: Country) -> int:
        """Return how many cloisters can still be built in a country by then."""
        more = max(0, len(self.board.free_sites(country)) - self.free[country][0])
        return min(more, self.most)

    def adds(self, seat: Seat, built: int) -> int:
        """Return how many of so many new cloisters may be of one seat."""
        may_build = self.may_build if seat == self.me else self.span.others != 0
        return min(built, self.board.cloisters_left(seat)) if may_build else 0

    def is_empty_for_certain(self, country: Country) -> bool:
        """Tell whether no piece stands in a country at that ask."""
        sites = self.facts.lands[country].sites
        return self.board.is_empty(country) and self.free[country][0] >= len(sites)


def fits_hand(hand: Hand, scene: Scene) -> bool:
    """Tell whether a condition may hold with a hand: what it says of cards held, and no more."""
    held = {"hand": hand, "held": {card: hand.count(card) for card in scene.facts.counts}}
    return all(is_term_met({path: wanted}, held) for path, wanted in scene.when.items() if of_hand(path))


def of_hand(path: str) -> bool:
    """Tell whether a path leads to the cards that the seat holds."""
    return path == "hand" or path.startswith("held.")


def contradictions(scene: Scene) -> Iterator[Problem]:
    """Yield a problem for each entry of a condition that cannot hold at its ask."""
    for path, wanted in scene.when.items():
        if told := _told(scene, path, wanted):
            yield Problem(
                (*CONDITION, path), f"it cannot be then that {said(scene.facts, path, wanted)}", told
            )


def _told(scene: Scene, path: str, wanted: Json) -> str:
    """Say what stands at a path then, if that is not what is wanted; else ""."""
    if path == "lost" and scene.span.own == 0 and isinstance(wanted, dict) and set(wanted) == {"has"}:
        led = scene.view.players[scene.me].led
        return "" if fits(led, wanted) else "You did not lead there after your last turn."
    unfit = why_unfit(_values(scene, path), wanted)
    return f"It {unfit} then." if unfit else ""


def _values(scene: Scene, path: str) -> Collection[object] | None:
    """Return what may stand at a path then; None if that is not bounded."""
    view = scene.view
    match path.split("."):
        case ["lost_lead"]:
            is_settled = scene.span.own == 0 and not view.players[scene.me].led
            return (False,) if is_settled else None
        case [name]:
            return _of_game(scene).get(name)
        case ["sites", name]:
            return scene.can_own.get(Site(name))
        case ["unseen" | "discards" as fact, name] if name in view.held and not scene.span.may_run_out:
            now = getattr(view, fact)[name]
            return _from(0, now) if fact == "unseen" else _from(now, FAR)
        case ["players", seat, name] if seat in view.players:
            return _of_player(scene, Seat(seat)).get(name)
        case [fact, name, *seats] if name in view.free:
            return _of_country(scene, Country(name)).get(".".join((fact, *seats)))
    return None


def _of_game(scene: Scene) -> dict[str, Collection[object] | None]:
    """Return what facts of the game may be then, by name."""
    view, may_run_out = scene.view, scene.span.may_run_out
    return {
        "to_move": (scene.me,),
        **{name: (getattr(view, name),) for name in ("me", "starter", "alliances", "next_in_turn")},
        "closing": None if may_run_out and not view.closing else (view.closing,),
        "half": _from(view.half, 2 if may_run_out else view.half),
        "pile": None if may_run_out else _from(0, view.pile),
    }


def _of_country(scene: Scene, country: Country) -> dict[str, range]:
    """Return from where to where numbers of a country, and of the seats there, may be then."""
    board, built = scene.board, scene.built(country)
    found = {"free": _from(*scene.can_be_free[country]), "room": _from(*scene.can_have_room[country])}
    for seat in scene.view.seats:
        held, sent = board.cloisters_in(country).get(seat, 0), board.advisors_in(country).get(seat, 0)
        found[f"cloisters.{seat}"] = _from(held, held + scene.adds(seat, built))
        found[f"advisors.{seat}"] = _from(sent, sent + board.advisors_left(seat))
    return found


def _of_player(scene: Scene, seat: Seat) -> dict[str, range | None]:
    """Return from where to where numbers of a seat may be then."""
    side, own = scene.view.players[seat], scene.span.own
    asks: range | None = _from(side.asks, FAR)
    if seat == scene.me:
        first = side.asks + (scene.view.to_move != seat)
        asks = None if own is None else _from(first + own, first + own)
    return {
        "points": _from(side.points, FAR if scene.span.may_run_out else side.points),
        "cloisters": _from(0, scene.board.cloisters_left(seat)),
        "advisors": _from(0, scene.board.advisors_left(seat)),
        "cards": _from(0, scene.facts.limits.hand),
        "chain": _from(side.chain, FAR),
        "asks": asks,
    }


def _from(least: int, most: int) -> range:
    """Return the whole numbers from one to another."""
    return range(least, most + 1)
