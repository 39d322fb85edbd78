"""What the conditions of Web of Power say, counted on the map itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.core.events import Seat
from pbem.rules.web_of_power.state import Country, Site, State
from tests.rules.drawn import Truths

from .table import playout, web_of_power


def positions() -> Iterator[State]:
    """Yield positions of three games, from their beginnings to their ends."""
    for seats in (3, 4, 5):
        game = playout("conditions", ("greedy", "random"), seats)
        yield from (found for found, _, _ in islice(game, 2, None, 11))


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


TRUTHS: Truths[State] = {
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
