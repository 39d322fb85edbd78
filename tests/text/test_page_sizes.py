"""How much of a mail the page to click orders in takes, over whole games."""

from __future__ import annotations

from itertools import chain

import pytest

from pbem.core.wording import wording_of
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.reports.formpages import likely
from pbem.text.envelope import full_schema
from pbem.text.mail.compose import Attachment
from pbem.text.reports.formpage import Material, form_page
from tests.mail.samples import a_mail
from tests.pictures import RULES, Scene, course

MOST = {
    "rose-king": 71_000,
    "web-of-intrigue": 90_000,
    "web-of-power": 89_500,
    "web-of-power-cards": 89_000,
    "game-of-powers": 94_000,
}
"""The bytes of the page of each game, as they stand in a mail."""

LOOKED_AT = 6


def a_page(scene: Scene) -> str:
    """Return the page of a seat that is asked."""
    installed, seat = find_rules(scene.rules), scene.asked[0]
    assert installed.system is not None
    forecasts, hints = likely(installed.system, scene.opening, scene.ask, scene.run.position.game, seat)
    material = Material(
        scene.pictures(seat).get("board", ""),
        full_schema(installed.move_schema.schema, installed.start_schema.schema),
        forecasts,
        hints,
        "games+g-1.abcdefghijklmnop@example.org",
        wording_of(scene.opening.rules),
    )
    return form_page(templates_of(installed), scene.facts(seat), material)


def in_a_mail(page: str) -> int:
    """Return how many bytes a mail has more for a page that is attached."""
    attached = Attachment("orders.html", "text/html", page.encode())
    return len(a_mail("Your report.", attached)) - len(a_mail("Your report."))


@pytest.mark.parametrize("rules", RULES)
def test_no_page_of_a_whole_game_takes_more_of_a_mail(rules: str) -> None:
    scenes = [scene for scene in course(rules) if scene.asked]
    every = max(1, len(scenes) // LOOKED_AT)
    sizes = [in_a_mail(a_page(scene)) for scene in chain(scenes[::every], scenes[-2:])]

    assert len(sizes) >= 6
    assert max(sizes) <= MOST[rules], max(sizes)
    assert min(sizes) > 20_000  # so that a page that holds nothing is noticed
