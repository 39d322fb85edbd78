"""One look at a home from outside in: part after part, each whatever the others came to."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pbem.doctor.domain import look_at_domain
from pbem.doctor.games import look_at_games, look_at_rules, look_at_seats, look_at_templates
from pbem.doctor.machine import look_at_clock, look_at_disk, look_at_night_job, look_at_secrets
from pbem.doctor.patient import SALVAGE, Finding, NotLookedAtError, Patient, by_hand
from pbem.doctor.post import look_at_stuck_mails
from pbem.doctor.servers import look_at_mail_in, look_at_mail_out, look_at_settings
from pbem.store.errors import WrongInput, told_in_words
from pbem.store.rests import how_closed

Look: TypeAlias = Callable[[Patient], Iterator[Finding]]

HOME: Final = "home"

PARTS: Final[tuple[tuple[str, Look], ...]] = (
    ("settings", look_at_settings),
    ("secrets", look_at_secrets),
    ("games", look_at_games),
    ("rules", look_at_rules),
    ("templates", look_at_templates),
    ("addresses", look_at_seats),
    ("disk", look_at_disk),
    ("clock", look_at_clock),
    ("night job", look_at_night_job),
    ("stuck mails", look_at_stuck_mails),
    ("mail in", look_at_mail_in),
    ("mail out", look_at_mail_out),
    ("DNS", look_at_domain),
)
"""What is looked at, in this order, once the home can be opened at all."""


@dataclass(frozen=True, slots=True)
class CheckUp:
    """What a look at a home came to.

    Attributes:
        findings: What is wrong.
        looked_at: The parts that were looked at.
        left_out: Why others were not, by the part.
    """

    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]
    left_out: Mapping[str, str]

    def line(self) -> str:
        """Return what was looked at, in one line."""
        whys = dict.fromkeys(self.left_out.values())
        parts = {why: ", ".join(part for part, of in self.left_out.items() if of == why) for why in whys}
        left = "; ".join(f"{those} ({why})" for why, those in parts.items())
        looked = f"Looked at: {', '.join(self.looked_at)}."
        return f"{looked} Not looked at: {left}." if left else looked


def check_up(patient: Patient) -> CheckUp:
    """Look at a home. Nothing is changed by looking."""
    try:
        patient.games  # noqa: B018
    except WrongInput as wrong:
        return CheckUp((_of_home(patient, wrong),), (HOME,), {})
    if (how := how_closed(patient.home.store)) is not None:
        text = f"{how.told('this home')}: nothing is run here, and no mail is taken in or sent."
        again = f"pbem home close --reopen --home {shlex.quote(patient.where)}"
        way = by_hand(f"work in the home that took its place; only if there is none: {again}")
        if how.is_copy:
            way = by_hand("remove it, and copy the home anew: pbem home copy SOURCE TARGET")
        return CheckUp((Finding(text, way, HOME),), (HOME,), {})
    found = {one.text: one for one in _of_journal(patient)}
    is_told = any(one.mend == SALVAGE for one in found.values())
    looked, left = [HOME], dict[str, str]()
    for part, look in PARTS:
        try:
            for one in _looked(look, patient):
                if not (is_told and one.mend == SALVAGE):
                    found.setdefault(one.text, replace(one, part=part))  # the same may show in two parts
        except NotLookedAtError as why:
            left[part] = str(why)
        else:
            looked.append(part)
    return CheckUp(tuple(found.values()), tuple(looked), left)


def _of_journal(patient: Patient) -> Iterator[Finding]:
    """Yield why the journal cannot be read, wherever it is damaged; then much else trips over it."""
    if not patient.home.has_journal:
        return
    try:
        with patient.home.journal() as db:
            if not patient.is_database:
                db.check_whole()
    except WrongInput as wrong:
        yield Finding(told_in_words(wrong), SALVAGE, HOME)


def _looked(look: Look, patient: Patient) -> Iterator[Finding]:
    """Yield what is found in a part; what trips the look up is a finding itself, and the others go on."""
    try:
        yield from look(patient)
    except NotLookedAtError:
        raise
    except Exception as wrong:
        yield patient.refused(wrong, by_hand("mend what it names, or report it if it is a fault of pbem"))


def _of_home(patient: Patient, wrong: WrongInput) -> Finding:
    """Return what is wrong with a home that cannot be opened."""
    if not patient.is_database:
        store, named = patient.home.store, by_hand("name the folder that `pbem init` made: --home HOME")
        holds_others = store.kind("") == "folder" and bool(store.names(""))
        way = named if holds_others else f"pbem init {shlex.quote(patient.where)}"
        return Finding(f"{patient.where} is no home: it has no games folder.", way, HOME)
    way = by_hand("see that the server runs, holds the home, and lets you in")
    return replace(patient.refused(wrong, way), part=HOME)
