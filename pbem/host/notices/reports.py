"""Reports that changed or do not know all: corrected ones, turns made again, and what came since."""

from __future__ import annotations

import datetime
from collections.abc import Container, Mapping, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.notices import is_for_silent
from pbem.host.notices.queue import (
    NoticeText,
    is_mailed,
    make_act,
    newest_report_telling,
    notice_to_player,
    notice_words,
    player_notices,
    players,
    render_paragraphs,
    words_to_send,
)
from pbem.host.run.losses import compared_facts, is_same_report
from pbem.host.run.notes import collect_unmailable, standby_replacements
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects_in, record_of_undone, short_root, submissions_of
from pbem.play.submissions.reinstated import is_remade
from pbem.play.turn.running import RerunNews, RunTerms
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.store.records import Note, QueuedNotice, facts_of
from pbem.text.codec import fields_of

_PARTS: Final = {
    "orders": ("orders", "stop_if"),
    "view": ("view", "history"),
    "ask": ("ask", "deadline"),
    "menus": ("menus",),
}
"""Facts of a report but for its events, by the part that tells them."""

_MOST_LABELS: Final = 4


def correction_notice(saved: SavedGame, seat: Seat, before: Place) -> NoticeText:
    """Return what a seat is told of its report of a turn that was taken back and run again.

    It tells what the seat's two reports show, and whether its own orders are others. Whose orders were the
    cause it does not tell.

    Args:
        saved: The game as the turn left it.
        seat: The seat.
        before: Where the turn lies that was taken back, and whose report they have.
    """
    after = saved.turns.at(saved.turn)
    try:
        old, new = (compared_facts(turn, seat) for turn in (before, after))
    except WrongInput:  # it may have been taken back because it is damaged
        old, new = {}, {}
    root, taken = record_of_undone(before).get("root"), seat in submissions_of(after)
    labels = _labels_that_differ(old, new)
    parts = [name for name, of in _PARTS.items() if any(old.get(one) != new.get(one) for one in of)]
    told: dict[str, Json] = {
        "turn": saved.turn,
        "root": short_root(str(root)) if root else "",
        "labels": [*(labels or ())],
        "parts": [*([] if labels is None else ["events"]), *parts],
        "counted": "others" if not is_same_orders(before, after, seat) else "same" if taken else "",
    }
    return notice_words(saved.home, "report-corrected", told)


def is_same_orders(before: Place, after: Place, seat: Seat) -> bool:
    """Tell whether the same orders of a seat counted in a turn before it was taken back and after."""
    ordered, orders = (submissions_of(turn).get(seat) for turn in (before, after))
    return ordered == orders or _counted_orders(before, seat) == _counted_orders(after, seat)


def _counted_orders(turn: Place, seat: Seat) -> list[tuple[Json, Json, bool]]:
    """Return what was done for a seat at each ask of it in a turn, and whether its own orders gave it."""
    steps = objects_in(record_of_undone(turn).get("steps"))
    sources = (fields_of(step["sources"]) for step in steps)
    return [
        (step["label"], fields_of(step["moves"]).get(seat), is_for_silent(str(gave[seat])))
        for step, gave in zip(steps, sources, strict=True)
        if seat in gave
    ]


def _labels_that_differ(old: Mapping[str, Json], new: Mapping[str, Json]) -> list[str] | None:
    """Return at which asks something else happened; [] if at many, or nobody can tell; None if nowhere."""
    before, after = (_events_by_label(facts) for facts in (old, new))
    labels = list(dict.fromkeys((*after, *before)))
    others = [label for label in labels if before.get(label) != after.get(label)]
    is_part = all(others) and len(others) < len(labels) and len(others) <= _MOST_LABELS
    return None if not others else others if is_part else []


def _events_by_label(facts: Mapping[str, Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for event in objects_in(facts.get("events")):
        found.setdefault(str(event.get("at", "")), []).append(event)
    return found


def terms_of_remake(terms: RunTerms, saved: SavedGame) -> RunTerms:
    """Return the terms of the run that makes a lost turn again: its reports tell that to all."""
    facts: dict[str, str | int] = {"turn": saved.turn + 1}
    acts = (*terms.policy.acts, render_paragraphs(saved.home, "acts/turn-remade", facts))
    kinds = (*terms.policy.act_facts, {"kind": "turn-remade", **facts})
    return terms._replace(policy=terms.policy._replace(acts=acts, act_facts=kinds))


def remake_news(saved: SavedGame, done: Note) -> RerunNews:
    """Return what all players are told of a newest turn that was made again, with its report.

    Args:
        saved: The game, whose newest turn was lost and made again.
        done: What notes that they are told.
    """
    home, game, turn = saved.home, saved.name, saved.turn
    about = f"remade-{short_root(str(saved.record['root']))}"
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))  # so the turn after it tells it not again
    facts = facts_of("turn-remade", turn=turn)
    with collect_unmailable(home) as found:
        told = player_notices(saved, now, about, facts, lambda _: {"turn": turn})
        reports = [one for seat in players(saved) for one in newest_report_telling(saved, now, seat, about)]
    act = make_act(now, game, "remade", public=True, facts=facts)
    return RerunNews((act, done, *told, *reports), tuple(words_to_send(home, game, found)))


def turn_stands_notice(saved: SavedGame) -> NoticeText:
    """Return what a seat is told whose report of the newest turn is as it was."""
    root = short_root(str(saved.record["root"]))
    return notice_words(saved.home, "turn-stands", {"turn": saved.turn, "root": root})


def rerun_news(saved: SavedGame) -> RerunNews:
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
        return RerunNews() if _is_noted(home, done) else remake_news(saved, done)
    by_hand = [seat for seat in players(saved) if not is_mailed(home, saved.players.address(seat))]
    done = Note(game, f"handed out:{turn}", str(saved.revision))
    if not (saved.revision and by_hand) or _is_noted(home, done):
        return RerunNews()
    return RerunNews((done,), tuple(words_to_send(home, game, _unmailed_rerun_tellings(saved, by_hand))))


def _is_noted(home: Home, done: Note) -> bool:
    if not home.has_journal:
        return False
    with home.journal() as db:
        return db.note(done.game, done.key) == done.value


def _unmailed_rerun_tellings(saved: SavedGame, seats: Sequence[Seat]) -> Mapping[str, QueuedNotice]:
    """Return what seats without mail are told of the turn that was run again."""
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))
    about = f"corrected r{saved.revision}"
    seated, same = standby_replacements(saved), turn_stands_notice(saved)
    with collect_unmailable(saved.home) as found:
        for seat in seats:
            told = rerun_notice(saved, seat, seated)
            is_same = told == same
            if told is not None:
                facts = facts_of("turn-stands" if is_same else "report-corrected", turn=saved.turn)
                notice_to_player(saved, now, seat, "notice", about, *told, facts=facts)
            if not is_same:
                newest_report_telling(saved, now, seat, about)
    return found


def rerun_notice(saved: SavedGame, seat: Seat, seated: Container[Seat]) -> NoticeText | None:
    """Return what a seat without mail is told of the newest turn, which was taken back and run again.

    Args:
        saved: The game.
        seat: The seat.
        seated: The seats that standbys took in that turn, from `standby_replacements`.

    Returns:
        The words; None for who has come to the seat since, or where the turn was lost and made again.
    """
    if is_remade(saved) or seat in seated:
        return None
    undone = saved.turns.taken_back(saved.turn)[-1]
    if saved.tenures.former(seat, saved.turn, undone.revision - 1) is not None:
        return None
    before = undone.place
    if is_same_report(before, saved.turns.at(saved.turn), seat):
        return turn_stands_notice(saved)
    return correction_notice(saved, seat, before)
