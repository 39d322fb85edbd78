"""What simulations of Web of Intrigue count: endings, the Houses that win, and the specials enacted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.core.events import Event
from pbem.core.interface import Outcome, Tables
from pbem.rules.web_of_intrigue.ending import HousesRevealed
from pbem.rules.web_of_intrigue.events import SpecialEnacted
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue


def tally(rules: WebOfIntrigue, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended; every House and every special has a row."""
    names = [house.name for house in rules.facts.houses.values()]
    wins, seats = Counter(dict.fromkeys(names, 0)), Counter(dict.fromkeys(names, 0))
    enacted = Counter({special.name: 0 for special in rules.facts.specials.values()})
    for event in events:
        match event:
            case SpecialEnacted():
                enacted[event.special] += 1
            case HousesRevealed():
                seats.update(event.houses.values())
                wins.update(event.houses[seat] for seat in outcome.winners)
    ending = "a player surpassed the target" if "surpassed" in outcome.reason else "the last turn was over"
    return {"endings": {ending: 1}, "wins_by_house": wins, "seats_by_house": seats, "specials": enacted}
