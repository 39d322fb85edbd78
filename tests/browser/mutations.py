"""Texts that a player may type into the order page, made of real orders; and what the host says of each."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.lodging import check_submission
from pbem.store.opening import shipped_folder
from pbem.text.codec import encode
from pbem.text.reports.facts import texts_in
from pbem.text.strictyaml import dump, parse
from tests.browser.forms import asked, suggestion

GAMES: Final = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")

ODD: Final[tuple[Json, ...]] = (
    None, True, False, 0, 1, 3, -1, 99, 1.5, "", "x", "any", "nowhere", "blue", [], {}, [[]], ["nowhere"],
    {"country": "bayern", "pieces": []}, {"for": "nobody"}, {"accept": True}, {"at_least": 2},
    {"not": {"has": 3}},
)  # fmt: skip

SIGNS: Final = (*" :-{}[],'\"#|\n", "  ", "\n- ", ": ", "true")


@dataclass(frozen=True, slots=True)
class Writer:
    """A seat whose page is typed into, and how many texts.

    Attributes:
        saved: Its game, open.
        seat: The seat.
        count: How many texts.
        seed: Of the chance by which they are made.
    """

    saved: SavedGame
    seat: Seat
    count: int
    seed: int

    def texts(self) -> list[str]:
        """Return the texts, the same each time."""
        maker = Maker(self.saved, self.seat, random.Random(f"{self.seed} {self.saved.name} {self.seat}"))
        return [maker.text() for _ in range(self.count)]


def writers(home: Home, count: int, seed: int = 1) -> Iterator[Writer]:
    """Yield seats of all sample games, of each one that is asked and one that is not, if there is any.

    Args:
        home: The sample games.
        count: How many texts, over all games.
        seed: Of the chance by which they are made.
    """
    for number, name in enumerate(GAMES):
        saved = SavedGame(home, name)
        seats = [*asked(saved)[:1], *(seat for seat in saved.start.seats if seat not in _heard(saved))][:2]
        of_game = _share(count, len(GAMES), number)
        for place, seat in enumerate(seats):
            yield Writer(saved, seat, _share(of_game, len(seats), place), seed)


def _share(count: int, parts: int, number: int) -> int:
    return count // parts + (number < count % parts)


def _heard(saved: SavedGame) -> frozenset[Seat]:
    return saved.ask.seats | saved.ask.optional if isinstance(saved.ask, Ask) else frozenset()


@dataclass(frozen=True, slots=True)
class Said:
    """What the host says of a document.

    Attributes:
        refused: It takes nothing of it.
        strict: It takes it as it stands, with nothing mended.
        words: Its mistakes, or that it was taken.
    """

    refused: bool
    strict: bool
    words: str


def said_of(saved: SavedGame, text: str, opened: dict[str, SavedGame]) -> Said:
    """Return what the host says of a document, as `pbem check` does."""
    host = check_submission(saved.home, text.encode(), opened)
    if isinstance(host, list):
        return Said(refused=True, strict=False, words="; ".join(map(str, host)))
    return Said(refused=False, strict=not host.notes, words="taken")


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
        self.name = wording_of(saved.opening).name
        self.facts = sorted(_facts(encode(facts)), key=lambda one: one[0])
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
            elif self.chance.random() < 0.25:
                line["when"] = self.fact()
            if self.chance.random() < 0.08:
                line[self.chance.choice(("keep", "if_silent"))] = True
            line["do"] = copy.deepcopy(self.chance.choice(self.real))
            lines.append(line)
        return lines

    def fact(self) -> dict[str, Json]:
        """Return a condition on what stands in the view, its value perhaps as the report spells it."""
        path, found = self.chance.choice(self.facts)
        value = self.chance.choice([found, *(one for _, one in self.facts if isinstance(one, str))])
        if isinstance(value, str):
            value = self.chance.choice((value, self.name(value), value.upper(), "nobody", "nothing"))
        return {path: {"not": value} if self.chance.random() < 0.2 else value}

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


def _facts(view: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield each word, number and truth of a view, with its path."""
    if isinstance(view, dict):
        for key, one in view.items():
            yield from _facts(one, f"{path}.{key}" if path else key)
    elif not isinstance(view, list) and view is not None:
        yield path, view


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield whatever holds something, with the path of what it holds."""
    if not isinstance(value, dict | list):
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, (*path, key)
        yield from _places(value[key], (*path, key))


def _shipped_orders(game: str) -> Iterator[Json]:
    for path in sorted(shipped_folder("orders").glob(f"{game}/*.yaml")):
        value: Any = parse(path.read_text(encoding="utf-8")).value
        yield from (
            line["do"] for line in value.get("orders", []) if isinstance(line, dict) and line.get("do")
        )
