"""What every store must keep: all of a change or nothing, whatever is cut; one writer a game; order."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from pbem.store.errors import GateClosedError, RepeatedCommand, WrongInput
from pbem.store.interface import Change, Store
from pbem.store.journal import Journal
from pbem.store.mailout import OutboundMail, State
from pbem.store.records import Act, Note, QueuedNotice
from pbem.store.rests import MARK, HomeClosed
from pbem.store.stamped import repeat_guard
from tests.edge.faults import PowerCut
from tests.homes import claim_next
from tests.store.stores import STORES, Kept

NOW = datetime.datetime(2026, 11, 21, 20, 0, tzinfo=datetime.UTC)
GAME, TURNS = "games/rose-1", "games/rose-1/turns"

FIRST = {
    "turns/0000/turn.json": b"zero",
    "turns/0000/reports/red/report.txt": b"Welcome",
    "secret.json": b"s",
}
NEXT = {
    "turn.json": b"one",
    "state.json": b"{}",
    "orders/red.yaml": b"game: rose-1",
    "reports/red/report.txt": b"R",
}
PAUSED = Act(NOW.isoformat(), "moderator", "rose-1", "pause", "the game is paused.", 1)
TOLD = QueuedNotice(
    "a", "rose-1", 1, "red", "notice", "ann@example.test", "Ann", 1, "News", "Words", NOW.isoformat()
)
HELD = Note("rose-1", "held:red", "why")
ROWS = (PAUSED, TOLD, HELD)

SERVERS = ("PostgreSQL",)


def named(one: Kept) -> ParameterSet:
    """Return a store as a parameter; those on a server are left out of the usual tests."""
    return pytest.param(one, id=one.name, marks=[pytest.mark.postgres] if one.name in SERVERS else [])


kept = pytest.mark.parametrize("kept", [named(one) for one in STORES])
fault = pytest.mark.parametrize("wrong", [PowerCut(), OSError(28, "No space left")], ids=["cut", "full"])


def found(store: Store) -> None:
    store.found("rose-1", FIRST)


def two_turns(store: Store) -> None:
    found(store)
    with store.held(GAME):
        store.commit("rose-1", 1, NEXT)


def with_notes(store: Store) -> None:
    two_turns(store)
    store.note(())
    with store.journal():
        pass


def take_in(db: Journal, key: str, received: datetime.datetime = NOW) -> int | None:
    """Note a mail that came in, if it is not there yet."""
    return db.take_in(
        key=key, source="lmtp", received=received, envelope_from="", recipient="", sha256="", raw=key
    )


def below(store: Store, name: str) -> dict[str, bytes]:
    """Return the files below a name."""
    return {one: store.read(f"{name}/{one}") for one in store.below(name)}


def rows(store: Store) -> tuple[list[Act], list[str], str | None]:
    """Return what the journal holds of the game."""
    with store.journal() as db:
        return db.acts("rose-1"), [one.name for _, one in db.untold()], db.note("rose-1", "held:red")


@kept
def test_nobody_holds_anything_of_a_home_that_was_closed_until_it_is_opened_again(
    tmp_path: Path, kept: Kept
) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    store.lodge(MARK, b'{"at": "today", "why": "it moved"}')

    for name in (GAME, "mail/sending"):
        with pytest.raises(HomeClosed), store.held(name):
            pass
    store.remove(MARK)

    with store.held(GAME):
        pass


# --- reading


@kept
def test_what_was_kept_is_read_by_its_name(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    store.lodge("orders/rose-1/red.yaml", b"mine")
    store.lodge("home.yaml", b"zone: UTC")

    assert store.read("home.yaml") == b"zone: UTC"
    assert (store.games(), store.has("rose-1"), store.has("rose-2")) == (["rose-1"], True, False)
    assert store.turns("rose-1") == [0, 1]
    assert below(store, f"{TURNS}/0001") == NEXT
    assert store.names(TURNS) == ["0000", "0001"]
    assert store.read("orders/rose-1/red.yaml") == b"mine"
    assert [store.kind(name) for name in (GAME, f"{GAME}/secret.json", "orders/rose-2")] == [
        "folder",
        "file",
        "",
    ]


@kept
@pytest.mark.parametrize("name", ["", ".", "..", "rose-1/turns", "../home/games/rose-1", "nul\0", ".hidden"])
def test_what_is_no_id_is_no_game(tmp_path: Path, kept: Kept, name: str) -> None:
    store = kept.make(tmp_path)
    found(store)

    assert not store.has(name)


@kept
def test_what_is_not_there_cannot_be_read(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    found(store)

    with pytest.raises(FileNotFoundError):
        store.read(f"{GAME}/game.yaml")
    with pytest.raises(FileNotFoundError):
        store.names(f"{GAME}/nothing")
    with pytest.raises(OSError, match=r"[Dd]irectory"):
        store.read(TURNS)
    with pytest.raises(FileNotFoundError):
        store.remove(f"{GAME}/nothing")


@kept
def test_a_place_is_used_as_a_path_is(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    place = store.at(TURNS) / "0001" / "reports/red/report.txt"

    assert (place.name, place.stem, place.suffix) == ("report.txt", "report", ".txt")
    assert (place.read_text(), place.parent.name, place.exists()) == ("R", "red", True)
    assert (place.is_file(), place.is_dir(), place.parent.is_dir()) == (True, False, True)
    assert [one.path for one in place.parent.iterdir()] == [place.path]
    assert str(place).endswith("games/rose-1/turns/0001/reports/red/report.txt")


@kept
def test_a_stamp_tells_that_a_file_was_changed(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    store.lodge("orders/rose-1/red.yaml", b"one")
    before = store.stamp("orders/rose-1/red.yaml")
    assert store.stamp("orders/rose-1/red.yaml") == before

    store.lodge("orders/rose-1/red.yaml", b"two")

    assert store.stamp("orders/rose-1/red.yaml") != before


# --- lodge


@kept
@fault
def test_a_lodged_file_is_the_old_one_or_the_new_one(
    tmp_path: Path, kept: Kept, wrong: BaseException
) -> None:
    def before(store: Store) -> None:
        found(store)
        store.lodge("orders/rose-1/red.yaml", b"old")

    def lodge(store: Store) -> None:
        store.lodge("orders/rose-1/red.yaml", b"new")

    ends = []
    for left in kept.cuts(tmp_path, before, lodge, wrong):
        ends.append(left.read("orders/rose-1/red.yaml"))
        assert left.names("orders/rose-1") == ["red.yaml"]
        with left.held(GAME):
            left.tidy("orders/rose-1")
        assert left.below("orders/rose-1") == ["red.yaml"]
        lodge(left)
        assert left.read("orders/rose-1/red.yaml") == b"new"
    assert ends == sorted(ends, key=[b"old", b"new"].index)


@kept
def test_a_game_is_changed_by_one_at_a_time(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    two_turns(store)

    with (
        store.held(GAME),
        pytest.raises(GateClosedError, match=r"rose-1"),
        store.held(GAME),
    ):
        pass  # pragma: no cover - nobody comes here
    with store.held(GAME) as begun:
        assert begun is None
        assert store.turns("rose-1") == [0, 1]  # readers are not kept out


# --- commit


@kept
@fault
def test_a_turn_is_there_whole_or_not_at_all(tmp_path: Path, kept: Kept, wrong: BaseException) -> None:
    def commit(store: Store) -> None:
        with store.held(GAME):
            store.commit("rose-1", 1, NEXT)

    for left in kept.cuts(tmp_path, found, commit, wrong):
        assert left.turns("rose-1") in ([0], [0, 1])
        if left.turns("rose-1") == [0, 1]:
            assert below(left, f"{TURNS}/0001") == NEXT
        else:
            assert left.names(TURNS) == ["0000"]
            commit(left)
            assert below(left, f"{TURNS}/0001") == NEXT
        assert left.below(TURNS) == [
            *(f"0000/{one.removeprefix('turns/0000/')}" for one in sorted(FIRST)[1:]),
            *(f"0001/{one}" for one in sorted(NEXT)),
        ]


@kept
@fault
def test_a_new_game_is_there_whole_or_not_at_all(tmp_path: Path, kept: Kept, wrong: BaseException) -> None:
    for left in kept.cuts(tmp_path, lambda _: None, found, wrong):
        if left.games() == []:
            found(left)
        assert left.games() == ["rose-1"]
        assert below(left, GAME) == FIRST
        assert left.names("games") == ["rose-1"]


@kept
def test_a_game_is_founded_and_each_turn_committed_once(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    found(store)

    with pytest.raises(WrongInput, match=r"rose-1"):
        store.found("rose-1", {"turns/0000/turn.json": b"another"})
    assert below(store, GAME) == FIRST
    with store.held(GAME):
        store.commit("rose-1", 1, NEXT)
    with store.held(GAME), pytest.raises((OSError, WrongInput)):
        store.commit("rose-1", 1, {"turn.json": b"another"})
    assert below(kept.again(store), f"{TURNS}/0001") == NEXT


# --- changes of several things


CHANGE = Change(
    {"words": "undoing"},
    {f"{GAME}/game.yaml": b"seats", f"{GAME}/secret.json": b"new", "orders/rose-1/red.yaml": None},
    taken_back=1,
    rows=ROWS,
)


def before_a_change(store: Store) -> None:
    with_notes(store)
    store.lodge("orders/rose-1/red.yaml", b"mine")


def change(store: Store) -> Change | None:
    with store.held(GAME) as begun:
        if begun is None and store.turns("rose-1") == [0, 1]:
            store.change("rose-1", CHANGE)
        return begun


def is_changed(store: Store) -> bool:
    return (
        store.turns("rose-1") == [0]
        and store.taken_back("rose-1") == [(1, 1)]
        and below(store, f"{TURNS}/undone/0001.1") == NEXT
        and store.read(f"{GAME}/game.yaml") == b"seats"
        and store.read(f"{GAME}/secret.json") == b"new"
        and not store.at("orders/rose-1/red.yaml").exists()
        and rows(store) == ([PAUSED], ["a"], "why")
    )


@kept
def test_a_change_of_several_things_makes_all_of_them_true(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    before_a_change(store)

    change(store)

    assert is_changed(kept.again(store))
    assert sorted(store.below(GAME)) == sorted(
        ["game.yaml", "secret.json", *(f"turns/undone/0001.1/{one}" for one in NEXT), *list(FIRST)[:2]]
    )


@kept
@fault
def test_a_change_that_was_cut_is_finished_by_who_comes_next_and_done_once(
    tmp_path: Path, kept: Kept, wrong: BaseException
) -> None:
    told = []
    for left in kept.cuts(tmp_path, before_a_change, _try, wrong):
        begun = change(left)
        told.append(begun is not None)
        assert is_changed(left)
        assert begun is None or begun == CHANGE
        assert change(left) is None  # there is nothing left to finish
        assert is_changed(left)
    assert any(told) is kept.begins


def _try(store: Store) -> None:
    """Change a game; what a store says when it could not finish is told to people."""
    try:
        change(store)
    except WrongInput as wrong:
        raise OSError(28, str(wrong)) from None


@kept
def test_a_turn_can_be_taken_back_again_and_again(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    found(store)
    for time in (1, 2, 3):
        with store.held(GAME):
            store.commit("rose-1", 1, {"turn.json": str(time).encode()})
            store.change("rose-1", Change({}, taken_back=1))

    assert store.taken_back("rose-1") == [(1, 1), (1, 2), (1, 3)]
    assert store.read(f"{TURNS}/undone/0001.2/turn.json") == b"2"


# --- note


@kept
@fault
def test_rows_are_written_together(tmp_path: Path, kept: Kept, wrong: BaseException) -> None:
    def note(store: Store) -> None:
        try:
            store.note(ROWS)
        except WrongInput as refused:
            raise OSError(28, str(refused)) from None

    for left in kept.cuts(tmp_path, with_notes, note, wrong):
        if rows(left) != ([PAUSED], ["a"], "why"):
            assert rows(left) == ([], [], None)
            note(left)
        assert rows(left) == ([PAUSED], ["a"], "why")


def a_mail(name: str) -> OutboundMail:
    to = f"{name}@Example.test"
    return OutboundMail(
        "rose-1", 1, "red", "report", 0, to, f"Host+b_{name}@pbem.test", f"<{name}@x>", b"raw"
    )


@kept
def test_a_mail_goes_out_once(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    with store.journal() as db:
        assert [db.put(a_mail(one), NOW) for one in ("ann", "bob", "ann")] == [True, True, False]
        first = claim_next(db, NOW)
        assert first is not None
        assert (first.rcpt, first.raw, first.tries) == ("ann@Example.test", b"raw", 1)
        db.mark(first.id, "sent", NOW)
        db.mark(first.id, "bounced", NOW, why="unknown")
        second = claim_next(db, NOW)
        assert second is not None
        db.mark(second.id, "queued", NOW, why="later", next_try=NOW + datetime.timedelta(hours=1))
        assert claim_next(db, NOW) is None

    with kept.again(store).journal() as db:
        assert [(one.rcpt, one.state, one.sent != "", one.raw) for one in db.came_back()] == [
            ("ann@Example.test", "bounced", True, b"")
        ]
        assert db.waiting() == 1
        found = db.find_by_envelope_sender("HOST+B_BOB@PBEM.TEST")
        assert found is not None
        assert found.message_id == "<bob@x>"
        assert db.queued_reports("rose-1", 1, 0) == {"red"}
        sent = {
            (rcpt, before): db.sent_revision("rose-1", "red", 1, rcpt=rcpt, before=before)
            for rcpt, before in (("Ann@example.test", 1), ("ann@example.test", 0), ("dora@example.test", 1))
        }
        assert list(sent.values()) == [0, None, None]


@kept
def test_a_command_that_changed_a_game_last_changes_it_once(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    two_turns(store)

    def give(*command: str, at: datetime.datetime = NOW) -> bool:
        with store.held(GAME):
            try:
                repeat_guard(store, "rose-1", command, at).note([PAUSED])
            except RepeatedCommand as done:
                assert done.at == NOW
                return False
            return True

    assert [give("extend"), give("extend"), give("extend", at=NOW + datetime.timedelta(hours=1))] == [
        True,
        False,
        False,
    ]
    with store.journal() as db:
        assert len(db.acts("rose-1")) == 1
        db.act(PAUSED._replace(who="red"))  # a player's own act is none of the host's
        assert not give("extend")
        db.act(PAUSED)
    assert give("extend")
    assert give("announce")
    assert give("extend")
    with store.held(GAME):
        store.change("rose-1", Change({}, taken_back=1))
    assert give("extend")


@kept
def test_a_notice_that_was_kept_back_when_it_was_to_leave_can_be_sent_after_all(
    tmp_path: Path, kept: Kept
) -> None:
    store, told = kept.make(tmp_path), TOLD._replace(kind="reminder")
    mail = replace(a_mail("ann"), kind="reminder", message_id=f"<{told.name}@x>")
    with store.journal() as db:
        assert db.tell(told) and not db.tell(told)
        assert db.mark_notice_written(db.untold()[0][0])
        assert db.put(mail, NOW) and not db.put(mail, NOW)
        taken = claim_next(db, NOW)
        assert taken is not None
        assert db.notice_of_mail(taken.message_id) == told._replace(words="")

        db.mark_overtaken(taken.id, told)

        assert claim_next(db, NOW) is None
        assert db.waiting() == 0
        assert db.untold() == []
        assert db.tell(told) and not db.tell(told)
        assert [one for _, one in db.untold()] == [told]
        assert db.put(mail, NOW)
        again = claim_next(db, NOW)
        assert again is not None
        assert (again.id, again.tries) == (taken.id, 1)
        assert not db.put(mail, NOW)


@kept
def test_the_newest_mails_to_a_seat_that_may_have_arrived_come_first(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    with store.journal() as db:
        for name in ("ann", "bob", "cleo", "dora"):
            db.put(a_mail(name), NOW)
        while (mail := claim_next(db, NOW)) is not None:
            db.mark(mail.id, "bounced" if mail.message_id == "<bob@x>" else "sent", NOW)

        assert [one.message_id for one in db.newest_returnable_mails("rose-1", "red")] == [
            "<dora@x>",
            "<cleo@x>",
            "<ann@x>",
        ]
        assert [one.message_id for one in db.newest_returnable_mails("rose-1", "red", 1)] == ["<dora@x>"]
        assert db.newest_returnable_mails("rose-1", "white") == []


@kept
def test_of_what_fails_nothing_is_written_nor_of_what_is_inside_of_it(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    with store.journal() as db:
        with pytest.raises(ZeroDivisionError), db.writing():
            db.set_note("rose-1", "a", "1")
            with db.writing():
                db.set_note("rose-1", "b", "2")
            raise ZeroDivisionError
        assert db.notes("rose-1") == {}
        with db.writing():
            db.set_note("rose-1", "held:100%", "?")
        assert db.notes("rose-1", "held:") == {"held:100%": "?"}


@kept
def test_the_journal_keeps_the_order_of_what_came(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    with store.journal() as db:
        came = [take_in(db, key) for key in "caba"]
    assert [number is None for number in came] == [False, False, False, True]

    with kept.again(store).journal() as db:
        assert [one.key for one in db.unprocessed_mails()] == ["c", "a", "b"]
        assert db.arrived() == 3
    assert store.has_journal


# --- which games rest

LATER = NOW + datetime.timedelta(days=1)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games rest of which a file was changed just now."""
    monkeypatch.setattr("pbem.store.rests.SETTLED", 0)


def at_rest(store: Store) -> None:
    two_turns(store)
    store.lodge("orders/rose-1/red.yaml", b"one")
    store.let_rest("rose-1", store.seen("rose-1"), LATER)


@kept
def test_a_game_that_was_not_let_rest_stirs(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    store.found("ash-2", FIRST)

    assert store.stirring(NOW) == ["ash-2", "rose-1"]


@kept
def test_a_game_rests_until_its_moment_has_come(tmp_path: Path, kept: Kept, settled: None) -> None:
    store = kept.make(tmp_path)
    at_rest(store)
    store.found("ash-2", FIRST)

    assert kept.again(store).stirring(NOW) == ["ash-2"]
    assert store.stirring(LATER - datetime.timedelta(seconds=1)) == ["ash-2"]
    assert store.stirring(LATER) == ["ash-2", "rose-1"]


WAKING: dict[str, Callable[[Store], object]] = {
    "orders": lambda store: store.lodge("orders/rose-1/red.yaml", b"two"),
    "orders of another": lambda store: store.lodge("orders/rose-1/white.yaml", b"two"),
    "orders removed": lambda store: store.remove("orders/rose-1/red.yaml"),
    "press": lambda store: store.lodge("orders/rose-1/press/red.1.yaml", b"two"),
    "the file of the game": lambda store: store.lodge("games/rose-1/game.yaml", b"seats"),
    "the secret": lambda store: store.lodge("games/rose-1/secret.json", b"t"),
    "the file of the home": lambda store: store.lodge("home.yaml", b"zone: UTC"),
    "a turn": lambda store: store.commit("rose-1", 2, NEXT),
    "a turn taken back": lambda store: store.change("rose-1", Change({}, taken_back=1)),
    "a note": lambda store: store.note((HELD,)),
    "an act": lambda store: store.note((PAUSED,)),
}


@kept
@pytest.mark.parametrize("name", WAKING)
def test_whatever_changes_of_a_game_wakes_it(tmp_path: Path, kept: Kept, settled: None, name: str) -> None:
    store = kept.make(tmp_path)
    at_rest(store)
    seen = store.seen("rose-1")

    with store.held(GAME):
        WAKING[name](store)

    assert store.stirring(NOW) == ["rose-1"]
    store.let_rest("rose-1", seen, LATER)
    assert store.stirring(NOW) == ["rose-1"], "it has changed since it was seen"


@kept
def test_other_games_and_mails_wake_no_game(tmp_path: Path, kept: Kept, settled: None) -> None:
    store = kept.make(tmp_path)
    at_rest(store)

    store.found("ash-2", FIRST)
    store.lodge("orders/ash-2/red.yaml", b"two")
    store.note((Note("ash-2", "held:red", "why"), Note("", "beats", "x")))
    with store.journal() as db:
        db.put(a_mail("ann"), NOW)
    assert store.stirring(NOW) == ["ash-2"]

    with store.journal() as db:
        db.wake_all()
    assert store.stirring(NOW) == ["ash-2", "rose-1"]


# --- mails that several programs work on


@kept
def test_a_mail_is_had_by_one_at_a_time(tmp_path: Path, kept: Kept) -> None:
    """Where one program at a time works on mails, `held` keeps the others out, and all are its own."""
    store = kept.make(tmp_path)
    other = kept.again(store)

    with store.claimed("outbox", 1) as mine, other.claimed("outbox", 2) as another:
        assert (mine, another) == (True, True)
        with other.claimed("outbox", 1) as taken, other.claimed("intake", 1) as in_another_table:
            assert taken == (kept.name not in SERVERS)
            assert in_another_table
    with other.claimed("outbox", 1) as free:
        assert free


# --- figures


def figured(store: Store, now: datetime.datetime = NOW) -> dict[str, float]:
    """Return the figures of a home, by name and labels."""
    return {" ".join([one.name, *one.labels.values()]): one.value for one in store.figures(now)}


@kept
def test_an_empty_home_has_figures_of_nothing(kept: Kept, tmp_path: Path) -> None:
    told = figured(kept.make(tmp_path))

    assert {told[name] for name in told if name != "database_bytes"} == {0}


@kept
def test_figures_count_mails_games_and_what_is_to_be_told(kept: Kept, tmp_path: Path) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    store.found("rose-2", FIRST)
    with store.journal() as db:
        for number in range(4):
            take_in(db, f"mail {number}", NOW - datetime.timedelta(minutes=5 - number))
        db.finish(1, verdict="lodged", rule="orders", game="rose-1", seat="red")
        db.postpone(2, "late", "rose-1")
        states: tuple[State, ...] = ("queued", "sent", "sent", "failed", "bounced")
        for number, state in enumerate(states, 1):
            assert db.put(a_mail(str(number)), NOW)
            if state != "queued":
                db.mark(number, state, NOW)
        db.tell(TOLD)

    told = figured(store)

    assert told["mails_in_total"] == 4
    assert (told["mails_in_waiting new"], told["mails_in_waiting late"]) == (2, 1)
    assert told["mails_in_oldest_seconds"] == 180
    assert [told[f"mails_out {state}"] for state in ("queued", "claimed", "failed", "bounced")] == [
        1,
        0,
        1,
        1,
    ]
    assert told["mails_sent_total"] == 3
    assert told["tellings_waiting"] == 1
    assert told["games"] == 2


@kept
def test_figures_tell_for_how_long_a_game_is_due(kept: Kept, tmp_path: Path, settled: None) -> None:
    store = kept.make(tmp_path)
    two_turns(store)
    store.note(())
    store.let_rest("rose-1", store.seen("rose-1"), NOW)

    before = figured(store, NOW - datetime.timedelta(seconds=1))
    after = figured(store, NOW + datetime.timedelta(minutes=2))

    assert (before["games_stirring"], before["games_overdue_seconds"]) == (0, 0)
    assert (after["games_stirring"], after["games_overdue_seconds"]) == (1, 120)


@kept
def test_a_gate_that_closes_on_who_has_a_mail_is_told_to_them(tmp_path: Path, kept: Kept) -> None:
    store = kept.make(tmp_path)

    with pytest.raises(GateClosedError), store.claimed("outbox", 1):
        raise GateClosedError(())
