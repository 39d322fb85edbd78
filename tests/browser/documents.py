"""Whole documents with what the host says of each, which node then gives to the scripts of the order pages.

`python -m tests.browser.documents 3000` makes so many and starts node; no browser is needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from unittest import mock

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.reports.formpages import page_of
from pbem.text.mending.suggestions import Attempt
from pbem.text.orders import Fault
from tests.browser.mutations import Writer, said_of, writers
from tests.unpacked import unpacked_page

HERE: Final = Path(__file__).parent
JUDGING: Final = HERE / "judging.test.mjs"
VARIABLE: Final = "PBEM_DOCUMENTS"
"""The variable that names the folder with pages and documents."""


def missing() -> str:
    """Say what is needed and is not here; "" if nothing is."""
    return "" if shutil.which("node") else "no node here: apt install nodejs"


def compared(home: Home, folder: Path, count: int, seed: int = 1) -> subprocess.CompletedProcess[str]:
    """Make documents, and have node compare what the pages and the host say of them.

    Args:
        home: The sample games.
        folder: Where pages and documents are put.
        count: How many documents, over all games.
        seed: Of the chance by which they are made.

    Returns:
        How node ended, with what it printed; 0 if page and host never said the opposite.
    """
    found = list(writers(home, count, seed))
    _write(folder / "pages.jsonl", map(_page, found))
    _write(folder / "documents.jsonl", _documents(found))
    return subprocess.run(
        ["node", "--test", "--test-reporter=spec", JUDGING],
        env={**os.environ, VARIABLE: str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def _write(path: Path, rows: Iterator[Json]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _page(writer: Writer) -> Json:
    """Return the data of a page and its script as they are packed in it, without the line that draws it."""
    page = unpacked_page(page_of(writer.saved, writer.seat))
    return {"data": page.json, "script": page.script.removesuffix("pbem.start();")}


def _documents(found: list[Writer]) -> Iterator[Json]:
    """Yield each document with the host's word; what would do instead of mistakes is not looked for here."""
    with mock.patch("pbem.play.submissions.meaning.offer_corrections", _without_offer):
        for number, writer in enumerate(found):
            opened = {writer.saved.name: writer.saved}
            for text in writer.texts():
                said = said_of(writer.saved, text, opened)
                yield {
                    "page": number, "text": text,
                    "host": {"refused": said.refused, "strict": said.strict, "words": said.words},
                }  # fmt: skip


def _without_offer(_data: bytes, _draft: object, attempt: Attempt) -> list[Fault]:
    return attempt.faults


def main(count: int) -> int:
    """Compare, print what came of it, and return how node ended."""
    from tests.homes import a_demo

    if lacking := missing():
        sys.exit(lacking)
    with tempfile.TemporaryDirectory() as folder:
        ended = compared(a_demo(Path(folder) / "home"), Path(folder), count)
    print(ended.stdout, ended.stderr)
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000))
