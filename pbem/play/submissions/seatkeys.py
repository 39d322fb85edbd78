"""Whose form or key it is, a former player's or the present one's; and seats that lack a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.store.records import Note
from pbem.text.envelope import Marker, marker_line, read_marker
from pbem.text.orders import Envelope, Fault


def own_marker(saved: SavedGame, seat: Seat, form: str) -> str:
    """Return the first line that a form of the newest turn has for the present player of its seat.

    Returns:
        Another line than it has if it was made for a player who has left, and the game asks no keys; else "".
    """
    said = read_marker(form.partition("\n")[0])
    if said is None or not said.code or not _former_holder_name(saved, saved.turn, seat):
        return ""
    return marker_line(saved.name, seat, said.label, holder_secret(saved, seat))


def own_form(saved: SavedGame, seat: Seat, form: str) -> str:
    """Return a form of the newest turn as the present player of its seat gets it."""
    mine = own_marker(saved, seat, form)
    return f"{mine}\n{form.partition(chr(10))[2]}" if mine else form


def former_player_fault(saved: SavedGame, envelope: Envelope, data: bytes) -> Fault | None:
    """Say that the form or the key of orders was given to a player who has left.

    Args:
        saved: The game.
        envelope: Of the orders; where it names no seat of the game, that is the mistake, and this is none.
        data: The orders file.
    """
    if envelope.seat not in saved.start.seats:
        return None
    return _former_player_form_fault(saved, envelope, data) or _strange_key(saved, envelope)


def _former_player_form_fault(saved: SavedGame, envelope: Envelope, data: bytes) -> Fault | None:
    """Say that orders stand in a form which was made for a player who has left."""
    seat, lines = envelope.seat, data.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, 1):
        said = read_marker(line) if "pbem form" in line else None
        if said is not None and (said.game, said.seat) == (saved.name, seat):
            former, holder = _former_player(saved, seat, said), saved.players.holder(seat)
            if not former:
                return None
            text = f"this form was made for {former}, and {holder} plays {seat} now"
            hint = (
                f"Print {holder}'s form: pbem form {saved.name} {seat}. If {holder} filled this one in, take "
                "this line away."
            )
            return Fault(number, 1, text, hint, kind="form-of-former")
    return None


def _strange_key(saved: SavedGame, envelope: Envelope) -> Fault | None:
    """Say that the key of orders was given to a player who has left, and whose name was changed by hand.

    A seat that changes hands by a command gets a new key with it; `game.yaml` cannot give it one.
    """
    if not saved.table.key or saved.players.standby(envelope.seat):
        return None
    seat, holder = envelope.seat, saved.players.holder(envelope.seat)
    if not (former := saved.tenures.untold(seat)):
        return None
    text = f"this key was given to {former}, and {holder} plays {seat} now"
    hint = f"Make a new one: pbem seat {saved.name} {seat} --new-key"
    return envelope.fault(("key",), text, hint, kind="key-of-former")


def strip_marker(data: bytes) -> bytes:
    """Return orders in a form that does not say whose it is; each line stays where it is."""
    lines = data.split(b"\n")
    return b"\n".join(b"#" if read_marker(line.decode("utf-8", "replace")) else line for line in lines)


def _former_player(saved: SavedGame, seat: Seat, said: Marker) -> str:
    """Return for which player who has left a form was made, or ""."""
    if saved.table.key or said == read_marker(
        marker_line(saved.name, seat, said.label, holder_secret(saved, seat))
    ):
        return ""
    for turn in reversed(saved.turns.numbers()):
        form = saved.turns.at(turn) / "reports" / seat / "orders.yaml"
        if form.exists() and read_marker(form.read_text().partition("\n")[0]) == said:
            return _former_holder_name(saved, turn, seat)
    return ""


def _former_holder_name(saved: SavedGame, turn: int, seat: Seat) -> str:
    """Return the player for whom a seat's report was made, if another has the seat now; else ""."""
    former = None if saved.table.key else saved.tenures.former(seat, turn)
    return former.name if former is not None else ""


def holder_secret(saved: SavedGame, seat: Seat) -> bytes:
    """Return what the code of a form is made with that is the present player's alone."""
    return saved.secret.seed + saved.players.holder(seat).encode()


KEYED: Final = "keyed:"
"""Before a seat: the moderator was told its key, to give it to its player."""


def seats_without_key(saved: SavedGame) -> tuple[Seat, ...]:
    """Return the seats whose orders must carry a key that was told to nobody.

    `pbem new` tells the keys of a game that asks for them from the first. Where `key: true` was written into
    `game.yaml` later, the commands that make a key tell it, and note that.
    """
    if not saved.table.key or _has_keys_from_start(saved):
        return ()
    told = set[str]()
    if saved.home.has_journal:
        with saved.home.journal() as db:
            told = {key.removeprefix(KEYED) for key in db.notes(saved.name, KEYED)}
    others = {*saved.players.bots, *saved.table.free, *told}
    return tuple(seat for seat in saved.start.seats if seat not in others and not saved.players.standby(seat))


def missing_keys_text(game: str, seats: Sequence[Seat]) -> str:
    """Return in words that some seats of a game have no key yet, and the command that gives it."""
    have, more = ("have", ", and so for each") if len(seats) > 1 else ("has", "")
    which = f"{', '.join(seats)} {have} no key yet, and orders must carry one"
    return f"{which}. Give it: pbem seat {game} {seats[0]} --new-key{more}"


def fault_text_for_host(game: str, fault: Fault) -> str:
    """Return what is wrong with lodged orders, in words for the moderator: a key, only its player can add."""
    return str(fault._replace(hint=key_advice(game)) if is_key_fault(fault) else fault)


def is_key_fault(fault: Fault) -> bool:
    """Tell whether a mistake is that the key is missing or another."""
    return fault.kind in ("key-missing", "key-wrong")


def key_advice(game: str) -> str:
    """Return what mends a key that is missing or another, in words for the moderator."""
    return f"Let the player send again with the key, which stands in games/{game}/secret.json."


def key_told_note(game: str, seat: Seat) -> Note:
    """Return the note that the moderator was told the key of a seat."""
    return Note(game, f"{KEYED}{seat}", "true")


def _has_keys_from_start(saved: SavedGame) -> bool:
    """Tell whether the game asked for keys when it was made, as the reports of then say."""
    facts = saved.turns.at(0) / "reports" / saved.start.seats[0] / "report.json"
    return not facts.is_file() or saves.read_json(facts).get("key_asked") is True
