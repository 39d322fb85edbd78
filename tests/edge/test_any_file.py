"""Files that hold orders in any form a mail may have, whose seat may be written in any way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.play.submissions import anyfile
from pbem.rules.web_of_intrigue.view import View
from pbem.text.orders import Faults
from tests.facts import tells
from tests.homes import NOW, TWO, a_game, a_home, orders_path, send, table_of, top
from tests.mail.host import RED, a_host

ORDERS = "game: rose-1\nseat: red\norders:\n- at: red-1\n  do: {play: N2}\n"
MAIL = (
    "Received: from there\nFrom: Ann <ann@example.org>\nTo: game@example.org\nSubject: Re: your turn\n"
    'Content-Type: text/plain; charset="utf-8"\n\n'
)
QUOTED = "".join(f"> {line}\n" for line in ORDERS.splitlines())
REPORT = (
    f"The Rose King, rose-1, turn 1, for Red\n{'=' * 72}\n"
    "WHAT YOU CAN DO NOW - your move\n  play: N2                   to E3; points 0 to 1\n\n"
    f"ORDERS FORM - fill it in and send it back\n# pbem form rose-1 red red-1\n{ORDERS}"
    "## The first line that fits is played.\n\nKeep it: with it you can prove later what was asked.\n"
)


WAYS = [
    pytest.param(f"{MAIL}Hello,\n\n{ORDERS}\nBest, Ann\n", id="a saved mail"),
    pytest.param(f"Dear host,\n\nhere they are:\n\n{ORDERS}\nBest wishes\nAnn\n", id="a pasted reply"),
    pytest.param(f"Ann wrote:\n{QUOTED}\nSee above.\n", id="quoted"),
    pytest.param(f"{MAIL}{REPORT}", id="a whole report in a mail"),
]


@pytest.mark.parametrize("written", WAYS)
def test_check_and_submit_read_what_a_mail_may_hold_and_say_where_it_was(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(written, encoding="utf-8")

    for verb in ("check", "submit"):
        assert run_command([verb, str(path), "--home", str(top(home))]) == 0
        assert tells(capsys.readouterr().out)

    lodged = orders_path(home, "rose-1", "red").read_text("utf-8")
    assert ORDERS in lodged


def test_a_file_as_long_as_it_may_be_is_still_read_after_its_stamp(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "red.yaml"
    text = "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n#"
    path.write_text(text + "x" * (64 * 1024 - len(text)), encoding="utf-8")

    codes = [run_command([*verb, "--home", str(top(home))]) for verb in (["submit", str(path)], ["run"])]

    assert codes == [0, 0]
    assert (top(home) / "games/rose-1/turns/0002").is_dir()


WEB = "web-1"


# What stands in `do`, with ^ before what is wrong, and what is said of it. [x] is a word from above, and
# [x:name] the name of that tile.
def test_a_file_in_part_is_played_in_part_and_recomputed(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, WEB, rules="web-of-intrigue", table=table_of(2))
    words = words_for_start(saved)
    do: Json = {"bid_1": {"for": words["object"], "points": 5}, "bid_2": {"for": "The Moon", "points": 5}}
    receipt = send(home, WEB, "1", [{"at": "turn-1", "do": do}], partial=True)
    assert receipt.orders == f"- at: turn-1\n  do: {{bid_1: {{for: {words['object']}, points: 5}}}}"
    assert orders_path(home, WEB, Seat("1")).read_text().endswith("receipt 1, without order 1.bid_2\n")
    send(home, WEB, "2", [{"do": {"move": "stay"}}])

    run(home, WEB, now=NOW)

    assert "The Moon" not in report(home, WEB, "1")
    told = " ".join(report(home, WEB, "2").split())
    assert f"1 won {words['name']}" in told or f"1 failed at {words['name']}" in told
    assert run_command(["verify", WEB, "--home", str(top(home))]) == 0


def words_for_start(saved: SavedGame) -> dict[str, str]:
    view = saved.opening.view(saved.position.game, Seat("1"))
    assert isinstance(view, View)
    name, offer = next(iter(view.objects.items()))
    return {"object": name, "name": offer.name}


MEANT = ["Red", "RED", "Ann"]
NOT_MEANT = ["Ann Boleyn", "purple", "whtie", "all", "moderator", "1", "white"]

VERBS = (["check"], ["submit"], ["submit", "--for-moderator"])
seats_written = st.one_of(
    st.sampled_from([*MEANT, *NOT_MEANT, "", "red", "no", "[red]", "{red: white}", '"', "red # white"]),
    st.text(max_size=12),
    st.text("redwhitANB 0.-_#:'\"", max_size=8),
)


def orders_of(seat: str, key: str) -> str:
    """Return orders whose seat is written so, with a form's first line that says the same."""
    key = f"key: {key}\n" if key else ""
    mark = f"# pbem form rose-1 {seat} red-1 k3v9qq7t2m\n"
    return f"{mark}game: rose-1\nseat: {seat}\n{key}orders:\n- at: red-1\n  do: {{play: N2}}\n"


def a_game_with(home: Home, keys: str) -> str:
    """Make a game, with or without keys, and return red's key, or ""."""
    saved = a_game(home, table=f"{TWO}{keys}")
    return saved.secret.keys[RED] if keys else ""


@pytest.mark.parametrize("keys", ["", "key: true\n"], ids=["no keys", "keys"])
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seat=seats_written, knows_key=st.booleans())
@example(seat="Red", knows_key=False)
@example(seat="purple", knows_key=True)
def test_no_text_in_place_of_a_seat_trips_the_program_by_file_or_by_mail(
    tmp_path_factory: pytest.TempPathFactory, keys: str, seat: str, knows_key: bool
) -> None:
    host = a_host(tmp_path_factory.mktemp("seats"), keys)
    key = SavedGame(host.home, "rose-1").secret.keys[RED] if keys and knows_key else ""
    path = top(host.home) / "sent.yaml"
    path.write_text(orders_of(seat, key), encoding="utf-8", errors="replace")

    for verb in VERBS:
        assert run_command([*verb, str(path), "--home", str(top(host.home))]) in (0, 1)
    mail = host.a_mail(path.read_text(encoding="utf-8"))
    for address in (host.address(), "host+rose-1@pbem.test", "host@pbem.test"):
        said = host.gets(mail.replace(b"<mail", f"<{address[:6]}mail".encode()), address)
        assert said.verdict != "shunted"


def test_a_fault_of_the_program_in_one_file_does_not_stop_the_next(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "bad.yaml", tmp_path / "good.yaml"]
    files[0].write_text(orders_of("Red", ""), encoding="utf-8")
    files[1].write_text(orders_of("red", ""), encoding="utf-8")
    rightly = anyfile.handed_in

    def trips(home: Home, data: bytes) -> anyfile.SubmittedFile | Faults:
        if b"seat: Red" in data:
            raise KeyError("Red")
        return rightly(home, data)

    monkeypatch.setattr("pbem.cli.orders.handed_in", trips)

    code = run_command(["submit", *map(str, files), "--home", str(top(home))])

    told = capsys.readouterr()
    assert code == 4
    assert "KeyError: 'Red'" in told.err
    assert tells(told.err, files[0])
    assert told.out.startswith(f"{files[1]}: ")
    assert orders_path(home, "rose-1", "red").exists()
