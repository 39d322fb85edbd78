"""Make the texts anew."""

from __future__ import annotations

from tests.texts.making import FOLDER, texts

made = texts()
for old in FOLDER.glob("*.txt"):
    old.unlink()
for name, text in made.items():
    (FOLDER / name).write_text(text, encoding="utf-8")
