"""Texts typed into the order page in a browser: what page and host say of each.

`python -m tests.browser.typed 5000` types so many, and prints what came of them.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk
from tests.browser.mutations import Writer, said_of, writers

AT_ONCE: Final = 100
"""So many texts are typed between two looks."""

TYPE: Final = """texts => {
  const at = (id) => document.getElementById(id);
  const wrong = [];
  const note = (event) => { wrong.push(String(event.message)); event.preventDefault(); };
  addEventListener("error", note);
  const out = texts.map((text) => {
    wrong.length = 0;
    at("yaml").value = text;
    at("yaml").dispatchEvent(new Event("input", { bubbles: true }));
    let part = text;
    try { part = pbem.pasted.read(text).from?.text ?? text; } catch {}
    const body = new URLSearchParams(at("mail").href.split("?")[1]).get("body");
    return {
      errors: [...wrong], verdict: at("verdict").textContent, body, part, isLinked: !at("mail").hidden,
      found: [...at("problems").children].map((one) => one.textContent), isLoose: !at("loosely").hidden,
      isSendable: !at("copy").disabled, said: at("lines").querySelector(".forecast")?.textContent ?? "",
    };
  });
  removeEventListener("error", note);
  return out;
}"""


@dataclass
class Tally:
    """What came of the texts: how often each, and what must never be, with its text."""

    counts: Counter[str] = field(default_factory=Counter)
    bad: list[tuple[str, str, str]] = field(default_factory=list)


def type_them(desk: Desk, home: Home, count: int, seed: int = 1) -> Tally:
    """Type texts into the pages of all sample games, and compare what page and host say.

    Args:
        desk: A window.
        home: The sample games.
        count: How many texts, over all games.
        seed: Of the chance by which they are made.
    """
    tally = Tally()
    for writer in writers(home, count, seed):
        _type_at(desk, writer, tally)
    return tally


def _type_at(desk: Desk, writer: Writer, tally: Tally) -> None:
    desk.opens(writer.saved, writer.seat, "host+x@example.test")
    opened = {writer.saved.name: writer.saved}
    texts = writer.texts()
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        for text, page in zip(some, desk.page.evaluate(TYPE, some), strict=True):
            _compare(writer.saved, opened, text, page, tally)


def _compare(saved: SavedGame, opened: dict[str, SavedGame], text: str, page: Any, tally: Tally) -> None:
    """Count one text, and keep it if page and host say what must never be."""
    host = said_of(saved, text, opened)
    tally.counts["typed"] += 1
    tally.counts["refused by the host" if host.refused else "taken by the host"] += 1
    clean = page["verdict"].endswith("No mistakes found. The host checks it again.")
    unsure = "Not judged by this page" in page["verdict"]
    tally.counts["clean" if clean else "not judged" if unsure else "wrong on the page"] += 1
    if unsure and host.refused:
        tally.counts["not judged, and refused by the host"] += 1
    whole = page["part"].replace("\n", "\r\n")
    for what, is_so in (
        ("uncaught error", bool(page["errors"])),
        ("stale link", page["isLinked"] and page["body"] not in (whole, None)),
        ("no mistakes, and refused", clean and host.refused),
        ("refused, and taken", not clean and not unsure and host.strict),
        ("refused, taken once mended, and not told", not clean and not unsure and not host.refused
         and not page["isLoose"]),
        ("no verdict", not clean and not unsure and not page["found"]
         and "Nothing is chosen" not in page["verdict"]),
    ):  # fmt: skip
        if is_so:
            tally.counts[what] += 1
            seen = "; ".join([*page["errors"], page["verdict"], *page["found"]])
            tally.bad.append((what, text, f"PAGE {seen} HOST {host.words}"))


def main(count: int) -> None:
    """Type texts, and print what came of them."""
    from tests.browser.chromium import a_browser
    from tests.homes import a_demo

    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        home = a_demo(Path(folder) / "home")
        desk = Desk(Path(folder), browser.new_page())
        tally = type_them(desk, home, count)
        for what, text, words in tally.bad[:60]:
            print(f"--- {what}\n{text}{words}\n")
        for what, number in sorted(tally.counts.items()):
            print(f"{number:6}  {what}")
        print(f"{len(desk.errors):6}  errors in the window")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
