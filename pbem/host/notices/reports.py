"""Reports that changed or do not know all: corrected ones, turns made again, and what came since."""

from __future__ import annotations

import datetime
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.labels import BEFORE_DEAL
from pbem.core.notices import is_for_silent
from pbem.core.wording import listed
from pbem.host.notices.queue import act_of, is_mailed, players, to_player, with_newest, words_to_send
from pbem.host.notices.wording import Words, notice_words, notify
from pbem.host.run.losses import compared_facts, is_same_report
from pbem.host.run.notes import kept_for_hand, notes_of, stood_in
from pbem.play.homes.home import Home
from pbem.play.homes.players import is_another, named_in_report
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects, record_of_undone, short, submissions_of
from pbem.play.submissions.gate import standing
from pbem.play.submissions.reinstated import is_remade, told_of_remade
from pbem.play.turn.running import Terms, ToTell
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.store.records import Note, Telling, facts_of
from pbem.text.codec import fields_of
from pbem.text.judging import Judge
from pbem.text.reports.facts import pending

_PARTS: Final = {
    "your orders for later": ("orders", "stop_if"),
    "how the game stands": ("view", "history"),
    "who is asked and when orders are due": ("ask", "deadline"),
    "what you can do now": ("menus",),
}
"""Facts of a report but for its events, by words for the part that tells them."""

_MOST_LABELS: Final = 4


def corrected_in_words(saved: SavedGame, seat: Seat, before: Place, held: Mapping[Seat, str]) -> str:
    """Return what a seat is told above the report of a turn that was taken back and run again, in sentences.

    They tell what the seat's two reports show, and whether its own orders are others. Whose orders were the
    cause they do not tell.

    Args:
        saved: The game as the turn left it.
        seat: The seat.
        before: Where the turn lies that was taken back, and whose report they have.
        held: The seats whose orders the moderator holds back, each with the reason.
    """
    after = saved.turns.at(saved.turn)
    try:
        old, new = (compared_facts(turn, seat) for turn in (before, after))
    except WrongInput:  # it may have been taken back because it is damaged
        old, new = {}, {}
    root = record_of_undone(before).get("root")
    said = [
        f"There is a corrected report of turn {saved.turn}: the moderator took the turn back, and ran it "
        "again.",
        f"The earlier report{f', with {short(str(root))} at its foot,' if root else ''} does not count.",
    ]
    if differs := list(_differing(old, new)):
        said.append(f"These parts of it are not as they were: {listed(differs)}.")
    if not is_same_orders(before, after, seat):
        said.append("The orders of yours that counted are not those that counted before.")
    elif seat in submissions_of(after):
        said.append("The same orders of yours counted as before.")
    judged = [f"Orders of yours are held back: {held[seat]}."] if seat in held else _judged(saved, seat)
    return " ".join([*said, *judged])


def is_same_orders(before: Place, after: Place, seat: Seat) -> bool:
    """Tell whether the same orders of a seat counted in a turn before it was taken back and after."""
    ordered, orders = (submissions_of(turn).get(seat) for turn in (before, after))
    return ordered == orders or _counted(before, seat) == _counted(after, seat)


def _counted(turn: Place, seat: Seat) -> list[tuple[Json, Json, bool]]:
    """Return what was done for a seat at each ask of it in a turn, and whether its own orders gave it."""
    steps = objects(record_of_undone(turn).get("steps"))
    sources = (fields_of(step["sources"]) for step in steps)
    return [
        (step["label"], fields_of(step["moves"]).get(seat), is_for_silent(str(gave[seat])))
        for step, gave in zip(steps, sources, strict=True)
        if seat in gave
    ]


def _judged(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Say which of a seat's orders that stand now do not fit what the turn has left, each with the reason."""
    ask, now, lines = saved.ask, saved.position, standing(saved, seat).lines
    if isinstance(ask, Outcome) or ask.label in BEFORE_DEAL or not lines:
        return
    rows = objects(pending(saved.opening, saved.view(now.game, seat), ask, now.asked, seat, Orders(lines)))
    reasons = [_reason(row) for row in rows]
    if not any(reasons):
        yield "Your orders that stand now still fit, as far as can be seen."
        return
    yield "Orders of yours stand that do not fit what is so now."
    judge = Judge(saved.opening, now.game, now.asked, seat)
    for line, reason in zip(lines, reasons, strict=True):
        if reason:
            yield f"Order {line.number} ({judge.meant(line, lines)}) {reason}."


def _reason(row: Mapping[str, Json]) -> str:
    """Return why a line that stands does not fit, from its row in a report; "" if it may fit."""
    if never := row.get("never"):
        return f"can never be played: {never}"
    if wrong := row.get("now"):
        return f"could not be played as things stand: {wrong}"
    return f"does not answer {row['unfit']}: what it waits for is not so" if "unfit" in row else ""


def _differing(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    """Name the parts of a report that are not as they were."""
    before, after = (_events_by_label(facts) for facts in (old, new))
    labels = list(dict.fromkeys((*after, *before)))
    if others := [label for label in labels if before.get(label) != after.get(label)]:
        is_part = all(others) and len(others) < len(labels) and len(others) <= _MOST_LABELS
        yield f"what happened at {listed(others)}" if is_part else "what happened"
    for words, names in _PARTS.items():
        if any(old.get(name) != new.get(name) for name in names):
            yield words


def _events_by_label(facts: Mapping[str, Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for event in objects(facts.get("events")):
        found.setdefault(str(event.get("at", "")), []).append(event)
    return found


def with_remade(terms: Terms, saved: SavedGame) -> Terms:
    """Return the terms of the run that makes a lost turn again: its reports tell that to all."""
    acts = (*terms.policy.acts, told_of_remade(saved.turn + 1))
    return terms._replace(policy=terms.policy._replace(acts=acts))


def tell_remade(saved: SavedGame, done: Note) -> ToTell:
    """Return what all players are told of a newest turn that was made again, with its report.

    Args:
        saved: The game, whose newest turn was lost and made again.
        done: What notes that they are told.
    """
    home, game, turn = saved.home, saved.name, saved.turn
    about = f"remade-{short(str(saved.record['root']))}"
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))  # so the turn after it tells it not again
    facts = facts_of("turn-remade", turn=turn)
    with kept_for_hand(home) as found:
        told = notify(saved, now, about, facts, lambda _: {"turn": turn})
        reports = [one for seat in players(saved) for one in with_newest(saved, now, seat, about)]
    act = act_of(now, game, "remade", told_of_remade(turn), public=True, facts=facts)
    return ToTell((act, done, *told, *reports), tuple(words_to_send(home, game, found)))


_AND_NOW: Final = "Please read the corrected report."


def stands(saved: SavedGame) -> Words:
    """Return what a seat is told whose report of the newest turn is as it was."""
    root = short(str(saved.record["root"]))
    return notice_words(saved.home, "turn-stands", {"turn": saved.turn, "root": root})


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
