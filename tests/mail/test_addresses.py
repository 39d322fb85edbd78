"""Addresses with tokens: whose they are, what they are for, and that no token shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.host.run.notes import EPOCH
from pbem.mail.account.addresses import (
    Recipient,
    bounce_address,
    join_address,
    message_id_part,
    orders_address,
    press_address,
    read_recipient,
    seat_of_token,
    token_of,
)
from pbem.mail.account.settings import mail_settings
from pbem.play.homes.saved import SavedGame
from pbem.text.names import is_plain_address, mask_tokens
from tests.homes import a_game, top
from tests.mail.homes import TWO_BY_MAIL, a_mail_home, write_settings
from tests.written import yaml_beside

RED, WHITE = Seat("red"), Seat("white")


def test_every_seat_of_every_game_has_a_token_of_its_own(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    second = a_game(home, "rose-2", table=TWO_BY_MAIL)
    with home.journal() as db:
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
        for none in ("", "a", "aaaaaaaaaaaaaaaa", "ö" * 16, "\udc80"):
            assert seat_of_token(second, none, db) is None


def test_a_token_made_anew_puts_the_old_one_out_of_force_for_that_seat_only(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    saved = SavedGame(home, "rose-1")
    with home.journal() as db:
        red, white = token_of(saved, RED, db), token_of(saved, WHITE, db)

        db.set_note("rose-1", f"{EPOCH}{RED}", "1")
        fresh = token_of(saved, RED, db)

        assert seat_of_token(saved, fresh, db) == RED
        assert seat_of_token(saved, red, db) is None
        assert seat_of_token(saved, white, db) == WHITE


TOKEN = "abcdefghijklm234"
TABLES = yaml_beside(__file__, "addresses.yaml")


@pytest.mark.parametrize(("address", "expected"), TABLES["read"].items())
def test_an_address_says_what_is_written_to(tmp_path: Path, address: str, expected: list[Any] | None) -> None:
    home = a_mail_home(tmp_path)
    ((top(home) / "games") / "odd-press" / "turns").mkdir(parents=True)

    found = read_recipient(mail_settings(home), address, home)

    assert found == (expected and Recipient(*expected))


LONG = "a-play-by-mail-group-of-thirty"
ODDS = ["host", "mary.pbem", "a.b.c!#$%&'*/?=^_`{|}~-z", LONG, "x" * 36]


@pytest.mark.parametrize("local", ODDS)
@pytest.mark.parametrize("game", ["rose-1", "x" * 21, "x-press"])
def test_every_address_that_is_made_is_short_and_read_as_it_was_meant(
    tmp_path: Path, local: str, game: str
) -> None:
    home = a_mail_home(tmp_path)
    ((top(home) / "games") / game / "turns").mkdir(parents=True, exist_ok=True)
    write_settings(home, address=f"{local}@pbem.test")
    settings, saved = mail_settings(home), SavedGame(home, "rose-1")
    expected = {
        orders_address(settings, game, TOKEN): Recipient("orders", game, TOKEN),
        press_address(settings, game, TOKEN): Recipient("press", game, TOKEN),
        join_address(settings, game): Recipient("join", game),
        join_address(settings, game, TOKEN): Recipient("join", game, TOKEN),
    }
    bounce = bounce_address(settings, saved, Seat("Åbo.2" * 8), 9999, 99)

    for made, meant in expected.items():
        assert read_recipient(settings, made, home) == meant
        assert read_recipient(settings, made.upper(), home) == meant
    found = read_recipient(settings, bounce.upper())
    assert found is not None
    assert found.kind == "bounce"
    for made in (*expected, bounce):
        assert is_plain_address(made)
        assert len(made.rpartition("@")[0]) <= 64


def test_both_ways_of_writing_an_address_are_understood_whichever_is_used(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    for local, other in (("host", LONG), (LONG, "host")):
        write_settings(home, address=f"{other}@pbem.test")
        made = orders_address(mail_settings(home), "rose-1", TOKEN)
        write_settings(home, address=f"{local}@pbem.test")

        found = read_recipient(mail_settings(home), made.replace(f"{other}+", f"{local}+"), home)

        assert found == Recipient("orders", "rose-1", TOKEN)


def test_the_id_of_a_game_is_readable_in_addresses_as_long_as_every_game_would_fit(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    for length, is_readable in ((19, True), (20, False)):
        write_settings(home, address=f"{'x' * length}@pbem.test")
        made = orders_address(mail_settings(home), "rose-1", TOKEN)
        assert ("rose-1" in made) is is_readable


def test_a_code_that_stands_for_no_game_here_names_no_game(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    found = read_recipient(mail_settings(home), f"host+o_aaaaaaa.{TOKEN}@pbem.test", home)

    assert found is not None
    assert not home.has(found.game)
    assert found.game


@pytest.mark.parametrize(("own", "given", "is_ours"), TABLES["dots"])
def test_dots_before_the_at_are_nothing_to_gmail_and_count_elsewhere(
    tmp_path: Path, own: str, given: str, is_ours: bool
) -> None:
    home = a_mail_home(tmp_path, address=own)

    assert (read_recipient(mail_settings(home), given, home) is not None) is is_ours


def test_a_bounce_address_is_one_for_each_seat_turn_and_revision(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    settings, saved = mail_settings(home), SavedGame(home, "rose-1")
    made = {
        bounce_address(settings, saved, seat, turn, revision)
        for seat in (RED, WHITE)
        for turn in (1, 9999)
        for revision in (0, 1)
    }

    assert len(made) == 8
    assert {len(one.partition("@")[0]) for one in made} == {len("host+b_") + 16}


def test_a_name_in_a_message_id_is_written_out_as_long_as_it_is_short() -> None:
    assert message_id_part("red") == "red"
    assert message_id_part("New York") == "New=20York"
    assert message_id_part("x" * 48) == "x" * 48
    assert len(message_id_part("x" * 49)) == len(message_id_part("Å" * 40)) == 17
    assert message_id_part("Å" * 40) != message_id_part("Å" * 39 + "å")


def test_a_token_is_masked_wherever_an_address_stands(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    settings, saved = mail_settings(home), SavedGame(home, "rose-1")
    with home.journal() as db:
        token = token_of(saved, RED, db)
    text = " ".join(
        [
            orders_address(settings, "rose-1", token),
            press_address(settings, "rose-1", token.upper()),
            f"<{orders_address(settings, 'rose-1', token)}>, rose-1.{token}",
            made := bounce_address(settings, saved, RED, 1, 0),
        ]
    )

    masked = mask_tokens(text)

    assert token not in masked.lower()
    assert masked.count("rose-1.****") == 3
    assert made.partition("@")[0].rpartition("_")[2] not in masked
    assert masked.count("rose-1-press.****@pbem.test") == 1
