"""The verbs that check and try: verify, doctor, simulate."""

from __future__ import annotations

import datetime
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pbem.cli.base import (
    hint,
    home_option,
    home_words,
    json_option,
    moment,
    next_step,
    now_option,
    open_home,
    print_json,
    say,
    tell,
)
from pbem.cli.games import options_of
from pbem.cli.printing import progress
from pbem.cli.show import write_picture
from pbem.store.errors import GateClosedError, WrongInput
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.doctor.checkup import CheckUp
    from pbem.doctor.domain import Names
    from pbem.doctor.patient import Patient
    from pbem.doctor.roundtrip import RoundTrip
    from pbem.play.homes.home import Home
    from pbem.play.homes.verify import Verified


NOT_ALL: Final = 5
"""The exit code of a game in which nothing is wrong, and of which not every turn was played again."""


@click.command()
@click.argument("game", metavar="[GAME|FILE]", required=False)
@click.option("--foot", metavar="ROOT", help="The root from the foot of a report that a player kept.")
@click.option(
    "--receipt",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A receipt that a player kept, as text: tell what it proves, by a FILE.zip of a finished game.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A report that a player kept, as text: whether it is one of FILE.zip, word for word.",
)
@json_option
@home_option
def verify(
    game: str | None, foot: str | None, receipt: Path | None, report: Path | None, as_json: bool, home: str
) -> int:
    """Check every turn of a game: unchanged, and replayed alike.

    Without GAME all games of the home are checked. A FILE.zip that was downloaded from an archive is checked
    by itself, without a home.
    """
    if receipt is not None and report is not None:
        raise click.UsageError("Give --receipt or --report, not both.")
    if game is None:
        if foot or receipt or report:
            raise click.UsageError("--foot needs GAME or FILE.zip, --receipt and --report need FILE.zip.")
        return _verify_all(open_home(home), as_json=as_json)
    if receipt is not None:
        return _print_proven(game, "--receipt", receipt, as_json=as_json)
    if report is not None:
        return _print_proven(game, "--report", report, as_json=as_json)

    if is_file := game.endswith(".zip"):
        from pbem.archive.verification import verify_file

        with progress("Turns") as step:
            game, found = verify_file(Path(game), foot, step)
    elif "/" in game or (home == "." and Path(game).is_dir() and not Path("games").is_dir()):
        way = f"Give the file of a game that you downloaded: pbem verify {Path(game).name}.zip"
        raise WrongInput(f"{game} is no game of a home, and no FILE.zip.", way)
    else:
        found = _verified(open_home(home), game, foot)
    if as_json:
        print_json(encode(found))
    else:
        _print_verified(game, found, None if is_file else open_home(home))
    return _exit_code(found)


def _exit_code(found: Verified) -> int:
    return 1 if found.findings else NOT_ALL if found.skipped else 0


def _verified(home: Home, game: str, foot: str | None = None) -> Verified:
    from pbem.host.run.losses import with_lost
    from pbem.play.homes.verify import verify as verify_game

    with progress("Turns", len(home.turns(game).numbers())) as step:
        return with_lost(home, game, verify_game(home, game, foot, each=step))


def _verify_all(home: Home, *, as_json: bool) -> int:
    """Check all games of a home, one after the other; return the worst of their exit codes."""
    rows: list[Json] = []
    code = 0
    for game in home.games():
        found = _verified(home, game)
        code = max(code, _exit_code(found), key=(0, NOT_ALL, 1).index)
        rows.append({"game": game, "checked": encode(found)})
        if not as_json:
            _print_verified(game, found, home)
    if as_json:
        print_json(rows)
    elif not rows:
        say("There is no game in this home.")
    return code


def _print_proven(game: str, option: str, kept: Path, *, as_json: bool) -> int:
    """Tell what a file that a player kept proves: a receipt, or a report."""
    from pbem.archive.verification import file_findings, receipt_in, report_in

    if not game.endswith(".zip"):
        raise click.UsageError(f"{option} needs the FILE.zip of the game from its archive.")
    data = kept.read_bytes()
    is_receipt = option == "--receipt"
    proven = (
        receipt_in(Path(game), data.decode(errors="replace")) if is_receipt else report_in(Path(game), data)
    )
    found = file_findings(Path(game)) if proven else ()
    if as_json:
        print_json({"proves": "" if found else proven})
        return 0 if proven and not found else 1
    what = "the receipt" if is_receipt else "the report"
    for finding in found:
        tell(f"{game}/{finding.place}: {finding.text}")
    if found:
        tell(f"{game} is not as it was made, so it proves nothing of {what}. Get the file again.")
        return 1
    if proven:
        tell(proven)
        hint(f"The hashes, roots and dice of the file agree. To play its turns again too: pbem verify {game}")
        return 0
    quoted = any(line.startswith(b">") for line in data.splitlines())
    marks = " Its lines begin with `>`, as in an answer to a mail: take these marks away." if quoted else ""
    tell(f"{kept}: nothing in this game proves it. It must hold {what} as it came.{marks}")
    return 1


_DAMAGED: Final = re.compile(r"(turns/(?:undone/)?[^/]+)/.")


def _print_verified(game: str, found: Verified, home: Home | None) -> None:
    for finding in found.findings:
        tell(f"{game}/{finding.place}: {finding.text}")
    if found.foot:
        say(f"{game}: that root is the root of {found.foot}.")
    for told in (*(f"not recomputed: {why}" for why in found.skipped), *found.notes):
        say(f"{game}: {told}")
    if not found.findings:
        kept = f" and {found.undone} taken back" if found.undone else ""
        lacking = f", {len(found.skipped)} not" if found.skipped else ""
        turns = "1 turn" if found.turns == 1 else f"{found.turns} turns"
        say(f"{game}: {turns}{kept} intact, {found.recomputed} recomputed{lacking}.")
        return
    damaged = [_DAMAGED.match(one.place) for one in found.findings]
    folders = {one[1] for one in damaged if one}
    if all(damaged):  # else not all turns were looked at
        say(f"{game}: {_intact(found, folders)}")
    if folders and home is not None:
        _print_way_back(home, game, found)


def _print_way_back(home: Home, game: str, found: Verified) -> None:
    """Say which damaged files are put back without a backup, and which are not."""
    from pbem.host.run.losses import without_backup
    from pbem.play.homes.verify import can_be_put_back

    mend = f"without a backup: pbem home mend {game}"
    made = can_be_put_back(home, game)
    strays = [one for one in made.left if one.is_stray]
    left = [one for one in made.left if not one.is_stray]
    if strays:
        hint(f"Delete what does not belong there: {', '.join(f'{game}/{one.place}' for one in strays)}")
        if not left and not made.files:
            return
    if not left:
        hint(f"Put it back {mend}" if made.files else "No file of it is damaged: nothing puts that back.")
        return
    hint(f"This only a backup has: {', '.join(f'{game}/{one.place}' for one in left)}")
    if made.files:
        hint(f"Put the rest back {mend}")
    hint(f"Without a backup: {without_backup(home, game, left)}")


def _intact(found: Verified, damaged: set[str]) -> str:
    """Say of which turns nothing is wrong, where something is in these folders of turns."""
    if all(one.startswith("turns/undone/") for one in damaged):
        counts = "1 turn that counts is" if found.turns == 1 else f"{found.turns} turns that count are"
        return f"the {counts} intact, {found.recomputed} recomputed; only what was taken back is damaged."
    others = found.turns + found.undone - len(damaged)
    return "the other turn is intact." if others == 1 else f"the other {others} turns are intact."


@click.command()
@click.option("--mail", is_flag=True, help="Send a mail to the host itself too, and wait until it is back.")
@click.option(
    "--wait", type=click.IntRange(1, 3600), default=60, show_default=True, help="Seconds to wait for it."
)
@click.option("--dns", metavar="SERVER", help="Ask this name server: ADDRESS or ADDRESS:PORT.")
@json_option
@now_option
@home_option
def doctor(mail: bool, wait: int, dns: str | None, as_json: bool, now: str | None, home: str) -> int:
    """Find what is wrong with a home and its mail.

    It names each fault, and what mends it. It looks at the files of the home, its games and settings, what
    others can read, free disk space, the clock, the night job, stuck mails, the mail servers, and the DNS of
    the host's domain. Nothing is changed. It ends with 1 if something is wrong.

    With `--mail` a mail goes to the host's own address, and its way back is timed. Whatever mail comes in
    meanwhile is taken in and processed, as by `pbem receive`.
    """
    from pbem.doctor.checkup import check_up
    from pbem.doctor.patient import Patient

    if mail and now is not None:
        raise click.UsageError("--mail is timed by the clock, so --now cannot take its place.")
    patient = Patient(
        open_home(home), home, moment(now), home_words(home), _names(dns), asks_reserved=dns is not None
    )
    found = check_up(patient)
    trip = _test_mail(patient, wait) if mail else None
    findings = (*found.findings, *(trip.findings if trip is not None else ()))
    if as_json:
        print_json(_as_json(found, trip))
        return 1 if findings else 0
    for one in findings:
        tell(f"{one.part}: {one.text}\n    {one.mend}")
    if trip is not None and trip.seconds is not None:
        say("; ".join([f"The test mail was back after {trip.seconds:.1f} seconds", *trip.facts]) + ".")
    if findings:
        hint(found.line())
        return 1
    deeper = " Of games the newest turn was read; pbem verify reads all." if patient.games else ""
    say(f"Nothing found. {found.line()}{deeper}")
    if patient.mail is not None and not mail:
        next_step(home, "doctor --mail", "sends a mail to the host itself, and times its way back")
    return 0


def _names(server: str | None) -> Names | None:
    """Return what asks name servers, or one; None if nothing on this machine can."""
    from pbem.doctor.domain import Names

    address, port = server or "", "53"
    if address.count(":") == 1:  # with more it is an address of IPv6
        address, port = address.split(":")
    try:
        return Names(address, int(port))
    except ImportError:
        return None
    except ValueError:
        raise click.BadParameter(f"{server} is no address of a server.", param_hint="--dns") from None


def _test_mail(patient: Patient, wait: int) -> RoundTrip:
    """Send a mail to the host itself, and wait for it."""
    from pbem.cli.moderation.mailed import MailedCommands
    from pbem.doctor.patient import Finding
    from pbem.doctor.roundtrip import PART, RoundTrip, Waiting, send_and_await

    if patient.mail is None:
        text = "no test mail can be sent: home.yaml says nothing of mail, or says it wrong."
        return RoundTrip((Finding(text, patient.edit_settings("mail: {address: ..., smtp: ...}"), PART),))
    how = Waiting(
        lambda: datetime.datetime.now(datetime.UTC),
        lambda: time.sleep(1),
        datetime.timedelta(seconds=wait),
        hint,
        MailedCommands(),
    )
    try:
        return send_and_await(patient, patient.mail, how)
    except (WrongInput, GateClosedError, OSError) as wrong:
        told = patient.refused(wrong, patient.pbem("receive", "which says the same"))
        return RoundTrip((replace(told, part=PART),))


def _as_json(found: CheckUp, trip: RoundTrip | None) -> Json:
    value = encode(found)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return {**value, "test_mail": encode(trip) if trip is not None else None}


@click.command()
@click.argument("rules")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seats", type=click.IntRange(1), help="How many seats.  [default: the most]")
@click.option(
    "--bots", default="greedy", show_default=True, help="Skills, dealt to the seats in turn: greedy,random."
)
@click.option("--seed", default="pbem", show_default=True, help="The same text gives the same games.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the rules.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw lengths, scores and wins by seat into this file: .svg, or .png with the extra pbem[png].",
)
@json_option
def simulate(
    rules: str,
    games: int,
    seats: int | None,
    bots: str,
    seed: str,
    settings: tuple[str, ...],
    plot: Path | None,
    as_json: bool,
) -> None:
    """Let bots play games, and count how they went.

    It prints lengths, points, endings, tie-breaks, wins and what the rules count.
    """
    from pbem.play.config.registry import find_rules
    from pbem.play.config.templates import templates_of
    from pbem.play.turn.simulate import drawn
    from pbem.play.turn.simulate import simulate as play

    system = find_rules(rules)
    assert system.system is not None, "find returns no broken rules"
    count = seats or system.system.seats[-1]
    if count not in system.system.seats:
        raise click.BadParameter(f"{rules} is not played with {count} seats.")
    skills = bots.split(",")
    if strange := [skill for skill in skills if skill not in ("random", "greedy")]:
        raise click.BadParameter(f"there is no bot {strange[0]!r}; skills are random and greedy.")
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{plot} is neither .svg nor .png.", param_hint="--plot")
    loaded = system.load(system.shipped_data())
    options = system.options(options_of(settings))
    names = system.system.seat_names(count)
    with progress(rules, games) as step:
        found = play(
            loaded,
            names,
            options,
            skills,
            games,
            seed,
            lambda _: step(),
            system.system.tally,
            system.takes,
        )
    if as_json:
        print_json(found.as_json())
    else:
        _print_statistics(found.as_json())
    if plot is not None:
        picture = drawn(found, rules, ", ".join(skills), templates_of(system))
        write_picture(plot, picture, as_png=plot.suffix == ".png")


def _print_statistics(found: dict[str, Json]) -> None:
    """Print each count on a line, the rows of a table under its title."""
    for title, value in found.items():
        if not isinstance(value, dict):
            tell(f"{title}: {value}")
            continue
        if not value:  # nothing to count, as places in turn order where all move together
            continue
        tell(f"{title}:")
        for row, count in value.items():
            said = ", ".join(f"{name} {n}" for name, n in count.items()) if isinstance(count, dict) else count
            tell(f"  {row}: {said}")
