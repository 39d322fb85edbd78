"""Whether a text tells facts, whatever its words are: names, numbers, moments, ids and commands.

What a sentence says is looked at in `tests/texts`; a test asks whether the facts are there.
"""

from __future__ import annotations

from collections.abc import Sequence


def tells(text: object, *facts: object) -> bool:
    """Tell whether a text says something, and names all facts; line breaks count as spaces."""
    said = " ".join(str(text).split())
    return bool(said) and all(" ".join(str(fact).split()) in said for fact in facts)


def each_tells(texts: Sequence[object], *facts: Sequence[object]) -> bool:
    """Tell whether there are as many texts as rows of facts, and each text names those of its row."""
    return len(texts) == len(facts) and all(tells(text, *row) for text, row in zip(texts, facts, strict=True))
