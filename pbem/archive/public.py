"""What may be published: of reports, of turns, of deadlines; names and press only as the moderator allows."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from pbem.core.book import START
from pbem.core.interface import Json
from pbem.host.run.notes import Pause, notes_of
from pbem.host.time.deadlines import deadline_in_force, last_run_moment
from pbem.play.config.gamefile import A_BOT, NOBODY, GameTable
from pbem.play.config.registry import read_table
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.players import player_names_in, whole_word_pattern
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, STEPS, foot
from pbem.play.reports.reading import pages_of_report
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import dumps, fields_of
from pbem.text.reports.report import BOARD, PLOTS, Report

NAMELESS: Final = "a player"
"""What stands for a name that is not published."""

_BY_PEOPLE: Final = {"ModeratorActed": "text", "PressSent": "say", "PlayerReplaced": "player"}
"""Events that hold what people wrote or are called, and where."""

MASKED: Final = "····-····"


@dataclass(frozen=True, slots=True)
class PublishPolicy:
    """What a moderator allows to be published of a game.

    Attributes:
        show: The game is in the archive at all.
        names: Players are named; else only seats are.
        press: "none", "public" (what was said to all), or "all" (of finished games, between seats too).
        punctual: Missed turns of finished games are told; only the home says so.
        address: Where the archive can be found, without a slash at the end; "" if that is not known.
    """

    show: bool = True
    names: bool = False
    press: str = "public"
    punctual: bool = False
    address: str = ""


def publish_policy_of(home: Home, game: str) -> PublishPolicy:
    """Return what is allowed for a game: by its `game.yaml`, and where that is silent by `home.yaml`.

    Raises:
        WrongInput: One of them cannot be read.
    """
    own = read_table(home.game(game) / "game.yaml").get("archive")
    of_home = _home_settings(home)
    said = {**of_home, **fields_of(own)}
    return PublishPolicy(
        said.get("show") is not False,
        said.get("names") is True,
        str(said.get("press", "public")),
        of_home.get("punctual") is True,
        _address(of_home),
    )


def address_of_site(home: Home) -> str:
    """Return where the archive of a home can be found, without a slash at the end, or ""."""
    return _address(_home_settings(home))


def is_attendance_public(home: Home) -> bool:
    """Tell whether a home publishes who missed turns."""
    return _home_settings(home).get("punctual") is True


def _home_settings(home: Home) -> Mapping[str, Json]:
    return fields_of(home.settings().get("archive"))


def _address(said: Mapping[str, Json]) -> str:
    return str(said.get("address", "")).rstrip("/")


def redact_facts(facts: Mapping[str, Json], allowed: PublishPolicy, names: Iterable[str]) -> dict[str, Json]:
    """Return the facts of a report as they may be published.

    Args:
        facts: What its `report.json` holds.
        allowed: What the moderator allows.
        names: Every name that a player of the game ever had.
    """
    out = dict(facts)
    events, players = facts["events"], facts["players"]
    assert isinstance(events, list) and isinstance(players, list), "every report has them"
    kept: list[Json] = [event for event in events if may_publish_event(event, allowed)]
    if not allowed.names:
        mask = Masking(names)
        kept = [mask.event(event) for event in kept if isinstance(event, dict)]
        out["players"] = [{**player, "name": NAMELESS} for player in players if isinstance(player, dict)]
        if invitation_host(facts):
            out["welcome"] = {**fields_of(facts["welcome"]), "host": ""}
    out["events"] = kept
    if out.get("new_key"):
        out["new_key"] = MASKED
    return out


def invitation_host(facts: Mapping[str, Json]) -> str:
    """Return the name of the host in the facts of an invitation; "" if there is none."""
    return str(fields_of(facts.get("welcome")).get("host", ""))


class Masking:
    """Puts something else in the place of names, where people write or are named."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = whole_word_pattern(names)

    def text(self, text: str) -> str:
        """Return a text without the names that stand in it as words of their own."""
        return self.names.sub(NAMELESS, text)

    def event(self, event: Mapping[str, Json]) -> dict[str, Json]:
        """Return an event without the names in what people wrote or are called."""
        field = _BY_PEOPLE.get(str(event.get("event")), "")
        return {**event, field: self.text(str(event[field]))} if field in event else dict(event)


def may_publish_event(event: Json, allowed: PublishPolicy) -> bool:
    """Tell whether an event may be published, as a report tells it: press as the moderator allows.

    An anonymous message to some never may: its sender is among those who have it.
    """
    if not isinstance(event, dict) or event.get("event") != "PressSent":
        return True
    if event.get("public") is True:
        return allowed.press != "none"
    return allowed.press == "all" and event.get("sender") != ""


def public_due_facts(saved: SavedGame, ask: Mapping[str, Json], mask: Masking) -> dict[str, Json]:
    """Return until when a running game waits for orders, as all may know it.

    Args:
        saved: The game.
        ask: Whom it waits for, as its newest report tells all.
        mask: What leaves names out that are not published.

    Returns:
        `label`, what is asked; `at`, the deadline in ISO 8601, and `told`, the same in words with its zone,
        both "" if there is none; and `pause`, in a sentence, or "". Nothing of a game that asks nobody.
    """
    notes, waits_for_players = notes_of(saved.home, saved.name), saved.table.free and ask["label"] == START
    if ask["kind"] == "over" or notes.cancelled is not None or waits_for_players:
        return {}
    deadline, pause = deadline_in_force(saved, notes), notes.pause_at(last_run_moment(saved))
    if pause is not None and pause.end is None and deadline is not None and pause.start <= deadline:
        deadline = None
    return {
        "label": ask["label"],
        "at": deadline.isoformat(timespec="minutes") if deadline is not None else "",
        "told": saved.table.spelled(deadline) if deadline is not None else "",
        "pause": mask.text(_pause_text(saved.table, pause)) if pause is not None else "",
    }


def _pause_text(table: GameTable, pause: Pause) -> str:
    until = table.spelled(pause.end) if pause.end is not None else "the moderator lets the game go on"
    return f"Pause from {table.spelled(pause.start)} until {until} ({pause.why})."


def has_anonymous_press(turn: Place) -> bool:
    """Tell whether an anonymous message went out with a turn.

    Its sender has it in his report and in his orders, and a turn's record names the orders that it took. So
    what is published of such a turn must treat all seats alike, and its record stays with the host.
    """
    lines = (turn / "events.jsonl").read_bytes().splitlines()
    return any(json.loads(line)["sender"] == "" for line in lines if b'"PressSent"' in line)


class PublishedReport:
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

    def reuse_files(self, files: Mapping[str, str]) -> None:
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
    told: PublishedReport


def public_turn(saved: SavedGame, number: int, allowed: PublishPolicy, names: frozenset[str]) -> Turn:
    """Return one turn as everybody may know it."""
    record = saves.load_record(saved.turns.at(number))
    revision = record.get("revision")
    root = foot(str(record["root"]), revision if isinstance(revision, int) else 0)
    return Turn(
        number, str(record["at"]), root, read_published_report(saved, number, SPECTATOR, allowed, names)
    )


def read_published_report(
    saved: SavedGame, number: int, reader: str, allowed: PublishPolicy, names: frozenset[str]
) -> PublishedReport:
    """Return a reader's report of a turn: as it was sent, or again without what is not to be published.

    The reports of all seats are made again if an anonymous message went out: none shows whose was changed.
    """
    turn = saved.turns.at(number)
    folder = turn / "reports" / reader
    facts = saves.read_json(folder / "report.json")
    shown = redact_facts(facts, allowed, names)
    if shown == facts and (reader == SPECTATOR or not has_anonymous_press(turn)):
        return PublishedReport(facts, True, partial(_sent_report, saved, number, reader))
    return PublishedReport(shown, False, partial(_remake_report, saved, shown, facts, folder, names))


def _sent_report(saved: SavedGame, number: int, reader: str) -> tuple[Mapping[str, str], str]:
    """Return the files of a report as it was sent, and what failed if it cannot be drawn."""
    files = {path.name: _text(path) for path in (saved.turns.at(number) / "reports" / reader).iterdir()}
    try:
        made = pages_of_report(saved, number, reader)
    except WrongInput as wrong:
        return _with_report_page(files), str(wrong)
    return files | {name: page for name, page in made.items() if page}, ""


def _remake_report(
    saved: SavedGame,
    shown: Mapping[str, Json],
    facts: Mapping[str, Json],
    folder: Place,
    names: frozenset[str],
) -> tuple[Mapping[str, str], str]:
    try:
        with translate_template_errors():
            files = Report(saved.environment, shown).files()
        steps = folder / STEPS  # names nobody
        return {**files, STEPS: _text(steps)} if steps.exists() else files, ""
    except WrongInput as wrong:
        is_older = (folder / "report.html").exists()
        return _redact_report(shown, facts, folder, names), "" if is_older else str(wrong)


def _redact_report(
    shown: Mapping[str, Json], facts: Mapping[str, Json], folder: Place, names: frozenset[str]
) -> dict[str, str]:
    """Return the files of a report that this version cannot make again, without what is unpublished."""
    told, events = shown["events"], facts["events"]
    assert isinstance(told, list) and isinstance(events, list), "every report has them"
    if len(told) == len(events) and shown.get("new_key") == facts.get("new_key"):
        named = [*names, invitation_host(facts)]
        mask = Masking([*named, *map(html.escape, named)])
        files = {path.name: mask.text(_text(path)) for path in folder.iterdir()}
        return {**_with_report_page(files), "report.json": dumps(dict(shown))}
    note = "An earlier version made this report, and it holds messages that are not published."
    return {"report.json": dumps(dict(shown)), "report.txt": f"{note}\n", "report.html": f"<p>{note}</p>\n"}


def _with_report_page(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a report that this version cannot draw, its text as its page if none was kept."""
    return {"report.html": f"<pre>{html.escape(files['report.txt'])}</pre>\n", **files}


def known_names(saved: SavedGame) -> frozenset[str]:
    """Return every name that a player of a game is known to have had."""
    found = {*saved.table.players.values(), *saved.table.standby, *saved.tenures.names()}
    turns = [saved.turns.at(number) for number in saved.turns.numbers()]
    for turn in (*turns, *(one.place for one in saved.turns.taken_back())):
        found.update(player_names_in(turn, saves.record_of_undone(turn)).names)
        players = _player_rows(turn / "reports" / SPECTATOR / "report.json")
        found.update(str(player["name"]) for player in players if isinstance(player, dict))
    return frozenset(found - {*saved.start.seats, NOBODY, A_BOT})


def _player_rows(report: Place) -> list[Json]:
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
