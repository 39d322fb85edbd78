"""What would do in place of what is wrong: guesses at it, each tried out before it is offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from pbem.core.interface import Json, Label
from pbem.text.codec import items_of
from pbem.text.mending.drafts import Draft, sheet
from pbem.text.mending.guesses import Guess, entry_of, guessed
from pbem.text.mending.mending import may_be_mended, named_in
from pbem.text.mending.names import Known
from pbem.text.orders import MOST_FAULTS, Corrected, Fault, Faults
from pbem.text.plaintext import TextProblem, clean
from pbem.text.strictyaml import YamlProblem, dump_flow, parse

_MOST_TRIES: Final = 8
_MOST_CHOICES: Final = 3


Example = Callable[[Mapping[str, Json]], "tuple[str, Json] | None"]


class Learns(Protocol):
    """What tells what is known of a game, from the fields of an orders file."""

    def __call__(self, value: Mapping[str, Json]) -> Known:
        """Return what is known."""

    def named(self, written: str) -> str:
        """Return the id of the game that is written so; "" if it is none."""


@dataclass(frozen=True)
class Attempt:
    """Orders that were not accepted, and how to try others.

    Attributes:
        faults: What is wrong with them, as they are mended so far.
        judge: Judges an orders file: its mistakes, or anything else if it would be accepted.
        learn: Tells what is known of their game.
        example: An order that would be accepted now, with its label; None if there is none.
    """

    faults: list[Fault]
    judge: Callable[[bytes], object]
    learn: Learns
    example: Example


def offered(data: bytes, draft: Draft | None, attempt: Attempt) -> Faults:
    """Return the mistakes of orders, placed in the text as it came, with lines that would be accepted.

    Mistakes that show only when others are mended are among them, but not those of other orders: these were
    judged without the wrong ones, so what shows only now hangs on what was guessed.

    Args:
        data: The file as it came.
        draft: The text as far as it was mended; None if nothing was.
        attempt: What is wrong with that, and how to try others.
    """
    try:
        text = clean(data)
    except TextProblem:
        return Faults(attempt.faults)
    if not may_be_mended(data):
        return Faults(attempt.faults)
    start = draft or Draft.of(text)
    told = [_placed(fault, start, text) for fault in attempt.faults]
    parts = {"", *(fault.part.partition(".")[0] for fault in attempt.faults)}
    is_apart = all(fault.part for fault in attempt.faults)
    better: Draft | None = None
    for choice in range(_MOST_CHOICES):
        better, more = _tried(start, attempt, choice, text)
        lines = {one.line for one in told}
        more = [one for one in more if not is_apart or one.part.partition(".")[0] in parts]
        told += [one for one in more if one.line not in lines and (one.line, one.column) != (1, 1)]
        if better is not None:
            break
    notes = tuple((one.text, one.line) for one in start.notes)
    faults = sorted(set(told))[:MOST_FAULTS]
    if better is not None:
        return Faults(faults, _changed(text, better), notes, whole=_without_comments(better.text))
    example = _example(start, attempt)
    return Faults(faults, (), notes, whole=example, is_example=bool(example))


def _tried(start: Draft, attempt: Attempt, choice: int, text: str) -> tuple[Draft | None, list[Fault]]:
    """Return the text with what was guessed in place of each mistake, if that would be accepted.

    Args:
        start: The text to begin with.
        attempt: What is wrong with it.
        choice: Which guess is taken where there are several, from 0.
        text: The text as it came.

    Returns:
        The text, or None; and the mistakes that showed on the way.
    """
    found, more, tried = attempt.faults, list[Fault](), Guess(start)
    for _ in range(_MOST_TRIES):
        guess = guessed(tried, found, attempt.learn, choice)
        if guess is None or guess.draft.text == tried.draft.text:
            break
        tried = guess
        result = attempt.judge(tried.draft.text.encode())
        if not isinstance(result, list):
            return (tried.draft if tried.is_whole else None), more
        found = result
        seen = {one.line for one in more}  # more of such a line may be of what was guessed there
        more += [one for fault in found if (one := _placed(fault, tried.draft, text)).line not in seen]
    return None, more


def _without_comments(text: str) -> tuple[str, ...]:
    """Return the lines of a file without empty ones and comments, if it says the same without them."""
    bare = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    try:
        return tuple(bare if parse("\n".join(bare)).value == parse(text).value else text.split("\n"))
    except YamlProblem:
        return tuple(text.split("\n"))


def placed(faults: list[Fault], draft: Draft, data: bytes) -> list[Fault]:
    """Return mistakes of a text that was changed at their places in the file as it came."""
    text = clean(data)
    return [_placed(fault, draft, text) for fault in faults]


def _placed(fault: Fault, draft: Draft, text: str) -> Fault:
    line, column = draft.place(text, fault.line, fault.column)
    return fault._replace(line=line, column=column)


def _changed(text: str, draft: Draft) -> tuple[Corrected, ...]:
    """Return the lines that differ, with those of the entry around them."""
    old, new = text.split("\n"), draft.text.split("\n")
    by_line: dict[int, list[str]] = {}
    for line, number in zip(new, draft.lines, strict=True):
        by_line.setdefault(number, []).append(line)
    changed = {n for n, line in enumerate(old, 1) if by_line.get(n, []) != [line]}
    shown = sorted({near for n in changed for near in entry_of(old, n)})
    out: list[Corrected] = []
    for number in shown:
        lines = tuple(by_line.get(number, []))
        if out and number == out[-1].line + out[-1].count:
            out[-1] = Corrected(out[-1].line, out[-1].count + 1, (*out[-1].lines, *lines))
        else:
            out.append(Corrected(number, 1, lines))
    return tuple(out)


def _says_more(draft: Draft) -> bool:
    """Tell whether a text holds several lines of orders, or messages."""
    try:
        value = sheet(draft.text).value
    except YamlProblem:
        return draft.text.count("\n- ") > 1
    return len(items_of(value.get("orders"))) > 1 or "press" in value


def _example(start: Draft, attempt: Attempt) -> tuple[str, ...]:
    """Return an orders file with an example for the seat that a text names, if it would be accepted.

    It would stand in place of all that was written, so it is for texts that hold one line of orders at most.
    """
    named = {name: str(one) for name, one in named_in(start.text).items()}
    game = attempt.learn.named(named.get("game", ""))
    seats = attempt.learn({"game": game}).seats
    called = seats.called(named.get("seat", ""))
    if not game or len(called) != 1 or _says_more(start):
        return ()
    value: dict[str, Json] = {**named, "game": game, "seat": called[0]}
    able = attempt.example(value)
    if able is None:
        return ()
    label, order = able
    key = f"key: {named['key']}\n" if "key" in named else ""
    seat = called[0] if called[0].isdigit() else dump_flow(called[0])
    whole = f"game: {game}\nseat: {seat}\n{key}orders:\n- at: {Label(label)}\n  do: {dump_flow(order)}"
    return () if isinstance(attempt.judge(f"{whole}\n".encode()), list) else tuple(whole.split("\n"))
