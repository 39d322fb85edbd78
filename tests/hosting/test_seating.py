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
from pbem.host.notices.announcements import hold
from pbem.host.people import gamewriting
from pbem.host.people.gamewriting import Person, seat_row, with_seat, without_standby
from pbem.host.people.names import rename_player
from pbem.host.people.seats import Replaced, free_seat, replace_player
from pbem.host.people.votes import vote
from pbem.host.run.batch import run
from pbem.host.run.notes import kept_for_hand, notes_of
from pbem.host.time.extensions import announce_absence
from pbem.mail.account.addresses import token_of
from pbem.mail.outgoing.mending import mend_seat
from pbem.play.config.gamefile import Absence
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import lodged, standing
from pbem.play.submissions.receipts import Receipt
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.store.memory import MemoryStore
from pbem.text.strictyaml import dump, parse
from tests.edge.faults import PowerCut, Recorder, image_of, lay_out, on
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, home_at, orders_text, send, submit, top, tree
from tests.hosting.games import HOUR, MADE, noted, pbem, public_acts, queued
from tests.mail.host import read, text_of

RED, WHITE = Seat("red"), Seat("white")
BOBBY = Person("Bobby", "bobby@example.test")
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

BLOCK = """\
---
seats:
  red:
    player: Ann   # she moved
    # and has two children
    silent: greedy
    address: ann@example.test

  # here sits Bob
  white:
    player: Bob
silent: hold
"""


def new_home(tmp_path: Path, table: str = FLOW) -> Home:
    home = a_home(tmp_path)
    a_game(home, table=table)
    return home


def game_file(home: Home) -> Path:
    return (top(home) / "games") / "rose-1/game.yaml"


def give(home: Home, person: Person | None = DORA, seat: Seat = RED, *, drop: bool = False) -> object:
    return replace_player(home, "rose-1", seat, person, NOW + HOUR, drop_orders=drop)


def test_one_entry_is_written_anew_and_all_else_stays_as_it_is(tmp_path: Path) -> None:
    home = new_home(tmp_path)

    give(home)

    row = "{player: Dora, address: dora@example.test, zone: Europe/Lisbon, silent: greedy}"
    assert game_file(home).read_text() == FLOW.replace("{player: Ann, silent: greedy}", row)
    assert SavedGame(home, "rose-1").players.holder(RED) == "Dora"


def test_an_entry_of_several_lines_becomes_one_and_comments_around_it_stay(tmp_path: Path) -> None:
    home = new_home(tmp_path, BLOCK)

    give(home, Person("Dora"))

    text = game_file(home).read_text()
    assert "    {player: Dora, silent: greedy}\n\n  # here sits Bob\n  white:\n    player: Bob\n" in text
    assert parse(text).value == {
        "seats": {"red": {"player": "Dora", "silent": "greedy"}, "white": {"player": "Bob"}},
        "silent": "hold",
    }


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

    changed = with_seat(Place(MemoryStore({}), "game.yaml"), text, RED, {"player": new})

    assert parse(changed).value == {**before, "seats": {**rows, "red": {"player": new}}}
    assert seat_row(changed, RED) == {"player": new}
    assert changed.count("#") == text.count("#") - old.count("#") + new.count("#")


@pytest.mark.parametrize("entry", ["red:", "red: ", "red: {}", "? red\n  : {player: Ann}"])
def test_an_entry_that_is_empty_or_odd_is_written_or_refused_and_never_spoilt(entry: str) -> None:
    text = f"seats:\n  {entry}\n  white: {{player: Bob}}\n"

    try:
        changed = with_seat(Place(MemoryStore({}), "game.yaml"), text, RED, {"player": "Dora"})
    except WrongInput as wrong:
        assert "Edit it by hand." in str(wrong)
    else:
        assert seat_row(changed, RED) == {"player": "Dora"}
        assert seat_row(changed, WHITE) == {"player": "Bob"}


def test_a_file_that_would_come_out_spoilt_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gamewriting, "_spliced", lambda text, entry, written: text.replace("Bob", "Rob"))

    with pytest.raises(WrongInput):
        with_seat(Place(MemoryStore({}), "game.yaml"), FLOW, RED, {"player": "Dora"})


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


def test_orders_that_were_lodged_count_on_under_the_new_key(tmp_path: Path) -> None:
    home = new_home(tmp_path, KEYED)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}], key=SavedGame(home, "rose-1").players.key(RED))

    done = replace_player(home, "rose-1", RED, DORA, NOW + HOUR)
    ran = run(home, "rose-1", now=NOW + 2 * HOUR)

    assert (done.orders, ran.steps) == ("kept", ("red-1",))
    assert done.key not in (SavedGame(home, "rose-1").folder / "turns/0002/orders/red.yaml").read_text()
    assert verify(home, "rose-1").findings == ()


@pytest.mark.parametrize("table", [FLOW, KEYED], ids=["plain", "with keys"])
def test_orders_that_were_lodged_are_dropped_if_that_is_wanted(tmp_path: Path, table: str) -> None:
    home = new_home(tmp_path, table)
    key = {"key": SavedGame(home, "rose-1").players.key(RED)} if table == KEYED else {}
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}], **key)

    done = replace_player(home, "rose-1", RED, DORA, NOW + HOUR, drop_orders=True)

    assert done.orders == "dropped"
    assert run(home, "rose-1", now=NOW + 2 * HOUR).turn is None


@pytest.mark.parametrize("is_bot", [False, True], ids=["a player", "a bot"])
@pytest.mark.parametrize("table", [FLOW, KEYED], ids=["plain", "with keys"])
def test_lines_that_turns_left_over_are_dropped_too_if_that_is_wanted(
    tmp_path: Path, table: str, *, is_bot: bool
) -> None:
    home = new_home(tmp_path, table)
    lines: list[Json] = [{"do": {"play": "N2"}}, {"at": "red-2", "do": {"draw": True}}]
    key = {"key": SavedGame(home, "rose-1").players.key(RED)} if table == KEYED else {}
    send(home, "rose-1", "red", lines, **key)
    run(home, "rose-1", now=NOW)

    with kept_for_hand(home) as letters:
        done = give(home, Person("Greedy", bot="greedy") if is_bot else DORA, drop=True)

    assert isinstance(done, Replaced)
    assert done.orders == "dropped"
    assert lodged(SavedGame(home, "rose-1")).orders[RED].lines == ()
    assert lodged(SavedGame(home, "rose-1")).bad == {}
    [one.words for one in letters.values() if one.title == "Your seat"]


@pytest.mark.parametrize("drop", [False, True])
def test_orders_that_a_turn_has_taken_are_neither_kept_nor_dropped(tmp_path: Path, drop: bool) -> None:
    home = new_home(tmp_path)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    run(home, "rose-1", now=NOW)

    done = replace_player(home, "rose-1", RED, DORA, NOW + HOUR, drop_orders=drop)

    assert done.orders == ""


def test_absences_and_votes_of_a_player_who_left_are_forgotten(tmp_path: Path) -> None:
    home = new_home(tmp_path)
    for seat in (RED, WHITE):
        announce_absence(home, "rose-1", seat, Absence(NOW, NOW + 50 * HOUR), NOW)
    vote(home, "rose-1", RED, "draw", NOW)

    give(home)

    notes = notes_of(home, "rose-1")
    assert (set(notes.away), notes.votes) == ({WHITE}, frozenset())


def test_orders_of_a_player_who_left_are_held_back_no_longer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = new_home(tmp_path)
    hold(home, "rose-1", RED, "unclear", NOW)

    assert pbem(home, "replace", "rose-1", "red", "--player", "Dora", now=NOW + HOUR) == 0

    assert notes_of(home, "rose-1").held == {}
    assert tells(public_acts_of(home)[-1], "Dora (red)")
    assert tells(capsys.readouterr().err, "rose-1 red")


def test_the_next_standby_is_the_first_who_has_no_seat(tmp_path: Path) -> None:
    home = new_home(tmp_path)

    players = [replace_player(home, "rose-1", seat, None, NOW + HOUR).now for seat in (RED, WHITE)]

    assert players == ["Finn", "Gil"]
    assert SavedGame(home, "rose-1").players.address(RED) == "finn@example.test"
    with pytest.raises(WrongInput, match=r"rose-1"):
        give(home, None)


def test_a_standby_who_takes_a_seat_waits_no_more_also_when_the_seat_is_given_to_another(
    tmp_path: Path,
) -> None:
    home = new_home(tmp_path)
    file = top(home) / "games/rose-1/game.yaml"

    replace_player(home, "rose-1", RED, None, NOW + HOUR)
    first = file.read_text("utf-8")
    replace_player(home, "rose-1", RED, DORA, NOW + HOUR)
    replace_player(home, "rose-1", WHITE, None, NOW + HOUR)

    assert first.endswith("silent: hold   # as always\nstandby:\n- {player: Gil}\n")
    assert file.read_text("utf-8").endswith("silent: hold   # as always\nstandby: []\n")
    assert SavedGame(home, "rose-1").players.holder(WHITE) == "Gil"
    assert verify(home, "rose-1").findings == ()


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


@pytest.mark.parametrize(
    ("person", "seat", "told"),
    [
        (Person("Ann"), RED, ("Ann", "red")),
        (DORA, Seat("blue"), ("'blue'", "rose-1", "red, white")),
        (Person("Dora", "no address"), RED, ()),
        (Person("Dora", "", "Mars"), RED, ("'Mars'",)),
        (Person("D\nora"), RED, ()),
        (Person("D" * 61), RED, ()),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    tmp_path: Path, person: Person, seat: Seat, told: tuple[str, ...]
) -> None:
    home = new_home(tmp_path)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    before = tree(top(home) / "games"), tree(top(home) / "orders")

    with pytest.raises(WrongInput) as wrong:
        give(home, person, seat)

    assert tells(str(wrong.value), *told)
    assert (tree(top(home) / "games"), tree(top(home) / "orders")) == before
    assert public_acts_of(home) == []


def public_acts_of(home: Home) -> list[str]:
    with home.journal() as db:
        return [act.detail for act in db.acts("rose-1", public=True)]


def test_all_read_of_it_and_the_new_player_is_welcomed_with_the_key(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text(
        "mail: {address: host@pbem.test, sendmail: /bin/true}\n", encoding="utf-8"
    )
    a_game(home, table=KEYED)
    done = replace_player(home, "rose-1", RED, DORA, NOW + HOUR)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}], key=done.key)
    run(home, "rose-1", now=NOW + 2 * HOUR)

    mail, _newest = queued(home)
    assert mail.rcpt == "dora@example.test"
    for reader in ("red", "white", "spectator"):
        told = " ".join(report(home, "rose-1", reader).split())
        assert tells(told, "Dora", "red", "Ann")
        assert done.key not in told
        assert "Red: Dora" in told


def test_the_old_player_is_thanked_and_the_new_one_gets_the_newest_report_at_once(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text(
        "mail: {address: host@pbem.test, sendmail: /bin/true}\n", encoding="utf-8"
    )
    a_game(home, table=FLOW.replace("player: Ann", "player: Ann, address: ann@example.test"))

    give(home)

    thanks, welcome, newest = queued(home)
    assert [one.rcpt for one in (thanks, welcome, newest)] == ["ann@example.test", *2 * ["dora@example.test"]]
    assert thanks.envelope_from == ""  # if it comes back, no mail of the new player did
    for secret in (b"Dora", b"dora", b"host+"):
        assert secret not in thanks.raw
    assert (newest.kind, newest.turn) == ("report", 1)
    assert b"orders-rose-1-red-1.yaml" in newest.raw
    assert tells(text_of(read(welcome.raw)), "Dora", "rose-1", "Ann")


N2: Json = {"do": {"play": "N2"}}
LATER: Json = {"at": "red-9", "do": {"draw": True}}


@pytest.mark.parametrize(
    ("lines", "seat", "drop", "facts", "stand"),
    [
        ([N2], RED, False, ("Ann", "red-1"), True),
        ([N2], RED, True, ("red-1",), False),
        ([], RED, False, ("red-1",), False),
        ([LATER], RED, False, ("Ann", "red-1"), True),
        ([{"do": {"draw": True}}], WHITE, False, (), True),
        ([], WHITE, False, (), False),
    ],
)
@pytest.mark.parametrize("table", [FLOW, KEYED], ids=["plain", "with keys"])
def test_a_new_player_is_told_whether_orders_of_the_one_before_stand_and_what_takes_their_place(
    tmp_path: Path, table: str, lines: list[Json], seat: Seat, drop: bool, facts: tuple[str, ...], stand: bool
) -> None:
    home = new_home(tmp_path, table)
    hold(home, "rose-1", RED, "unclear", NOW)
    if lines:
        key = {"key": SavedGame(home, "rose-1").players.key(seat)} if table == KEYED else {}
        send(home, "rose-1", seat, lines, **key)

    with kept_for_hand(home) as letters:
        give(home, DORA, seat, drop=drop)

    (words,) = [one.words for one in letters.values() if json.loads(one.facts)["kind"] == "seat-welcome"]
    assert tells(words, *facts)
    assert bool(standing(SavedGame(home, "rose-1"), seat).lines) is stand


@pytest.mark.parametrize("address", ["", ", address: ann@example.test"])
@pytest.mark.parametrize("new", [Person("Dora"), DORA], ids=["without", "with an address"])
def test_by_files_the_old_player_is_thanked_whether_or_not_either_has_an_address(
    tmp_path: Path, address: str, new: Person
) -> None:
    home = new_home(tmp_path, FLOW.replace("player: Ann", f"player: Ann{address}"))

    with kept_for_hand(home) as letters:
        give(home, new)

    told = [(json.loads(one.facts)["kind"], one.reader) for one in letters.values() if one.kind == "notice"]
    assert told == [("seat-lost", "Ann"), ("seat-welcome", "Dora")]


def test_a_player_who_only_has_another_name_now_is_not_thanked(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text(
        "mail: {address: host@pbem.test, sendmail: /bin/true}\n", encoding="utf-8"
    )
    a_game(home, table=FLOW.replace("player: Ann", "player: Ann, address: dora@example.test"))

    give(home)

    assert b"Welcome, Dora" in queued(home)[0].raw


def test_a_bots_seat_can_be_given_to_a_player(tmp_path: Path) -> None:
    home = new_home(tmp_path, "seats:\n  red: {player: a bot, bot: greedy}\n  white: {player: Bob}\n")

    give(home)

    assert SavedGame(home, "rose-1").players.bots == {}


def test_a_damaged_game_is_not_touched(tmp_path: Path) -> None:
    home = new_home(tmp_path)
    ((top(home) / "games") / "rose-1/secret.json").write_text(json.dumps({}), encoding="utf-8")
    before = tree(top(home) / "games")

    with pytest.raises(WrongInput, match=r"secret\.json"):
        give(home)

    assert tree(top(home) / "games") == before


def test_only_a_seat_of_a_game_that_was_not_dealt_can_be_freed(tmp_path: Path) -> None:
    home = new_home(tmp_path)

    with pytest.raises(WrongInput):
        free_seat(home, "rose-1", RED, MADE)

    assert noted(home).acts == ()
    assert public_acts(home) == []


def test_a_replacement_that_was_killed_at_any_step_can_be_given_again(tmp_path: Path) -> None:
    home = new_home(tmp_path, KEYED)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}], key=SavedGame(home, "rose-1").players.key(RED))
    before = image_of(top(home))
    recorder = Recorder(top(home))
    key = replace_player(on(recorder, home), "rose-1", RED, DORA, NOW + HOUR).key
    assert len(recorder.journal) > 20

    for cut in range(len(recorder.journal)):
        left = lay_out(before, tmp_path / "left")
        with pytest.raises(PowerCut):
            replace_player(on(Recorder(top(left), cut, PowerCut()), left), "rose-1", RED, DORA, NOW + HOUR)
        if cut == len(recorder.journal) - 1:  # all is done, but for the sync of a name that is gone
            with pytest.raises(WrongInput, match="Dora plays red already"):
                replace_player(left, "rose-1", RED, DORA, NOW + HOUR)
        else:
            again = replace_player(left, "rose-1", RED, DORA, NOW + HOUR)
            assert again == Replaced("Ann", "Dora", key, "kept")

        assert SavedGame(left, "rose-1").players.key(RED) == key
        assert tells(public_acts_of(left), "Dora", "red", "Ann")
        assert set(lodged(SavedGame(left, "rose-1")).submissions) == {RED}


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


def test_whoever_comes_back_to_a_seat_gets_another_key_than_before(tmp_path: Path) -> None:
    home = new_home(tmp_path, KEYED)
    keys = [
        replace_player(home, "rose-1", RED, player, NOW + hours * HOUR).key
        for hours, player in enumerate((DORA, BOBBY, DORA, BOBBY), 1)
    ]

    assert len(set(keys)) == 4


def handed_in(home: Home, path: Path, key: str, play: str = "N2") -> object:
    path.write_text(orders_text("rose-1", "red", [{"do": {"play": play}}], key=key))
    return submit(home_at(top(home)), path)


def test_the_key_of_a_player_who_was_changed_by_hand_counts_no_more(tmp_path: Path) -> None:
    home, orders = new_home(tmp_path, KEYED), tmp_path / "red.yaml"
    old = SavedGame(home, "rose-1").players.key(RED)
    assert isinstance(handed_in(home, orders, old), Receipt)
    game_file(home).write_text(KEYED.replace("Ann", "Dora"))

    first = handed_in(home, orders, old)
    run(home, "rose-1", now=NOW + HOUR)
    after_a_turn = handed_in(home, orders, old)
    new = mend_seat(home_at(top(home)), "rose-1", RED, NOW + 2 * HOUR).key

    for found in (first, after_a_turn):
        assert isinstance(found, list)
        assert tells(str(found[0]), "Ann", "Dora", "red")
    assert isinstance(handed_in(home, orders, old), list)
    orders.write_text(orders_text("rose-1", "red", [{"do": {"draw": True}}], key=new))
    assert isinstance(submit(home_at(top(home)), orders), Receipt)


def test_the_key_stays_good_for_who_is_named_otherwise_by_a_command(tmp_path: Path) -> None:
    home, orders = new_home(tmp_path, KEYED), tmp_path / "red.yaml"
    rename_player(home, "rose-1", RED, "Anna", NOW)

    assert isinstance(handed_in(home, orders, SavedGame(home, "rose-1").players.key(RED)), Receipt)
    done = replace_player(home_at(top(home)), "rose-1", RED, DORA, NOW + HOUR)
    assert isinstance(handed_in(home, orders, done.key), Receipt)
