"""The contract makes what players are shown, and finds what fails in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.contract import check
from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import PLAIN, Wording
from tests.contract.leaky import Leaky
from tests.contract.test_contract import a_short_game
from tests.facts import tells


class Drafting(Leaky[Any, Any, Any]):
    """Honest rules that draft other lines and say them otherwise."""

    def __init__(self, rules: Any, draft: Draft, wording: Wording = PLAIN) -> None:
        super().__init__(rules)
        self.drafted = draft
        self.wording = wording

    def draft(self, view: Any, choices: Choices) -> Draft:
        """Return the lines that the form is to hold."""
        if self.drafted is BROKEN:
            raise KeyError("crown")
        return self.drafted


BROKEN = Draft(keep={"broken": True})
STANDING: Json = {"draw": True}


def _wordless(order: Json) -> str:
    raise TypeError("no words for that")


@pytest.mark.parametrize(
    ("draft", "wording", "kind", "fact"),
    [
        (BROKEN, PLAIN, "draft-fails", "KeyError"),
        (Draft(keep=STANDING), Wording(order=_wordless), "draft-fails", "TypeError"),
        (Draft(keep=STANDING), Wording(order=lambda _order: ""), "draft-wrong", "draw"),
        (Draft(now={"play": "Z9"}), PLAIN, "draft-wrong", "Z9"),
        (Draft(then={"ply": "N1"}), PLAIN, "draft-wrong", "ply"),
        (Draft(keep=STANDING, stop_if={"corwn": "E5"}), PLAIN, "draft-wrong", "corwn"),
    ],
    ids=[
        "no draft",
        "no words",
        "empty words",
        "an illegal line",
        "a misspelt line",
        "a path that is not there",
    ],
)
def test_a_draft_that_fails_or_would_be_refused_is_a_breach(
    draft: Draft, wording: Wording, kind: str, fact: str
) -> None:
    whole = a_short_game()

    result = check(
        replace(whole, rules=Drafting(whole.rules, draft, wording), environment=None), games=1, worlds=0
    )

    assert set(result.kinds) == {kind}, result
    assert tells(result.breaches, fact)


def test_steps_after_the_order_of_a_form_that_fail_are_told_as_such_and_the_rest_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("crown")

    monkeypatch.setattr("pbem.contract.shown.try_next", fails)

    result = check(a_short_game(), games=1, worlds=0)

    assert set(result.kinds) == {"next-fails"}
    assert result.forms


def test_an_order_of_a_form_that_would_be_refused_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, draft = a_short_game(), Draft(now={"play": "N1", "hero": True}, then=STANDING)
    drafting = Drafting(whole.rules, draft)

    result = check(replace(whole, rules=drafting, environment=None), games=1, worlds=0)

    assert set(result.kinds) == {"draft-wrong"}, result


def test_a_game_book_that_cannot_be_made_is_a_breach() -> None:
    def broken() -> tuple[str, str]:
        raise ValueError("book.md.j2: line 3")

    result = check(replace(a_short_game(), book=broken, environment=None), games=1, worlds=0)

    assert result.kinds == ["book-fails"] and tells(result.breaches, "book.md.j2")


def test_a_form_whose_template_fails_is_a_breach() -> None:
    whole = a_short_game()
    assert whole.environment is not None
    spoilt = whole.environment.overlay()
    spoilt.filters = {**spoilt.filters, "by_entries": None}

    result = check(replace(whole, environment=spoilt), games=1, worlds=0)

    assert set(result.kinds) == {"report-fails"}, result
