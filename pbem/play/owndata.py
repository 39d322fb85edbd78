"""Variants by data: a moderator's own tables in place of the shipped ones, checked before a game is made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.core.interface import Json
from pbem.play.registry import Installed, read_document
from pbem.store.errors import WrongInput
from pbem.text.strictyaml import Document, find


def own_data(system: Installed, files: Sequence[Path]) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return the tables of a new game: those of the files, and the shipped ones for all others.

    Args:
        system: The rules.
        files: YAML files, each with one or more whole tables by name; a later one counts.

    Returns:
        All tables, and the names of those that are not as shipped.

    Raises:
        WrongInput: A table breaks the data schema or the rules' own totals; with FILE:LINE:COLUMN where the
            schema tells it.
    """
    shipped = system.shipped_data()
    merged, written = dict(shipped), dict[str, tuple[Path, Document]]()
    for path in files:
        document = read_document(path)
        assert isinstance(document.value, dict), "a table that was read has fields"
        merged.update(document.value)
        written.update(dict.fromkeys(document.value, (path, document)))
    for problem in system.data_schema.problems(merged):
        name = str(problem.path[0]) if problem.path else ""
        if name in written:
            path, document = written[name]
            spots = document.keys if problem.at_key and problem.path in document.keys else document.marks
            mark = spots[problem.path] if problem.path in spots else find(document, problem.path)
            place = ".".join(map(str, problem.path))
            told = f"{path}:{mark.line}:{mark.column}: {place}: {problem.text}."
            raise WrongInput(told, problem.hint)
    try:
        system.load(merged)
    except WrongInput as wrong:
        if not files:
            raise
        hint = f"`pbem rules {system.name} --data` prints the shipped tables, which do."
        raise WrongInput(f"{', '.join(map(str, files))}: {wrong}", hint) from None
    return merged, tuple(sorted(name for name in written if merged[name] != shipped.get(name)))
