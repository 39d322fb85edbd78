"""Form pages: what is packed comes back, scripts are of their sources, boards turn dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import TemplateRuntimeError

from pbem.core.events import Seat
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.reports.formpages import page_of
from pbem.text.reports.formpage import (
    INK,
    READABLE,
    contrast,
    dark_style,
    head,
    loader_of,
    minify_script,
    pack_texts,
    script_of,
    wrap_module,
)
from tests.docs.make_scripts import FORM, sources
from tests.homes import a_game, a_home, top
from tests.pictures import RULES
from tests.unpacked import texts_in, unpacked_page


@pytest.mark.parametrize("own", ["", "a", "ab", "żółw </script> <!--", "x" * 9999])
def test_what_is_packed_comes_back(own: str) -> None:
    common = ("one" * 500, "two")
    signs = pack_texts(common, (own, "end"))

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

    assert minify_script(script) == (
        "const said = (one) => /** @type {string} */ (one);\n/** @type {A} */ (one).a = 1;"
    )


def test_a_script_that_imports_what_no_page_has_is_refused() -> None:
    with pytest.raises(TemplateRuntimeError):
        wrap_module('import { at } from "./dom.js";\n\nexport default () => ({ at });\n')


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


TYPED = re.compile(r"^type Elements = .*?(?=^declare)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r'"([a-z-]+)"|^  ([a-z]+):', re.MULTILINE)


def test_the_elements_that_scripts_may_count_on_stand_in_the_templates_of_the_page() -> None:
    types = (FORM / "types.d.ts").read_text("utf-8")
    page = "".join(path.read_text("utf-8") for path in (FORM / "app.html.j2", FORM.parent / "orders.html.j2"))
    (typed,) = TYPED.findall(types)
    named = {quoted or plain for quoted, plain in NAME.findall(typed)}

    assert len(named) > 50
    assert {one for one in named if f'id="{one}"' not in page} == set()


BOARD = (
    '<svg><rect fill="#fbf8f0"/><rect fill="#fff"/><rect fill="#c9dfea"/>'
    '<circle fill="#C1272D" stroke="#1a1a1a"/>'
    '<path stroke="#ffffff"/><text fill="#5f5a4e">x</text><use fill="url(#seat-1)"/><path fill="none"/></svg>'
)


def _rules() -> dict[tuple[str, str], str]:
    found = re.findall(r'\[(fill|stroke)="(#\w+)"\]\{\w+:(#\w+)\}', dark_style(BOARD))
    return {(name, old): new for name, old, new in found}


def test_paper_and_tints_become_dark_enough_for_light_ink() -> None:
    rules = _rules()

    for light in ("#fbf8f0", "#fff", "#c9dfea"):
        assert contrast(rules["fill", light], INK) > READABLE
    assert len(set(rules.values())) == len(rules), "what was told apart is told apart"


def test_ink_and_lines_become_light_and_pieces_and_white_lines_stay() -> None:
    rules = _rules()

    assert contrast(rules["fill", "#5f5a4e"], rules["fill", "#fbf8f0"]) > READABLE
    assert contrast(rules["stroke", "#1a1a1a"], rules["fill", "#fbf8f0"]) > READABLE
    assert ("fill", "#C1272D") not in rules
    assert ("stroke", "#ffffff") not in rules


def test_a_picture_without_colours_needs_no_style() -> None:
    assert dark_style("<svg/>") == ""
