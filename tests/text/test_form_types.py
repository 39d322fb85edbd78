"""What the types of the form scripts say of the page is so."""

from __future__ import annotations

import re

from tests.docs.make_scripts import FORM

TYPED = re.compile(r"^type Elements = .*?(?=^declare)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r'"([a-z-]+)"|^  ([a-z]+):', re.MULTILINE)


def test_the_elements_that_scripts_may_count_on_stand_in_the_templates_of_the_page() -> None:
    types = (FORM / "types.d.ts").read_text("utf-8")
    page = "".join(path.read_text("utf-8") for path in (FORM / "app.html.j2", FORM.parent / "orders.html.j2"))
    (typed,) = TYPED.findall(types)
    named = {quoted or plain for quoted, plain in NAME.findall(typed)}

    assert len(named) > 50
    assert {one for one in named if f'id="{one}"' not in page} == set()
