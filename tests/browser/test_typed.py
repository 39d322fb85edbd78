"""Typed orders: page and host never say the opposite, nothing throws, and no link holds other orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged, numbers
from tests.browser.typed import type_them
from tests.homes import orders_text
from tests.written import yaml_beside

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


REFUSED: dict[str, dict[str, list[str]]] = yaml_beside(__file__, "refused.yaml")


@pytest.mark.parametrize("game", REFUSED)
def test_page_and_host_find_the_same_mistakes_at_the_same_places(
    game: str, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, game)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    now, labels = desk.page.evaluate("[pbem.data.ask.label, pbem.data.labels]")
    then = next(label for label in labels if label != now and "." not in label)
    for kind, rows in REFUSED[game].items():
        for row in rows:
            lines = row.replace("NOW", now).replace("NEXT", then)
            desk.writes(f"game: {game}\nseat: {seat}\norders:\n{lines}")
            found, told = judged(demo, desk.yaml(), tmp_path), desk.wrong()
            assert isinstance(found, list) == (kind != "taken"), row
            faults = found if isinstance(found, list) else []
            assert [numbers(one.partition(":")[0]) for one in told] == [
                [one.line, one.column] for one in faults
            ], row
            for one, fault in zip(told, faults if kind == "words" else (), strict=kind == "words"):
                said = one.partition(": ")[2].rstrip(".").casefold()
                assert fault.text.casefold().startswith(said.partition(". ")[0]), row
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
