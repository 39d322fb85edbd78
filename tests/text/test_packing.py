"""Form pages in few bytes: what is packed comes back, short scripts are of the sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import TemplateRuntimeError

from pbem.core.events import Seat
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.reports.formpages import page_of
from pbem.text.reports.scripts import beside, head, lean, loader_of, packed, script_of
from tests.docs.make_scripts import FORM, sources
from tests.homes import a_game, a_home, top
from tests.pictures import RULES
from tests.unpacked import texts_in, unpacked_page


@pytest.mark.parametrize("own", ["", "a", "ab", "żółw </script> <!--", "x" * 9999])
def test_what_is_packed_comes_back(own: str) -> None:
    common = ("one" * 500, "two")
    signs = packed(common, (own, "end"))

    assert texts_in(signs) == [*common, own, "end"]
    assert re.fullmatch(r"[A-Za-z0-9+/=\n]+", signs)
    assert max(map(len, signs.split("\n"))) <= 900


@pytest.mark.parametrize("rules", RULES)
def test_short_scripts_are_made_from_the_scripts_as_they_are(rules: str) -> None:
    script = script_of(templates_of(find_rules(rules)), rules)
    made = {path.parent: path.read_text("utf-8").splitlines() for path, _ in sources()}
    _, *own = made.get(find_rules(rules).templates, [""])

    _, shared, domains, ready, position, tree, *loader = made[FORM]
    walked = [position, tree] if rules == "rose-king" else []
    assert script.splitlines() == [shared, *own, domains, ready, *walked, "pbem.start();"]
    assert loader_of(templates_of(find_rules(rules))).splitlines() == loader
    assert max(map(len, loader)) <= 900  # a mail takes such rows as they are


def test_what_is_short_was_made_from_the_scripts_as_they_are() -> None:
    for path, scripts in sources():
        assert path.read_text("utf-8").splitlines()[0] == head(scripts), f"{path}: run make scripts"


def test_a_script_that_is_sent_as_written_leaves_its_comments_out() -> None:
    script = (
        "// What it is.\n/**\n * @typedef {{ a: number }} A\n */\n"
        "/** @type {(one: A) => string} */\nconst said = (one) => /** @type {string} */ (one);\n"
        "  /** @type {A} */ (one).a = 1;\n"
    )

    assert lean(script) == (
        "const said = (one) => /** @type {string} */ (one);\n/** @type {A} */ (one).a = 1;"
    )


def test_a_script_that_imports_what_no_page_has_is_refused() -> None:
    with pytest.raises(TemplateRuntimeError):
        beside('import { at } from "./dom.js";\n\nexport default () => ({ at });\n')


def test_a_script_that_a_home_changes_is_the_one_that_runs(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    own = top(home) / "templates" / "rose-king" / "form.js"
    own.parent.mkdir(parents=True)
    own.write_text(
        'import { data } from "../common/form/kit.js";\n\n'
        "// changed\nexport default () => ({ left: () => data.seat });\n",
        encoding="utf-8",
    )
    script = unpacked_page(page_of(a_game(home), Seat("red"))).script

    assert "\nconst { data } = pbem;\npbem.rules = () => ({ left: () => data.seat });\n" in script
    assert "// changed" not in script
