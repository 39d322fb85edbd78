"""Sentences of the report, made from its events."""

from __future__ import annotations

from pbem.play.registry import find
from pbem.play.templates import templates_of


def test_an_alliance_that_is_scored_is_told_by_its_countries_alone() -> None:
    told = {
        "event": "AlliancesScored",
        "points": {"4": {"yellow": 4}},
        "countries": {"4": ["franken", "lothringen"]},
    }
    words = templates_of(find("web-of-power")).get_template("web-of-power/words.txt.j2").make_module({})

    said = words.say(told)  # type: ignore[attr-defined]

    assert said.strip() == "The alliances were scored. Franken-Lothringen: Yellow 4."
