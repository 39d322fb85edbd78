"""Whose form or key it is: that of a player who has left is told from the present one's."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.play.homes.arrivals import is_another, is_of_others, named_in_report, recorded_names
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.orders.marker import Marker, find, marker
from pbem.text.submission.orders import Envelope, Fault


def own_marker(saved: SavedGame, seat: Seat, form: str) -> str:
    """Return the first line that a form of the newest turn has for the present player of its seat.

    Returns:
        Another line than it has if it was made for a player who has left, and the game asks no keys; else "".
    """
    said = find(form.partition("\n")[0])
    if said is None or not said.code or not _made_for_another(saved, saved.turn, seat):
        return ""
    return marker(saved.name, seat, said.label, holder_secret(saved, seat))


def own_form(saved: SavedGame, seat: Seat, form: str) -> str:
    """Return a form of the newest turn as the present player of its seat gets it."""
    mine = own_marker(saved, seat, form)
    return f"{mine}\n{form.partition(chr(10))[2]}" if mine else form


def of_another(saved: SavedGame, envelope: Envelope, data: bytes) -> Fault | None:
    """Say that the form or the key of orders was given to a player who has left.

    Args:
        saved: The game.
        envelope: Of the orders; where it names no seat of the game, that is the mistake, and this is none.
        data: The orders file.
    """
    if envelope.seat not in saved.start.seats:
        return None
    return _strange_form(saved, envelope, data) or _strange_key(saved, envelope)


def _strange_form(saved: SavedGame, envelope: Envelope, data: bytes) -> Fault | None:
    """Say that orders stand in a form which was made for a player who has left."""
    seat, lines = envelope.seat, data.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, 1):
        said = find(line) if "pbem form" in line else None
        if said is not None and (said.game, said.seat) == (saved.name, seat):
            former, holder = _former(saved, seat, said), saved.players.holder(seat)
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
    if not (former := changed_by_hand(saved, seat)):
        return None
    text = f"this key was given to {former}, and {holder} plays {seat} now"
    hint = f"Make a new one: pbem seat {saved.name} {seat} --new-key"
    return envelope.fault(("key",), text, hint, kind="key-of-former")


def changed_by_hand(saved: SavedGame, seat: Seat) -> str:
    """Return who had a seat before its player of now, if no command has told that they left; else ""."""
    for turn in reversed(saved.turns.numbers()):
        name = named_in_report(saved.turns.at(turn), seat).get(seat, "")
        if is_of_others(saved, seat, name):
            return "" if name in recorded_names(saved, (seat,))[seat] else name
    return ""


def nobodys(data: bytes) -> bytes:
    """Return orders in a form that does not say whose it is; each line stays where it is."""
    lines = data.split(b"\n")
    return b"\n".join(b"#" if find(line.decode("utf-8", "replace")) else line for line in lines)


def _former(saved: SavedGame, seat: Seat, said: Marker) -> str:
    """Return for which player who has left a form was made, or ""."""
    if saved.table.key or said == find(marker(saved.name, seat, said.label, holder_secret(saved, seat))):
        return ""
    for turn in reversed(saved.turns.numbers()):
        form = saved.turns.at(turn) / "reports" / seat / "orders.yaml"
        if form.exists() and find(form.read_text().partition("\n")[0]) == said:
            return _made_for_another(saved, turn, seat)
    return ""


def _made_for_another(saved: SavedGame, turn: int, seat: Seat) -> str:
    """Return the player for whom a seat's report was made, if another has the seat now; else ""."""
    name = "" if saved.table.key else named_in_report(saved.turns.at(turn), seat).get(seat, "")
    return name if is_another(saved, seat, name) else ""


def holder_secret(saved: SavedGame, seat: Seat) -> bytes:
    """Return what the code of a form is made with that is the present player's alone."""
    return saved.secret.seed + saved.players.holder(seat).encode()
