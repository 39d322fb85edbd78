"""Make the texts anew."""

from __future__ import annotations

from tests.texts.making import FOLDER, texts

for old in FOLDER.glob("*.txt"):
    old.unlink()
for name, text in texts().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
