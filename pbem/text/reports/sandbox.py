"""The sandbox of report templates, quick for what is plain; and where a template failed, and of what."""

from __future__ import annotations

from types import BuiltinFunctionType
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from pbem.text.reports.report import FILTERS

_OF_TABLES: Final = frozenset(["items", "keys", "values", "get"])
_OF_TEXTS: Final = frozenset(
    ["split", "splitlines", "strip", "upper", "lower", "startswith", "endswith", "replace"]
)
"""What texts can do that hands out nothing but texts; `format` is not of them."""
_OF_TEMPLATES: Final = frozenset([Namespace, TemplateModule, LoopContext])
_VARIABLES: Final = frozenset(["_block_vars", "_loop_vars"])
_NOTHING: Final = object()


class FactsEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox that does not ask twice about JSON objects, a template's macros and its loops."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`; a key of a plain object comes before what all objects have."""
        kind = type(obj)
        if kind is dict:
            if attribute in _OF_TABLES:
                return getattr(obj, attribute)
            if attribute in obj:
                return obj[attribute]
        elif kind is str and attribute in _OF_TEXTS:
            return getattr(obj, attribute)
        elif kind in _OF_TEMPLATES and attribute[:1] != "_":
            found = getattr(obj, attribute, _NOTHING)
            if found is not _NOTHING:
                return found
        return super().getattr(obj, attribute)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call what is plain without asking whether it may be called; names as in the base class.

        Variables of blocks and loops are for functions that take the context of a template; these do not.
        """
        kind = type(__obj)
        if kind is Macro:
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
            return __obj(__context.eval_ctx, *args, **kwargs)
        if kind is BuiltinFunctionType and kwargs.keys() <= _VARIABLES:
            of, name = type(__obj.__self__), __obj.__name__
            if (of is dict and name in _OF_TABLES) or (of is str and name in _OF_TEXTS):
                return __obj(*args)
        return super().call(__context, __obj, *args, **kwargs)


def environment(
    loader: BaseLoader, compiled: BytecodeCache | None = None, kind: type[FactsEnvironment] | None = None
) -> Environment:
    """Return a sandboxed environment for report templates: undefined names fail, HTML is escaped.

    Args:
        loader: Where templates are found.
        compiled: Where compiled templates are kept; None compiles them anew.
        kind: What it is besides a sandbox; None for no more.
    """
    made = (kind or FactsEnvironment)(
        loader=loader,
        bytecode_cache=compiled,
        autoescape=lambda name: name is not None and name.endswith((".html", ".html.j2", ".svg", ".svg.j2")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name, work in FILTERS.items():
        made.filters[name] = work
    return made


def is_template_error(wrong: Exception) -> bool:
    """Tell whether it is a template that failed."""
    return isinstance(wrong, TemplateError)


def template_fault(wrong: Exception) -> str:
    """Return `FILE:LINE: fault` of what a template raised; the fault alone where no template is to blame."""
    kind = type(wrong).__name__
    if isinstance(wrong, TemplateNotFound):
        return f"the template {wrong.name} was not found"
    if isinstance(wrong, TemplateSyntaxError):
        return f"{wrong.filename or wrong.name}:{wrong.lineno}: {wrong.message or kind}"
    place = _template_line(wrong)
    if isinstance(wrong, TemplateError):
        return f"{place or 'a template'}: {wrong.message or kind}"
    return f"{place}: {kind}: {wrong}" if place else f"{kind}: {wrong}"


def _template_line(wrong: Exception) -> str:
    """Return the innermost line of a template at which something was raised, or ""."""
    found, here = "", wrong.__traceback__
    while here is not None:
        name = here.tb_frame.f_code.co_filename
        found = f"{name}:{here.tb_lineno}" if name.endswith(".j2") else found
        here = here.tb_next
    return found
