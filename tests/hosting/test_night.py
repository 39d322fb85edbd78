"""The night job: what `pbem run --due` runs, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.host.office.watch import read_beats
from pbem.host.run.night import Night
from pbem.host.time.pausing import pause
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.facts import tells
from tests.homes import a_game, first_choice, send, top, tree, undo
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    SCHEDULE,
    SECOND,
    TUESDAY,
    a_club,
    due,
    night,
    pbem,
    public_acts,
    queued,
    stay,
)

EVERYBODY = ("1", "2", "3")


def test_orders_that_wait_keep_a_turn_from_running_early_and_are_played_at_the_deadline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2")
    stay(home, "3", wait=True)

    early = due(home, TUESDAY - SECOND, attended=False)
    status = status_of(home, GAME)
    pbem(home, "digest", now=TUESDAY - SECOND)
    digest = capsys.readouterr().out.splitlines()
    late = due(home, TUESDAY, attended=False)

    assert (early.turn, early.waiting) == (None, ("3",))
    assert status.owing == ()
    assert tells(early.line(), "(turn-1)", "3")
    (line,) = (line for line in digest if line.startswith(f"  {GAME} (turn-1): "))
    assert tells(line, "Tue", "3 (Cleo)") and "Ann" not in line
    assert (late.turn, late.missed) == (2, ())
    assert verify(home, GAME).findings == ()


def test_waiting_lasts_as_long_as_lines_are_left(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    line: Json = {"keep": True, "do": {"move": "stay"}}
    for seat in EVERYBODY:
        send(home, GAME, seat, [line], wait=seat == "3")

    turns = [due(home, moment, attended=False).turn for moment in (TUESDAY, TUESDAY + HOUR, FRIDAY)]

    assert turns == [2, None, 3]
    assert verify(home, GAME).findings == ()


def test_the_print_of_a_submission_says_that_it_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    orders = tmp_path / "orders.yaml"
    orders.write_text(f"game: {GAME}\nseat: 1\nwait: true\norders:\n- do: {{move: stay}}\n", encoding="utf-8")

    assert pbem(home, "submit", str(orders)) == 0

    told = capsys.readouterr().out
    assert "    wait: true\n" in told


def test_a_night_job_leaves_a_paused_game_alone_and_a_moderator_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    stay(home, *EVERYBODY)
    pause(home, GAME, MADE + HOUR, "holidays")
    capsys.readouterr()

    assert night(home, TUESDAY) == 0
    since = "paused since Friday 20 November 2026, 15:00 EET (Europe/Helsinki) (holidays)"
    assert tells(capsys.readouterr().out, GAME, since)
    assert pbem(home, "run", GAME, now=TUESDAY) == 3
    assert tells(capsys.readouterr().err)
    assert SavedGame(home, GAME).turn == 1
    assert pbem(home, "run", GAME, "--override", "paused", now=TUESDAY) == 0
    assert SavedGame(home, GAME).record["overrides"] == ["paused"]
    with home.journal() as db:
        assert tells([act.detail for act in db.acts(GAME)], "2")


def test_a_night_job_runs_no_turn_again_that_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    due(home, TUESDAY)
    undo(home, GAME)

    for moment in (TUESDAY, TUESDAY + DAY):
        assert night(home, moment) == 0
        assert tells(capsys.readouterr().out)

    assert night(home, TUESDAY + DAY, GAME) == 0
    assert SavedGame(home, GAME).turn == 2
    assert night(home, FRIDAY) == 0
    assert SavedGame(home, GAME).turn == 3


def test_one_command_does_all_games_and_one_that_fails_stops_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    a_game(home)
    send(home, "rose-1", "red", [{"do": first_choice(SavedGame(home, "rose-1"), "red")}])
    a_game(home, "torn")
    ((top(home) / "games") / "torn/turns/0001/state.json").write_text("{", encoding="utf-8")

    code = night(home, TUESDAY)

    told = capsys.readouterr()
    assert code == 1
    assert tells(told.out, GAME, "2, 1", "(turn-1)", "1, 2, 3 (turn-1)")
    assert "rose-1: turn 2, 1 step (red-1)" in told.out
    assert tells(told.err)
    assert tells(told.err)


def test_the_night_job_is_a_heartbeat_also_without_mail(tmp_path: Path) -> None:
    home = a_club(tmp_path)

    night(home, MADE + HOUR)

    with home.journal() as db:
        assert read_beats(db).gap_at(MADE + HOUR + SECOND) == "down"
        assert read_beats(db).stretches[-1].end == MADE + HOUR


def test_a_cron_job_given_again_changes_nothing_but_the_heartbeat(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "60d"})
    night(home, MADE + HOUR)
    night(home, TUESDAY, GAME, "--override", "silent")
    games, mails = tree(top(home) / "games"), [mail.message_id for mail in queued(home)]

    for _ in range(3):
        night(home, TUESDAY)
        night(home, TUESDAY + MINUTE)

    assert tree(top(home) / "games") == games
    assert [mail.message_id for mail in queued(home)] == mails


def test_the_deadline_is_set_from_the_run_and_not_from_the_deadline_before(tmp_path: Path) -> None:
    home = a_club(tmp_path)

    due(home, TUESDAY + 30 * HOUR)  # the night job had not run

    assert SavedGame(home, GAME).record["deadline"] == "2026-11-27T20:00:00+02:00"
    assert public_acts(home) == []


def test_a_game_that_another_pbem_is_at_work_on_is_no_fault_and_nobody_is_mailed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"disk": 0})
    assert night(home, MADE + HOUR) == 0
    before = [one.kind for one in queued(home)]
    stay(home, *EVERYBODY)
    capsys.readouterr()

    with home.held(GAME):
        assert night(home, MADE + 2 * HOUR, GAME) == 3

    told = capsys.readouterr()
    [line for line in (told.out + told.err).splitlines() if "at work" in line or "set aside" in line]
    assert [one.kind for one in queued(home)] == before
    assert night(home, MADE + 3 * HOUR) == 0
    assert SavedGame(home, GAME).turn == 2


def test_the_first_night_job_after_the_deal_runs_what_was_answered_already(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, schedule={**SCHEDULE, "early": "always"}, gate={"disk": 0})
    stay(home, "1", "2", "3")

    assert night(home, MADE + HOUR) == 0

    assert SavedGame(home, GAME).turn == 2
    assert {(one.turn, one.state) for one in queued(home, "report")} == {(1, "sent"), (2, "sent")}


def test_nobody_is_answered_for_whose_report_went_out_after_the_deadline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"disk": 0})
    stay(home, "1", "2")
    for hour in (-1, 0):
        pbem(home, "receive", now=TUESDAY + hour * HOUR)

    for hour in (1, 2):
        assert night(home, TUESDAY + hour * HOUR) == 3
        " ".join(capsys.readouterr().err.split())
    assert pbem(home, "extend", GAME, "--to", "Wednesday 20:00", now=TUESDAY + 3 * HOUR) == 0

    assert night(home, TUESDAY + DAY - MINUTE) == 0
    assert night(home, TUESDAY + DAY + MINUTE) == 0
    assert SavedGame(home, GAME).turn == 2


@pytest.mark.parametrize("by_mail", [True, False], ids=["by mail", "by files"])
def test_letters_that_a_workers_run_leaves_to_be_sent_by_hand_are_the_moderators(
    tmp_path: Path, by_mail: bool
) -> None:
    home, said = a_club(tmp_path, by_mail=by_mail), list[str]()
    left = (
        "No mail goes to readers without an address: send this yourself.",
        "Subject: [club] Turn 2 stands",
    )

    Night(home, MADE + HOUR, said.append).look_after([due(home, MADE)._replace(to_send=left)])

    assert said == ([] if by_mail else ["\n".join(left)])
