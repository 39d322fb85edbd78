"""The texts are those that the program says."""

from __future__ import annotations

import pytest

from tests.texts.making import FOLDER, texts


@pytest.mark.wording("the folder of texts")
def test_the_texts_are_as_the_program_says_them() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}

    assert found == texts(), "look at the difference: make texts"
