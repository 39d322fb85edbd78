"""The files of one game: its page, a page for each turn, its feed; of a finished one all reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from pbem.archive.allowed import Allowed, Masking
from pbem.archive.download import download, public_files
from pbem.archive.finished import Draw, Inside, inside
from pbem.archive.rendering import Pages, feed, report_page, turn_page
from pbem.archive.replay import EVERYTHING, PUBLIC, Replay
from pbem.archive.turns import known_names, public_turn
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.books import book_of
from pbem.play.home import Home
from pbem.play.luck import Deal, deal_of
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults


class GameFiles:
    """The files of one game, by their paths in the archive; what would come out as it is stays unmade.

    Attributes:
        row: What the index tells of the game.
        keys: What each file was made from, in a hash.
        made: The content of those that are made anew.
    """

    def __init__(
        self, home: Home, name: str, allowed: Allowed, mark: str, out: Path, old: Mapping[str, str]
    ) -> None:
        """Make them.

        Args:
            home: The home.
            name: The id of the game.
            allowed: What may be published of it.
            mark: What changes whenever all of its files must be made again.
            out: The archive.
            old: The key of each file that stands in the archive.

        Raises:
            WrongInput: The game is damaged, or a template fails.
        """
        self.saved = SavedGame(home, name)
        self.allowed = allowed
        self.mark = mark
        self.out = out
        self.old = old
        self.keys: dict[str, str] = {}
        self.made: dict[str, bytes] = {}
        self.insides: dict[int, _Lazy] = {}
        self.names = known_names(self.saved)
        self.turns = [public_turn(self.saved, n, allowed, self.names) for n in self.saved.turns.numbers()]
        self.pages = Pages(self.saved.environment)
        self.row = self._row()
        for place in range(len(self.turns)):
            self._add_turn(place)
        self._recall()
        newest = self.turns[-1].root
        acts = self._acts()
        self._add("index.html", [newest, acts], lambda: self._game_page(acts))
        self._add_replays(newest)
        self._add("book.html", [], lambda: book_of(self.saved).page)
        self._add(f"{name}.zip", [newest], self._download)
        self._add("feed.xml", [newest], lambda: feed(self.pages, self.row, self.turns))

    @property
    def fault(self) -> str:
        """What failed where a page shows a report's text alone, for it cannot be drawn; or ""."""
        told = [turn.told for turn in self.turns]
        for more in self.insides.values():
            told += more.inside.reports.values() if more.is_read else ()
        return next((one.fault for one in told if one.fault), "")

    def _add(self, name: str, source: Json, make: Callable[[], str | bytes]) -> None:
        """Add a file, made only if it would not come out as it stands there."""
        path = f"{self.saved.name}/{name}"
        told = json.dumps([self.mark, sorted(self.names), source])
        self.keys[path] = hashlib.sha256(told.encode()).hexdigest()[:32]
        if self.old.get(path) != self.keys[path]:
            made = make()
            self.made[path] = made if isinstance(made, bytes) else made.encode()

    def _add_turn(self, place: int) -> None:
        turn = self.turns[place]
        more = self.insides[turn.number] = _Lazy(self.saved, turn.number, self.allowed, self.names)
        is_over = self.row["over"] is True
        source: Json = [turn.root, place + 1 < len(self.turns), is_over]

        def page() -> str:
            found = more.inside if is_over else None
            return turn_page(self.pages, self.row, self.turns, place, found)

        self._add(f"{turn.number:04d}.html", source, page)
        for seat in self.saved.start.seats if is_over else ():
            self._add_report(place, seat, more, source)

    def _add_report(self, place: int, seat: Seat, more: _Lazy, source: Json) -> None:
        name = f"{self.turns[place].number:04d}-{seat}"

        def page() -> str:
            return report_page(self.pages, self.row, self.turns, place, seat, more.inside.reports[seat])

        self._add(f"{name}.html", source, page)
        self._add(f"{name}.txt", source, lambda: more.inside.reports[seat].files["report.txt"])

    def _add_replays(self, newest: str) -> None:
        """Add the replay: of what is public, or all of a game that is over, also through each seat's eyes."""
        over = self.row["over"] is True

        def page(eyes: str) -> str:
            return self._replay.page(self.pages, self.row, eyes)

        self._add("replay.html", [newest, over], lambda: page(EVERYTHING if over else PUBLIC))
        for seat in self.saved.start.seats if over else ():
            self._add(f"replay-{seat}.html", [newest, over], partial(page, str(seat)))

    @cached_property
    def _replay(self) -> Replay:
        over = self.row["over"] is True
        known = {number: lazy.inside for number, lazy in self.insides.items()} if over else {}
        return Replay(self.saved, self.turns, known, self.allowed, self.names)

    def _recall(self) -> None:
        """Take what older turns told from the download that stands there, rather than make it again."""
        same = [turn for turn in self.turns if f"{self.saved.name}/{turn.number:04d}.html" not in self.made]
        before = public_files(self.out / self.saved.name / f"{self.saved.name}.zip") if same else {}
        for turn in same:
            if turn.number in before:
                turn.told.recall(before[turn.number])

    def _download(self) -> bytes:
        draws = self._draws if self.row["over"] is True else None
        return download(self.saved, self.turns, self.allowed, self.names, draws)

    def _draws(self, number: int) -> tuple[Sequence[Draw], str]:
        found = self.insides[number].inside
        return found.draws, found.undrawn

    def _game_page(self, acts: list[Json]) -> str:
        deal = deal_of(self.saved.turns) if self.row["over"] else Deal(())
        return self.pages.page(
            "game.html",
            game=self.row,
            turns=self.turns,
            acts=acts,
            board=self.turns[-1].told.board,
            plots=self.turns[-1].told.plots,
            rules=self.saved.start.rules,
            commitment=self.saved.start.commitment,
            seed=self.saved.secret.seed.hex() if self.row["over"] else "",
            deal=deal,
            sealed=self.saved.start.sealed,
        )

    def _acts(self) -> list[Json]:
        """Return the public log of what was done to the game besides its turns."""
        mask = Masking(() if self.allowed.names else self.names)
        acts = self.saved.home.public_acts(self.saved.name)
        return [{"at": act.at, "who": act.who, "told": mask.text(act.detail)} for act in acts]

    def _row(self) -> dict[str, Json]:
        newest, rules = self.turns[-1], self.saved.start.rules
        facts, words = newest.told.facts, self.pages.words(self.saved.start.rules)
        ask = facts["ask"]
        assert isinstance(ask, dict), "every report tells whom the game waits for"
        events = _objects(facts["events"])
        ended = next((event for event in events if event["event"] == "GameEnded"), {})
        scores, winners = ended.get("scores"), ended.get("winners")
        with template_faults():
            seats: list[Json] = [
                {
                    "seat": player["seat"],
                    "title": str(words.seat(player["seat"])),
                    "name": player["name"] if self.allowed.names else "",
                    "score": scores.get(str(player["seat"])) if isinstance(scores, dict) else None,
                    "won": isinstance(winners, list) and player["seat"] in winners,
                }
                for player in _objects(facts["players"])
            ]
            title = str(words.title()).strip()
        cancelled, mask = self.saved.cancelled, Masking(() if self.allowed.names else self.names)
        standing = self.pages.page("standing.txt", rules=rules, ask=ask, events=events).strip()
        return {
            "name": self.saved.name,
            "rules": rules,
            "title": title,
            "players": seats,
            "names": self.allowed.names,
            "turn": newest.number,
            "at": newest.at,
            "begun": self.turns[0].at,
            "over": ask["kind"] == "over",
            "ended": cancelled is not None,
            "standing": mask.text(cancelled.sentence()) if cancelled is not None else standing,
        }


class _Lazy:
    """What a turn of a finished game shows besides, read when a page needs it."""

    def __init__(self, saved: SavedGame, number: int, allowed: Allowed, names: frozenset[str]) -> None:
        self.read = partial(inside, saved, number, allowed, names)

    @property
    def is_read(self) -> bool:
        """Whether a page needed it."""
        return "inside" in self.__dict__

    @cached_property
    def inside(self) -> Inside:
        """What it shows."""
        return self.read()


def _objects(value: Json) -> list[dict[str, Json]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
