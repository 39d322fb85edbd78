"""Which placements a hand can pay for, and what they would bring if the game were scored then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.rules.kit.ranking import add_up
from pbem.rules.web_of_power import scoring
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated
from pbem.rules.web_of_power.placing import payments
from pbem.rules.web_of_power.state import ADVISOR, Country, Placed, Site


class Gain(NamedTuple):
    """What a placement brings, as if all were scored right after it, in points.

    Attributes:
        cloisters: What each seat gains by cloisters of the country; only those for whom something changes.
        alliances: The same by the alliances of the country.
        chain: What the seat gains by chains.
        longest: The length of the longest chain that a new cloister is part of; 0 without one.
    """

    cloisters: Mapping[Seat, int]
    alliances: Mapping[Seat, int]
    chain: int
    longest: int

    def of(self, seat: Seat) -> int:
        """Return what a seat other than the mover gains."""
        return self.cloisters.get(seat, 0) + self.alliances.get(seat, 0)

    def own(self, seat: Seat) -> int:
        """Return what the mover gains."""
        return self.of(seat) + self.chain


def possible_acts(me: Seated) -> Iterator[Placed]:
    """Yield every placement that the hand pays for and the map takes, each with its cheapest payment."""
    for country in me.facts.lands:
        for count in range(1, me.facts.limits.pieces + 1):
            if paid := payments(me.facts, me.hand, country, count):
                yield from (Placed(country, pieces, paid[0]) for pieces in fitting(me, country, count))


def fitting(me: Seated, country: Country, count: int) -> Iterator[tuple[str, ...]]:
    """Yield the pieces that a country takes, in an order in which it does, each set once."""
    free = me.board.free_sites(country)
    for sent in range(count + 1):
        if me.board.takes(me.seat, country, count - sent, sent):
            yield from ((*sites, *(ADVISOR,) * sent) for sites in combinations(free, count - sent))


class Gains:
    """What the placements of a seat bring, each part counted once for all that are alike in it.

    Points of cloisters and advisors depend on how many there are, those of chains on the sites.
    """

    def __init__(self, me: Seated, joined: Callable[..., tuple[int, int]] | None = None) -> None:
        """Begin with a seat, and with what its chains gain by sites if that was asked before."""
        self.me = me
        self.after = cache(self._after)
        self._counted = cache(self._count)
        self._joined = joined or cache(partial(_chains, me))
        self._led = cache(lambda country: scoring.score_country(me.board.cloisters_in(country)))
        self._allied = cache(lambda country: _alliances(me.board, country, me.alliances))

    def on(self, board: Board) -> Gains:
        """Return the same on a map that differs by pieces of others: those change no chain of the seat."""
        return Gains(self.me._replace(board=board), self._joined)

    def of(self, act: Placed) -> Gain:
        """Return what a placement brings."""
        return Gain(*self._counted(*act.kind), *self._joined(act.sites))

    def _after(self, country: Country, built: int, sent: int) -> Board:
        """Return the map after so many cloisters and advisors in a country, on whichever sites."""
        if not built and not sent:
            return self.me.board
        before = self.after(country, built, sent - 1) if sent else self.after(country, built - 1, 0)
        return before.with_piece(self.me.seat, country, ADVISOR if sent else before.free_sites(country)[0])

    def _count(
        self, country: Country, built: int, sent: int
    ) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
        """Return what cloisters and alliances of a country bring by so many cloisters and advisors there."""
        after = self.after(country, built, sent)
        cloisters, allied = {}, {}
        if built:
            cloisters = _change(self._led(country), scoring.score_country(after.cloisters_in(country)))
        if sent:
            allied = _change(self._allied(country), _alliances(after, country, self.me.alliances))
        return cloisters, allied


def gain_of(me: Seated, act: Placed) -> Gain:
    """Return what one placement brings."""
    return Gains(me).of(act)


def _change(before: Mapping[Seat, int], after: Mapping[Seat, int]) -> dict[Seat, int]:
    changed = {seat: after.get(seat, 0) - before.get(seat, 0) for seat in {**before, **after}}
    return {seat: points for seat, points in changed.items() if points}


def _alliances(board: Board, country: Country, chosen: str) -> dict[Seat, int]:
    return add_up(scoring.score_alliances(board, board.facts.allied(country, chosen)).values())


def _chains(me: Seated, sites: tuple[Site, ...]) -> tuple[int, int]:
    """Return the points that chains bring by new cloisters, and the longest chain of their groups."""
    if not sites:
        return 0, 0
    facts = me.facts
    if not any(
        end in sites or me.board.cloisters.get(end) == me.seat for one in sites for end in facts.near[one]
    ):
        return len(sites) * scoring.score_chain(facts, 1), 1
    new = scoring.find_groups(facts, (*me.board.sites_of(me.seat), *sites), sites)
    old = scoring.find_groups(facts, [site for group in new for site in group if site not in sites])
    lengths, before = (
        [len(scoring.longest_chain(facts, group)) for group in groups] for groups in (new, old)
    )
    return _points(facts, lengths) - _points(facts, before), max(lengths)


def _points(facts: Facts, lengths: list[int]) -> int:
    return sum(scoring.score_chain(facts, length) for length in lengths)


def by_worth(me: Seated, gain: Gain) -> tuple[int, int]:
    """Return what placements are sorted by, best first: twice what one brings, less what the others gain."""
    changed = {*gain.cloisters, *gain.alliances} - {me.seat}
    return sum(gain.of(seat) for seat in changed) - 2 * gain.own(me.seat), -gain.longest


def best_act(me: Seated) -> Placed | None:
    """Return the placement that brings most over the others; None if there is none."""
    gains = Gains(me)
    return min(possible_acts(me), key=lambda act: by_worth(me, gains.of(act)), default=None)
