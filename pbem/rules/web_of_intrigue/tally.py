"""What simulations of Web of Intrigue count: endings, Houses and specials, and what decides a game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pbem.core.events import Event, Seat
from pbem.core.interface import Outcome, Tables
from pbem.rules.web_of_intrigue.ending import HousesRevealed, TotalsRevealed
from pbem.rules.web_of_intrigue.events import HouseGuessed, SpecialEnacted, TotalCounted
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue

SOON = 6
"""Turns that are counted one by one; later ones together."""


def tally(rules: WebOfIntrigue, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended; every House and every special has a row.

    What decides: the winners' rank in points from objects, what all and the winners scored by source, in
    which turn each House was first guessed rightly, and how many seats made the most common guess of a turn.
    """
    names = [house.name for house in rules.facts.houses.values()]
    wins, seats = Counter(dict.fromkeys(names, 0)), Counter(dict.fromkeys(names, 0))
    enacted = Counter({special.name: 0 for special in rules.facts.specials.values()})
    found: dict[str, Mapping[str, int]] = {}
    for event in events:
        match event:
            case SpecialEnacted():
                enacted[event.special] += 1
            case HousesRevealed():
                seats.update(event.houses.values())
                wins.update(event.houses[seat] for seat in outcome.winners)
            case TotalsRevealed():
                found = _sources(outcome, event)
    ending = "a player surpassed the target" if "surpassed" in outcome.reason else "the last turn was over"
    return {
        "endings": {ending: 1},
        "wins_by_house": wins,
        "seats_by_house": seats,
        "specials": enacted,
        **found,
        **_guesses(events),
    }


def _sources(outcome: Outcome, totals: TotalsRevealed) -> dict[str, Mapping[str, int]]:
    """Return the winners' ranks in points from objects, and points by source."""
    ranks = Counter(dict.fromkeys((str(rank) for rank in range(1, len(totals.objects) + 1)), 0))
    ranked = sorted(totals.objects.values(), reverse=True)
    ranks.update(str(1 + ranked.index(totals.objects[seat])) for seat in outcome.winners)
    parts = {"objects": totals.objects, "guesses": totals.bonuses, "redistributions": totals.transfers}

    def sources(seats: Iterable[Seat]) -> dict[str, int]:
        return {name: sum(points[seat] for seat in seats) for name, points in parts.items()}

    return {
        "winners' rank in objects": ranks,
        "points by source": sources(totals.objects),
        "winners' points by source": sources(outcome.winners),
    }


def _guesses(events: Sequence[Event]) -> dict[str, Mapping[str, int]]:
    """Return when Houses were first guessed rightly, and how many made the most common guess of a turn."""
    turn, known = 1, set[Seat]()
    soon = Counter(dict.fromkeys((*map(str, range(1, SOON + 1)), "later"), 0))
    alike: defaultdict[int, Counter[tuple[Seat, str]]] = defaultdict(Counter)
    ended = set[Seat]()
    for event in events:
        match event:
            case TotalCounted():
                if event.seat in ended:
                    turn, ended = turn + 1, set()
                ended.add(event.seat)
            case HouseGuessed(free=False):
                here = turn + bool(ended)
                alike[here][event.player, event.house] += 1
                if event.right and event.player not in known:
                    known.add(event.player)
                    soon[str(here) if here <= SOON else "later"] += 1
    most = [max(made.values()) for made in alike.values()]
    return {
        "first guessed rightly in turn": soon,
        "guesses made alike": {"turns": len(most), "seats with the most common guess": sum(most)},
    }
