"""Orders that came to the address of one game, and are for another that the same player plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from tests.facts import tells
from tests.homes import NOW, a_game, orders_text, top
from tests.mail.host import N2, Host, a_host, read

CARDS = """seats:
  yellow: {player: NAME, address: ADDRESS}
  red: {player: Dan, address: dan@example.test}
  green: {player: Cara, address: cara@example.test}
"""
ORDERS = "orders:\n- at: yellow-1\n  do: {take: [Fr1]}\n"
TO_ABBEY = "Send them as a reply to a mail of abbey. Nothing was changed."


def _two_games(path: Path, player: str = "Ann", address: str = "Ann@example.test") -> Host:
    """Return a host of rose-1 and of abbey, whose mails went out; yellow is asked in abbey."""
    host = a_host(path, sendmail="/bin/true")
    table = CARDS.replace("NAME", player).replace("ADDRESS", address)
    a_game(host.home, "abbey", rules="web-of-power-cards", table=table)
    assert run_command(["send", "--home", str(top(host.home)), "--now", NOW.isoformat()]) == 0
    return host


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (
            "game: abbey\n",
            ("rose-1",),
        ),
        ("", ("yellow-1", TO_ABBEY)),
    ],
)
def test_who_plays_both_games_is_told_where_they_go_and_nothing_else(
    tmp_path: Path, head: str, told: tuple[str, ...]
) -> None:
    host = _two_games(tmp_path)

    said = host.gets(host.a_mail(head + ORDERS), host.address())

    assert (said.verdict, host.lodged(), host.lodged("yellow", "abbey")) == ("refused", "", "")
    answer = " ".join(host.answer().split())
    assert "this mail" not in answer
    assert "Expected" not in answer


@pytest.mark.parametrize("head", ["game: abbey\n", ""])
@pytest.mark.parametrize(
    ("player", "address"),
    [("Cid", "cid@example.test"), ("Ann", "ann@elsewhere.test"), ("Zoe", "ann@example.test")],
)
def test_nobody_learns_of_another_players_game(tmp_path: Path, head: str, player: str, address: str) -> None:
    host = _two_games(tmp_path, player, address)

    host.gets(host.a_mail(head + ORDERS), host.address())

    answer = " ".join(host.answer().split())
    assert "you play" not in answer.casefold()
    assert "Mend this and send the orders again" in answer
    assert head or "abbey" not in answer


def test_a_label_that_is_not_asked_yet_is_known_too(tmp_path: Path) -> None:
    host = _two_games(tmp_path)

    host.gets(host.a_mail(ORDERS.replace("yellow-1", "yellow-2")), host.address())

    assert tells(" ".join(host.answer().split()), "yellow-2")


@pytest.mark.parametrize("label", ["red-9", "green-1", "turn-2", "start"])
def test_a_label_of_this_game_or_of_nobody_who_wrote_is_judged_here(tmp_path: Path, label: str) -> None:
    host = _two_games(tmp_path)

    host.gets(host.a_mail(ORDERS.replace("yellow-1", label)), host.address())

    assert "abbey" not in host.answer()


@pytest.mark.parametrize("game", ["abbye", "rose-1"])
def test_orders_with_the_secret_of_the_game_that_they_name_are_that_games(tmp_path: Path, game: str) -> None:
    host = _two_games(tmp_path)
    own = host.address("yellow", "abbey")
    sent = len(host.outbox())

    said = host.gets(host.a_mail(f"game: abbey\nseat: yellow\n{ORDERS}"), own.replace("abbey", game))

    assert (said.verdict, said.game, said.seat) == ("refused", "abbey", "yellow"), "Fr1 does not lie there"
    (answer,) = host.outbox()[sent:]
    assert str(read(answer.raw)["Reply-To"]) == own


@pytest.mark.parametrize("to", ["yellow", "x" * 16])
def test_a_secret_of_another_game_than_the_orders_name_proves_nothing(tmp_path: Path, to: str) -> None:
    host = _two_games(tmp_path)
    secret = host.address(to, "abbey") if to == "yellow" else f"host+abbye.{to}@pbem.test"

    said = host.gets(host.a_mail(orders_text("rose-1", "red", N2)), secret.replace("abbey", "abbye"))

    assert (said.verdict, host.lodged()) == ("warned", "")


@pytest.mark.parametrize("head", ["game: abbey\n", ""])
def test_another_game_that_is_damaged_keeps_no_mail_waiting(tmp_path: Path, head: str) -> None:
    host = _two_games(tmp_path)
    (top(host.home) / "games" / "abbey" / "game.yaml").write_text("seats: [\n", encoding="utf-8")

    assert host.gets(host.a_mail(head + ORDERS), host.address()).verdict == "refused"
    assert "Mend this and send the orders again" in host.answer()
