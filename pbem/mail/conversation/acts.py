"""What each act that the moderator mailed does and says, and what it would come to when it is tried."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pbem.core.events import Seat
from pbem.host.notices.queue import words_to_send
from pbem.host.office import acts
from pbem.host.office.status import facts_of_seat, status_of
from pbem.host.office.watch import BEATS, NAMES
from pbem.host.run.batch import SetAside
from pbem.host.run.batch import run as run_game
from pbem.host.run.notes import kept_for_hand
from pbem.host.time.dates import When, read_span, read_when
from pbem.mail.conversation.actwords import FORMS, Wanted
from pbem.mail.outgoing import seatrepair
from pbem.play.config.schedule import Span
from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Declined, GateClosedError, WrongInput
from pbem.store.memory import MemoryStore
from pbem.store.records import Note, Row
from pbem.text.names import is_plain_address

Moment = datetime.datetime

OVERRIDDEN_BY_MAIL: Final = tuple(name for name in NAMES if name not in ("journal", "lost"))
"""The reasons of the gate that a mailed run may override; what is damaged or lost is looked at first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An act that is to be done.

    Attributes:
        home: Where.
        wanted: The act.
        now: The moment.
        said: When it was asked for: days are read as they were meant then.
        is_tried: It is done in a copy: the turn that is made later has another root.
    """

    home: Home
    wanted: Wanted
    now: Moment
    said: Moment
    is_tried: bool = False

    @property
    def game(self) -> str:
        """The game."""
        return self.wanted.game

    @property
    def seat(self) -> Seat:
        """The seat, as the game spells it."""
        seats = SavedGame(self.home, self.game).start.seats
        return next(
            (one for one in seats if one.casefold() == self.wanted.seat.casefold()), Seat(self.wanted.seat)
        )

    def when(self, option: str, seat: str = "") -> When | None:
        """Return the moment or day behind an option, in the zone of the game or of a seat's player."""
        if (text := self.wanted.options.get(option)) is None:
            return None
        return read_when(text, self.said, SavedGame(self.home, self.game).table.zone_of(Seat(seat)))

    def alone(self, *options: str) -> None:
        """Refuse options that cannot stand together.

        Raises:
            Declined: More than one of them is given.
        """
        given = [option for option in options if option in self.wanted.options]
        if len(given) > 1:
            raise Declined(
                f"{given[0]!r} and {given[1]!r} cannot stand in one act.", "Write an act for each."
            )


def carry_out(asked: Asked) -> str:
    """Do an act, or refuse it with nothing changed; return what it came to, in sentences.

    Raises:
        WrongInput: It cannot be done.
        GateClosedError: Another program holds the game, or the gate refuses to run it. Its notes are what the
            moderator is to send by hand all the same, in lines.
    """
    if FORMS[asked.wanted.verb].has_game:
        asked.home.game(asked.game)
    said = _DO[asked.wanted.verb](asked)
    return said.replace(f"{asked.home.store.spelled('games')}/", "games/")  # where the home lies is no news


def why_not(wanted: Wanted, wrong: WrongInput | GateClosedError) -> str:
    """Return why an act was not done, and what does it all the same where the gate refused a run."""
    if isinstance(wrong, WrongInput):
        return str(wrong)
    names = tuple(dict.fromkeys(one.name for one in wrong.reasons if one.name in OVERRIDDEN_BY_MAIL))
    aside = SetAside(wanted.game, tuple(map(str, wrong.reasons)), wrong.exit_code, overrides=names)
    way = aside.way_on(due="due" in wanted.options)
    return "\n".join([*aside.reasons, *([f"{way[0].upper()}{way[1:]}"] if way else [])])


def _help(_asked: Asked) -> str:
    return "\n".join(f"{form.usage}\n    {form.what}" for form in FORMS.values())


def _status(asked: Asked) -> str:
    names = [asked.home.game(asked.game).name] if asked.game else asked.home.games()
    return "\n".join(_stands(asked, name) for name in names) or "This home has no games yet."


def _stands(asked: Asked, name: str) -> str:
    try:
        found = status_of(asked.home, name, asked.now)
        tried = tuple(one for one in found.unsent if one.why or one.state != "queued")
        return replace(found, unsent=tried).text()  # what is queued beside the answer goes out with it
    except WrongInput as wrong:
        if asked.game:
            raise
        return f"{name}: {wrong}"


def _extend(asked: Asked) -> str:
    return acts.extend(asked.home, asked.game, asked.now, *_time(asked))


def _time(asked: Asked) -> tuple[Span | None, When | None]:
    """Return what `by` or `to` says of a deadline; at most one of them is given."""
    asked.alone("by", "to")
    by = asked.wanted.options.get("by")
    span = read_span(by) if by is not None else None
    if by is not None and span is None:
        raise Declined(f"{by!r} is no span of time, such as 90m, 36h or 2 days.")
    return span, asked.when("to")


def _pause(asked: Asked) -> str:
    why = asked.wanted.options.get("why", acts.NO_REASON)
    return acts.pause(asked.home, asked.game, asked.now, why, asked.when("from"), asked.when("to"))


def _resume(asked: Asked) -> str:
    return acts.resume(asked.home, asked.game, asked.now, asked.when("at"))


def _away(asked: Asked) -> str:
    asked.alone("to", "cancel")
    asked.alone("from", "cancel")
    seat, now = asked.seat, asked.now
    if "cancel" in asked.wanted.options:
        return acts.clear_absences(asked.home, asked.game, seat, now)
    if (last := asked.when("to", seat)) is None:
        raise Declined("it names no last day.", f"It is written so: {FORMS['away'].usage}.")
    return acts.away(asked.home, asked.game, seat, now, asked.when("from", seat), last)


def _hold(asked: Asked) -> str:
    asked.alone("release", "why")
    if "release" in asked.wanted.options:
        return acts.release(asked.home, asked.game, asked.seat, asked.now)
    why = asked.wanted.options.get("why", acts.HOLDS)
    return acts.hold(asked.home, asked.game, asked.seat, asked.now, why)


def _announce(asked: Asked) -> str:
    return acts.announce(asked.home, asked.game, asked.now, asked.wanted.text)


def _cancel(asked: Asked) -> str:
    asked.alone("undo", "why")
    if "undo" in asked.wanted.options:
        return acts.bring_back(asked.home, asked.game, asked.now)
    if not (why := asked.wanted.options.get("why", "")):
        raise Declined(
            "the players are told why a game is ended.", f"It is written so: {FORMS['cancel'].usage}."
        )
    return acts.cancel(asked.home, asked.game, asked.now, why)


def _undo(asked: Asked) -> str:
    turn = asked.wanted.options.get("turn")
    if turn is not None and not re.fullmatch("[1-9][0-9]{0,5}", turn):
        raise Declined(f"{turn!r} is no number of a turn.")
    return acts.undo(asked.home, asked.game, asked.now, int(turn) if turn else None, *_time(asked))


def _run(asked: Asked) -> str:
    options = asked.wanted.options
    words = re.split(r"[^\w-]+", options.get("override", "").lower())  # `--override` may stand before each
    overrides = tuple(name for word in words if (name := word.strip("-")) not in ("", "override"))
    for name in overrides:
        if name not in OVERRIDDEN_BY_MAIL:
            by_mail = ", ".join(OVERRIDDEN_BY_MAIL)
            raise Declined(f"{name!r} is nothing that a mail can override: {by_mail}.")
    with kept_for_hand(asked.home) as found:
        try:
            ran = run_game(
                asked.home,
                asked.game,
                now=asked.now,
                due="due" in options,
                overrides=overrides,
                deal="deal" in options,
            )
        except GateClosedError as closed:  # a deadline may have been moved before
            for line in words_to_send(asked.home, asked.game, found):
                closed.add_note(line)
            raise
    if asked.is_tried:
        ran = ran._replace(root="")
    told = "\n".join((ran.line(), *ran.to_send, *words_to_send(asked.home, asked.game, found)))
    if ran.turn is None:
        raise Declined(told)
    return told


def _seat(asked: Asked) -> str:
    """Show or mend a seat; a key is told to its player alone, never here."""
    asked.alone("address", "resend", "name")
    asked.alone("new-secret", "resend", "name")
    asked.alone("new-key", "resend", "name")
    home, game, seat, now = asked.home, asked.game, asked.seat, asked.now
    options = asked.wanted.options
    if "name" in options:
        return acts.name(home, game, seat, now, options["name"])
    if "resend" in options:
        return seatrepair.resent(home, game, seat, now)
    if options.keys() & {"address", "new-secret", "new-key"}:
        address = options.get("address", "")
        if address and not is_plain_address(address):
            raise Declined(f"{address!r} is no address.")
        done = seatrepair.mend_seat(home, game, seat, now, address)
        return done.told(game, seat, is_moved=bool(address), by_mail=True)
    return "\n".join(facts_of_seat(home, game, seat).told())


_DO: Final[Mapping[str, Callable[[Asked], str]]] = {
    "help": _help,
    "status": _status,
    "seat": _seat,
    "extend": _extend,
    "pause": _pause,
    "resume": _resume,
    "away": _away,
    "hold": _hold,
    "announce": _announce,
    "run": _run,
    "undo": _undo,
    "cancel": _cancel,
}


def copy_of(home: Home, games: Collection[str]) -> Home:
    """Return a copy in memory of the moderator's files and some games, with what is noted of them.

    Args:
        home: The home.
        games: The ids of the games; one that there is not is left out.
    """
    store, found = home.store, [game for game in games if home.has(game)]
    folders = ["templates", *(f"{kind}/{game}" for game in found for kind in ("games", "orders"))]
    names = [
        f"{folder}/{name}"
        for folder in folders
        if store.kind(folder) == "folder"
        for name in store.below(folder)
    ]
    if store.kind(SETTINGS) == "file":
        names.append(SETTINGS)
    made = MemoryStore({name: store.read(name) for name in names if store.kind(name) == "file"})
    with home.journal() as db:
        rows: list[Row] = [Note("", BEATS, db.note("", BEATS))]
        rows += [Note(game, key, value) for game in found for key, value in db.notes(game).items()]
        rows += [act for game in found for act in db.acts(game)]
    made.note(rows)
    return Home(made)
