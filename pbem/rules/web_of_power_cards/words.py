"""Cards and counts in words."""

from __future__ import annotations

from pbem.rules.kit.words import count
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import COLOURS, MINUS, RETURN, THREE, Card, Law


def show(facts: Facts, card: Card) -> str:
    """Return a card with what it shows: "Fr2 (1 cross, ship)", "Ka3 (2 crosses)"."""
    return f"{card} ({marks(facts, card)})"


def marks(facts: Facts, card: Card) -> str:
    """Return what a card shows besides its country: "1 cross, ship"."""
    land = facts.lands[card]
    parts = [count(land.symbols, land.symbol) if land.symbol else "no symbol"]
    if land.route is not None:
        parts.append(land.route)
    return ", ".join(parts)


def quoted(facts: Facts, law: Law) -> str:
    """Return a law card's name as a sentence has it, in quotation marks: some begin with a number."""
    return f'"{facts.law_names[law]}"'


def effect(facts: Facts, law: Law) -> str:
    """Return what a law card does, in a few words."""
    effects: dict[Law, str] = {
        RETURN: "one of your stones that are out of the game comes back to your reserve",
        THREE: f"up to {facts.limit_with_law} circle symbols in this turn",
        COLOURS: "cards of different countries in this turn",
        MINUS: f"{facts.penalty} points less at the end, for who holds it",
    }
    return effects[law]
