"""What players are to be told where no mail goes: the moderator gets the words, and sends them by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Concatenate, Final, ParamSpec

from pbem.core.events import Seat
from pbem.host.notices.telling import FOR_NEW_PLAYER
from pbem.host.notices.unmailed import kept_for_hand
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.records import Telling
from pbem.text.reports.layout import wrapped

P = ParamSpec("P")
_RULE: Final = "-" * 20


def with_words_to_send(
    deed: Callable[Concatenate[Home, str, P], str],
) -> Callable[Concatenate[Home, str, P], str]:
    """Let a deed that is told in a sentence tell too what the moderator is to send by hand."""

    @functools.wraps(deed)
    def done(home: Home, game: str, /, *more: P.args, **named: P.kwargs) -> str:
        with kept_for_hand(home) as found:
            said = deed(home, game, *more, **named)
        return "\n".join([said, *words_to_send(home, game, found)])

    return done


def words_to_send(home: Home, game: str, found: Mapping[str, Telling]) -> Iterator[str]:
    """Yield what the moderator is to send by hand, in lines: the same words once, with all their readers."""
    texts: dict[tuple[str, str], list[str]] = {}
    for one in found.values():
        if one.kind != "report":
            texts.setdefault((one.title, one.words), []).append(_reader(one))
    if not found:
        return
    has_mail = bool(home.mail_section())
    why = "No mail goes to readers without an address" if has_mail else "No mail goes out of this home"
    yield f"{why}: send this yourself."
    for (title, words), readers in texts.items():
        yield f"{_RULE} to {', '.join(readers)}{'; to each alone' if len(readers) > 1 else ''}"
        yield f"Subject: [{game}] {title}\n"
        yield from (wrapped(line) if line.strip() else "" for line in words.splitlines())
    if texts:
        yield _RULE
    reports = [one for one in found.values() if one.kind == "report"]
    for seat in (one.seat for one in reports):
        saved = SavedGame(home, game)
        kept = f"kept in {saved.turns.at(saved.turn) / 'reports' / seat}"
        along = f"Send report {saved.turn} and its form along"
        yield f"{along}: pbem report {game} {seat}, pbem form {game} {seat} ({kept})"
    pages = f"with the order pages: pbem report {game} --all DIR"
    if any(one.title.startswith(FOR_NEW_PLAYER) for one in reports):
        yield f"The player is new, so send the game book too: pbem book {game}. All of it, {pages}"
    elif len(reports) > 1:
        yield f"All of them at once, {pages}"


def _reader(told: Telling) -> str:
    return f"{Seat(told.seat)} ({', '.join(one for one in (told.reader, told.address) if one)})"
