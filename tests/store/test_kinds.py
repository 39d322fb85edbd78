"""Each kind of what is done or told has its own facts, and no others."""

from __future__ import annotations

import datetime
import json

import pytest

from pbem.store.records import KINDS, Fact, facts_of, kind_of, read_facts

NOON = datetime.datetime.fromisoformat("2026-11-21T14:00:00+02:00")


def test_facts_are_json_with_moments_in_utc() -> None:
    facts = facts_of("game-resumed", start=NOON, due=None, off=False)
    moment = "2026-11-21T12:00:00.000000+00:00"
    assert json.loads(facts) == {"kind": "game-resumed", "start": moment, "due": None, "off": False}
    assert kind_of(facts) == "game-resumed"


@pytest.mark.parametrize(
    ("kind", "values"), [("turn-undone", {}), ("turn-undone", {"turn": 1, "why": "a slip"}), ("unheard", {})]
)
def test_a_kind_with_other_facts_is_a_fault(kind: str, values: dict[str, Fact]) -> None:
    with pytest.raises((AssertionError, KeyError)):
        facts_of(kind, **values)


def test_what_an_older_pbem_noted_has_a_kind_too() -> None:
    assert read_facts("") == {"kind": "earlier"}
    assert "earlier" not in KINDS
