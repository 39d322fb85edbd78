"""`pbem status --metrics`: figures for whatever watches over a home."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.host.office.status import FIGURES, metrics
from pbem.store.journal import Figure
from pbem.store.mailout import OutboundMail
from tests.homes import NOW, a_home, home_at


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
            OutboundMail("rose-1", 1, "red", "report", 0, "ann@example.test", "b_secret@x", "<a@x>", b"raw"),
            NOW,
        )

    told = metrics(home, NOW)

    assert 'pbem_mails_out{state="queued"} 1\n' in told
    assert not re.search("ann|secret|rose|@", told)


def test_a_label_cannot_break_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [Figure("jobs", 1, {"task": 'a"b\\c\nd'})]
    monkeypatch.setattr("pbem.store.folder.FolderStore.figures", lambda store, now: odd)

    assert 'pbem_jobs{task="a\\"b\\\\c\\nd"} 1\n' in metrics(home_at(tmp_path), NOW)


def test_every_figure_of_a_database_has_words(tmp_path: Path) -> None:
    names = {one.name for one in a_home(tmp_path).store.figures(NOW)}

    assert FIGURES.keys() - names == {"jobs", "jobs_oldest_seconds", "workers", "database_bytes"}
