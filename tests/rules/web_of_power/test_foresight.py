"""Lines for later turns: what can never be played is refused with its reason, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml

from pbem.core.foresight import Later, Outlook
from pbem.core.interface import Json, Label
from pbem.rules.web_of_power.state import Country, Move, State

from .table import RED, YELLOW, position, web_of_power

HANDS = {YELLOW: "fa fr fr", RED: "bb bb li"}
TAKEN = """yellow: mainz bremen york; red: corvey regensburg citeaux besancon cluny saint_maurice chartreuse;
green: hersfeld canterbury"""
SENT = "burgund: red 2, green 3; franken: red 1; england: green 1"

# Who is on turn; what yellow does before, a line each (`?` is open); the condition; the order; the reason.
BAD: list[tuple[str, list[str], str, str, str]] = [
    ("red", [], "{}", "{place: {pieces: [corvey]}}", "a cloister of Red stands on Corvey"),
    ("red", [], "{}", "{place: {country: burgund, pieces: [cloister]}}", "all sites in Burgund"),
    ("red", [], "{}", "{place: {country: burgund, pieces: [advisor]}}", "takes no more advisors"),
    ("red", [], "{}", "{discard: bayern_burgund}", "cannot hold Bayern-Burgund"),
    (
        "red",
        [],
        "{}",
        "{place: {country: bayern, pieces: [freising, advisor]}}",
        "cannot have the cards to pay for 2 pieces in Bayern then",
    ),
    (
        "red",
        [],
        "{}",
        "{place: {pieces: [magdeburg], pay: [lothringen_italien]}}",
        "cannot hold Lothringen-Italien",
    ),
    ("red", [], "{}", "{place: {country: franken, pieces: [freising]}}", "Freising lies in Bayern"),
    (
        "red",
        [],
        "{}",
        "{place: {country: franken, pieces: [cloister, advisor, advisor]}}",
        "2 pieces at most",
    ),
    ("red", [], "{}", "{place: {country: franken, pieces: [magdeburg, magdeburg]}}", "named twice"),
    ("red", [], "{}", "{place: {pieces: [atlantis], country: franken}}", "there is no site"),
    ("red", [], "{sites.corvey: free}", "{discard: any}", "sites.corvey cannot be free"),
    ("red", [], "{sites.magdeburg: red}", "{place: {pieces: [magdeburg]}}", "a cloister of Red stands"),
    ("red", [], "{free.franken: {at_least: 5}}", "{discard: any}", "free.franken cannot be"),
    (
        "red",
        [],
        "{room.franken: 0, free.franken: 0}",
        "{place: {country: franken, pieces: [advisor]}}",
        "takes no",
    ),
    ("red", [], "{half: 2}", "{discard: any}", "half cannot be 2"),
    ("red", [], "{closing: true}", "{discard: any}", "closing cannot be true"),
    ("red", [], "{players.red.cloisters: {at_least: 14}}", "{discard: any}", "players.red.cloisters"),
    ("red", [], "{to_move: red}", "{discard: any}", "to_move cannot be red"),
    ("red", [], "{held.bayern_burgund: {at_least: 1}}", "{discard: any}", "cannot hold these cards"),
    ("red", [], "{cloisters.england.green: 0}", "{discard: any}", "cloisters.england.green cannot be 0"),
    (
        "yellow",
        ["{place: {pieces: [magdeburg]}}"],
        "{}",
        "{place: {pieces: [magdeburg]}}",
        "of Yellow stands",
    ),
    (
        "yellow",
        ["{discard: franken_aragon, draw: frankreich}"],
        "{}",
        "{discard: franken_aragon}",
        "cannot hold Franken-Aragon",
    ),
    ("red", ["?"], "{}", "{place: {pieces: [citeaux]}}", "a cloister of Red stands on Cîteaux"),
    (
        "red",
        [],
        "{}",
        "{place: [{pieces: [corvey]}, {country: burgund, pieces: [advisor]}]}",
        "a cloister of Red stands on Corvey",
    ),
]

# The same; then what is said: "sure", "if ...", or the start of why it cannot be judged.
GOOD: list[tuple[str, list[str], str, str, str]] = [
    ("red", [], "{}", "{discard: any}", "sure"),
    ("red", [], "{}", "{discard: frankreich}", "sure"),
    ("red", [], "{}", "{place: {pieces: [magdeburg]}}", "Magdeburg is still free"),
    ("red", [], "{sites.magdeburg: free}", "{place: {pieces: [magdeburg]}}", "sure"),
    ("red", [], "{}", "{place: {pieces: [magdeburg]}, discard: any}", "sure"),
    ("red", [], "{}", "{place: {country: frankreich, pieces: [cloister]}}", "sure"),
    ("red", [], "{}", "{place: {country: bayern, pieces: [cloister]}}", "sure"),
    ("red", [], "{room.franken: 1}", "{place: {country: franken, pieces: [advisor]}}", "sure"),
    ("red", [], "{}", "{place: {country: franken, pieces: [advisor]}}", "Franken takes an advisor"),
    ("red", [], "{}", "{place: {country: schwaben, pieces: [advisor]}}", "Schwaben takes an advisor"),
    ("red", [], "{}", "{place: {country: frankreich, pieces: [reims, tours]}}", "Reims is still free"),
    ("red", ["?"], "{}", "{discard: bayern_burgund}", "it depends on cards"),
    ("red", ["?"], "{}", "{discard: any}", "sure"),
    ("red", ["?"], "{held.england_schwaben: 2}", "{discard: england_schwaben}", "sure"),
    ("yellow", ["{place: {pieces: [magdeburg]}, draw: pile}"], "{}", "{discard: frankreich}", "sure"),
    (
        "yellow",
        ["{place: {pieces: [magdeburg]}, draw: pile}"],
        "{}",
        "{discard: franken_aragon}",
        "it depends on cards",
    ),
    (
        "yellow",
        ["{discard: franken_aragon, draw: england_schwaben}"],
        "{sites.winchester: free}",
        "{place: {pieces: [winchester]}}",
        "sure",
    ),
    ("red", [], "{closing: false, lost_lead: true}", "{discard: any}", "sure"),
]


def foreseen(to_move: str, before: list[str], when: str, order: str) -> Outlook:
    """Look ahead for yellow from the position of the tables."""
    rules = web_of_power()
    state: State = position(hands=HANDS, taken=TAKEN, sent=SENT, face_up="es fr")
    state = replace(state, to_move=YELLOW if to_move == "yellow" else RED)
    led = replace(state.players[YELLOW], led=(Country("franken"),))
    state = replace(state, players={**state.players, YELLOW: led})
    settled: tuple[Move | None, ...] = tuple(
        None if one == "?" else rules.read(yaml.safe_load(one)) for one in before
    )
    condition: dict[str, Json] = yaml.safe_load(when)
    read: Any = yaml.safe_load(order)
    return rules.foresee(
        rules.view(state, YELLOW), Later(rules.read(read), Label("yellow-9"), settled, condition)
    )


@pytest.mark.parametrize(("to_move", "before", "when", "order", "reason"), BAD)
def test_what_can_never_be_played_is_refused_with_its_reason(
    to_move: str, before: list[str], when: str, order: str, reason: str
) -> None:
    found = foreseen(to_move, before, when, order)

    assert found.never, found
    assert reason in found.never[0].text


@pytest.mark.parametrize(("to_move", "before", "when", "order", "said"), GOOD)
def test_what_may_be_played_is_not_refused(
    to_move: str, before: list[str], when: str, order: str, said: str
) -> None:
    found = foreseen(to_move, before, when, order)

    assert not found.never, found
    told = "sure" if found.is_sure else " and ".join(found.provided) or found.unknown
    assert told.startswith(said), found
