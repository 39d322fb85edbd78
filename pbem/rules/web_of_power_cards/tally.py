"""What simulations of the card game count: endings, law cards, stones and skips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from pbem.core.events import Event
from pbem.core.interface import Outcome, Tables
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards

_STONES: Final[Mapping[str, type[Event]]] = {
    "placed": events.StonePlaced,
    "moved": events.StoneMoved,
    "paid": events.ClaimBroken,
    "taken back": events.StoneTakenBack,
}


def tally(rules: WebOfPowerCards, outcome: Outcome, told: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended; every law card has its rows."""
    played: Counter[str] = Counter(dict.fromkeys(rules.facts.law_names, 0))
    held: Counter[str] = Counter(dict.fromkeys(rules.facts.law_names, 0))
    kinds = Counter(type(event) for event in told)
    for event in told:
        match event:
            case events.LawPlayed(law=law):
                played[law] += 1
            case events.LawsRevealed(laws=laws):
                held.update(law for cards in laws.values() for law in cards)
    return {
        "turns": _count_turns(told),
        "stones": {name: kinds[kind] for name, kind in _STONES.items()},
        "law_cards_played": played,
        "law_cards_held_at_the_end": held,
    }


def _count_turns(told: Sequence[Event]) -> Counter[str]:
    """Count turns by the cards taken in them; what stands between two turns is another seat or a skip."""
    names = ("1 card", "2 cards", "3 cards or more", "skipped")
    counts = Counter(dict.fromkeys(names, 0))
    marks = [
        event.seat if isinstance(event, events.CardTaken) else None
        for event in told
        if isinstance(event, events.CardTaken | events.TurnSkipped)
    ]
    for seat, turn in groupby(marks):
        number = len(list(turn))
        if seat is None:
            counts["skipped"] += number
        else:
            counts[names[min(number, 3) - 1]] += 1
    return counts
