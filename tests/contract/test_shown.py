"""The contract makes what players are shown, and finds what fails in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.contract import check
from pbem.core.drafts import Draft
from pbem.core.interface import Choices, Json
from pbem.core.wording import PLAIN, Wording
from tests.contract.leaky import Leaky
from tests.subjects import subject


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
    ("draft", "wording", "told"),
    [
        (BROKEN, PLAIN, "the lines of the form cannot be drafted or said: KeyError"),
        (Draft(keep=STANDING), Wording(order=_wordless), "drafted or said: TypeError: no words for that"),
        (Draft(keep=STANDING), Wording(order=lambda _order: ""), "which has no words"),
        (Draft(now={"play": "Z9"}), PLAIN, "the form drafts {'play': 'Z9'} for now: "),
        (Draft(then={"ply": "N1"}), PLAIN, "the form drafts {'ply': 'N1'} for later: schema: "),
        (Draft(keep=STANDING, stop_if={"corwn": "E5"}), PLAIN, "stop_if: corwn: your view has no 'corwn'"),
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
    draft: Draft, wording: Wording, told: str
) -> None:
    whole = subject("rose-king")

    result = check(replace(whole, rules=Drafting(whole.rules, draft, wording), environment=None), games=1)

    assert any(told in breach for breach in result.breaches), result


def test_steps_after_the_order_of_a_form_that_fail_are_told_as_such_and_the_rest_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("crown")

    monkeypatch.setattr("pbem.contract.shown.try_next", fails)

    result = check(subject("rose-king"), games=1, worlds=0)

    told = "the steps after the form's order for now cannot be played: KeyError"
    assert any(told in one for one in result.breaches)
    assert not any("drafted or said" in one for one in result.breaches)
    assert result.forms


def test_an_order_of_a_form_that_would_be_refused_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, draft = subject("rose-king"), Draft(now={"play": "N1", "hero": True}, then=STANDING)
    drafting = Drafting(whole.rules, draft)

    result = check(replace(whole, rules=drafting, environment=None), games=1)

    assert any("for now: " in one for one in result.breaches)
    assert not any("of the form cannot" in one or "steps after" in one for one in result.breaches), result


def test_a_game_book_that_cannot_be_made_is_a_breach() -> None:
    def broken() -> tuple[str, str]:
        raise ValueError("book.md.j2: line 3")

    result = check(replace(subject("rose-king"), book=broken, environment=None), games=1)

    assert "the game book cannot be made: ValueError: book.md.j2: line 3" in result.breaches


def test_a_form_whose_template_fails_is_a_breach() -> None:
    whole = subject("rose-king")
    assert whole.environment is not None
    spoilt = whole.environment.overlay()
    spoilt.filters = {**spoilt.filters, "by_entries": None}

    result = check(replace(whole, environment=spoilt), games=1, worlds=0)

    assert any("the report cannot be made" in breach for breach in result.breaches), result
