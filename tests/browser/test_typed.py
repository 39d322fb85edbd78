"""Typed orders: page and host never say the opposite, nothing throws, and no link holds other orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged
from tests.browser.typed import type_them
from tests.homes import orders_text

pytestmark = pytest.mark.browser

TYPED = 120
"""So many texts are typed here; `python -m tests.browser.typed 5000` types more."""

NEVER = (
    "uncaught error", "stale link", "no mistakes, and refused", "refused, and taken",
    "refused, taken once mended, and not told", "no verdict",
)  # fmt: skip


def test_page_and_host_never_say_the_opposite_of_typed_orders(demo: Home, desk: Desk) -> None:
    tally = type_them(desk, demo, TYPED)

    assert tally.bad == []
    assert {name: tally.counts[name] for name in NEVER} == dict.fromkeys(NEVER, 0)
    assert tally.counts["typed"] == TYPED
    assert tally.counts["taken by the host"] > TYPED / 10
    assert min(tally.counts["clean"], tally.counts["not judged"]) > TYPED / 50


LATER: list[tuple[str, dict[str, Json], str]] = [
    ("wop-1", {"place": {"country": "atlantis", "pieces": ["cloister"]}}, "there is no country"),
    ("powers-1", {"sail": "atlantis", "take_tokens": ["any", "any"]}, "cannot stand here"),
    ("powers-1", {"sail": "owidz", "play_cards": [99]}, "cannot stand here"),
    ("cards-1", {"take": ["Zz9"]}, "there is no card or country Zz9"),
]


@pytest.mark.parametrize(("name", "order", "said"), LATER)
def test_a_later_line_with_what_is_nowhere_is_refused_by_the_page_too(
    name: str, order: dict[str, Json], said: str, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, name)
    seat = next(one for one in saved.start.seats if one not in asked(saved))
    desk.opens(saved, seat)
    text = orders_text(name, seat, [{"do": order}])
    desk.writes(text)

    assert isinstance(judged(demo, text, tmp_path), list)
    assert len(desk.wrong()) == 1 and said in desk.wrong()[0].casefold().replace("zz9", "Zz9")


def test_a_text_in_place_of_conditions_is_told_below_another_line_for_the_same_ask(
    demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, "rose-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    head, _, count = str(saved.ask.label).rpartition("-")  # type: ignore[union-attr]
    later = f"{head}-{int(count) + 1}"
    text = (
        f"game: rose-1\nseat: {seat}\norders:\n"
        f"- at: {later}\n  when: {{crown: E5}}\n  do: {{draw: true}}\n"
        f"- at: {later}\n  when: crown\n  do: {{draw: true}}\n"
    )
    desk.writes(text)

    assert isinstance(judged(demo, text, tmp_path), list)
    assert "Expected fields (name: value), got crown" in desk.page.inner_text("#problems")
    assert desk.errors == []


def test_a_script_that_throws_leaves_no_old_verdict_and_no_old_link(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "wop-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat, "host+x@example.test")
    desk.writes(orders_text("wop-1", seat, [{"do": {"discard": "any"}}]))
    desk.page.evaluate(
        "() => Object.keys(pbem.game).forEach((one) => { pbem.game[one] = () => { throw new Error(one); }; })"
    )
    desk.writes(orders_text("wop-1", seat, [{"do": {"discard": "any", "draw": "pile"}}]))

    assert "Not judged by this page: order 1." in desk.page.inner_text("#verdict")
    assert "draw" in (desk.page.get_attribute("#mail", "href") or "")
    assert desk.errors == []
