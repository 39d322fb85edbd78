"""Where a template failed, and of what: its file, the line and the fault."""

from __future__ import annotations

import traceback

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError


def template_fault(wrong: Exception) -> str:
    """Return `FILE:LINE: fault` of what a template raised; the fault alone where no template is to blame."""
    kind = type(wrong).__name__
    if isinstance(wrong, TemplateNotFound):
        return f"the template {wrong.name} was not found"
    if isinstance(wrong, TemplateSyntaxError):
        return f"{wrong.filename or wrong.name}:{wrong.lineno}: {wrong.message or kind}"
    frames = traceback.extract_tb(wrong.__traceback__)
    places = [f"{frame.filename}:{frame.lineno}: " for frame in frames if frame.filename.endswith(".j2")]
    if isinstance(wrong, TemplateError):
        return f"{places[-1] if places else 'a template: '}{wrong.message or kind}"
    return f"{places[-1] if places else ''}{kind}: {wrong}"
