"""Pages of the archive, escaped whatever they say; only files that changed are written, by one rename."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from pbem.archive.finished import TurnDetails
from pbem.archive.public import PublishedReport, Turn
from pbem.play.config.templates import translate_template_errors
from pbem.play.reports.formpages import PLACE
from pbem.store.disk import Disk
from pbem.store.opening import shipped_folder
from pbem.text.reports.formpage import dark_style, digest
from pbem.text.reports.report import PLOTS, page_environment

if TYPE_CHECKING:
    from jinja2 import Environment


_FEEDS: Final = uuid.UUID("6a1c7f5e-0f0b-4d8e-9a53-2f6f1c9f4b77")
"""The name space of the ids in feeds."""

_NEWEST: Final = 30
"""So many turns are in a feed."""

_NO_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EMPTY: Final = re.compile(r"<th\b[^>]*></th>")
_BODY: Final = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


class Pages:
    """Makes pages, each from values that were chosen for it."""

    def __init__(self, environment: Environment) -> None:
        self.plain = environment
        self.environment = page_environment(environment)

    def page(self, name: str, **values: Any) -> str:
        """Return a page.

        Args:
            name: Its template: "index.html", "game.html", "turn.html", "replay.html", "feed.xml".
            values: What it shows.

        Raises:
            WrongInput: The template fails.
        """
        with translate_template_errors():
            template = self.environment.get_template(f"archive/{name}.j2")
            tools = {"dark": partial(_dark_page_style, values), "apart": labels_apart, "marked": mark_names}
            return template.render(**_page_values(name == "replay.html"), **tools, **values)

    def text(self, name: str, **values: Any) -> str:
        """Return what a template says, as text that a page escapes when it shows it.

        Raises:
            WrongInput: The template fails.
        """
        with translate_template_errors():
            return self.plain.get_template(f"archive/{name}.j2").render(**values)

    def colour(self, seats: Sequence[str], seat: str) -> str:
        """Return the colour that boards show a seat in."""
        with translate_template_errors():
            picture: Any = self.plain.get_template("common/picture.svg.j2").module
            return str(picture.colour(seats, seat)).strip()

    def words(self, rules: str) -> Any:
        """Return the macros by which reports of some rules name seats and say what happened."""
        return self.environment.get_template(f"{rules}/words.txt.j2").module


def turn_page(
    pages: Pages,
    game: Mapping[str, Any],
    turns: Sequence[Turn],
    place: int,
    inside: TurnDetails | None,
    wording: Mapping[str, str],
) -> str:
    """Return the page of one turn; of a finished game with what happened inside, and ids as their names."""
    shown = _report_values(turns, place, turns[place].told)
    shown["ordered"] = wording
    return pages.page("turn.html", game=game, **shown, inside=inside)


def report_page(
    pages: Pages, game: Mapping[str, Any], turns: Sequence[Turn], place: int, seat: str, told: PublishedReport
) -> str:
    """Return the page of a seat's report of a finished game."""
    shown = _report_values(turns, place, told)
    return pages.page("report.html", game=game, **shown, seat=seat, as_sent=told.as_sent)


def _report_values(turns: Sequence[Turn], place: int, told: PublishedReport) -> dict[str, Any]:
    """Return what a page shows of a report, and where its turn stands among the others."""
    return {
        "body": report_body(told),
        "board": told.board,
        "rules": told.facts["rules"],
        "names": told.facts.get("names", {}),
        "turn": turns[place],
        "first": turns[0].number,
        "before": turns[place - 1].number if place else None,
        "after": turns[place + 1].number if place + 1 < len(turns) else None,
    }


def feed(
    pages: Pages,
    game: Mapping[str, Any],
    turns: Sequence[Turn],
    story: Sequence[str],
    wording: Mapping[str, str],
    ended: str,
) -> str:
    """Return the Atom feed of a game (RFC 4287): its newest turns, each under an id that never changes.

    Args:
        pages: Makes pages.
        game: The row of the game.
        turns: Its turns.
        story: What is told of each in one line.
        wording: What the rules call things, by their ids.
        ended: When its moderator ended it, ISO 8601; "" if that was not so.
    """
    commitment = str(turns[0].told.facts["commitment"])
    shown = turns[-_NEWEST:]
    entries = [
        {
            "id": f"urn:uuid:{uuid.uuid5(_FEEDS, f'{commitment}/{turn.number}')}",
            "turn": turn,
            "line": line,
            "events": turn.told.facts["events"],
        }
        for turn, line in zip(reversed(shown), reversed(story[-_NEWEST:]), strict=True)
    ]
    told = pages.page(
        "feed.xml",
        game=game,
        rules=turns[0].told.facts["rules"],
        id=f"urn:uuid:{uuid.uuid5(_FEEDS, commitment)}",
        names=wording,
        entries=entries,
        ended=ended,
        end=f"urn:uuid:{uuid.uuid5(_FEEDS, f'{commitment}/ended {ended}')}",
    )
    return _NO_XML.sub("", told)


def report_body(told: PublishedReport) -> str:
    """Return what stands in the body of a report's page; it was escaped when it was made."""
    page = told.files["report.html"]
    found = _BODY.search(page)
    # A heading of nothing is a riddle to those who have a page read to them.
    body = _EMPTY.sub("<td></td>", found[1] if found else page)
    return body.replace(PLACE.format(PLOTS), f"<figure>{told.plots}</figure>", 1) if told.plots else body


def mark_names(text: str, seats: Sequence[Mapping[str, Any]], things: Iterable[str] = ()) -> Markup:
    """Return a text in which things stand out, and seats in their colours, called by their players."""
    known = {str(one["title"]): one for one in seats}
    words = sorted({*known, *things}, key=len, reverse=True)
    if not words:
        return escape(text)

    def mark(word: str) -> str:
        if (seat := known.get(word)) is None:
            return f"<b>{escape(word)}</b>"
        marks = f'data-seat="{escape(seat["seat"])}" style="--c:{escape(seat.get("colour", ""))}"'
        return f"<b {marks}>{escape(seat.get('name') or word)}</b>"

    parts = re.split(rf"(?<!\w)({'|'.join(map(re.escape, words))})(?!\w)", text)
    return Markup("".join(mark(part) if at % 2 else escape(part) for at, part in enumerate(parts)))


def labels_apart(heights: Sequence[float], least: float) -> list[float]:
    """Return heights of labels, of a hundred, that stand apart from each other and near to their lines."""
    found = list(heights)
    in_order = sorted(range(len(found)), key=found.__getitem__)
    for above, at in pairwise(in_order):
        found[at] = max(found[at], found[above] + least)
    limit = 100 - least / 2
    for at in reversed(in_order):
        found[at] = max(min(found[at], limit), 0)
        limit = found[at] - least
    return found


def _dark_page_style(values: Mapping[str, Any]) -> str:
    """Return the style of what is drawn on a page of these values, on dark screens."""
    sheets = (sheet.drawn for sheet in values.get("sheets", ()))
    drawn = [*(values.get(name, "") for name in ("board", "body", "shared")), *sheets]
    drawn += values.get("pictures", {}).values()
    return dark_style("".join(drawn), ":is(figure,.board)")


def _page_values(is_replay: bool) -> dict[str, str]:
    """Return what all pages have: their look, and the one script that each may run."""
    run = _asset("replay.js" if is_replay else "script.js")
    look = _asset("style.css") + (_asset("replay.css") if is_replay else "")
    return {"style": look, "script": run, "policy": content_security_policy(run)}


def content_security_policy(script: str) -> str:
    """Return the content security policy of a page: its own script, inline styles, and nothing else."""
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _asset(name: str) -> str:
    return (shipped_folder("templates") / "archive" / name).read_text(encoding="utf-8")


def asset_files() -> list[Path]:
    """Return the files that all pages are made with."""
    folder = shipped_folder("templates")
    return [*sorted((folder / "archive").iterdir()), *sorted((folder / "common").glob("page*.j2"))]


FRESH: Final = ".new"
"""Where new files wait for their names; what a killed run left there is removed by the next, at its end."""


class Writer:
    """Collects files of a site in a folder of their own, and puts all of them in their places at once."""

    def __init__(self, disk: Disk, out: Path) -> None:
        self.disk = disk
        self.out = out
        self.fresh = out / FRESH
        self.written: list[tuple[Path, Path]] = []

    def write(self, name: str, data: bytes) -> None:
        """Write a file that waits for its name, unless it stands in its place already."""
        path = self.out / name
        with contextlib.suppress(OSError):
            if not path.is_symlink() and path.read_bytes() == data:
                return
        if not self.written:
            self.disk.make_folder(self.fresh)
        waiting = self.fresh / str(len(self.written))
        self.disk.write(waiting, data)
        self.written.append((waiting, path))

    def place(self) -> int:
        """Make durable what was written, and give every file its name. Returns how many there were."""
        placed, self.written = self.written, []
        folders = sorted({path.parent for _, path in placed})
        for folder in folders:
            self.disk.make_folder(folder)
        if placed:
            self.disk.sync_tree(self.out)
        for waiting, path in placed:
            self.disk.rename(waiting, path)
        for folder in folders:
            self.disk.sync_names(folder)
        return len(placed)

    def remove(self, names: Iterable[str]) -> int:
        """Remove files, and folders that are empty then. Returns how many there were."""
        paths = [self.out / name for name in sorted(names)]
        present = [path for path in paths if path.is_file() or path.is_symlink()]
        for path in present:
            self.disk.remove(path)
        for folder in {path.parent for path in paths} - {self.out}:
            with contextlib.suppress(OSError):
                folder.rmdir()
        return len(present)

    def finish(self) -> None:
        """Remove the folder of what waited."""
        if self.fresh.is_dir():
            self.disk.remove_tree(self.fresh)
