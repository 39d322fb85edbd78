"""The moderator writes to the players of all running games: each game gets it once, also after kills."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

import pytest

from pbem.host.notices.announcements import TO_ALL
from pbem.host.run.notes import acting
from pbem.play.homes.home import Home
from pbem.store.folder import FolderStore
from pbem.store.records import Row
from tests.homes import a_game, game_folder
from tests.hosting.games import HOUR, MADE, a_club, pbem
from tests.mail.homes import TWO_BY_MAIL

WORDS = "The host moves house on Friday."
LATER = MADE + HOUR
GAMES = ("club", "rose-1", "rose-2", "rose-3")


def a_home_of_four(path: Path) -> Home:
    """Return a home by mail with a club of three and three games of two."""
    home = a_club(path, by_mail=True)
    for name in GAMES[1:]:
        a_game(home, name, table=TWO_BY_MAIL)
    return home


def told(home: Home) -> dict[str, tuple[int, int]]:
    """Return of each game how often it stands in its log, and how many of its players are told."""
    with home.journal() as db:
        words = [one.game for _, one in db.untold() if WORDS in one.words]
        return {
            game: (sum(act.detail == WORDS for act in db.acts(game)), words.count(game)) for game in GAMES
        }


def to_all(home: Home, words: str = WORDS, *, now: datetime.datetime = LATER) -> int:
    return pbem(home, "announce", "--all", words, now=now)


ALL = {"club": (1, 3), "rose-1": (1, 2), "rose-2": (1, 2), "rose-3": (1, 2)}


class KilledError(BaseException):
    """The program is killed here."""


@pytest.mark.parametrize(
    ("which", "is_done"), [*((which, False) for which in range(5)), (0, True), (4, True)]
)
def test_whoever_is_killed_and_tries_again_tells_each_game_once(
    tmp_path: Path, which: int, is_done: bool
) -> None:
    home, noted, count = a_home_of_four(tmp_path), FolderStore.note, iter(range(9))

    def cut(store: FolderStore, rows: Iterable[Row]) -> None:
        is_here = next(count) == which
        if not is_here or is_done:
            noted(store, rows)
        if is_here:
            raise KilledError

    with mock.patch.object(FolderStore, "note", cut), pytest.raises(KilledError):
        to_all(home)
    assert to_all(home, now=LATER + HOUR) == 0

    assert told(home) == ALL
    with home.journal() as db:
        assert db.note("", TO_ALL) is None


def test_a_game_that_is_damaged_or_held_keeps_it_from_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home_of_four(tmp_path)
    (game_folder(home, "rose-1") / "game.yaml").write_text("seats: 1\n", encoding="utf-8")
    with mock.patch("pbem.host.run.notes.WAIT_SECONDS", 0), acting(home, "rose-2"):
        assert to_all(home) == 3

    assert told(home) == {**ALL, "rose-1": (0, 0), "rose-2": (0, 0)}
    said = capsys.readouterr().err
    assert "rose-1: " in said and "rose-2: " in said
    assert pbem(home, "announce", "rose-2", WORDS, now=LATER) == 0
    assert told(home) == {**ALL, "rose-1": (0, 0)}
