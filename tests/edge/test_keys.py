"""Keys, receipts and second tries: who may send orders, what a copy shows, what follows what."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.acts import all_acts
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.formpages import all_reports, page_of
from pbem.play.reports.reading import CoveringLetter, form
from pbem.play.submissions import gate
from pbem.play.submissions.lodging import KnownSender, LodgingPlan, lodge
from pbem.play.submissions.receipts import Receipt
from pbem.text.codec import write_receipt
from tests.facts import each_tells, tells
from tests.homes import (
    NOW,
    TWO,
    a_game,
    a_home,
    folder_of,
    orders_path,
    orders_text,
    send,
    submit,
    top,
    tree,
    undo,
)
from tests.unpacked import unpacked_page

KEYED = f"{TWO}key: true\n"
RED = Seat("red")

N2: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}]
LATER: list[Json] = [*N2, {"at": "red-2", "do": {"play": "W3"}}]


def a_keyed_game(home: Home) -> str:
    """Make a game that asks for keys, and return red's."""
    return a_game(home, table=KEYED).secret.keys[RED]


def lodged(home: Home) -> bytes:
    return orders_path(home, "rose-1", RED).read_bytes()


def asked_from_now_on(home: Home) -> SavedGame:
    """Let a game that goes on ask for keys, as its moderator does: by its file."""
    with (top(home) / "games/rose-1/game.yaml").open("a", encoding="utf-8") as file:
        file.write("key: true\n")
    return SavedGame(home, "rose-1")


@pytest.mark.parametrize("back", [False, True], ids=["taken", "taken back"])
def test_orders_that_a_turn_took_before_keys_were_asked_for_need_none(home: Home, back: bool) -> None:
    send(home, "rose-1", "red", LATER)
    run(home, "rose-1", now=NOW)
    if back:
        undo(home, "rose-1")

    saved = asked_from_now_on(home)

    found = gate.read_lodged_orders(saved)
    assert found.bad == {}
    assert [str(line.at) for line in found.orders[RED].lines] == ["red-1", "red-2"][not back :]
    assert list(found.submissions) == [RED] * back
    assert gate.reasons_before(saved, found) == ()


@pytest.mark.parametrize("due", ["", "soon"])
def test_a_form_has_a_line_for_the_key_that_is_asked_for_since_it_was_made(home: Home, due: str) -> None:
    plain = form(home, "rose-1", "red", due)

    saved = asked_from_now_on(home)

    keyed = form(home, "rose-1", "red", due)
    at_seat, key = "seat: red\n", 'key: ""   # your key, from the moderator\n'
    assert keyed == plain.replace(at_seat, f"{at_seat}{key}")
    letter = CoveringLetter(due=due)
    assert all_reports(home, "rose-1", letter_of=lambda _: letter)["red/orders.yaml"] == keyed
    assert unpacked_page(page_of(saved, RED, due=due)).data["key_asked"] is True


@pytest.mark.parametrize(
    "spelled", [str.upper, lambda key: key.replace("-", ""), lambda key: f"{key.replace('-', ' ')} "]
)
def test_a_key_counts_without_its_hyphen_and_in_capitals_and_is_masked_and_kept_out_of_press(
    tmp_path: Path, spelled: Callable[[str], str]
) -> None:
    home = a_home(tmp_path)
    key = spelled(a_keyed_game(home)).strip()
    path = tmp_path / "red.yaml"
    text = f"game: rose-1\nseat: red\nkey: {key}\norders:\n- do: {{play: N2}}\n"
    path.write_text(f"{text}press:\n- {{to: [white], say: It is {key}}}\n", encoding="utf-8")

    assert run_command(["submit", str(path), "--home", str(top(home))]) == 1
    path.write_text(f"{text}# {key.casefold()}\n", encoding="utf-8")
    assert run_command(["submit", str(path), "--home", str(top(home))]) == 1
    path.write_text(text, encoding="utf-8")
    assert isinstance(submit(home, path), Receipt)
    run(home, "rose-1", now=NOW)

    copy = ((top(home) / "games") / "rose-1/turns/0002/orders/red.yaml").read_text(encoding="utf-8")
    assert f"key: {'x' * len(key)}\n" in copy


def test_the_key_is_in_no_file_of_a_turn_and_in_no_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    key = a_keyed_game(home)
    at_home = ["--home", str(top(home))]
    path = tmp_path / "red.yaml"
    path.write_text(orders_text("rose-1", "red", LATER, key=key), encoding="utf-8")

    codes = [
        run_command([*words, *at_home])
        for words in (
            ["check", str(path)],
            ["submit", str(path)],
            ["status"],
            ["status", "--json"],
            ["run"],
            ["undo", "rose-1"],
            ["run", "rose-1", "--json"],
            ["verify", "rose-1"],
            ["verify", "rose-1", "--json"],
            ["form", "rose-1", "red"],
            ["report", "rose-1", "red"],
        )
    ]

    told = capsys.readouterr()
    turns = (top(home) / "games") / "rose-1/turns"
    holders = [path for path in turns.rglob("*") if path.is_file() and key.encode() in path.read_bytes()]
    assert set(codes) == {0}
    assert holders == []
    assert (turns / "0002/orders/red.yaml").is_file()
    assert (turns / "undone/0002.1/orders/red.yaml").is_file()
    assert key not in told.out + told.err


def test_receipts_count_on_where_the_stored_file_is_gone(home: Home) -> None:
    send(home, "rose-1", "red", N2)
    send(home, "rose-1", "red", N2)
    run(home, "rose-1", now=NOW)
    orders_path(home, "rose-1", RED).unlink()

    assert send(home, "rose-1", "red", "none").number == 3


def test_a_receipt_number_in_the_file_itself_counts_for_nothing(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "red.yaml"
    path.write_bytes(write_receipt(orders_text("rose-1", "red", N2).encode(), 77))

    answer = submit(home, path)

    assert isinstance(answer, Receipt)
    assert answer.number == 1
    assert lodged(home) == write_receipt(path.read_bytes(), 1)


TABLE = f"""\
{TWO}silent: random
deadline: {(NOW + datetime.timedelta(days=1)).isoformat()}
misses: {{after: 1, then: standby}}
standby: [{{player: Dora, address: dora@example.org}}]
key: true
"""


def report(home: Home, seat: str) -> str:
    saved = SavedGame(home, "rose-1")
    path = folder_of(saved) / f"turns/{saved.turn:04d}/reports/{seat}/report.txt"
    return path.read_text(encoding="utf-8")


def test_a_standby_takes_the_seat_under_the_old_name_with_a_new_key(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    old = a_game(home, table=TABLE).players.key(RED)

    ran = run(home, "rose-1", now=NOW + datetime.timedelta(days=2), due=True)

    new = SavedGame(home, "rose-1").players.key(RED)
    assert each_tells(ran.handed, ("Dora", "red", "1"))
    assert new != old
    with home.journal() as db:
        (act,) = all_acts(home, "rose-1", db)
    assert tells(act.facts, "red", "1", "Dora")
    assert act.public
    assert f"Your key for it is {new}" in " ".join(report(home, "red").split())
    assert "Red: Dora (you)" in report(home, "red")
    assert "Red: Dora" in report(home, "white")
    for reader in ("white", "spectator"):
        assert new not in report(home, reader)
    assert verify(home, "rose-1").findings == ()

    path = tmp_path / "red.yaml"
    answers = []
    for key in (old, new):
        path.write_text(orders_text("rose-1", "red", [{"at": "red-9", "do": {"draw": True}}], key=key))
        answers.append(submit(home, path))
    assert isinstance(answers[0], list)
    assert isinstance(answers[1], Receipt)


FIRST: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": {"draw": True}}]
OTHER: list[Json] = [{"at": "red-1", "do": {"play": "E1"}}]


class Killed(Exception):
    """Stands for a kill."""


def red(lines: list[Json]) -> bytes:
    return orders_text("rose-1", "red", lines).encode()


def sender(plan: LodgingPlan | int | None = None, noted: list[LodgingPlan] | None = None) -> KnownSender:
    """Return red, who may have tried before and noted a plan, or at least a number."""
    before = LodgingPlan(plan) if isinstance(plan, int) else plan
    return KnownSender("rose-1", RED, before, (noted if noted is not None else []).append)


def taken_in(home: Home, data: bytes, by: KnownSender | None = None) -> Receipt:
    answer = lodge(home, data, by)
    assert isinstance(answer, Receipt), answer
    return answer


def test_the_number_is_noted_before_anything_is_stored(home: Home) -> None:
    before = tree(top(home))

    def note(plan: LodgingPlan) -> None:
        assert (plan.number, tree(top(home))) == (1, before)
        raise Killed

    with pytest.raises(Killed):
        lodge(home, red(FIRST), KnownSender("rose-1", RED, None, note))

    assert tree(top(home)) == before


@pytest.mark.parametrize(("game", "seat"), [("rose-2", "red"), ("rose-1", "white")])
def test_orders_of_another_game_or_seat_than_the_senders_are_refused(
    home: Home, game: str, seat: str
) -> None:
    a_game(home, "rose-2")
    before = tree(top(home))

    lodge(home, orders_text(game, seat, FIRST).encode(), sender())

    assert tree(top(home)) == before


def test_a_second_try_does_not_store_again_what_the_first_had_stored(home: Home) -> None:
    taken_in(home, red(OTHER))
    noted: list[LodgingPlan] = []
    first = taken_in(home, red(FIRST), sender(None, noted))
    before = tree(top(home))

    again = taken_in(home, red(FIRST), sender(noted[0]))

    assert (again.number, again.proof, again.orders) == (first.number, first.proof, first.orders)
    assert (again.replaced, again.forecast) == (first.replaced, first.forecast)
    assert "E1" in again.replaced
    assert tree(top(home)) == before


def test_a_second_try_knows_orders_again_whose_slips_were_mended(home: Home) -> None:
    written = b"game: rose-1\nseat: red\norders:\n- at: next\n  do: play: N2\n"
    noted: list[LodgingPlan] = []
    first = taken_in(home, written, sender(None, noted))
    run(home, "rose-1", now=NOW)
    before = tree(top(home))

    again = taken_in(home, written, sender(noted[0]))  # by now `next` would be another label

    assert "at: red-1\n  do: {play: N2}" in noted[0].text
    assert (again.number, again.proof, again.orders, again.taken) == (1, first.proof, first.orders, True)
    assert again.judged.notes == first.judged.notes != ()
    assert tree(top(home)) == before


@pytest.mark.parametrize(
    "after",
    ["nothing", "newer orders", "newer orders and a run", "a run", "a run and orders for the next turn"],
)
def test_a_second_try_does_not_take_the_place_of_newer_orders(home: Home, after: str) -> None:
    first = taken_in(home, red(FIRST), sender())
    if "newer" in after:
        taken_in(home, red(OTHER))
    if "run" in after:
        run(home, "rose-1", now=NOW)
    if "next" in after:
        taken_in(home, red([{"at": "red-2", "do": {"draw": True}}]))
    before = tree(top(home))

    again = taken_in(home, red(FIRST), sender(1))

    assert (again.number, again.proof) == (1, first.proof)
    assert again.taken == after.startswith("a run")
    assert tree(top(home)) == before


def test_a_number_that_went_to_other_orders_meanwhile_is_not_taken_for_ones_own(home: Home) -> None:
    taken_in(home, red(OTHER))
    noted: list[LodgingPlan] = []

    again = taken_in(home, red(FIRST), sender(1, noted))

    assert (again.number, [plan.number for plan in noted]) == (2, [2])
    assert b"N2" in orders_path(home, "rose-1", RED).read_bytes()
