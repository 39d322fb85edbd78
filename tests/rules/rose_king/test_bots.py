"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.rose_king.state import RED, State

from .table import position, rose_king

THOUGHTS: list[tuple[str, State, Json]] = [
    (
        "joins territories rather than start a new one",
        position(red="N1 S2", tokens={"D4": "red", "F4": "red", "E3": "red", "A1": "white"}, white=""),
        {"play": "N1"},
    ),
    (
        "keeps a hero rather than turn a lone token",
        position(red="N1 S2", tokens={"E4": "white", "A1": "white"}, white="NE1"),
        {"draw": True},
    ),
    (
        "spends a hero to break a great territory",
        position(
            red="N1 S2",
            white="",
            tokens={f"{column}4": "white" for column in "BCDEFGH"},
        ),
        {"play": "N1", "hero": True},
    ),
    (
        "places the last token when it is ahead",
        position(red="N1", supply=1, tokens={"A1": "red", "A2": "red", "I1": "white"}),
        {"play": "N1"},
    ),
    (
        "does not place the last token when it is behind",
        position(red="N1", supply=1, tokens={"A1": "red", "I1": "white", "I2": "white"}, white="N3 S3"),
        {"draw": True},
    ),
]


@pytest.mark.parametrize(("state", "order"), [row[1:] for row in THOUGHTS], ids=[row[0] for row in THOUGHTS])
def test_the_greedy_bot(state: State, order: Json) -> None:
    rules = rose_king()
    assert rules.suggest(rules.view(state, RED), Dice(b"bot", 1), "greedy") == order
