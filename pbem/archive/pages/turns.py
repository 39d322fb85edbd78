"""The turns of a game as they are published: read from what a turn told the public, and from nothing else."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from pbem.archive.pages.allowed import Allowed, Masking, host_of, published
from pbem.archive.pages.unsigned import has_unsigned
from pbem.core.interface import Json
from pbem.play.config.gamefile import A_BOT, NOBODY
from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.arrivals import former_names
from pbem.play.homes.called import called_in
from pbem.play.homes.chain import foot
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, STEPS
from pbem.play.reports.pages import pages_of_report
from pbem.store.errors import WrongInput
from pbem.store.place import Place
from pbem.text.reports.report import BOARD, PLOTS, Report
from pbem.text.schemas.codec import dumps


class Told:
    """One reader's report as it is published; its files are read, or made again, when they are asked for.

    Attributes:
        facts: Every fact it tells.
        as_sent: Its files are those that were sent, to the byte.
        fault: The template that failed, if its page shows the text alone; known when its files were made.
    """

    def __init__(
        self, facts: Mapping[str, Json], as_sent: bool, make: Callable[[], tuple[Mapping[str, str], str]]
    ) -> None:
        self.facts = facts
        self.as_sent = as_sent
        self.fault = ""
        self._make = make

    @cached_property
    def files(self) -> Mapping[str, str]:
        """Its files by name; a board was drawn for turns of older versions too."""
        made, self.fault = self._make()
        return made

    def recall(self, files: Mapping[str, str]) -> None:
        """Take files that were made of the same before, rather than make them again."""
        self._make = lambda: (files, "")

    @property
    def board(self) -> str:
        """The board as SVG; "" where the rules draw none."""
        return self.files.get(BOARD, "")

    @property
    def plots(self) -> str:
        """Plots of the game so far as SVG, or ""."""
        return self.files.get(PLOTS, "")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as everybody may know it.

    Attributes:
        number: The turn's number.
        at: When it was run, ISO 8601.
        root: Its root as reports print it.
        told: What it told the public.
    """

    number: int
    at: str
    root: str
    told: Told


def public_turn(saved: SavedGame, number: int, allowed: Allowed, names: frozenset[str]) -> Turn:
    """Return one turn as everybody may know it."""
    record = saves.load_record(saved.turns.at(number))
    revision = record.get("revision")
    root = foot(str(record["root"]), revision if isinstance(revision, int) else 0)
    return Turn(number, str(record["at"]), root, told_to(saved, number, SPECTATOR, allowed, names))


def told_to(saved: SavedGame, number: int, reader: str, allowed: Allowed, names: frozenset[str]) -> Told:
    """Return a reader's report of a turn: as it was sent, or again without what is not to be published.

    The reports of all seats are made again if an anonymous message went out: none shows whose was changed.
    """
    turn = saved.turns.at(number)
    folder = turn / "reports" / reader
    facts = saves.read_json(folder / "report.json")
    shown = published(facts, allowed, names)
    if shown == facts and (reader == SPECTATOR or not has_unsigned(turn)):
        return Told(facts, True, partial(_sent, saved, number, reader))
    return Told(shown, False, partial(_made_again, saved, shown, facts, folder, names))


def _sent(saved: SavedGame, number: int, reader: str) -> tuple[Mapping[str, str], str]:
    """Return the files of a report as it was sent, and what failed if it cannot be drawn."""
    files = {path.name: _text(path) for path in (saved.turns.at(number) / "reports" / reader).iterdir()}
    try:
        made = pages_of_report(saved, number, reader)
    except WrongInput as wrong:
        return _with_page(files), str(wrong)
    return files | {name: page for name, page in made.items() if page}, ""


def _made_again(
    saved: SavedGame,
    shown: Mapping[str, Json],
    facts: Mapping[str, Json],
    folder: Place,
    names: frozenset[str],
) -> tuple[Mapping[str, str], str]:
    try:
        with template_faults():
            files = Report(saved.environment, shown).files()
        steps = folder / STEPS  # names nobody
        return {**files, STEPS: _text(steps)} if steps.exists() else files, ""
    except WrongInput as wrong:
        is_older = (folder / "report.html").exists()
        return _without(shown, facts, folder, names), "" if is_older else str(wrong)


def _without(
    shown: Mapping[str, Json], facts: Mapping[str, Json], folder: Place, names: frozenset[str]
) -> dict[str, str]:
    """Return the files of a report that this version cannot make again, without what is unpublished."""
    told, events = shown["events"], facts["events"]
    assert isinstance(told, list) and isinstance(events, list), "every report has them"
    if len(told) == len(events) and shown.get("new_key") == facts.get("new_key"):
        named = [*names, host_of(facts)]
        mask = Masking([*named, *map(html.escape, named)])
        files = {path.name: mask.text(_text(path)) for path in folder.iterdir()}
        return {**_with_page(files), "report.json": dumps(dict(shown))}
    note = "An earlier version made this report, and it holds messages that are not published."
    return {"report.json": dumps(dict(shown)), "report.txt": f"{note}\n", "report.html": f"<p>{note}</p>\n"}


def _with_page(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a report that this version cannot draw, its text as its page if none was kept."""
    return {"report.html": f"<pre>{html.escape(files['report.txt'])}</pre>\n", **files}


def known_names(saved: SavedGame) -> frozenset[str]:
    """Return every name that a player of a game is known to have had."""
    found = {*saved.table.players.values(), *saved.table.standby}
    turns = [saved.turns.at(number) for number in saved.turns.numbers()]
    if saved.home.has_journal:
        with saved.home.journal() as db:
            found.update(former_names(db, saved.name))
    for turn in (*turns, *(one.place for one in saved.turns.taken_back())):
        found.update(called_in(turn, saves.record_of_undone(turn)).names)
        players = _players(turn / "reports" / SPECTATOR / "report.json")
        found.update(str(player["name"]) for player in players if isinstance(player, dict))
    return frozenset(found - {*saved.start.seats, NOBODY, A_BOT})


def _players(report: Place) -> list[Json]:
    try:
        players = json.loads(report.read_bytes())["players"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return players if isinstance(players, list) else []


def _text(path: Place) -> str:
    try:
        return path.read_text()
    except (OSError, ValueError) as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong}.", "`pbem verify` tells more.") from None
