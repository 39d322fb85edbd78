"""Players are replaced: one entry of the file changes, the seat has a new key, its orders go on or not."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.people import gamewriting
from pbem.host.people.gamewriting import replace_seat_entry, seat_row, without_standby
from pbem.host.people.seats import replace_player
from pbem.mail.account.addresses import token_of
from pbem.mail.outgoing.seatrepair import mend_seat
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import Receipt
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.store.memory import MemoryStore
from pbem.text.strictyaml import dump, parse
from tests.homes import NOW, a_game, a_home, home_at, orders_text, submit, top, tree
from tests.hosting.games import HOUR

RED, WHITE = Seat("red"), Seat("white")
DORA = Person("Dora", "dora@example.test", "Europe/Lisbon")

FLOW = """\
# Tuesdays   (and some Fridays)
seats:
  red: {player: Ann, silent: greedy}   # she moved
  white: {player: Bob}

# the rest
silent: hold   # as always
standby:
- {player: Finn, address: finn@example.test}
- {player: Gil}
"""


def new_home(tmp_path: Path, table: str = FLOW) -> Home:
    home = a_home(tmp_path)
    a_game(home, table=table)
    return home


def game_file(home: Home) -> Path:
    return (top(home) / "games") / "rose-1/game.yaml"


def give(home: Home, person: Person | None = DORA, seat: Seat = RED, *, drop: bool = False) -> object:
    return replace_player(home, "rose-1", seat, person, NOW + HOUR, drop_orders=drop)


def test_who_may_read_the_files_stays_so(tmp_path: Path) -> None:
    home = new_home(tmp_path)
    game_file(home).chmod(0o640)

    give(home)

    assert stat.S_IMODE(game_file(home).stat().st_mode) == 0o640
    assert stat.S_IMODE(((top(home) / "games") / "rose-1/secret.json").stat().st_mode) == 0o600


names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=30)
comments = st.sampled_from(["", "  # seats: {red: nobody}", "   # }"])


@given(names, names, names, comments, st.booleans(), st.booleans())
def test_whatever_a_file_says_besides_it_says_afterwards(
    old: str, new: str, other: str, comment: str, flow: bool, last: bool
) -> None:
    row: dict[str, Json] = {"player": old, "address": "a@b.test"}
    rows: dict[str, Json] = {"red": row, "white": {"player": other}}
    if last:
        rows = dict(reversed(rows.items()))
    text = f"{comment}\n" + (
        dump({"seats": rows}) if flow else yaml.safe_dump({"seats": rows}, sort_keys=False)
    )
    text += f"silent: hold{comment}\n"
    before = parse(text).value
    assert isinstance(before, dict)

    changed = replace_seat_entry(Place(MemoryStore({}), "game.yaml"), text, RED, {"player": new})

    assert parse(changed).value == {**before, "seats": {**rows, "red": {"player": new}}}
    assert seat_row(changed, RED) == {"player": new}
    assert changed.count("#") == text.count("#") - old.count("#") + new.count("#")


@pytest.mark.parametrize("entry", ["red:", "red: ", "red: {}", "? red\n  : {player: Ann}"])
def test_an_entry_that_is_empty_or_odd_is_written_or_refused_and_never_spoilt(entry: str) -> None:
    text = f"seats:\n  {entry}\n  white: {{player: Bob}}\n"

    try:
        changed = replace_seat_entry(Place(MemoryStore({}), "game.yaml"), text, RED, {"player": "Dora"})
    except WrongInput as wrong:
        assert "Edit it by hand." in str(wrong)
    else:
        assert seat_row(changed, RED) == {"player": "Dora"}
        assert seat_row(changed, WHITE) == {"player": "Bob"}


def test_a_file_that_would_come_out_spoilt_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gamewriting, "_splice", lambda text, entry, written: text.replace("Bob", "Rob"))

    with pytest.raises(WrongInput):
        replace_seat_entry(Place(MemoryStore({}), "game.yaml"), FLOW, RED, {"player": "Dora"})


KEYED = FLOW + "key: true\n"


def test_the_seat_has_a_new_key_and_a_new_token_and_the_old_ones_are_worth_nothing(tmp_path: Path) -> None:
    home = new_home(tmp_path, KEYED)
    before = SavedGame(home, "rose-1")
    with home.journal() as db:
        old = (before.players.key(RED), token_of(before, RED, db))
        done = replace_player(home, "rose-1", RED, DORA, NOW + HOUR)
        after = SavedGame(home, "rose-1")
        new = (after.players.key(RED), token_of(after, RED, db))

    assert done.key == new[0]
    assert not set(old) & set(new)
    assert after.players.key(WHITE) == before.players.key(WHITE)
    path = tmp_path / "red.yaml"
    answers = []
    for key in (old[0], new[0]):
        path.write_text(orders_text("rose-1", "red", [{"do": {"play": "N2"}}], key=key))
        answers.append(submit(home, path))
    assert isinstance(answers[0], list)
    assert isinstance(answers[1], Receipt)


@pytest.mark.parametrize(
    ("written", "name", "left"),
    [
        ("standby: [{player: A}, {player: B}]\n", "A", "standby: [{player: B}]\n"),
        ("standby: [{player: A}, {player: B}]  # two\n", "B", "standby: [{player: A}]  # two\n"),
        ("standby: [{player: A}]\nkey: true\n", "A", "standby: []\nkey: true\n"),
        (
            "standby:  # waits\n- player: A\n  address: a@b.test\nkey: true",
            "A",
            "standby: []  # waits\nkey: true",
        ),
        ("standby:\n  - player: A\n  # then\n  - player: B", "A", "standby:\n  # then\n  - player: B"),
        ("standby:\n- {player: A}\n", "C", "standby:\n- {player: A}\n"),
        ("key: true\n", "A", "key: true\n"),
    ],
)
def test_a_standby_is_taken_out_of_the_file_and_all_else_stays(written: str, name: str, left: str) -> None:
    assert without_standby(written, name) == left


def test_a_damaged_game_is_not_touched(tmp_path: Path) -> None:
    home = new_home(tmp_path)
    ((top(home) / "games") / "rose-1/secret.json").write_text(json.dumps({}), encoding="utf-8")
    before = tree(top(home) / "games")

    with pytest.raises(WrongInput, match=r"secret\.json"):
        give(home)

    assert tree(top(home) / "games") == before


@pytest.mark.parametrize("lost", ["the journal", "nothing"])
def test_a_new_key_is_none_that_counted_before_though_the_journal_was_lost(tmp_path: Path, lost: str) -> None:
    home = new_home(tmp_path, KEYED)
    counted = [SavedGame(home, "rose-1").players.key(RED)]
    for hours in range(1, 5):
        counted.append(mend_seat(home, "rose-1", RED, NOW + hours * HOUR).key)
        if lost == "the journal":
            for file in (top(home) / "mail").glob("mail.db*"):
                file.unlink()
            home = home_at(top(home))

    assert len(set(counted)) == 5
    assert SavedGame(home, "rose-1").players.key(RED) == counted[-1]
