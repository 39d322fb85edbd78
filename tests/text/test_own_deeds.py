"""What an own order did is in the report, also what the news of a turn leaves out."""

from __future__ import annotations

import json

import pytest

from pbem.core.interface import Json
from pbem.text.reports.report import Report
from tests.facts import tells
from tests.homes import sample_games
from tests.subjects import subject

RULES = {"cards-1": "web-of-power-cards", "wop-1": "web-of-power", "web-1": "web-of-intrigue"}


def own(game: str, turn: str, seat: str, do: Json = None, **more: Json) -> str:
    """Return the report of a sample game in one line, its last order that was played another if given."""
    path = sample_games() / game / "turns" / turn / "reports" / seat / "report.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    if do is not None:
        [one for one in facts["events"] if one["event"] == "OrderFired"][-1]["do"] = do
    environment = subject(RULES[game]).environment
    assert environment is not None
    report = Report(environment, {**facts, **more})
    played = "Played: order 1 for "
    text = " ".join(report.text.split())
    assert more or text.partition(played)[2].partition(".")[0] in report.html
    return text


@pytest.mark.parametrize(
    "do",
    [
        None,
        {"take": "Ba5", "also": ["any"]},
        {"take": ["Ba5", "Ba2", "Sa7"], "also": ["any"]},
        {"take": ["Ba5", "Ba2", "Sa7"]},
    ],
)
def test_a_report_of_the_card_game_tells_which_cards_also_brought(do: Json) -> None:
    assert tells(own("cards-1", "0005", "yellow", do), "2")


def test_a_report_of_web_of_power_tells_which_cards_its_reader_paid_and_took() -> None:
    told = own("wop-1", "0003", "purple")

    assert tells(told, "1", "purple-2", "2")


def test_a_report_of_web_of_intrigue_tells_the_action_points_of_each_action() -> None:
    assert tells(own("web-1", "0006", "1"), "1", "turn-5", "1, 2, 1, 12, 1, 3")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"event": "PointsChanged", "amount": 4}, ("4",)),
        ({"event": "PointsChanged", "amount": -1}, ("1",)),
        (
            {"event": "PlayerBlighted", "player": "7", "amount": -2},
            ("Player 7", "2"),
        ),
        (
            {"event": "BidWeighed", "needed": -1, "if_element": {}, "parts": {"House": 5}},
            ("(House +5)",),
        ),
    ],
)
def test_web_of_intrigue_says_in_words_what_changed(event: Json, said: tuple[str, ...]) -> None:
    environment = subject("web-of-intrigue").environment
    assert environment is not None
    text = '{% import "web-of-intrigue/words.txt.j2" as words with context %}{{ words.say(event) }}'

    told = environment.from_string(text).render(event=event, players=[], seat="1")

    assert tells(" ".join(told.split()), *said)
