"""A turn that is run again after an undo: whose report changed, and what the moderator sends by hand."""

from __future__ import annotations

import datetime
from collections.abc import Container, Mapping, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.host.notices.byhand import words_to_send
from pbem.host.notices.corrected import corrected_in_words
from pbem.host.notices.telling import is_mailed, players, to_player, with_newest
from pbem.host.notices.unmailed import kept_for_hand
from pbem.host.people.standins import stood_in
from pbem.host.run.notes import notes_of
from pbem.host.run.remade import tell_remade
from pbem.host.run.reported import is_same_report
from pbem.play.homes.arrivals import is_another, named_in_report
from pbem.play.homes.chain import short
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.takenback import is_remade
from pbem.play.turn.running import ToTell
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Note, Telling

_AND_NOW: Final = "Please read the corrected report."


def stands(saved: SavedGame) -> tuple[str, str]:
    """Return what a seat is told whose report of the newest turn is as it was: a title, and the words."""
    turn, root = saved.turn, short(str(saved.record["root"]))
    text = (
        f"Turn {turn} was run again, and nothing in your report changed but its root, which is now {root}. "
        "The report that you have counts."
    )
    return f"Turn {turn} stands", text


def to_tell(saved: SavedGame) -> ToTell:
    """Return what is still to be told of a newest turn that was taken back or lost, and made again.

    That it was told is noted. So a run that was killed behind its commit is made good by the next.

    Args:
        saved: The game.

    Returns:
        What is to be told, and what the moderator is to send by hand: letters, each with its readers, and
        where the reports lie that changed.
    """
    home, game, turn = saved.home, saved.name, saved.turn
    if is_remade(saved):
        done = Note(game, f"remade:{turn}", str(saved.record["root"]))
        return ToTell() if _is_noted(home, done) else tell_remade(saved, done)
    by_hand = [seat for seat in players(saved) if not is_mailed(home, saved.players.address(seat))]
    done = Note(game, f"handed out:{turn}", str(saved.revision))
    if not (saved.revision and by_hand) or _is_noted(home, done):
        return ToTell()
    return ToTell((done,), tuple(words_to_send(home, game, _for_hand(saved, by_hand))))


def _is_noted(home: Home, done: Note) -> bool:
    if not home.has_journal:
        return False
    with home.journal() as db:
        return db.note(done.game, done.key) == done.value


def _for_hand(saved: SavedGame, seats: Sequence[Seat]) -> Mapping[str, Telling]:
    """Return what seats without mail are told of the turn that was run again."""
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))
    about = f"corrected r{saved.revision}"
    seated, held = stood_in(saved), notes_of(saved.home, saved.name).held
    with kept_for_hand(saved.home) as found:
        for seat in seats:
            told = told_again(saved, seat, seated, held)
            is_same = told == stands(saved)
            if told is not None:
                facts = facts_of("turn-stands" if is_same else "report-corrected", turn=saved.turn)
                to_player(saved, now, seat, "notice", about, *told, facts=facts)
            if not is_same:
                with_newest(saved, now, seat, about)
    return found


def told_again(
    saved: SavedGame, seat: Seat, seated: Container[Seat], held: Mapping[Seat, str]
) -> tuple[str, str] | None:
    """Return what a seat without mail is told of the newest turn, which was taken back and run again.

    Args:
        saved: The game.
        seat: The seat.
        seated: The seats that standbys took in that turn, from `stood_in`.
        held: The seats whose orders the moderator holds back, each with the reason.

    Returns:
        A title, and the words; None for who has come to the seat since, or where the turn was lost and made
        again.
    """
    if is_remade(saved) or seat in seated:
        return None
    before = saved.turns.taken_back(saved.turn)[-1].place
    if is_another(saved, seat, named_in_report(before, seat).get(seat, "")):
        return None
    if is_same_report(before, saved.turns.at(saved.turn), seat):
        return stands(saved)
    text = f"{corrected_in_words(saved, seat, before, held)} {_AND_NOW}"
    return f"Turn {saved.turn}: a corrected report", text
