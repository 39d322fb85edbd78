"""Every command and every file in the README and the guides works as they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.blocks import Block, Command, blocks, commands, matches, part
from tests.verbs import COMMANDS
from tests.warm import demo_by_command, warm_program

PROJECT = Path(__file__).parents[2]
README = PROJECT / "README.md"
GUIDES = [README, *sorted((PROJECT / "docs").rglob("*.md"))]

BY_MAIL = PROJECT / "docs" / "hosting-by-mail.md"
"""The guide whose commands are typed by the tests with a real mail server."""

TRIAL = "Try it without a mail server"
"""Its part whose commands need none."""

MANY = PROJECT / "docs" / "hosting-many.md"
"""The guide whose commands are typed by the tests with a PostgreSQL server."""

KINDS = {"console", "yaml", "sh", "text"}

_DEMO = re.compile(r"pbem demo (\w+)")
"""What such a command makes is copied from what was made before."""

_ENDLESS = "timeout --preserve-status 5 "
"""Stands before a program that goes on until it is ended."""

PROGRAMS = Path(sys.executable).parent

WITHOUT = ("PBEM_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
CACHE = Path.home() / ".cache"
"""Who types the commands of a guide has a home folder of their own, but the compiled templates of all."""


@pytest.fixture(scope="module")
def warm() -> Path:
    """Return where a `pbem` lies that is loaded already."""
    return warm_program()


@pytest.mark.parametrize(
    "guide",
    [guide for guide in GUIDES if guide not in (BY_MAIL, MANY)],
    ids=lambda path: str(path.relative_to(PROJECT)),
)
def test_a_guide_does_what_it_says(guide: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Commands of the README start programs from nothing, those of the guides one that is loaded already."""
    type_guide(guide, tmp_path, lambda: request.getfixturevalue("warm"))


def type_guide(guide: Path, folder: Path, warm: Callable[[], Path]) -> None:
    """Type the commands of a guide in a folder, beside a demo."""
    found = blocks(guide)
    programs = PROGRAMS
    if any(block.kind == "console" for block in found):
        programs = PROGRAMS if guide == README else warm()
        shutil.copytree(demo_by_command(), folder / "demo")
    type_commands(found, guide, folder, programs)


def test_play_by_mail_is_tried_without_a_mail_server_as_the_guide_says(warm: Path, tmp_path: Path) -> None:
    type_commands(part(BY_MAIL, TRIAL), BY_MAIL, tmp_path, warm)


def type_commands(found: list[Block], guide: Path, tmp_path: Path, programs: Path) -> None:
    """Write and type what a guide shows."""
    exported: list[str] = []
    for block in found:
        assert block.kind in KINDS, f"{guide.name}:{block.line}: no test reads a block of kind {block.kind!r}"
        if block.kind == "yaml":
            _write(block, guide, tmp_path)
        elif block.kind == "console":
            _run(block, guide, tmp_path, exported, programs)
        elif block.kind == "sh":
            _check_targets(block, guide)


def _write(block: Block, guide: Path, folder: Path) -> None:
    """Write a file that a guide shows; its first line names it."""
    name = re.match(r"# ([a-z0-9./-]+\.yaml)\n", block.text)
    assert name and ".." not in name[1], (
        f"{guide.name}:{block.line}: a YAML block's first line names its file"
    )
    (folder / name[1]).parent.mkdir(parents=True, exist_ok=True)
    (folder / name[1]).write_text(block.text, encoding="utf-8")


def _run(block: Block, guide: Path, folder: Path, exported: list[str], programs: Path) -> None:
    """Run the commands of a block; what they export stands for the rest of the guide."""
    for command in commands(block):
        words, place = command.words, f"{guide.name}:{block.line}: $ {command.words}"
        if made := _DEMO.match(words):
            shutil.copytree(demo_by_command(), folder / made[1])
            continue
        if words.startswith(_ENDLESS):
            said, code = _said_at_last("".join(exported) + words.replace(_ENDLESS, "exec "), folder, command)
        else:
            ran = _shell("".join(exported) + words, folder, programs)
            said, code = ran.stdout + ran.stderr, ran.returncode
        assert code == command.code, f"{place}\n{said}"
        check_print(command.expected, said, place)
        if setting := re.search(r"export (\w+=\S+)", command.words):
            exported.append(f"export {setting[1]}; ")


def check_print(expected: str, printed: str, place: str) -> None:
    """Check that a command prints what its guide shows."""
    assert matches(expected, printed), f"{place}\nexpected:\n{expected}\nprinted:\n{printed}"


def _said_at_last(words: str, folder: Path, command: Command) -> tuple[str, int]:
    """Return what a program says that never ends, and its exit code: it is ended when it has said that."""
    pipe, told = subprocess.PIPE, ""
    surroundings = _surroundings(folder, PROGRAMS)
    with subprocess.Popen(
        ["sh", "-c", words], cwd=folder, env=surroundings, stdout=pipe, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdout
        while not matches(command.expected, told) and (line := program.stdout.readline()):
            told += line
        program.terminate()
        told += program.stdout.read()
    return told, program.returncode


def _shell(words: str, folder: Path, programs: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", words],
        cwd=folder,
        env=_surroundings(folder, programs),
        capture_output=True,
        text=True,
        check=False,
    )


def _surroundings(folder: Path, programs: Path) -> dict[str, str]:
    tools = os.pathsep.join([str(programs), str(PROGRAMS), os.environ["PATH"]])
    own = {"HOME": str(folder), "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(CACHE)}
    surroundings = {key: value for key, value in os.environ.items() if key not in WITHOUT} | own
    return {**surroundings, "PATH": tools}


def _check_targets(block: Block, guide: Path) -> None:
    """Check that `make` knows the targets a guide names; what they do is tested elsewhere."""
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\S+)", block.text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{guide.name}:{block.line}: make {target}"


def test_every_verb_says_in_its_help_what_each_argument_and_option_does() -> None:
    verbs = [verb for verb, command in COMMANDS.items() if not (command.help or "").strip().endswith(".")]
    options = [
        f"pbem {verb} {option.name}"
        for verb, command in COMMANDS.items()
        for option in command.params
        if option.param_type_name == "option" and not getattr(option, "help", None)
    ]

    assert verbs + options == []


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\n", "a\n", True),
        ("a ... c\n", "a b c\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nd\n", "a\nb\n", False),
        ("", "a\n", False),
    ],
)
def test_dots_stand_for_anything_and_nothing_else_does(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


GUARANTEES = PROJECT / "docs" / "guarantees.md"
_NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_every_test_that_the_guarantees_name_exists() -> None:
    named = _NAMED.findall(GUARANTEES.read_text(encoding="utf-8"))

    assert len(named) >= 20
    for file, name in named:
        text = (PROJECT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), f"{file}::{name}"


def test_every_promise_in_the_guarantees_names_a_test() -> None:
    rows = [
        line
        for line in GUARANTEES.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith(("| promise", "|---"))
    ]

    assert rows
    for row in rows:
        assert _NAMED.search(row), row
