"""What would do in place of what is wrong: guesses at it, each tried out before it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple, Protocol, TypeVar

from pbem.core.events import MODERATOR
from pbem.core.interface import Json, Label
from pbem.core.remedies import Inside, Meant, Missing, Remedy, With, Without
from pbem.text.codec import fields_of, items_of
from pbem.text.mending.broken import close_last_line
from pbem.text.mending.drafts import Draft, Edit, Sheet, parse_sheet
from pbem.text.mending.lines import guess_readers, seat_yaml, similar_seat
from pbem.text.mending.mending import Learn, find_names, is_mendable
from pbem.text.mending.names import KnownGame
from pbem.text.orders import MOST_FAULTS, Correction, Fault, Faults
from pbem.text.plaintext import TextProblem, clean_text
from pbem.text.strictyaml import Path, YamlProblem, dump_flow, parse

R = TypeVar("R", bound=Remedy)


def guess_edits(page: Sheet, fault: Fault, known: KnownGame) -> Iterator[Edit]:
    """Yield what may be meant in place of a mistake, the likeliest first.

    Args:
        page: The text.
        fault: The mistake.
        known: What is known of the game.
    """
    value, key = _paths_at(page, fault)
    if key is not None:
        yield from _key_edits(page, key, fault)
    path = value if value is not None else key
    if path is not None:
        yield from _of_value(page, path, fault, known, is_key=value is None)


def _is_in_condition(path: Path) -> bool:
    """Tell whether something stands in a condition."""
    return (path[:1] == ("stop_if",) and len(path) > 1) or (path[2:3] == ("when",) and len(path) > 3)


def _key_edits(page: Sheet, key: Path, fault: Fault) -> Iterator[Edit]:
    """Yield what may be meant by a field that is wrong."""
    if _is_in_condition(key):
        if (meant := _first_remedy(fault, Meant)) is not None:
            yield page.rename(key, str(meant.value))
        if str(key[-1]).isdigit() and page.at(key) is None:  # what stands behind a comma: 2,0
            yield page.without(key, "")
    elif fault.kind == "field-unknown":
        if (meant := _first_remedy(fault, Meant)) is not None:
            yield page.rename(key, str(meant.value))
        if (around := _first_remedy(fault, Inside)) is not None:
            yield from _move_inside(page, key, around.name)
    elif fault.kind == "fields-together":
        yield page.without(key, "")


def _move_inside(page: Sheet, key: Path, around: str) -> Iterator[Edit]:
    """Yield the order with a field moved inside the one beside it that it belongs to."""
    *order, name = key
    fields = fields_of(page.at(tuple(order)))
    inside = fields.get(around)
    if isinstance(inside, dict) and name not in inside:
        rest = {field: value for field, value in fields.items() if field != name}
        moved: Json = {**rest, around: {**inside, str(name): fields[str(name)]}}
        yield page.put(tuple(order), dump_flow(moved))


def _first_remedy(fault: Fault, kind: type[R]) -> R | None:
    """Return the first remedy of a kind."""
    return next((one for one in fault.remedies if isinstance(one, kind)), None)


def _of_value(page: Sheet, path: Path, fault: Fault, known: KnownGame, *, is_key: bool) -> Iterator[Edit]:
    """Yield what may be meant by a value that is wrong, or whose key is."""
    value = page.at(path)
    if path[-1:] == ("at",) and known.here is not None:
        yield page.put(path, known.here)
    if path == ("seat",) and len(near := known.seats.ids_by_part(str(value))) == 1:
        yield page.put(path, dump_flow(near[0]))
    yield from _message_edits(page, path, fault, known)
    if (added := _first_remedy(fault, With)) is not None and isinstance(value, dict):
        yield _add_field(page, path, f"{added.name}: {_as_value(added.value)}")
    if len(path) < (2 if path[0] == "stop_if" else 3) or path[0] not in ("orders", "stop_if"):
        return
    if (out := _first_remedy(fault, Without)) is not None:
        keys = (one for one in page.keys if one[:3] == path[:3] and one[-1] == out.name)
        yield from (page.without(one, "") for one in keys)
    meant = _first_remedy(fault, Meant)
    if meant is not None and (meant.is_order or not (is_key or isinstance(value, dict))):
        yield page.put(path[:3] if meant.is_order else path, _as_value(meant.value))
    elif isinstance(value, str) and path[2:3] == ("do",) and (seat := similar_seat(value, known)):
        yield page.put(path, seat_yaml(seat))


def _message_edits(page: Sheet, path: Path, fault: Fault, known: KnownGame) -> Iterator[Edit]:
    """Yield what may stand where a message has no such reader, or a field is missing.

    A message is never offered to readers whom its writer may not have meant: who they are is not guessed.
    """
    if fault.kind == "press-reader" and (to := guess_readers(page, path, known)):
        yield page.put(path, to)
    if Missing("points") in fault.remedies:
        yield _add_field(page, path, "points: 1")


def removal_edits(page: Sheet, fault: Fault) -> list[Edit]:
    """Return a change that only serves to see what is wrong besides: it must never be offered.

    A message would go to others, and an order without its condition would be tried always.
    """
    value, key = _paths_at(page, fault)
    if key is not None and _is_in_condition(key):
        return [page.without(key[:-1] if len(_siblings(page, key)) == 1 else key, "")]
    if key is not None and fault.kind == "field-unknown":
        return [page.without(key, "")]
    if value is None or value[0] != "press":
        return []
    if fault.kind == "press-reader":
        return [page.put(value, MODERATOR)]
    return [_add_field(page, value, f"to: {MODERATOR}")] if Missing("to") in fault.remedies else []


def _add_field(page: Sheet, path: Path, field: str) -> Edit:
    """Return the change that writes one more field before the others of a place."""
    node = page.values[path]
    if page.text[node.start] == "{":
        return Edit(node.start + 1, node.start + 1, f"{field}, ")
    indent = node.start - page.text.rfind("\n", 0, node.start) - 1
    return Edit(node.start, node.start, f"{field}\n{' ' * indent}")


def _siblings(page: Sheet, key: Path) -> list[str]:
    around = page.at(key[:-1])
    return list(around) if isinstance(around, dict) else []


def _as_value(value: Json) -> str:
    """Return a value as it is written; digits as a number, for so people write them."""
    return dump_flow(int(value) if isinstance(value, str) and value.isdigit() else value)


def _paths_at(page: Sheet, fault: Fault) -> tuple[Path | None, Path | None]:
    """Return the paths of the value and of the key that start where a mistake is."""
    lines = page.text.split("\n")
    at = sum(len(line) + 1 for line in lines[: fault.line - 1]) + fault.column - 1
    values = [path for path, node in page.values.items() if node.start == at and path]
    keys = [path for path, node in page.keys.items() if node.start == at]
    return max(values, key=len, default=None), max(keys, key=len, default=None)


class GuessedDraft(NamedTuple):
    """A text with a guess for each mistake.

    Attributes:
        draft: The text.
        is_whole: Nothing was only put aside.
    """

    draft: Draft
    is_whole: bool = True


def apply_guesses(
    before: GuessedDraft, faults: list[Fault], learn: Learn, choice: int
) -> GuessedDraft | None:
    """Return a text with a guess for each of its mistakes besides those made before; None without any.

    Args:
        before: The text as it stands.
        faults: Its mistakes.
        learn: Tells what is known of its game.
        choice: Which guess is taken where there are several, from 0.
    """
    draft = before.draft
    try:
        page = parse_sheet(draft.text)
    except YamlProblem as problem:
        if (whole := close_last_line(draft, problem)) is not None:
            return before._replace(draft=whole)
        shorter = _remove_entry(draft, problem.mark.line)
        return None if shorter is None else GuessedDraft(shorter, is_whole=False)
    known = learn(page.value)
    edits, aside = list[Edit](), list[Edit]()
    for fault in faults:
        found = [one for one in guess_edits(page, fault, known) if _is_change(page, one)]
        if found:
            edits.append(found[min(choice, len(found) - 1)])
        else:
            aside += removal_edits(page, fault)
    if not (edits or aside):
        return None
    return GuessedDraft(draft.edited([*edits, *aside]), before.is_whole and not aside)


def _is_change(page: Sheet, edit: Edit) -> bool:
    return page.text[edit.start : edit.end].strip() != edit.new.strip()


def _remove_entry(draft: Draft, number: int) -> Draft | None:
    """Return a text that cannot be read without the line of orders around a row, if there are others."""
    rows = draft.text.split("\n")
    if not 0 < number <= len(rows):
        return None
    own = list_entry_lines(rows, number)
    top = next((row for row in reversed(rows[: own[0]]) if row[:1].isalpha()), "")
    begins = [n for n, row in enumerate(rows, 1) if row.lstrip().startswith("- ")]
    if not top.startswith("orders:") or own[0] not in begins or len(begins) < 2:
        return None
    starts = [0, *accumulate(len(row) + 1 for row in rows)]
    return draft.edited([Edit(starts[own[0] - 1], min(starts[own[-1]], len(draft.text)), "")])


def list_entry_lines(lines: list[str], number: int) -> list[int]:
    """Return the numbers of the lines of the list entry that a line belongs to, without comments."""
    first = number
    while first > 1 and _indent(lines[first - 1]) > 0 and not lines[first - 1].lstrip().startswith("- "):
        first -= 1
    if not lines[first - 1].lstrip().startswith("- "):
        return [number]
    last, deep = first, _indent(lines[first - 1])
    while last < len(lines) and lines[last].strip() and _indent(lines[last]) > deep:
        last += 1
    last = max(last, number)
    return [n for n in range(first, last + 1) if n == number or not lines[n - 1].lstrip().startswith("#")]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


_MOST_TRIES: Final = 8
_MOST_CHOICES: Final = 3


Example = Callable[[Mapping[str, Json]], "tuple[str, Json] | None"]


class GameLearner(Protocol):
    """What tells what is known of a game, from the fields of an orders file."""

    def __call__(self, value: Mapping[str, Json]) -> KnownGame:
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
    learn: GameLearner
    example: Example


def offer_corrections(data: bytes, draft: Draft | None, attempt: Attempt) -> Faults:
    """Return the mistakes of orders, placed in the text as it came, with lines that would be accepted.

    Mistakes that show only when others are mended are among them, but not those of other orders: these were
    judged without the wrong ones, so what shows only now hangs on what was guessed.

    Args:
        data: The file as it came.
        draft: The text as far as it was mended; None if nothing was.
        attempt: What is wrong with that, and how to try others.
    """
    try:
        text = clean_text(data)
    except TextProblem:
        return Faults(attempt.faults)
    if not is_mendable(data):
        return Faults(attempt.faults)
    start = draft or Draft.of(text)
    told = [_place_fault(fault, start, text) for fault in attempt.faults]
    parts = {"", *(fault.part.partition(".")[0] for fault in attempt.faults)}
    is_apart = all(fault.part for fault in attempt.faults)
    better: Draft | None = None
    for choice in range(_MOST_CHOICES):
        better, more = _try_text(start, attempt, choice, text)
        lines = {one.line for one in told}
        more = [one for one in more if not is_apart or one.part.partition(".")[0] in parts]
        told += [one for one in more if one.line not in lines and (one.line, one.column) != (1, 1)]
        if better is not None:
            break
    notes = tuple((one.text, one.line) for one in start.notes)
    faults = sorted(set(told))[:MOST_FAULTS]
    if better is not None:
        return Faults(faults, _changed_lines(text, better), notes, whole=_without_comments(better.text))
    example = _example(start, attempt)
    return Faults(faults, (), notes, whole=example, is_example=bool(example))


def _try_text(start: Draft, attempt: Attempt, choice: int, text: str) -> tuple[Draft | None, list[Fault]]:
    """Return the text with what was guessed in place of each mistake, if that would be accepted.

    Args:
        start: The text to begin with.
        attempt: What is wrong with it.
        choice: Which guess is taken where there are several, from 0.
        text: The text as it came.

    Returns:
        The text, or None; and the mistakes that showed on the way.
    """
    found, more, tried = attempt.faults, list[Fault](), GuessedDraft(start)
    for _ in range(_MOST_TRIES):
        guess = apply_guesses(tried, found, attempt.learn, choice)
        if guess is None or guess.draft.text == tried.draft.text:
            break
        tried = guess
        result = attempt.judge(tried.draft.text.encode())
        if not isinstance(result, list):
            return (tried.draft if tried.is_whole else None), more
        found = result
        seen = {one.line for one in more}  # more of such a line may be of what was guessed there
        more += [one for fault in found if (one := _place_fault(fault, tried.draft, text)).line not in seen]
    return None, more


def _without_comments(text: str) -> tuple[str, ...]:
    """Return the lines of a file without empty ones and comments, if it says the same without them."""
    bare = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    try:
        return tuple(bare if parse("\n".join(bare)).value == parse(text).value else text.split("\n"))
    except YamlProblem:
        return tuple(text.split("\n"))


def place_faults(faults: list[Fault], draft: Draft, data: bytes) -> list[Fault]:
    """Return mistakes of a text that was changed at their places in the file as it came."""
    text = clean_text(data)
    return [_place_fault(fault, draft, text) for fault in faults]


def _place_fault(fault: Fault, draft: Draft, text: str) -> Fault:
    line, column = draft.place(text, fault.line, fault.column)
    return fault._replace(line=line, column=column)


def _changed_lines(text: str, draft: Draft) -> tuple[Correction, ...]:
    """Return the lines that differ, with those of the entry around them."""
    old, new = text.split("\n"), draft.text.split("\n")
    by_line: dict[int, list[str]] = {}
    for line, number in zip(new, draft.lines, strict=True):
        by_line.setdefault(number, []).append(line)
    changed = {n for n, line in enumerate(old, 1) if by_line.get(n, []) != [line]}
    shown = sorted({near for n in changed for near in list_entry_lines(old, n)})
    out: list[Correction] = []
    for number in shown:
        lines = tuple(by_line.get(number, []))
        if out and number == out[-1].line + out[-1].count:
            out[-1] = Correction(out[-1].line, out[-1].count + 1, (*out[-1].lines, *lines))
        else:
            out.append(Correction(number, 1, lines))
    return tuple(out)


def _has_more_lines(draft: Draft) -> bool:
    """Tell whether a text holds several lines of orders, or messages."""
    try:
        value = parse_sheet(draft.text).value
    except YamlProblem:
        return draft.text.count("\n- ") > 1
    return len(items_of(value.get("orders"))) > 1 or "press" in value


def _example(start: Draft, attempt: Attempt) -> tuple[str, ...]:
    """Return an orders file with an example for the seat that a text names, if it would be accepted.

    It would stand in place of all that was written, so it is for texts that hold one line of orders at most.
    """
    named = {name: str(one) for name, one in find_names(start.text).items()}
    game = attempt.learn.named(named.get("game", ""))
    seats = attempt.learn({"game": game}).seats
    called = seats.called(named.get("seat", ""))
    if not game or len(called) != 1 or _has_more_lines(start):
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
