"""What costs much is looked at once: a game whose files are checked, a view in a run, a shared home."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from unittest import mock

from pbem.core.events import Seat
from pbem.host.run.batch import _unpacked, run
from pbem.play.homes.saved import SavedGame
from pbem.rules.rose_king.rules import RoseKing
from pbem.text.mending.names import names_in
from pbem.text.orders import open_envelope
from tests.benchmarks.homes import NOW, sample_home
from tests.homes import check_file, top


def test_several_files_of_a_seat_are_checked_with_one_look_at_its_game(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home", {"rose-1": "rose-1"})
    path, opened = top(home) / "orders/rose-1/red.yaml", dict[str, SavedGame]()

    with mock.patch("pbem.play.submissions.meaning.names_in", wraps=names_in) as look:
        found = [check_file(home, path, opened) for _ in range(3)]

    assert not any(isinstance(one, list) for one in found)
    assert look.call_count == 1
    assert [*opened["rose-1"].known] == ["red"]


def test_a_file_is_opened_once_to_be_checked(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home", {"rose-1": "rose-1"})

    with mock.patch("pbem.play.submissions.lodging.open_envelope", wraps=open_envelope) as look:
        found = check_file(home, top(home) / "orders/rose-1/red.yaml")

    assert not isinstance(found, list)
    assert look.call_count == 1


def test_a_run_makes_no_view_of_a_seat_twice(tmp_path: Path) -> None:
    home, seen = sample_home(tmp_path / "home", {"rose-1": "rose-1"}), Counter[tuple[int, Seat | None]]()
    kept, real = [], RoseKing.view

    def view(rules: RoseKing, state: object, seat: Seat | None) -> object:
        kept.append(state)  # so that no other state gets its number
        seen[id(state), seat] += 1
        return real(rules, state, seat)  # type: ignore[arg-type]

    with mock.patch.object(RoseKing, "view", view):
        assert run(home, "rose-1", now=NOW).turn

    assert seen
    assert set(seen.values()) == {1}


def test_the_games_that_a_process_is_given_share_one_home() -> None:
    packed = pickle.dumps(str.upper)

    assert _unpacked(packed) is _unpacked(bytes([*packed]))
