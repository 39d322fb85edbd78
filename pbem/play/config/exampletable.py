"""A file of players to fill in: who sits where, and what a host may want besides, ready to be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.schedule import DAY, Moment, zone_of
from pbem.text.yaml.strictyaml import dump_flow

_NAMES: Final = ("Ann", "Bob", "Cleo", "Dora", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea")

_BESIDES: Final = """\
silent: hold   # what answers for a silent seat at the deadline: wait, hold, greedy or random

# Take the # away from what you want.
# schedule: {days: [tue, fri], at: "20:00", zone: ZONE, remind: 24h}   # when orders are due, of every turn
# deadline: DEADLINE   # or once: for the turns made before it; after it `schedule`, or none
# misses: {after: 2, then: standby}   # who plays a seat that missed so many turns: standby, greedy or random
# standby: [{player: Zoe, address: zoe@example.org}]   # who waits for such a seat
# press: {deliver: at once}   # messages between seats: off, with the report, or at once
# key: true   # orders must carry the seat's key; by mail the address of the seat is secret already
"""


def example_table(rules: str, seats: Sequence[Seat], now: Moment, zone: str = "") -> str:
    """Return a file of players for a game of some rules, in YAML; it makes a game as it stands.

    Args:
        rules: The name of the rules.
        seats: The seats.
        now: The moment; the deadline that is offered is a week later.
        zone: The time zone in which its host names hours; "" if nobody knows.
    """
    day = (now + 7 * DAY).astimezone(zone_of(zone or "UTC"))
    due = day.replace(hour=20, minute=0, second=0, microsecond=0)
    names = [*_NAMES, *(f"Player{n}" for n in range(len(_NAMES) + 1, len(seats) + 1))][: len(seats)]
    rows = [
        f"  {seat}: {dump_flow({'player': name, 'address': f'{name.lower()}@example.org'})}"
        for seat, name in zip(seats, names, strict=True)
    ]
    return "\n".join(
        [
            f"# Who plays {rules}. Fill in names and addresses, and set the game up with:",
            f"#   pbem new {rules} GAME --players FILE",
            "# With `--set sealed=true` luck words are sealed: not even you can choose the deal.",
            "# A bot's seat: {bot: greedy}",
            "seats:",
            *rows,
            _BESIDES.replace("ZONE", zone or "UTC").replace("DEADLINE", due.isoformat()),
        ]
    ).removesuffix("\n")


def written_table(rules: str, seats: Mapping[Seat, Mapping[str, Json]], more: Mapping[str, Json]) -> str:
    """Return a file of players as a person would write it, a seat a line.

    Args:
        rules: The name of the rules.
        seats: The entry of each seat.
        more: What the file says besides.
    """
    rows = [f"  {seat}: {dump_flow(dict(row))}" for seat, row in seats.items()]
    rest = [f"{name}: {dump_flow(value)}" for name, value in more.items()]
    return "\n".join([f"# Who plays {rules}.", "seats:", *rows, *rest, ""])
