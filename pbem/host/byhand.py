"""What players are to be told where no mail goes: the moderator gets the words, and sends them by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Concatenate, Final, ParamSpec

from pbem.core.events import Seat
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.records import Telling
from pbem.text.layout import wrapped

P = ParamSpec("P")
_RULE: Final = "-" * 20


@contextmanager
def kept_for_hand(home: Home) -> Iterator[Mapping[str, Telling]]:
    """Keep what is to be told and cannot be mailed while something is done in a home."""
    found: dict[str, Telling] = {}
    home.unmailed = found
    try:
        yield found
    finally:
        home.unmailed = None


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
        yield f"{_RULE} to {', '.join(readers)}"
        yield f"Subject: [{game}] {title}\n"
        yield from (wrapped(line) if line.strip() else "" for line in words.splitlines())
    if texts:
        yield _RULE
    reports = [one.seat for one in found.values() if one.kind == "report"]
    for seat in reports:
        saved = SavedGame(home, game)
        kept = f"kept in {saved.turns.at(saved.turn) / 'reports' / seat}"
        along = f"Send report {saved.turn} and its form along"
        yield f"{along}: pbem report {game} {seat}, pbem form {game} {seat} ({kept})"


def _reader(told: Telling) -> str:
    return f"{Seat(told.seat)} ({', '.join(one for one in (told.reader, told.address) if one)})"
