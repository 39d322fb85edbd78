"""Texts that a player may type into the order page, made from real orders; what page and host say of each.

`python -m tests.browser.typed 5000` types so many, and prints what came of them.
"""

from __future__ import annotations

import copy
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play.home import Home
from pbem.play.lodging import checked
from pbem.play.saved import SavedGame
from pbem.store.shipped import shipped
from pbem.text.facts import texts_in
from pbem.text.strictyaml import dump, parse
from tests.browser.forms import Desk, asked, suggestion

GAMES: Final = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")
AT_ONCE: Final = 100
"""So many texts are typed between two looks."""

ODD: Final[tuple[Json, ...]] = (
    None, True, False, 0, 1, 3, -1, 99, 1.5, "", "x", "any", "nowhere", [], {}, [[]], ["nowhere"],
    {"country": "bayern", "pieces": []}, {"for": "nobody"}, {"accept": True}, {"at_least": 2},
    {"not": {"has": 3}},
)  # fmt: skip

SIGNS: Final = (*" :-{}[],'\"#|\n", "  ", "\n- ", ": ", "true")

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
    for name in GAMES:
        saved = SavedGame(home, name)
        seats = [*asked(saved)[:1], *(seat for seat in saved.start.seats if seat not in _heard(saved))][:2]
        for number, seat in enumerate(seats):
            chance = random.Random(f"{seed} {name} {seat}")
            share = count // len(GAMES) // len(seats) + (number < count // len(GAMES) % len(seats))
            _type_at(desk, saved, seat, share, chance, tally)
    return tally


def _heard(saved: SavedGame) -> frozenset[Seat]:
    return saved.ask.seats | saved.ask.optional if isinstance(saved.ask, Ask) else frozenset()


def _type_at(
    desk: Desk, saved: SavedGame, seat: Seat, count: int, chance: random.Random, tally: Tally
) -> None:
    desk.opens(saved, seat, "host+x@example.test")
    maker = Maker(saved, seat, chance)
    opened = {saved.name: saved}
    for start in range(0, count, AT_ONCE):
        texts = [maker.text() for _ in range(min(AT_ONCE, count - start))]
        for text, page in zip(texts, desk.page.evaluate(TYPE, texts), strict=True):
            _compare(saved.home, opened, text, page, tally)


def _compare(home: Home, opened: dict[str, SavedGame], text: str, page: Any, tally: Tally) -> None:
    """Count one text, and keep it if page and host say what must never be."""
    host = checked(home, text.encode(), opened)
    refused = isinstance(host, list)
    strict = not isinstance(host, list) and not host.notes
    words = "; ".join(map(str, host)) if isinstance(host, list) else "taken"
    tally.counts["typed"] += 1
    tally.counts["refused by the host" if refused else "taken by the host"] += 1
    clean = page["verdict"].endswith("No mistakes found. The host checks it again.")
    unsure = "Not judged by this page" in page["verdict"]
    tally.counts["clean" if clean else "not judged" if unsure else "wrong on the page"] += 1
    if unsure and refused:
        tally.counts["not judged, and refused by the host"] += 1
    whole = page["part"].replace("\n", "\r\n")
    for what, is_so in (
        ("uncaught error", bool(page["errors"])),
        ("stale link", page["isLinked"] and page["body"] not in (whole, None)),
        ("no mistakes, and refused", clean and refused),
        ("refused, and taken", not clean and not unsure and strict),
        ("refused, taken once mended, and not told", not clean and not unsure and not refused
         and not page["isLoose"]),
        ("no verdict", not clean and not unsure and not page["found"]
         and "Nothing is chosen" not in page["verdict"]),
    ):  # fmt: skip
        if is_so:
            tally.counts[what] += 1
            seen = "; ".join([*page["errors"], page["verdict"], *page["found"]])
            tally.bad.append((what, text, f"PAGE {seen} HOST {words}"))


class Maker:
    """Makes texts for one seat: real orders, then changed in one to three places."""

    def __init__(self, saved: SavedGame, seat: Seat, chance: random.Random) -> None:
        self.saved, self.seat, self.chance = saved, seat, chance
        self.real = list(_real_orders(saved, seat))
        real = self.real
        self.words = sorted({one for order in real for one in texts_in(order)})
        assert isinstance(saved.ask, Ask), "no sample game is over"
        label = saved.ask.label
        head, _, number = label.partition(".")[0].rpartition("-")
        mine = head if head == "turn" else str(seat)
        last = int(number) if head in ("turn", seat) else saved.position.asked.get(seat, 0)
        later = [f"{mine}-{last + more}" for more in (1, 2, 3)]
        now = [label] if seat in _heard(saved) else later
        self.labels = [*now, *later, *later, f"{mine}-{last + 1}.trade", f"{mine}-{last}", label, "start"]
        facts = saved.opening.view(saved.position.game, seat)
        self.paths = [
            *getattr(type(facts), "__dataclass_fields__", {}),
            "crown",
            "nowhere",
            "players.nobody.score",
        ]

    def text(self) -> str:
        """Return one more text."""
        value: Any = {"game": self.saved.name, "seat": str(self.seat), "orders": self.lines()}
        if self.chance.random() < 0.15:
            value["stop_if"] = {self.chance.choice(self.paths): self.odd()}
        if self.chance.random() < 0.1:
            value["press"] = [{"to": [self.chance.choice([*self.saved.start.seats, "all"])], "say": "Hello"}]
        for _ in range(self.chance.choice((0, 0, 1, 1, 1, 2))):
            self.change(value)
        text: str = dump(value) if isinstance(value, dict) and value else "game:\n"
        return self.slipped(text) if self.chance.random() < 0.15 else text

    def lines(self) -> list[Json]:
        """Return one to three lines, some for now, some for later, some with a condition."""
        lines: list[Json] = []
        for number in range(self.chance.choice((1, 1, 1, 2, 3))):
            line: dict[str, Json] = {}
            if self.chance.random() < 0.75:
                line["at"] = self.labels[0] if number == 0 else self.chance.choice(self.labels)
            if self.chance.random() < 0.15:
                line["when"] = {self.chance.choice(self.paths): self.odd()}
            if self.chance.random() < 0.08:
                line[self.chance.choice(("keep", "if_silent"))] = True
            line["do"] = copy.deepcopy(self.chance.choice(self.real))
            lines.append(line)
        return lines

    def odd(self) -> Json:
        """Return a value that may not belong where it is put."""
        found = self.chance.choice(self.words) if self.words and self.chance.random() < 0.5 else None
        return found or copy.deepcopy(self.chance.choice(ODD))

    def change(self, value: Any) -> None:
        """Change something somewhere in a value: take it away, replace it, put something beside it."""
        places = list(_places(value))
        inner = [place for place in places if "do" in place[1] or "when" in place[1]]
        if not places:
            return
        here, path = self.chance.choice(inner if inner and self.chance.random() < 0.8 else places)
        key = path[-1]
        how = self.chance.random()
        if how < 0.3:
            del here[key]
        elif how < 0.75:
            here[key] = self.odd()
        elif isinstance(here, list):
            here.append(copy.deepcopy(here[key]) if how < 0.85 else self.odd())
        else:
            here[self.chance.choice((*self.words, "keep", "accept", "nothing"))] = self.odd()

    def slipped(self, text: str) -> str:
        """Return a text with a slip of the fingers in it."""
        at = self.chance.randrange(len(text))
        if self.chance.random() < 0.3:
            rows = text.splitlines(keepends=True)
            del rows[self.chance.randrange(len(rows))]
            return "".join(rows) or "game:\n"
        sign, gone = self.chance.choice(("", *SIGNS)), self.chance.choice((0, 1))
        return f"{text[:at]}{sign}{text[at + gone :]}"


def _real_orders(saved: SavedGame, seat: Seat) -> Iterator[Json]:
    """Yield orders that fit the game: of menus, of bots, and those that come with the samples."""
    for one in {seat, *asked(saved)[:1]}:
        for menu in saved.opening.choices(saved.opening.view(saved.position.game, one)).menus:
            found = [item.order for item in menu.items]
            yield from (order for order in found if "" in menu.paths and isinstance(order, dict) and order)
    for one in asked(saved)[:3]:
        for skill in ("greedy", "random"):
            yield from [suggestion(saved, one, skill)] * 3
    yield from _shipped_orders(saved.name)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield whatever holds something, with the path of what it holds."""
    if not isinstance(value, dict | list):
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, (*path, key)
        yield from _places(value[key], (*path, key))


def _shipped_orders(game: str) -> Iterator[Json]:
    for path in sorted(shipped("orders").glob(f"{game}/*.yaml")):
        value: Any = parse(path.read_text(encoding="utf-8")).value
        yield from (
            line["do"] for line in value.get("orders", []) if isinstance(line, dict) and line.get("do")
        )


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
