"""A text with a guess in place of each of its mistakes, and what was done for that."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from pbem.text.mending.guesses import Example, guesses, left_out, put_aside
from pbem.text.mending.mending import Learn
from pbem.text.mending.shape.drafts import Draft, Edit, Sheet, sheet, shortened
from pbem.text.schemas.codec import fields_of, items_of
from pbem.text.submission.orders import Fault
from pbem.text.yaml.strictyaml import YamlProblem

MOST_CHOICES: Final = 3
LEAVE_OUT: Final = MOST_CHOICES
"""The last choice, after all guesses: what can be left out is left out."""


class Guess(NamedTuple):
    """A text with a guess for each mistake.

    Attributes:
        draft: The text.
        examples: The lines of the first text where an example was put in place of something.
        is_meant: So is what may have been meant.
        is_less: What nobody can mend was left out.
        is_whole: Nothing was only put aside.
        left: What was left out, in words, each with the mistake that it was left out for.
        shown: In what an example was put, in words, each with its line of the first text.
    """

    draft: Draft
    examples: frozenset[int] = frozenset()
    is_meant: bool = False
    is_less: bool = False
    is_whole: bool = True
    left: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, int], ...] = ()

    @property
    def is_example(self) -> bool:
        """Whether an example stands in it: those in lines that were left out do not."""
        return not self.examples.isdisjoint(self.draft.lines)

    @property
    def is_mended(self) -> bool:
        """Whether it says all that was written, and nothing else."""
        return not (self.is_example or self.is_less)

    def done(self, told: Container[str]) -> Iterator[str]:
        """Yield in sentences what was left out, and where an example stands beside what was written.

        Args:
            told: The mistakes that are told besides, in sentences: these are not told again.
        """
        for what, why in dict(reversed(self.left)).items():
            end = "" if why.endswith((".", "?", "!")) else "."
            yield f"Left out: {what}, for {'what is wrong with it.' if why in told else why + end}"
        for what in dict.fromkeys(what for what, line in self.shown if line in self.draft.lines):
            yield f"An example stands in {what}: put your own choice in its place."


def guessed(before: Guess, faults: list[Fault], learn: Learn, example: Example, choice: int) -> Guess | None:
    """Return a text with a guess for each of its mistakes besides those made before; None without any.

    Args:
        before: The text as it stands.
        faults: Its mistakes.
        learn: Tells what is known of its game.
        example: An order that would be accepted now, with its label; None if there is none.
        choice: Which guess is taken where there are several, from 0; or LEAVE_OUT.
    """
    draft = before.draft
    try:
        page = sheet(draft.text)
    except YamlProblem as problem:
        from pbem.text.mending.shape.unbraced import closed_at_end  # only such a text needs it

        if choice != LEAVE_OUT and (whole := closed_at_end(draft, problem)) is not None:
            return before._replace(draft=whole)
        shorter = _without_entry(draft, problem.mark.line)
        if shorter is None:
            return None
        rows = draft.text.split("\n")
        row = shortened(rows[entry_of(rows, problem.mark.line)[0] - 1])
        unread = (f"your line `{row}`", problem.text)
        return before._replace(draft=shorter, is_less=True, left=(*before.left, unread))
    known = learn(page.value)
    wrong = {int(number) for fault in faults if (number := fault.part.partition(".")[0])}
    edits, out, aside = list[tuple[Edit, bool]](), list[Edit](), list[Edit]()
    left, shown = [*before.left], [*before.shown]
    for fault in faults:
        without = list(left_out(page, fault, known, wrong))
        found = [
            one for one in guesses(page, fault, known, None if without else example) if _changes(page, one[0])
        ]
        if found and not (without and choice == LEAVE_OUT):
            edits.append(found[min(choice, len(found) - 1)])
            edit, is_example = edits[-1]
            shown += [(_called(page, fault, edit), _line(draft, edit))] if is_example else []
        elif without:
            out += without
            left.append((_called(page, fault), fault.sentence))
        else:
            aside += put_aside(page, fault)
    if not (edits or out or aside):
        return None
    kinds = {is_example for _, is_example in edits}
    put = {_line(draft, edit) for edit, is_example in edits if is_example}
    return Guess(
        draft.edited([*(edit for edit, _ in edits), *out, *aside]),
        before.examples | put,
        before.is_meant or False in kinds,
        before.is_less or bool(out),
        before.is_whole and not aside,
        tuple(left),
        tuple(shown),
    )


def _line(draft: Draft, edit: Edit) -> int:
    """Return the line of the first text that a change is in."""
    return draft.lines[draft.text.count("\n", 0, edit.start)]


def _called(page: Sheet, fault: Fault, edit: Edit | None = None) -> str:
    """Return what a mistake is in, in words: a line of orders, or an action of one.

    Args:
        page: The text.
        fault: The mistake.
        edit: What is put there; None if it is left out. The whole order of a line is more than one action.
    """
    part, _, action = fault.part.partition(".")
    lines, place = items_of(page.value.get("orders")), ("orders", int(part or 1) - 1)
    order, label = (*place, "do"), fields_of(page.at(place)).get("at")
    what = "your line" if label is None else f"your line for {label}"
    alike = [one for one in lines if fields_of(one).get("at") == label]
    is_clear = len(alike) == 1 and (label is not None or len(lines) == 1)
    if not is_clear and order in page.values:
        what = f"{what} with `do: {page.written(order)}`"
    is_order = edit is not None and order in page.values and edit.start <= page.values[order].start
    return f"`{action}` of {what}" if action and not is_order else what


def _changes(page: Sheet, edit: Edit) -> bool:
    return page.text[edit.start : edit.end].strip() != edit.new.strip()


def _without_entry(draft: Draft, number: int) -> Draft | None:
    """Return a text that cannot be read without the line of orders around a row, if there are others."""
    rows = draft.text.split("\n")
    if not 0 < number <= len(rows):
        return None
    own = entry_of(rows, number)
    top = next((row for row in reversed(rows[: own[0]]) if row[:1].isalpha()), "")
    begins = [n for n, row in enumerate(rows, 1) if row.lstrip().startswith("- ")]
    if not top.startswith("orders:") or own[0] not in begins or len(begins) < 2:
        return None
    starts = [0, *accumulate(len(row) + 1 for row in rows)]
    return draft.edited([Edit(starts[own[0] - 1], min(starts[own[-1]], len(draft.text)), "")])


def entry_of(lines: list[str], number: int) -> list[int]:
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
