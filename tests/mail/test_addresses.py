"""Addresses with tokens: whose they are, what they are for, and that no token shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.mail.addresses import (
    Recipient,
    bounce_address,
    join_address,
    mask,
    orders_address,
    press_address,
    read_recipient,
    rotate_token,
    seat_of_bounce,
    seat_of_token,
    token_of,
)
from pbem.edge.mail.db import open_mail
from pbem.edge.mail.settings import mail_settings
from pbem.edge.saved import SavedGame
from tests.homes import a_game
from tests.mail.homes import TWO_BY_MAIL, a_mail_home

RED, WHITE = Seat("red"), Seat("white")


def test_every_seat_of_every_game_has_a_token_of_its_own(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    second = a_game(home, "rose-2", table=TWO_BY_MAIL)
    with open_mail(Disk(), home) as db:
        tokens = [
            token_of(saved, seat, db)
            for saved in (SavedGame(home, "rose-1"), second)
            for seat in (RED, WHITE)
        ]

        assert len(set(tokens)) == 4
        assert {len(token) for token in tokens} == {16}
        assert seat_of_token(second, tokens[3], db) == WHITE
        assert seat_of_token(second, tokens[3].upper(), db) == WHITE
        assert seat_of_token(second, tokens[1], db) is None


@pytest.mark.parametrize("token", ["", "a", "aaaaaaaaaaaaaaaa", "ö" * 16, "\udc80"])
def test_what_is_no_token_belongs_to_nobody(tmp_path: Path, token: str) -> None:
    home = a_mail_home(tmp_path)
    with open_mail(Disk(), home) as db:
        assert seat_of_token(SavedGame(home, "rose-1"), token, db) is None


def test_a_token_made_anew_puts_the_old_one_out_of_force_for_that_seat_only(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    saved = SavedGame(home, "rose-1")
    with open_mail(Disk(), home) as db:
        red, white = token_of(saved, RED, db), token_of(saved, WHITE, db)

        fresh = rotate_token(saved, RED, db)

        assert seat_of_token(saved, fresh, db) == RED
        assert seat_of_token(saved, red, db) is None
        assert seat_of_token(saved, white, db) == WHITE


def test_a_new_player_has_a_new_token(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    with open_mail(Disk(), home) as db:
        of_ann = token_of(SavedGame(home, "rose-1"), RED, db)
        file = home.game("rose-1") / "game.yaml"
        file.write_text(file.read_text(encoding="utf-8").replace("Ann", "Cleo"), encoding="utf-8")

        assert seat_of_token(SavedGame(home, "rose-1"), of_ann, db) is None


TOKEN = "abcdefghijklm234"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("host@pbem.test", Recipient("host")),
        ("HOST@PBEM.Test", Recipient("host")),
        ("<host+rose-1.abcdefghijklm234@pbem.test>", Recipient("orders", "rose-1", TOKEN)),
        ("Host+Rose-1.ABCDEFGHIJKLM234@pbem.test", Recipient("orders", "rose-1", TOKEN)),
        ("host+rose-1-press.abcdefghijklm234@pbem.test", Recipient("press", "rose-1", TOKEN)),
        ("host+odd-press.abcdefghijklm234@pbem.test", Recipient("orders", "odd-press", TOKEN)),
        ("host+rose-1-join@pbem.test", Recipient("join", "rose-1")),
        ("host+rose-1@pbem.test", Recipient("host")),
        ("host+@pbem.test", Recipient("host")),
        ("host+bounce.web-1.7.t12r0@pbem.test", Recipient("bounce", "web-1", seat="7", turn=12)),
        ("host+bounce.w.7.t2r1.ABCDEFGHIJKLM234@pbem.test", Recipient("bounce", "w", TOKEN, "7", 2, 1)),
        ("host+bounce.TOKEN@pbem.test", Recipient("orders", "bounce", "token")),
        ("host+rose-1.abcdefghijklm234@other.test", None),
        ("guest+rose-1.abcdefghijklm234@pbem.test", None),
        ("host", None),
        ("", None),
        ("@", None),
        ("host@", None),
    ],
)  # fmt: skip
def test_an_address_says_what_is_written_to(tmp_path: Path, address: str, expected: Recipient | None) -> None:
    settings = mail_settings(a_mail_home(tmp_path))

    assert read_recipient(settings, address, lambda game: game == "odd-press") == expected


def test_every_address_that_is_made_is_read_as_it_was_meant(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    settings, saved = mail_settings(home), SavedGame(home, "rose-1")

    assert read_recipient(settings, orders_address(settings, "g-1", TOKEN)) == Recipient(
        "orders", "g-1", TOKEN
    )
    assert read_recipient(settings, press_address(settings, "g-1", TOKEN)) == Recipient("press", "g-1", TOKEN)
    assert read_recipient(settings, join_address(settings, "g-1")) == Recipient("join", "g-1")
    for seat in ("7", "red", "New York", "Åbo.2", "a@b+c"):
        made = bounce_address(settings, saved, Seat(seat), 12, 3)
        found = read_recipient(settings, made)
        assert found is not None
        assert (found.kind, found.game, found.turn, found.revision) == ("bounce", "rose-1", 12, 3)
        assert found.seat == seat.lower() or found.seat == seat
        assert made.isascii()


def _of_bounce(home: Home, address: str) -> Seat | None:
    recipient = read_recipient(mail_settings(home), address)
    return seat_of_bounce(SavedGame(home, "rose-1"), recipient) if recipient else None


def test_a_bounce_names_its_seat_in_any_spelling(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    made = bounce_address(mail_settings(home), SavedGame(home, "rose-1"), RED, 1, 0)

    assert _of_bounce(home, made) == _of_bounce(home, made.upper()) == RED


@pytest.mark.parametrize(
    "forged",
    [
        "host+bounce.rose-1.red.t1r0@pbem.test",
        "host+bounce.rose-1.red.t1r0.aaaaaaaaaaaaaaaa@pbem.test",
        "host+bounce.rose-1.white.t1r0.{code}@pbem.test",
        "host+bounce.rose-1.red.t2r0.{code}@pbem.test",
        "host+bounce.rose-1.red.t1r1.{code}@pbem.test",
        "host+bounce.rose-1.blue.t1r0.{code}@pbem.test",
        "host+bounce.rose-1.red.t1r0.{token}@pbem.test",
    ],
)
def test_an_address_of_a_bounce_that_the_host_has_not_made_names_nobody(tmp_path: Path, forged: str) -> None:
    home = a_mail_home(tmp_path)
    saved = SavedGame(home, "rose-1")
    code = bounce_address(mail_settings(home), saved, RED, 1, 0).partition("@")[0].rpartition(".")[2]
    with open_mail(Disk(), home) as db:
        token = token_of(saved, RED, db)

    assert _of_bounce(home, forged.format(code=code, token=token)) is None


def test_a_token_is_masked_wherever_an_address_stands(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    settings, saved = mail_settings(home), SavedGame(home, "rose-1")
    with open_mail(Disk(), home) as db:
        token = token_of(saved, RED, db)
    text = " ".join(
        [
            orders_address(settings, "rose-1", token),
            press_address(settings, "rose-1", token.upper()),
            f"<{orders_address(settings, 'rose-1', token)}>, rose-1.{token}",
            made := bounce_address(settings, saved, RED, 1, 0),
        ]
    )

    masked = mask(text)

    assert token not in masked.lower()
    assert masked.count("rose-1.****") == 3
    assert made.partition("@")[0].rpartition(".")[2] not in masked
    assert masked.count("rose-1-press.****@pbem.test") == 1
