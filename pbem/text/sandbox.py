"""The sandbox of report templates, quick for what is plain: facts, macros and loops."""

from __future__ import annotations

from typing import Any, Final

from jinja2.environment import TemplateModule
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

_OF_TABLES: Final = frozenset(["items", "keys", "values", "get"])


class FactsEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox that does not ask twice about JSON objects, a template's macros and its loops."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`; a key of a plain object comes before what all objects have."""
        kind = type(obj)
        if kind is dict:
            if attribute not in _OF_TABLES and attribute in obj:
                return obj[attribute]
        elif kind in (TemplateModule, LoopContext) and attribute[:1] != "_" and hasattr(obj, attribute):
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)
