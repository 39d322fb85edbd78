"""The games of a home: whether each can be opened, is whole, fits its rules, and reaches its players."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator

from jinja2 import TemplateNotFound

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.doctor.patient import Finding, Patient, by_hand
from pbem.host.office.status import status_of
from pbem.host.run.losses import lost_findings, on_without, ways_out
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import (
    archive_templates,
    faults_of_overrides,
    mail_templates,
    template_faults,
)
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import Finding as Damage
from pbem.play.homes.integrity import missing_findings, newest_findings, secret_findings
from pbem.play.homes.players import why_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, load_start, read_json
from pbem.play.submissions.seatkeys import send_again
from pbem.store.errors import WrongInput
from pbem.text.reports.report import Report

_RUNS = "a change of it was begun and cut off; the next command for it finishes that."


def look_at_games(patient: Patient) -> Iterator[Finding]:
    """Yield what is wrong with what was committed of each game, its `game.yaml`, and lodged orders."""
    for game in patient.games:
        yield from _of_game(patient, game)


def _of_game(patient: Patient, game: str) -> Iterator[Finding]:
    if _why_not_played(patient, game):  # told where the rules are looked at
        return
    if patient.home.store.kind(f"games/{game}/intent.json"):
        yield Finding(f"{game}: {_RUNS}", patient.pbem(f"run {game}"))
    backup = by_hand(f"restore it from your backup; then: {patient.pbem(f'verify {game}')}")
    again = by_hand(ways_out(game, patient.home_words))
    found = [(one, backup) for one in secret_findings(patient.home, game)]
    if not found:
        seed = SavedGame(patient.home, game).secret.seed
        turns, on = patient.home.turns(game), by_hand(on_without(game, patient.home_words))
        missing = [*missing_findings(turns)]
        mend = f"{patient.pbem(f'home mend {game}')}   # what it cannot make again: from your backup"
        found = [
            (one, _deleting(patient.home, game, one) if one.is_stray else on if one in missing else mend)
            for one in newest_findings(turns, seed)
        ]
        found += [(one, again) for one in lost_findings(patient.home, game)]
    yield from (Finding(f"{game}/{one.place}: {one.text}", way) for one, way in found)
    if found:
        return
    try:
        status = status_of(patient.home, game)
    except WrongInput as wrong:
        yield patient.refused(wrong, patient.edit(f"games/{game}/game.yaml"))
        return
    for bad in status.bad:
        way = f"rm {shlex.quote(bad.file)}"
        if bad.kind == "unread":  # they may be good orders, which somebody else lodged, such as root
            home = shlex.quote(str(patient.home.store.beside))
            way = f'chown "$(stat -c %U {home})" {shlex.quote(bad.file)}   # as root'
        elif bad.kind == "key":
            way = by_hand(send_again(game))
        yield Finding(f"lodged orders of {game} are not good: {bad.text}", way)
    yield from _names(patient, SavedGame(patient.home, game))


def _names(patient: Patient, saved: SavedGame) -> Iterator[Finding]:
    """Yield which names of a running game others take for somebody else: only a hand writes them."""
    if isinstance(saved.ask, Outcome):
        return
    for one in saved.players.unfit_names():
        way, whose = patient.pbem(f"seat {saved.name} {one.seat} --name NAME"), str(one.seat)
        if not one.seat:
            way, whose = patient.edit(f"games/{saved.name}/game.yaml"), "a standby"
        yield Finding(f"{saved.name}: the name of {whose}: {one.why}.", way)


def look_at_rules(patient: Patient) -> Iterator[Finding]:
    """Yield which games are of rules that are not installed, or of newer ones than are."""
    for game in patient.games:
        if why := _why_not_played(patient, game):
            yield Finding(f"{game}: {why}", by_hand("install the package that brings these rules"))
            continue
        try:
            saved = SavedGame(patient.home, game)
            made_by, here = saved.record["rules_version"], saved.rules.version
        except WrongInput:
            continue  # told with the games
        if isinstance(made_by, int) and made_by > here:
            text = f"{game} is at version {made_by} of its rules, and version {here} is installed."
            yield Finding(text, "pip install --upgrade pbem")


def _why_not_played(patient: Patient, game: str) -> str:
    """Say why the rules of a game are not there; "" if they are, or nobody can tell which they are."""
    try:
        rules = load_start(patient.home.turns(game).at(0)).rules
    except WrongInput:
        return ""
    try:
        find_rules(rules)
    except WrongInput as wrong:
        return str(wrong)
    return ""


def look_at_seats(patient: Patient) -> Iterator[Finding]:
    """Yield which players of running games have no address, or one to which nothing can go."""
    patient.needed_mail()
    for game in patient.games:
        try:
            saved = SavedGame(patient.home, game)
            if isinstance(saved.ask, Outcome):
                continue
            people = [seat for seat in saved.start.seats if _is_played(saved, seat)]
            written = {seat: saved.players.address(seat) for seat in people}
        except WrongInput:
            continue  # told with the games
        for seat, address in written.items():
            mend = patient.pbem(f"seat {game} {seat} --address NAME@DOMAIN")
            if not address:
                yield Finding(f"{game}: no address of {seat} is known, so no report goes there.", mend)
            elif why := why_unreachable(patient.home, address):
                yield Finding(f"{game}: {address} is no address of {seat}: {why}.", mend)


def _is_played(saved: SavedGame, seat: Seat) -> bool:
    return seat not in saved.table.free and seat not in saved.players.bots


def _deleting(home: Home, game: str, stray: Damage) -> str:
    """Return the command that deletes what lies in a turn's folder and is none of its files."""
    return f"rm {shlex.quote(home.store.spelled(f'games/{game}/{stray.place}'))}"


def look_at_templates(patient: Patient) -> Iterator[Finding]:
    """Yield what fails in the templates that the host has changed."""
    for fault in faults_of_templates(patient.home):
        way = by_hand("mend it, or remove it to have the shipped one, which takes its place now")
        yield Finding(f"a template of this home fails: {fault}", way)


def faults_of_templates(home: Home) -> tuple[str, ...]:
    """Return what fails in the templates that a host has changed, each as `FILE:LINE: fault`.

    The newest reports of all games are made with them. Templates of mails, whose facts come with the mails,
    are only read.
    """
    names = [name for name in home.templates.below() if name.endswith(".j2")]
    if not names:
        return ()
    found = [mail_templates(home.templates), archive_templates(home.templates)]
    for game in home.games():
        try:
            saved = SavedGame(home, game)
            found.append(saved.environment)
            for reader in (*saved.start.seats, SPECTATOR):
                facts = read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
                with template_faults():
                    Report(saved.environment, facts).files()
        except WrongInput:
            continue  # told with the games
    for templates in found:
        for name in names:
            with contextlib.suppress(TemplateNotFound):  # it is of mails, or of other rules
                templates.get_template(name)
    return tuple(dict.fromkeys(fault for one in found for fault in faults_of_overrides(one)))
