"""`pbem status --metrics`: figures for whatever watches over a home."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.office.status import FIGURES, metrics
from pbem.store.journal import Figure
from pbem.store.mailout import Outbound
from tests.facts import tells
from tests.homes import NOW, a_home, home_at, top

_SAMPLE = re.compile(r'(pbem_[a-z_]+)(?:\{(?:[a-z]+="[^"\\]*",?)+\})? -?[0-9.]+(?:e[+-]?[0-9]+)?')


def printed(where: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines of a home's figures."""
    assert run_command(["status", "--metrics", "--home", where]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.endswith("\n")
    return said.out.splitlines()


def test_each_figure_says_first_what_it_is_and_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(str(top(a_home(tmp_path))), capsys)

    for name in {line.partition("{")[0].partition(" ")[0] for line in lines if line[0] != "#"}:
        where = [at for at, line in enumerate(lines) if line.startswith((f"{name}{{", f"{name} "))]
        assert where == list(range(where[0], where[-1] + 1))
        assert lines[where[0] - 2].startswith(f"# HELP {name} ")
        assert lines[where[0] - 1] in (f"# TYPE {name} gauge", f"# TYPE {name} counter")
        assert lines[where[0] - 1].endswith("counter") is name.endswith("_total")
        assert sum(line.startswith(f"# TYPE {name} ") for line in lines) == 1
    assert all(_SAMPLE.fullmatch(line) for line in lines if line[0] != "#")


def test_no_journal_is_made_for_figures(tmp_path: Path) -> None:
    home = a_home(tmp_path)

    metrics(home, NOW)

    assert not home.has_journal


def test_no_game_is_opened_for_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_home(tmp_path)
    home.store.found("rose-1", {"turns/0000/turn.json": b"not read"})
    monkeypatch.setattr("pbem.store.folder.FolderStore.read", None)

    assert "pbem_games 1\n" in metrics(home, NOW)


def test_figures_hold_no_address_and_no_name(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        assert db.put(
            Outbound("rose-1", 1, "red", "report", 0, "ann@example.test", "b_secret@x", "<a@x>", b"raw"), NOW
        )

    told = metrics(home, NOW)

    assert 'pbem_mails_out{state="queued"} 1\n' in told
    assert not re.search("ann|secret|rose|@", told)


def test_a_label_cannot_break_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [Figure("jobs", 1, {"task": 'a"b\\c\nd'})]
    monkeypatch.setattr("pbem.store.folder.FolderStore.figures", lambda store, now: odd)

    assert 'pbem_jobs{task="a\\"b\\\\c\\nd"} 1\n' in metrics(home_at(tmp_path), NOW)


@pytest.mark.parametrize("words", [["rose-1"], ["--json"]])
def test_metrics_are_of_the_whole_home_and_have_their_own_format(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)

    assert run_command(["status", "--metrics", *words, "--home", str(top(home))]) == 2
    assert tells(capsys.readouterr().err, "--metrics")


def test_every_figure_of_a_database_has_words(tmp_path: Path) -> None:
    names = {one.name for one in a_home(tmp_path).store.figures(NOW)}

    assert FIGURES.keys() - names == {"jobs", "jobs_oldest_seconds", "workers", "database_bytes"}
