"""What `--json` prints is as the schema of its verb says, and the schema says all of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from pbem.cli import run_command
from pbem.cli.commands import SCHEMAS
from pbem.core.interface import Json
from tests.cli.homes import NOW, a_busy_home
from tests.homes import a_home, top
from tests.hosting.games import DAY, GAME, HOUR
from tests.mail.homes import a_mailbox_home
from tests.verbs import COMMANDS

SOON = (NOW + 3 * DAY + 6 * HOUR).isoformat()
"""When a deadline is near."""


@dataclass(frozen=True)
class Case:
    """A command that prints facts.

    Attributes:
        words: The command, with {home} for the home.
        code: What it ends with.
        at: The moment, if it takes one.
        has: What must be found in what it prints, or the test would show nothing.
    """

    words: str
    code: int = 0
    at: str = ""
    has: str = ""


CASES = {
    "status": [Case("status", has='"deadline": "2026'), Case(f"status {GAME}", has='"held"')],
    "seat": [Case(f"seat {GAME} 1", at=NOW.isoformat(), has="ann@example.test")],
    "acts": [Case(f"acts {GAME}", has="announce")],
    "report": [Case(f"report {GAME} 1", has='"view"'), Case(f"report {GAME} spectator --turn 1")],
    "show": [Case(f"show {GAME}", has='"position"'), Case(f"show {GAME} 1 --turn 1", has='"seat": "1"')],
    "verify": [
        Case(f"verify {GAME}", has='"recomputed": 3'),
        Case("verify", has='"checked"'),
        Case("verify --home {home}/../damaged/home", code=1, has='"place": "turns/0000/start.json"'),
        Case(f"verify {GAME} --foot xxxx-xxxx-xxxx-xxxx", code=1, has='"place": "turns"'),
        Case("verify game.zip --receipt {home}/good.yaml", has="turn 1"),
        Case("verify game.zip --report {home}/good.yaml", has="turn 1"),
    ],
    "simulate": [
        Case("simulate rose-king --games 2", has="spread"),
        Case("simulate web-of-intrigue --games 1 --seats 3", has="endings"),
    ],
    "digest": [Case("digest", has="When do we play")],
    "remind": [Case("remind", at=SOON, has='"queued": true')],
    "check": [Case("check {home}/good.yaml {home}/bad.yaml {home}/press.yaml", code=1, has='"caret"')],
    "submit": [Case("submit {home}/good.yaml {home}/bad.yaml {home}/press.yaml", code=1, has='"proof"')],
    "run": [
        Case(f"run {GAME}", at=NOW.isoformat(), has='"waiting"'),
        Case(f"run {GAME} nobody", code=1, at=NOW.isoformat(), has='"set_aside"'),
    ],
    "rules": [Case("rules", has="rose-king"), Case("rules rose-king --data", has="power_tokens")],
    "new": [
        Case("new web-of-intrigue second --players {home}/players.yaml", at=NOW.isoformat(), has="Ann"),
        Case("new web-of-intrigue third --players {home}/keys.yaml --deal", at=NOW.isoformat(), has="turn-1"),
    ],
    "undo": [Case(f"undo {GAME}", at=NOW.isoformat(), has="undone/0002.1")],
    "receive": [Case("receive --maildir {home}/none", code=1, has="problems"), Case("receive", has="taken")],
    "send": [Case("send --list", has='"unwritten"'), Case("send", at=NOW.isoformat(), has='"sent"')],
    "answer": [Case("answer 1", has="When do we play"), Case("answer 1", has='"kind": "receipt"')],
    "archive": [Case("archive {home}/site", has='"games": 1')],
    "mailbox status": [
        Case("mailbox status --home {home}/../logged-in/home", has='"renewable": true'),
        Case("mailbox status --home {home}/../logged-out/home", code=1, has="pbem mailbox login"),
    ],
    "doctor": [Case("doctor", code=1, at=NOW.isoformat(), has="night job")],
    "proof": [
        Case("proof {home}/kept.txt", has="m4ch-rgdo-26j7-zhfd"),
        Case(f"proof {{home}}/games/{GAME}/turns/0002/reports/1/report.txt", has='"turn": 2'),
    ],
    "home copy": [Case("home copy {home} {home}/../other", has='"files"')],
    "home check": [
        Case("home check {home} {home}"),
        Case("home check {home} {home}/../empty/home", code=1, has='"club '),
    ],
}

BARE = {"book", "form", "init", "demo", "replace", "pause", "resume", "extend", "away", "cancel", "hold",
        "vote", "announce", "lmtp", "worker", "help", "luck",
        "mailbox login", "mailbox logout", "mailbox watch",
        "home close", "home get", "home put", "home upgrade", "home salvage", "home mend",
        "home secret",
        "service install", "service remove"}  # fmt: skip
"""Verbs that print a text to be read, or only that something was done."""


def _all_verbs() -> Iterator[tuple[str, click.Command]]:
    for name, command in COMMANDS.items():
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", one) for below, one in command.commands.items())
        else:
            yield name, command


def _schema(verb: str) -> dict[str, Json]:
    found: dict[str, Json] = json.loads((SCHEMAS / f"{verb.replace(' ', '-')}.json").read_text("utf-8"))
    return found


@pytest.fixture
def printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Case], Json]:
    """Return what gives a command with `--json` in a busy home, and returns what it printed."""
    home = a_busy_home(tmp_path)
    (top(home) / "keys.yaml").write_text(
        "seats:\n  '1': {player: Ann}\n  '2': {player: Bob}\nkey: true\n", encoding="utf-8"
    )
    a_home(tmp_path / "empty")
    damaged = a_home(tmp_path / "damaged")
    (top(damaged) / "games" / GAME / "turns" / "0000").mkdir(parents=True)
    a_mailbox_home(tmp_path / "logged-in", is_logged_in=True)
    a_mailbox_home(tmp_path / "logged-out")
    monkeypatch.setattr("pbem.cli.verify.explain_archived_receipt", lambda *_: "It is the receipt of turn 1.")
    monkeypatch.setattr("pbem.cli.verify.report_in", lambda *_: "It is the report of turn 1.")
    monkeypatch.setattr("pbem.cli.verify.file_findings", lambda *_: ())

    def give(case: Case) -> Json:
        words = [word.format(home=top(home)) for word in case.words.split()]
        moment = ["--now", case.at] if case.at else []
        where = (
            []
            if words[0] in ("simulate", "rules", "proof", "home") or "--home" in words
            else ["--home", str(top(home))]
        )
        capsys.readouterr()
        code = run_command([*words, "--json", *moment, *where])
        said = capsys.readouterr()
        assert code == case.code, said.err
        assert case.has in said.out
        value: Json = json.loads(said.out)
        return value

    return give


KNOWN_BY_WORDS = pytest.mark.wording("receipts and reports that were kept are known by their words")


@pytest.mark.parametrize(
    "verb", [pytest.param(verb, marks=KNOWN_BY_WORDS if verb == "proof" else ()) for verb in CASES]
)
def test_json_is_as_its_schema_says(verb: str, printed: Callable[[Case], Json]) -> None:
    validator = Draft202012Validator(_schema(verb))
    for case in CASES[verb]:
        assert [error.message for error in validator.iter_errors(printed(case))] == []


def test_a_schema_names_every_field_that_must_be_there_and_says_what_each_is() -> None:
    schemas = {verb: _schema(verb) for verb in CASES}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    parts = [(verb, part) for verb in schemas.keys() - {"report"} for part in _objects(schemas[verb])]

    assert [verb for verb, schema in schemas.items() if schema["title"] != f"pbem {verb} --json"] == []
    assert [(verb, part) for verb, part in parts if part.get("additionalProperties") is None] == []
    assert [(verb, part) for verb, part in parts if not _required(part) <= _fields(part)] == []


def _required(part: dict[str, Json]) -> set[Json]:
    required = part.get("required", [])
    assert isinstance(required, list)
    return {*required}


def _fields(part: dict[str, Json]) -> set[Json]:
    fields = part["properties"]
    assert isinstance(fields, dict)
    return {*fields}


def _objects(schema: Json) -> Iterator[dict[str, Json]]:
    """Yield every part of a schema that names fields."""
    if isinstance(schema, list):
        for part in schema:
            yield from _objects(part)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for part in schema.values():
            yield from _objects(part)


def test_every_verb_that_prints_facts_has_json_a_schema_and_a_case() -> None:
    with_json = {
        name for name, command in _all_verbs() if any("--json" in one.opts for one in command.params)
    }

    assert with_json == set(CASES)
    assert {path.stem.replace("-", " ") for path in SCHEMAS.iterdir()} == set(CASES)
    assert {name for name, _ in _all_verbs()} - with_json == BARE
