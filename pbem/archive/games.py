"""The files of one game: its page, a page for each turn, its feed, and what a link to it looks like."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import Any, Final

from pbem.archive.download import download, is_whole_game, public_files
from pbem.archive.finished import Draw, TurnDetails, read_turn_details
from pbem.archive.public import Masking, PublishPolicy, known_names, public_turn
from pbem.archive.record import row_of
from pbem.archive.rendering import Pages, feed, report_page, turn_page
from pbem.archive.replay import EVERYTHING, PUBLIC, Replay
from pbem.archive.results import address_of, places, stints_of
from pbem.archive.story import scores_of, story_of
from pbem.archive.thumbnails import thumbnail
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import act_words
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import book_of
from pbem.play.reports.formpages import can_draw, png
from pbem.play.turn.luck import Deal, deal_of
from pbem.store.records import iso

PICTURE: Final = "preview.png"
THUMBNAIL: Final = "thumbnail.svg"
WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size that programs which show links ask for."""

_EDGE: Final = 48
_BOARD: Final = 420
_LINES: Final = 7
_ROOM: Final = WIDTH - _BOARD - 2 * _EDGE
"""So wide is a line, of letters that are 0.62 times as wide as high; bold ones are a little wider."""

_LETTER: Final = 0.62
_STORY: Final = 200
"""So many turns are told on a game's page, the newest; the others have pages of their own all the same."""

_ROOT: Final = re.compile(r"<svg\b([^>]*)>")
_SIZE: Final = re.compile(r'\s(?:width|height|x|y)="[^"]*"')


def game_summary(pages: Pages, row: Mapping[str, Any]) -> str:
    """Return what is said of a game beside a link: how it stands, and who plays or how they came out.

    Raises:
        WrongInput: The template fails.
    """
    return " ".join(
        pages.text("told.txt", game=row, seats=[_seat_summary(one) for one in _ranked_seats(row)]).split()
    )


def game_card_png(row: Mapping[str, Any], board: str) -> bytes | None:
    """Return the picture of a game as PNG; None without the extra `png`.

    A board that cannot be drawn is left out: the names and points are there all the same.
    """
    for shown in (board, ""):
        try:
            return png(game_card_svg(row, shown), WIDTH)
        except ValueError:
            continue
    return None


def game_card_svg(row: Mapping[str, Any], board: str) -> str:
    """Return the picture of a game as SVG: its rules and name, who has how many points, and the board."""
    seats = _ranked_seats(row)
    shown = seats if len(seats) <= _LINES else seats[: _LINES - 1]
    rest = f"and {len(seats) - len(shown)} more" if len(seats) > len(shown) else ""
    when = f"{row['name']}, {row['at'][:10]}" if row["over"] else f"{row['name']}, turn {row['turn']}"
    parts = [_svg_text(row["title"], 108, 52, "bold"), _svg_text(when, 164, 32)]
    for place, one in enumerate(shown):
        y = 250 + 52 * place
        weight = "bold" if one["won"] else "normal"
        parts.append(
            f'<rect x="{_EDGE}" y="{y - 26}" width="32" height="32" rx="8" fill="{one["colour"]}" '
            f'stroke="#1a1d21" stroke-width="2"/>{_svg_text(_seat_summary(one), y, 32, weight, 52)}'
        )
    parts.append(_svg_text(rest, 250 + 52 * len(shown), 32, shift=52) if rest else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans" fill="#1a1d21">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f5f6f8"/>'
        f"{''.join(parts)}{_board_picture(board)}</svg>"
    )


def _ranked_seats(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the seats of a game in order of their places, or of their points while it runs."""
    seats = row["players"]
    found = places([one["won"] for one in seats], [one["score"] for one in seats]) if row["over"] else None
    order = sorted(range(len(seats)), key=lambda at: found[at] if found else -(seats[at]["points"] or 0))
    return [seats[at] for at in order]


def _seat_summary(one: Mapping[str, Any]) -> str:
    count = one["points"] if one["score"] is None else one["score"]
    points = "" if count is None else f", {count}"
    won, name = ", winner" if one["won"] else "", f": {one['name']}" if one["name"] else ""
    return f"{one['title']}{points}{won}{name}"


def _svg_text(told: str, y: int, size: int, weight: str = "normal", shift: int = 0) -> str:
    most = int((_ROOM - shift) / (_LETTER * size))
    short = told if len(told) <= most else f"{told[: most - 1]}…"
    return (
        f'<text x="{_EDGE + shift}" y="{y}" font-size="{size}" font-weight="{weight}">{escape(short)}</text>'
    )


def _board_picture(board: str) -> str:
    """Return a board as a picture within the picture, as large as there is room for, cut below."""
    root = _ROOT.search(board)
    if root is None:
        return ""
    size = (
        f'x="{WIDTH - _BOARD}" y="0" width="{_BOARD}" height="{HEIGHT}" preserveAspectRatio="xMidYMin slice"'
    )
    return f"<svg {size}{_SIZE.sub('', root[1])}>{board[root.end() :]}"


class GameFiles:
    """The files of one game, by their paths in the archive; what would come out as it is stays unmade.

    Attributes:
        row: What the index tells of the game.
        keys: What each file was made from, in a hash.
        made: The content of those that are made anew.
        addresses: The address of each of the row's people as it is compared; it goes into no file.
    """

    def __init__(
        self, home: Home, name: str, allowed: PublishPolicy, mark: str, out: Path, old: Mapping[str, str]
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
        self.insides: dict[int, _LazyTurnDetails] = {}
        self.names = known_names(self.saved)
        self.turns = [public_turn(self.saved, n, allowed, self.names) for n in self.saved.turns.numbers()]
        self.pages = Pages(self.saved.environment)
        self.scores = scores_of(self.turns[-1].told.facts)
        self.row = row_of(self.saved, self.turns, self.scores, allowed, self.pages)
        self.row["only_public"] = self.is_over and not self.is_whole
        self.wording = self.saved.opening.wording.names
        rules = self.saved.start.rules
        self.story = story_of(self.pages, rules, self.turns, self.scores, self.wording)
        self.row["news"] = f"{self.story[-1].first} {self.story[-1].count}".strip() or self.story[-1].end
        self.addresses = [address_of(self.saved.table, one) for one in stints_of(self.row)]
        for place in range(len(self.turns)):
            self._add_turn(place)
        self._reuse_published_turns()
        newest = self.turns[-1].root
        acts = self._acts()
        self.has_picture = bool(allowed.address) and can_draw()
        self._add("index.html", [newest, acts, self.has_picture], lambda: self._game_page(acts))
        if self.has_picture:
            self._add(PICTURE, [newest], lambda: game_card_png(self.row, self.turns[-1].told.board) or b"")
        self._add(THUMBNAIL, [newest], lambda: thumbnail(self._replay.newest_board))
        self._add_replays(newest)
        self._add("book.html", [], lambda: book_of(self.saved).page)
        how = self.saved.cancelled
        ended = iso(how.at) if how is not None else ""
        self._add(f"{name}.zip", [newest, "ended"] if ended else [newest], self._download)
        source: Json = [newest, ended, self.row["standing"]] if ended else [newest]
        self._add("feed.xml", source, lambda: self._feed(ended))

    @property
    def is_over(self) -> bool:
        """The game is over, and all of it is told."""
        return self.row["over"] is True

    @cached_property
    def is_whole(self) -> bool:
        """The game is over, and its download holds all of it."""
        return self.is_over and is_whole_game(self.saved, self.allowed, self.names)

    @property
    def fault(self) -> str:
        """What failed where a page shows a report's text alone, for it cannot be drawn; or ""."""
        told = [turn.told for turn in self.turns]
        for more in self.insides.values():
            told += more.inside.reports.values() if more.is_read else ()
        replay = self.__dict__.get("_replay")
        return next((one.fault for one in told if one.fault), replay.fault if replay else "")

    def _add(self, name: str, source: Json, make: Callable[[], str | bytes]) -> None:
        """Add a file, made only if it would not come out as it stands there; none that would be empty."""
        path = f"{self.saved.name}/{name}"
        told = json.dumps([self.mark, sorted(self.names), source])
        self.keys[path] = hashlib.sha256(told.encode()).hexdigest()[:32]
        if self.old.get(path) != self.keys[path]:
            made = make()
            if made:
                self.made[path] = made if isinstance(made, bytes) else made.encode()
            else:
                del self.keys[path]

    def _add_turn(self, place: int) -> None:
        turn = self.turns[place]
        more = self.insides[turn.number] = _LazyTurnDetails(self.saved, turn.number, self.allowed, self.names)
        source: Json = [turn.root, place + 1 < len(self.turns), self.is_over]

        def page() -> str:
            found = more.inside if self.is_over else None
            return turn_page(self.pages, self.row, self.turns, place, found, self.wording)

        self._add(f"{turn.number:04d}.html", source, page)
        for seat in self.saved.start.seats if self.is_over else ():
            self._add_report(place, seat, more, source)

    def _add_report(self, place: int, seat: Seat, more: _LazyTurnDetails, source: Json) -> None:
        name = f"{self.turns[place].number:04d}-{seat}"

        def page() -> str:
            return report_page(self.pages, self.row, self.turns, place, seat, more.inside.reports[seat])

        self._add(f"{name}.html", source, page)
        self._add(f"{name}.txt", source, lambda: more.inside.reports[seat].files["report.txt"])

    def _add_replays(self, newest: str) -> None:
        """Add the replay: of what is public, or all of a game that is over, also through each seat's eyes."""

        def page(eyes: str) -> str:
            return self._replay.page(self.pages, self.row, eyes)

        self._add("replay.html", [newest, self.is_over], lambda: page(EVERYTHING if self.is_over else PUBLIC))
        for seat in self.saved.start.seats if self.is_over else ():
            self._add(f"replay-{seat}.html", [newest, self.is_over], partial(page, str(seat)))

    @cached_property
    def _replay(self) -> Replay:
        known = {number: lazy.inside for number, lazy in self.insides.items()} if self.is_over else {}
        return Replay(self.saved, self.turns, known, self.allowed, self.names)

    def _reuse_published_turns(self) -> None:
        """Take what older turns told from the download that stands there, rather than make it again."""
        same = [turn for turn in self.turns if f"{self.saved.name}/{turn.number:04d}.html" not in self.made]
        before = public_files(self.out / self.saved.name / f"{self.saved.name}.zip") if same else {}
        for turn in same:
            if turn.number in before:
                turn.told.reuse_files(before[turn.number])

    def _download(self) -> bytes:
        draws = self._draws if self.is_over else None
        return download(self.saved, self.turns, self.allowed, self.names, draws, is_whole=self.is_whole)

    def _draws(self, number: int) -> tuple[Sequence[Draw], str]:
        found = self.insides[number].inside
        return found.draws, found.undrawn

    def _game_page(self, acts: list[Json]) -> str:
        board = self.turns[-1].told.board
        deal = deal_of(self.saved.turns) if self.is_over else Deal(())
        address = f"{self.allowed.address}/{self.saved.name}" if self.allowed.address else ""
        return self.pages.page(
            "game.html",
            game=self.row,
            told=game_summary(self.pages, self.row),
            address=f"{address}/index.html" if address else "",
            picture=f"{address}/{PICTURE}" if self.has_picture else "",
            story=[*zip(self.turns, self.story, strict=True)][-_STORY:],
            scores=self.scores.begun,
            acts=acts,
            board=board,
            first=self.turns[0].number,
            rules=self.saved.start.rules,
            commitment=self.saved.start.commitment,
            seed=self.saved.secret.seed.hex() if self.is_over else "",
            whole=self.is_whole,
            deal=deal,
            sealed=self.saved.start.sealed,
        )

    def _feed(self, ended: str) -> str:
        return feed(self.pages, self.row, self.turns, [one.line for one in self.story], self.wording, ended)

    def _acts(self) -> list[Json]:
        """Return the public log of what was done to the game besides its turns."""
        mask = Masking(() if self.allowed.names else self.names)
        home, table = self.saved.home, self.saved.table
        acts = home.public_acts(self.saved.name)
        return [
            {"at": act.at, "who": act.who, "told": mask.text(act_words(home, act, table))} for act in acts
        ]


class _LazyTurnDetails:
    """What a turn of a finished game shows besides, read when a page needs it."""

    def __init__(self, saved: SavedGame, number: int, allowed: PublishPolicy, names: frozenset[str]) -> None:
        self.read = partial(read_turn_details, saved, number, allowed, names)

    @property
    def is_read(self) -> bool:
        """Whether a page needed it."""
        return "inside" in self.__dict__

    @cached_property
    def inside(self) -> TurnDetails:
        """What it shows."""
        return self.read()
