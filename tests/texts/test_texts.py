"""The texts are those that the program says."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.texts.making import FOLDER, MAKERS


def kind_of(name: str) -> str:
    """Return the kind of a file: the longest that its name begins with."""
    whole = name.removesuffix(".txt")
    return max((kind for kind in MAKERS if whole == kind or whole.startswith(f"{kind}-")), key=len)


KEPT: defaultdict[str, dict[str, str]] = defaultdict(dict)
for path in FOLDER.glob("*.txt"):
    KEPT[kind_of(path.name)][path.name] = path.read_text(encoding="utf-8")


@pytest.mark.wording("the folder of texts")
@pytest.mark.parametrize("kind", MAKERS)
def test_the_texts_are_as_the_program_says_them(kind: str) -> None:
    kept, made = KEPT[kind], MAKERS[kind]()

    assert kept.keys() == made.keys()
    assert [name for name in made if kept[name] != made[name]] == [], "look at the difference: make texts"
