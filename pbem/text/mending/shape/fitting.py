"""Orders in the shape of their rules: braces, yes and no, numbers, and words for fields."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.interface import Json
from pbem.text.mending.meaning.fieldwords import entries
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.names import folded
from pbem.text.mending.meaning.values import meant, truth
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.mending.shape.shapes import Shape
from pbem.text.yaml.strictyaml import Path, dump_flow


def fields_of(known: Known, *, start: bool) -> dict[str, Shape]:
    """Return the fields of an order, or of a start form, of a game that is known."""
    assert known.grammar is not None, "the caller has looked"
    schema = (known.grammar.start if start else known.grammar.move).schema
    return Shape(schema, schema).fields()


def moves(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write orders in the shape of the rules: braces, booleans, numbers, and words for fields."""
    if known.grammar is None:
        return
    for place in entries(page, "orders"):
        line, path = page.at(place), (*place, "do")
        if not isinstance(line, dict) or "do" not in line or line["do"] in (None, {}, ""):
            continue
        value = line["do"]
        schema = known.grammar.schema_of(line.get("at"), value).schema
        yield from fitted(page, path, Shape(schema, schema))


def fitted(page: Sheet, path: Path, shape: Shape) -> Iterator[Edit]:
    """Yield the smallest changes after which a value fits, as far as it can only mean one thing."""
    value = page.at(path)
    if shape.takes(value):
        return
    if isinstance(value, dict):
        fields = shape.fields()
        if fields:
            yield from _fitted_fields(page, path, value, fields, shape)
            return
    elif isinstance(value, list) and (items := shape.items()) is not None:
        inner = [edit for n in range(len(value)) for edit in fitted(page, (*path, n), items)]
        if inner:
            yield from inner
            return
    if isinstance(value, str) and "  " in value:
        from pbem.text.mending.shape.described import without_description  # few values have one

        if (shorter := without_description(page, path, shape)) is not None:
            yield shorter
            return
    best = meant(value, shape)
    if (best is not value and best != value) or (best is True and value == 1):
        yield page.put(path, dump_flow(best))


def _fitted_fields(
    page: Sheet, path: Path, value: dict[str, Json], fields: dict[str, Shape], shape: Shape
) -> Iterator[Edit]:
    if (split := _split_field(page, path, value, fields)) is not None:
        yield split
        return
    for name, inner in value.items():
        here = (*path, name)
        if name not in fields:
            same = [one for one in fields if folded(one) == folded(name) and one not in value]
            if not same:
                same = [one for one, below in fields.items() if one not in value and below.is_telling]
                same = [one for one in same if inner is not None and fields[one].takes(inner)]
                same = [] if inner is True else same
            if len(same) == 1:
                yield page.rename(here, same[0])
            continue
        below = fields[name]
        if inner is None and below.takes(True) and not below.takes(None):
            node = page.keys[here]
            has_colon = page.text[node.end : node.end + 1] == ":"
            end = max(page.values[here].end, node.end + has_colon)
            yield Edit(node.start, end, f"{name}: true", f"`{name}` was read as `{name}: true`")
        elif below.words() == [True] and truth(inner) is False:
            yield page.without(here, f"`{name}: {page.written(here)}` was left out")
        else:
            yield from fitted(page, here, below)


def _split_field(page: Sheet, path: Path, value: dict[str, Json], fields: dict[str, Shape]) -> Edit | None:
    """Return the change of `{draw S3}` or `{sail owidz}`: a name and a value without the colon between."""
    for name, inner in value.items():
        word, space, _rest = name.partition(" ")
        if inner is not None or not space or name in fields or word not in fields or word in value:
            continue
        node = page.keys[(*path, name)]
        return Edit(
            node.start + len(word), node.start + len(word), ":", f"The colon after `{word}` was added"
        )
    return None
