"""Where a template failed, and of what: its file, the line and the fault."""

from __future__ import annotations

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError


def template_fault(wrong: Exception) -> str:
    """Return `FILE:LINE: fault` of what a template raised; the fault alone where no template is to blame."""
    kind = type(wrong).__name__
    if isinstance(wrong, TemplateNotFound):
        return f"the template {wrong.name} was not found"
    if isinstance(wrong, TemplateSyntaxError):
        return f"{wrong.filename or wrong.name}:{wrong.lineno}: {wrong.message or kind}"
    place = _place(wrong)
    if isinstance(wrong, TemplateError):
        return f"{place or 'a template'}: {wrong.message or kind}"
    return f"{place}: {kind}: {wrong}" if place else f"{kind}: {wrong}"


def _place(wrong: Exception) -> str:
    """Return the innermost line of a template at which something was raised, or ""."""
    found, here = "", wrong.__traceback__
    while here is not None:
        name = here.tb_frame.f_code.co_filename
        found = f"{name}:{here.tb_lineno}" if name.endswith(".j2") else found
        here = here.tb_next
    return found
