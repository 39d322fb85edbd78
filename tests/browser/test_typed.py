"""Typed orders: page and host find the same mistakes, and no link holds other orders than those typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged, numbers
from tests.homes import orders_text
from tests.written import yaml_beside

pytestmark = pytest.mark.browser

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
