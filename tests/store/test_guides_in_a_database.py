"""The moderator's pages and those of the players do what they say also if the home is a database."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from pbem.store.interface import Store
from pbem.store.opening import open_store
from tests.docs.blocks import Block, Command, blocks, commands, matches
from tests.docs.test_guides import PROJECT
from tests.store.pgserver import server
from tests.warm import warm_program

pytestmark = pytest.mark.postgres

MODERATORS: Final = [PROJECT / "docs" / f"{name}.md" for name in ("moderator", "people", "trouble")]
PLAYERS: Final = sorted((PROJECT / "docs").glob("*/guide.md"))

OF_A_FOLDER: Final = ("chmod ", "pbem-spool ", "pbem doctor", "rm -r home/games/tea/turns/")
"""What is typed only where the home is a folder: a database has no modes, no spool, asks for a worker, and no
hand deletes a turn in it."""

TOLD_OF_A_FOLDER: Final = ("can be read by others", "and is not here; put it back from a copy")


@dataclass(frozen=True, slots=True)
class Typist:
    """Somebody who follows a guide with a database in place of the folder of the home.

    Attributes:
        guide: The guide.
        folder: Where the commands are typed.
        name: What the guide calls the home.
        url: Where the home is here.
        programs: Where a `pbem` lies that is loaded already.
        exported: The settings of the shell so far.
    """

    guide: Path
    folder: Path
    name: str
    url: str
    programs: Path
    exported: list[str]

    def follow(self) -> int:
        """Do what the guide says; return how many commands were typed."""
        count = 0
        for block in blocks(self.guide):
            if block.kind == "yaml":
                self.write(block)
            for command in commands(block) if block.kind == "console" else ():
                is_told = any(words in command.expected for words in TOLD_OF_A_FOLDER)
                if not command.words.startswith(OF_A_FOLDER) and not is_told:
                    self.types(command, block)
                    count += 1
        return count

    def write(self, block: Block) -> None:
        """Keep a file that the guide shows: in the database, if it belongs to the home."""
        named = re.match(r"# ([a-z0-9./-]+\.yaml)\n", block.text)
        assert named, "a file's first line names it"
        if named[1].startswith(f"{self.name}/"):
            open_store(self.url).lodge(named[1].removeprefix(f"{self.name}/"), block.text.encode())
        else:
            (self.folder / named[1]).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / named[1]).write_text(block.text, encoding="utf-8")

    def types(self, command: Command, block: Block) -> None:
        """Type a command, and look at what it prints and how it ends."""
        is_about_files = not command.words.startswith("pbem ") and re.search(
            rf"\b{self.name}\b(/|\s)", command.words
        )
        if is_about_files and "export " not in command.words:
            with_files(open_store(self.url), self.folder / self.name, lambda: self.asks(command, block))
        else:
            self.asks(command, block)
        if setting := re.search(r"export (\w+=\S+)", command.words):
            self.exported.append(f"export {self.words(setting[1])}; ")

    def asks(self, command: Command, block: Block) -> None:
        """Type a command where its files lie."""
        own = Path(sys.executable).parent
        first = own if command.words.startswith("timeout ") else self.programs  # it ends what it started
        ran = subprocess.run(
            ["sh", "-c", "".join(self.exported) + self.words(command.words)],
            cwd=self.folder,
            env={**os.environ, "PATH": f"{first}:{own}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        said = self.told(ran.stdout + ran.stderr)
        where = f"{self.guide.name}:{block.line}: $ {command.words}"
        assert ran.returncode == command.code, f"{where}\n{said}"
        assert matches(command.expected, said), f"{where}\nexpected:\n{command.expected}\nprinted:\n{said}"

    def words(self, text: str) -> str:
        """Return what is typed here in place of what the guide says: the table of all that differs."""
        table = {
            f"pbem init {self.name} ": f"pbem init {self.url} ",
            f"PBEM_HOME={self.name} ": f"PBEM_HOME={self.url} ",
            f"--home {self.name} ": f"--home {self.url} ",
            f"pbem home copy {self.name} ": f"pbem home copy {self.url} ",
            f"pbem home check {self.name} ": f"pbem home check {self.url} ",
            f"{self.name}/inbox": "inbox",  # a Maildir lies beside the home
            f"{self.name}/mail/lmtp": "lmtp",
        }
        text = f"{text} "
        for said, here in table.items():
            text = text.replace(said, here)
        return text.rstrip(" ")

    def told(self, text: str) -> str:
        """Return what was printed, with the home as the guide calls it."""
        text = re.sub(
            rf"{re.escape(self.url)} (games|orders|mail|templates|home\.yaml)", rf"{self.name}/\1", text
        )
        return text.replace(self.url, self.name).replace("on lmtp.", f"on {self.name}/mail/lmtp.")


def with_files(store: Store, folder: Path, do: Callable[[], None]) -> None:
    """Let something be done with the files of a home, and keep what was changed."""
    shutil.rmtree(folder, ignore_errors=True)
    before = {name: store.read(name) for name in store.below("")}
    for name, data in before.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    do()
    for name, data in before.items():
        if not (folder / name).exists():
            store.remove(name)
        elif (now := (folder / name).read_bytes()) != data:
            store.lodge(name, now)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def warm() -> Path:
    """Return where a `pbem` lies that is loaded already."""
    return warm_program()


@pytest.mark.parametrize("guide", MODERATORS, ids=lambda path: path.stem)
def test_a_page_for_moderators_does_what_it_says(guide: Path, tmp_path: Path, warm: Path) -> None:
    typist = Typist(guide, tmp_path, "home", server().database(), warm, [])

    assert typist.follow() > 30


@pytest.mark.parametrize("guide", PLAYERS, ids=lambda path: path.parent.name)
def test_the_guide_of_a_game_does_what_it_says(guide: Path, tmp_path: Path, warm: Path) -> None:
    url = server().database()
    for words in (["demo", "demo"], ["home", "copy", "demo", url]):
        subprocess.run([warm / "pbem", *words], cwd=tmp_path, check=True, capture_output=True)

    assert Typist(guide, tmp_path, "demo", url, warm, []).follow() > 0
