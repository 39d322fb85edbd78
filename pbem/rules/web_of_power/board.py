"""The map with its pieces, as everybody sees it: what stands where, and what still fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pbem.core.events import Seat
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import ADVISOR, SEATS, Country, Placed, Site, State


@dataclass(frozen=True)
class Board:
    """The pieces on the map.

    Attributes:
        facts: The map.
        cloisters: The owner of every site that is taken.
        advisors: How many advisors each seat has in each country; who has none may be left out.
    """

    facts: Facts
    cloisters: Mapping[Site, Seat]
    advisors: Mapping[Country, Mapping[Seat, int]]

    def cloisters_in(self, country: Country) -> Mapping[Seat, int]:
        """Return how many cloisters each seat has in a country; only seats that have any."""
        return self._held.get(country, {})

    @cached_property
    def _held(self) -> Mapping[Country, Mapping[Seat, int]]:
        """Cloisters of each seat by country, in seating order, counted once; a board never changes."""
        home = self.facts.home
        found: dict[Country, dict[Seat, int]] = {}
        for site, seat in self.cloisters.items():
            held = found.setdefault(home[site], {})
            held[seat] = held.get(seat, 0) + 1
        return {country: _in_seating_order(held) for country, held in found.items()}

    def sites_of(self, seat: Seat) -> tuple[Site, ...]:
        """Return the sites of a seat's cloisters, in the order of sites."""
        return tuple(site for site in self.facts.home if self.cloisters.get(site) == seat)

    def advisors_in(self, country: Country) -> Mapping[Seat, int]:
        """Return how many advisors each seat has in a country; only seats that have any."""
        return self._sent.get(country, {})

    @cached_property
    def _sent(self) -> Mapping[Country, Mapping[Seat, int]]:
        """Advisors of each seat by country, in seating order; only seats that have any."""
        return {country: _in_seating_order(held) for country, held in self.advisors.items()}

    def free_sites(self, country: Country) -> tuple[Site, ...]:
        """Return the sites without a cloister.

        Source: rulebook, "Cloisters": one on each site, and no more when all are taken.
        """
        return tuple(site for site in self.facts.lands[country].sites if site not in self.cloisters)

    def advisor_room(self, country: Country) -> int:
        """Return how many more advisors a country takes, of any seat.

        Source: rulebook, "Advisors": in all as many as the seat with most cloisters there has cloisters.
        """
        most = max(self._held.get(country, {}).values(), default=0)
        return max(0, most - sum(self.advisors.get(country, {}).values()))

    def is_empty(self, country: Country) -> bool:
        """Tell whether no piece stands in a country."""
        return not self._held.get(country) and not any(self.advisors.get(country, {}).values())

    def takes(self, seat: Seat, country: Country, built: int, sent: int) -> bool:
        """Tell whether a country takes so many cloisters of a seat, and then so many advisors, in one turn.

        Source: rulebook, "Placing pieces"; cloisters that come first can make room for advisors.
        """
        limits, held = self.facts.limits, self.cloisters_in(country)
        most = limits.in_empty_country if self.is_empty(country) else limits.pieces
        room = max(*held.values(), held.get(seat, 0) + built, 0) - sum(self.advisors_in(country).values())
        can_build = built <= min(len(self.free_sites(country)), self.cloisters_left(seat))
        return can_build and sent <= min(room, self.advisors_left(seat)) and built + sent <= most

    def cloisters_left(self, seat: Seat) -> int:
        """Return how many cloisters a seat can still place.

        Source: rulebook, "Placing pieces": pieces are limited.
        """
        return self.facts.limits.cloisters - list(self.cloisters.values()).count(seat)

    def advisors_left(self, seat: Seat) -> int:
        """Return how many advisors a seat can still place.

        Source: rulebook, "Placing pieces": pieces are limited.
        """
        return self.facts.limits.advisors - sum(held.get(seat, 0) for held in self.advisors.values())

    def leaders(self, country: Country) -> tuple[Seat, ...]:
        """Return the seats with most cloisters in a country; nobody where there is none."""
        held = self.cloisters_in(country)
        most = max(held.values(), default=0)
        return tuple(seat for seat, count in held.items() if count == most)

    def led_by(self, seat: Seat) -> tuple[Country, ...]:
        """Return the countries in which a seat has or shares most cloisters."""
        return tuple(country for country in self.facts.lands if seat in self.leaders(country))

    def with_piece(self, seat: Seat, country: Country, piece: str) -> Board:
        """Return the map with one more piece: a cloister on a site, or an advisor."""
        held, sent = self._held, self._sent
        if piece == ADVISOR:
            there = _with_one(self.advisors_in(country), seat)
            board = Board(self.facts, self.cloisters, {**self.advisors, country: there})
            sent = {**sent, country: _in_seating_order(there)}
        else:
            assert piece not in self.cloisters, "a site takes one cloister"
            board = Board(self.facts, {**self.cloisters, Site(piece): seat}, self.advisors)
            held = {**held, country: _in_seating_order(_with_one(self.cloisters_in(country), seat))}
        vars(board).update(_held=held, _sent=sent)  # one piece differs: nothing is counted anew
        return board

    def after(self, seat: Seat, act: Placed) -> Board:
        """Return the map after a placement."""
        board = self
        for piece in act.pieces:
            board = board.with_piece(seat, act.country, piece)
        return board

    def takes_a_piece(self, seats: tuple[Seat, ...]) -> bool:
        """Tell whether any of these seats could place a piece anywhere, whatever its cards.

        Source: rulebook, "Scoring and the end": the game ends too when no piece can be placed any more.
        """
        can_build = any(self.cloisters_left(seat) for seat in seats)
        can_send = any(self.advisors_left(seat) for seat in seats)
        return any(
            (can_build and self.free_sites(country)) or (can_send and self.advisor_room(country))
            for country in self.facts.lands
        )


def _with_one(held: Mapping[Seat, int], seat: Seat) -> dict[Seat, int]:
    """Return how much each seat has of something once one has one more."""
    return {**held, seat: held.get(seat, 0) + 1}


def _in_seating_order(held: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return how much each seat has of something; only seats that have any."""
    return {seat: held[seat] for seat in SEATS if held.get(seat)}


def board_of(facts: Facts, state: State) -> Board:
    """Return the map with the pieces of a state."""
    return Board(facts, state.cloisters, state.advisors)
