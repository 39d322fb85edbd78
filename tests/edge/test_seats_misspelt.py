"""The seat of orders may be written in any way: it is read as meant or refused, and trips nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions import anyfile
from pbem.text.orders import Faults
from tests.facts import tells
from tests.homes import TWO, a_game, a_home, orders_path, top
from tests.mail.host import RED, a_host

MEANT = ["Red", "RED", "Ann"]
NOT_MEANT = ["Ann Boleyn", "purple", "whtie", "all", "moderator", "1", "white"]

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


@pytest.mark.parametrize("verb", [["check"], ["submit"], ["submit", "--for-moderator"]], ids=" ".join)
@pytest.mark.parametrize("seat", [*MEANT, *NOT_MEANT])
@pytest.mark.parametrize("keys", ["", "key: true\n"], ids=["no keys", "keys"])
def test_a_seat_that_is_no_id_is_read_as_meant_or_told_as_the_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: str, seat: str, verb: list[str]
) -> None:
    home = a_home(tmp_path)
    path = tmp_path / "red.yaml"
    key = a_game_with(home, keys)
    path.write_text(orders_of(seat, "" if "--for-moderator" in verb else key), encoding="utf-8")

    code = run_command([*verb, str(path), "--home", str(top(home))])

    told = capsys.readouterr().out
    assert code == (0 if seat in MEANT else 1), told
    if seat in MEANT:
        assert tells(told, seat, "3")
    elif seat != "white":
        assert tells(told, path, "3:7", f"{seat!r}", "rose-1")


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

    for verb in (["check"], ["submit"], ["submit", "--for-moderator"]):
        assert run_command([*verb, str(path), "--home", str(top(host.home))]) in (0, 1)
    mail = host.a_mail(path.read_text(encoding="utf-8"))
    for address in (host.address(), "host+rose-1@pbem.test", "host@pbem.test"):
        said = host.gets(mail.replace(b"<mail", f"<{address[:6]}mail".encode()), address)
        assert said.verdict != "shunted"


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_a_fault_of_the_program_in_one_file_does_not_stop_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    files = [tmp_path / "bad.yaml", tmp_path / "good.yaml"]
    files[0].write_text(orders_of("Red", ""), encoding="utf-8")
    files[1].write_text(orders_of("red", ""), encoding="utf-8")
    rightly = anyfile.handed_in

    def trips(home: Home, data: bytes) -> anyfile.Handed | Faults:
        if b"seat: Red" in data:
            raise KeyError("Red")
        return rightly(home, data)

    monkeypatch.setattr("pbem.cli.orders.handed_in", trips)

    code = run_command([verb, *map(str, files), "--home", str(top(home))])

    told = capsys.readouterr()
    assert code == 4
    assert "KeyError: 'Red'" in told.err
    assert tells(told.err, files[0])
    assert told.out.startswith(f"{files[1]}: ")
    assert orders_path(home, "rose-1", "red").exists() == (verb == "submit")
