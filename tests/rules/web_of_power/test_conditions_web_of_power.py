"""Conditions in the game's own words hold where their sentences are so, on positions of played games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from random import Random

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import Predicate
from pbem.rules.web_of_power.state import Country, Site, State
from tests.rules.drawn import compare, draw

from .table import playout, web_of_power

DRAWS, MANY = 12, 40


@cache
def positions() -> tuple[State, ...]:
    """Return positions of three games, from their beginnings to their ends."""
    games = (playout("conditions", ("greedy", "random"), seats) for seats in (3, 4, 5))
    return tuple(found for game in games for found, _, _ in islice(game, 2, None, 11))


def cloisters(table: State, country: str) -> dict[Seat, int]:
    owners = [table.cloisters.get(site) for site in web_of_power().facts.lands[Country(country)].sites]
    return {seat: owners.count(seat) for seat in table.seats}


def sent(table: State, country: str) -> Mapping[Seat, int]:
    return table.advisors.get(Country(country), {})


def leads(table: State, country: str, seat: str) -> bool:
    held = cloisters(table, country)
    return held[Seat(seat)] == max(held.values()) > 0


def overtaken(table: State, country: str, me: Seat) -> bool:
    return country in table.players[me].led and not leads(table, country, me)


def room(table: State, country: str) -> int:
    return max(0, max(cloisters(table, country).values()) - sum(sent(table, country).values()))


def pieces(table: State, told: Mapping[str, str]) -> int:
    held = cloisters(table, told["country"]) if told["piece"] == "cloisters" else sent(table, told["country"])
    return held.get(Seat(told["player"]), 0)


def chain(table: State, seat: str) -> int:
    own = {site for site, owner in table.cloisters.items() if owner == seat}
    rows: list[tuple[Site, ...]] = [(site,) for site in own]
    longest = 0
    while rows:
        longest = len(rows[0])
        near = web_of_power().facts.near
        rows = [(*row, one) for row in rows for one in near[row[-1]] if one in own and one not in row]
    return longest


def behind(table: State, country: str, me: Seat) -> bool:
    held = cloisters(table, country)
    return any(number > held[me] for number in held.values())


def free(table: State, country: str) -> int:
    sites = web_of_power().facts.lands[Country(country)].sites
    return len([site for site in sites if site not in table.cloisters])


SAID: Mapping[str, Callable[[State, Seat, Mapping[str, str]], bool | int]] = {
    "site_free": lambda table, me, told: told["site"] not in table.cloisters,
    "cloister_on": lambda table, me, told: (told["site"], told["player"]) in table.cloisters.items(),
    "overtaken_in": lambda table, me, told: overtaken(table, told["country"], me),
    "lost_lead": lambda table, me, told: any(overtaken(table, one, me) for one in web_of_power().facts.lands),
    "leads_in": lambda table, me, told: leads(table, told["country"], told["player"]),
    "behind_in": lambda table, me, told: behind(table, told["country"], me),
    "placed_in": lambda table, me, told: told["country"] in table.players[me].news,
    "room_in": lambda table, me, told: room(table, told["country"]),
    "free_in": lambda table, me, told: free(table, told["country"]),
    "pieces_in": lambda table, me, told: pieces(table, told),
    "chain": lambda table, me, told: chain(table, told["player"]),
    "hold": lambda table, me, told: [*table.players[me].hand].count(told["card"]),  # type: ignore[arg-type]
    "pile": lambda table, me, told: len(table.pile),
}


def views() -> Iterator[tuple[State, Seat]]:
    yield from ((table, seat) for table in positions() for seat in table.seats)


@pytest.mark.parametrize("draws", [DRAWS, pytest.param(MANY, marks=pytest.mark.worlds)])
def test_each_condition_holds_where_its_sentence_is_so(draws: int) -> None:
    dice, seen = Random("conditions"), Counter[tuple[str, bool]]()
    for table, me in views():
        seen += _compared(table, me, dice, draws)

    assert len(positions()) >= 12
    assert seen.keys() == {(name, is_so) for name in SAID for is_so in (True, False)}
    assert draws == DRAWS or seen.total() >= 20_000


def _compared(table: State, me: Seat, dice: Random, draws: int) -> Counter[tuple[str, bool]]:
    def drawn(name: str, predicate: Predicate) -> tuple[Json, bool]:
        one = draw(predicate, dice, me, table.seats)
        return one.written, one.is_so(partial(SAID[name], table, me))

    return compare(web_of_power(), web_of_power().view(table, me), me, drawn, dice, draws)
