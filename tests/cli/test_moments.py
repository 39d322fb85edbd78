"""Moments and files as every verb takes them: `--now` in words, and `-` for standard input."""

from __future__ import annotations

import datetime
import io
from pathlib import Path

import click
import pytest

from pbem.cli import run_command
from pbem.cli.base import moment, open_home
from tests.homes import a_game, a_home, orders_path, orders_text, top
from tests.mail.host import N2, RED


@pytest.mark.parametrize(
    ("text", "day", "hour"),
    [
        ("2026-12-01T20:00:00+02:00", "2026-12-01", 18),
        ("2026-12-01 20:00", "2026-12-01", 18),
        ("1 Dec 2026 20:00", "2026-12-01", 18),
        ("1 Dec 2026 20:00 UTC", "2026-12-01", 20),
        ("tomorrow 20:00", "", 18),
        ("+36h", "", None),
    ],
)
def test_now_is_a_moment_as_other_options_take_it_in_the_zone_of_the_home(
    tmp_path: Path, text: str, day: str, hour: int | None
) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text("zone: Africa/Johannesburg\n", encoding="utf-8")

    with click.Context(click.Command("status"), info_name="status"):
        open_home(str(top(home)))
        found = moment(text).astimezone(datetime.UTC)

    assert day in f"{found:%Y-%m-%d}"
    assert hour in (None, found.hour)
    assert day or found > datetime.datetime.now(datetime.UTC)


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_the_file_of_a_hyphen_is_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    good, bad = orders_text("rose-1", "red", N2), orders_text("rose-1", "red", [{"at": "red-1"}])

    for text, code in ((good, 0), (bad, 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert run_command([verb, "-", "--home", str(top(home))]) == code
        assert capsys.readouterr().out.startswith("-:")
    assert orders_path(home, "rose-1", RED).exists() == (verb == "submit")
