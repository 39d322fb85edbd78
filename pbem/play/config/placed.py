"""A file that its moderator wrote, with the place of each value, for those who tell of a mistake in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from pbem.core.interface import Json
from pbem.play.config.registry import parsed, read_document
from pbem.play.config.schedule import is_zone
from pbem.store.errors import WrongInput
from pbem.store.place import Readable
from pbem.text.schemas.codec import fields_of
from pbem.text.schemas.schema import Schema, SchemaProblem
from pbem.text.yaml.strictyaml import Document, find


class Placed(NamedTuple):
    """A YAML file with fields, as it was read.

    Attributes:
        path: Where it lies.
        document: What it says, and where.
    """

    path: Readable
    document: Document

    @property
    def value(self) -> Mapping[str, Json]:
        """What it says."""
        assert isinstance(self.document.value, dict), "a table that was read has fields"
        return self.document.value

    def at(self, *keys: str | int, at_key: bool = False) -> str:
        """Return the place of a value, or of the nearest one around it, and what it is called there.

        Args:
            keys: Its keys and its places in lists.
            at_key: Its key is meant.
        """
        is_key = at_key and keys in self.document.keys
        mark = self.document.keys[keys] if is_key else find(self.document, keys)
        named = f": {'.'.join(map(str, keys))}" if keys else ""
        return f"{self.path}:{mark.line}:{mark.column}{named}"

    def refuse_misfits(self, schema: Schema) -> None:
        """Refuse a file that does not fit its schema.

        Raises:
            WrongInput: The first misfit, with FILE:LINE:COLUMN.
        """
        for problem in schema.problems(self.document.value):
            place = self.at(*problem.path, at_key=problem.at_key)
            raise WrongInput(f"{place}: {problem.text}.", _where(schema, problem) or problem.hint)

    def refuse_strange_zone(self, zone: str, *keys: str | int) -> None:
        """Refuse a time zone that there is not.

        Raises:
            WrongInput: It is so.
        """
        if not is_zone(zone):
            hint = "Write a name such as Europe/Helsinki; Debian has them in the package tzdata."
            raise WrongInput(f"{self.at(*keys)}: there is no time zone {zone!r}.", hint)


def _where(schema: Schema, problem: SchemaProblem) -> str:
    """Say where a field belongs that stands in another place; "" if it belongs nowhere."""
    if not problem.at_key or not problem.path:
        return ""
    known = fields_of(schema.schema.get("properties"))
    *around, name = problem.path
    if around:
        return f"Write it beside `{around[0]}`, not inside." if name in known else ""
    inside = [one for one, below in known.items() if name in fields_of(fields_of(below).get("properties"))]
    return f"Write it inside `{inside[0]}`." if inside else ""


def read_placed(path: Readable) -> Placed:
    """Return a YAML file that people wrote.

    Raises:
        WrongInput: It cannot be read, or has no fields; with FILE:LINE:COLUMN.
    """
    return Placed(path, read_document(path, _known))


@lru_cache(maxsize=16)
def _known(data: bytes) -> Document:
    """Return what a file says; a run reads the same few files many times, and never changes what it read."""
    return parsed(data)
