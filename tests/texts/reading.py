"""What is read of games: reports, forms, order pages, game books and an archive; and the help of verbs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click

from pbem.cli.verbs import help_page
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.strictyaml import dump
from tests.behaviour.evenings import without_secrets
from tests.behaviour.games import asked, by_file, new, outcomes, row_of
from tests.behaviour.test_games import SHORT
from tests.homes import make_home, sample_games, top
from tests.texts.saying import not_known, said, words_of
from tests.verbs import COMMANDS

WIDTH: Final = 78
_VERSION: Final = re.compile(r"(?<=OpenSkill )[\d.]+")
SAMPLES: Final[Mapping[str, str]] = {
    "rose-king": "rose-1",
    "web-of-power": "wop-1",
    "web-of-power-cards": "cards-1",
    "game-of-powers": "powers-1",
    "web-of-intrigue": "web-1",
}
"""The sample game of each of the rules."""


def helps() -> str:
    """Return the first page of the help and the page of every verb."""
    names = ["-h", "--help"]
    top_of_all = click.Context(click.Group(), info_name="pbem", terminal_width=WIDTH, help_option_names=names)
    pages = (_help(name, COMMANDS[name], top_of_all) for name in sorted(COMMANDS))
    return "\n".join([f"=== pbem --help\n{help_page(WIDTH)}\n", *(page for some in pages for page in some)])


def _help(name: str, command: click.Command, above: click.Context) -> Iterator[str]:
    context = command.context_class(command, info_name=name, parent=above, terminal_width=WIDTH)
    yield f"=== {context.command_path} --help\n{command.get_help(context)}\n"
    for below, one in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _help(below, one, context)


def report(rules: str, folder: Path) -> str:
    """Return what is read of a game of some rules, at its start, midway and end, each paragraph once."""
    found = ""
    for name in SHORT:
        if row_of(name)["rules"] != rules:
            continue
        home = _ended(name, folder)
        seat = SavedGame(home, name).start.seats[0]
        shutil.copytree(sample_games() / SAMPLES[rules], top(home) / "games" / SAMPLES[rules])
        game = SAMPLES[rules]
        known = set[str]()
        mine = f"{game} {asked(SavedGame(home, game))[0]}"
        for words in (
            f"report {name} {seat} --turn 0",
            f"report {name} {seat} --turn 1",
            f"report {name} {seat}",
            f"report {mine}",
            f"report {game} spectator",
            f"show {mine}",
            f"form {mine}",
            f"form {mine} --suggest greedy --ahead 1",
            f"form {mine} --page",
            f"book {rules}",
        ):
            told = said(*words.split(), "--home", str(top(home)))
            end = "\n\n" if not words.endswith("--page") else "\n"
            new = not_known(told if end == "\n\n" else words_of(told), known, end)
            found += f"=== pbem {words}\n{new.rstrip()}\n\n"
    return found


def _ended(name: str, folder: Path) -> Home:
    """Return a home with a short game that has been played to its end."""
    place, row = folder / name, row_of(name)
    place.mkdir(parents=True)
    home = new(make_home(place / "home").store, row, place)
    outcomes(home, row, (turn["orders"] for turn in row["turns"]), by_file, place)
    return home


def archive(folder: Path) -> str:
    """Return what the pages of a running and an ended game say, each paragraph once; and of their files."""
    home, out = _ended(SHORT[0], folder), folder / "out"
    home.store.lodge("home.yaml", dump({"archive": {"names": True}}).encode())
    shutil.copytree(sample_games() / "rose-1", top(home) / "games" / "rose-1")
    said("archive", str(out), "--home", str(top(home)))
    found, known = "", set[str]()
    for path in sorted(out.rglob("*.*ml"), key=lambda one: (len(one.parts), one)):
        name = path.relative_to(out).as_posix()
        if path.stem == "book" or (path.parent.name == "rose-1" and path.stem != "index"):
            continue  # what `pbem book` prints, and pages as those of the other game
        words = words_of(without_secrets(path.read_text(encoding="utf-8")))
        found += f"=== {name}\n{not_known(_VERSION.sub('VERSION', words), known, chr(10))}\n"
    for path in sorted(out.rglob("*.zip")):
        told = said("verify", str(path)).replace(f"{out}/", "")
        found += f"=== pbem verify {path.relative_to(out)}\n{told}\n"
    return found
