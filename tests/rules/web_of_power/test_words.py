"""Sentences of the report, made from its events."""

from __future__ import annotations

from pbem.core.wording import Wording
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.rules.web_of_power.wording import FACT_WORDS
from tests.facts import tells


def test_an_alliance_that_is_scored_is_told_by_its_countries_alone() -> None:
    told = {
        "event": "AlliancesScored",
        "points": {"4": {"yellow": 4}},
        "countries": {"4": ["franken", "lothringen"]},
    }
    words = templates_of(find_rules("web-of-power")).get_template("web-of-power/words.txt.j2").make_module({})

    said = words.say(told)  # type: ignore[attr-defined]

    assert tells(said.strip(), "4")


def test_a_condition_on_the_half_is_told_in_plain_words() -> None:
    said = Wording(facts=FACT_WORDS).condition({"half": 2})

    assert said == "the half being played is 2"
