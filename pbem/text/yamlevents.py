"""The events of a YAML text, from libyaml where it is installed and from the parser in Python where not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn

import yaml
from yaml.error import Mark, MarkedYAMLError
from yaml.events import Event
from yaml.scanner import ScannerError
from yaml.tokens import DirectiveToken, ScalarToken

HAS_LIBYAML: Final = bool(yaml.__with_libyaml__)

_BLOCK_WORD: Final = re.compile(r"(?:[^\0 \n:]|:(?![\0 \n]))*")
_FLOW_WORD: Final = re.compile(r"(?:[^\0 \n:,\[\]{}]|:(?![\0 \n,?\[\]{}]))*")


class _LikeLibyaml(yaml.SafeLoader):
    """The parser in Python, with libyaml's reading wherever the two differ."""

    def scan_plain(self) -> ScalarToken:
        """Read an unquoted text: in brackets it may contain "?", and "a:]" is an error."""
        start = end = self.get_mark()
        word = _FLOW_WORD if self.flow_level else _BLOCK_WORD
        chunks: list[str] = []
        spaces: list[str] = []
        while self.peek() != "#":
            match = word.match(self.buffer, self.pointer)
            length = match.end() - match.start() if match else 0
            if self.flow_level and re.match(r":[,?\[\]{}]", self.prefix(length + 2)[length:]):
                self.forward(length)
                raise ScannerError(
                    "while scanning a plain scalar", start, "found unexpected ':'", self.get_mark()
                )
            if not length:
                break
            self.allow_simple_key = False
            chunks += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(self.indent + 1, start) or []
            if not spaces or (not self.flow_level and self.column <= self.indent):
                break
        return ScalarToken("".join(chunks), True, start, end)

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Mark) -> list[str]:
        """Read within quotes: an escape that is no character is a YAML error, not a ValueError or a half."""
        try:
            chunks: list[str] = super().scan_flow_scalar_non_spaces(double, start_mark)
            "".join(chunks).encode()
        except (ValueError, OverflowError):
            raise ScannerError("while scanning a quoted scalar", start_mark, "invalid escape") from None
        return chunks

    def scan_directive(self) -> DirectiveToken:
        """Refuse every directive; this parser would skip those it does not know."""
        self._refuse_directive()

    def _refuse_directive(self) -> NoReturn:
        raise ScannerError("while scanning a directive", self.get_mark(), "found a directive")


def events(text: str, pure: bool = False) -> Iterator[Event]:
    """Yield the events of a text that `clean` has passed and that has no tabs.

    Args:
        text: The text.
        pure: Use the parser in Python also where libyaml is installed.

    Raises:
        MarkedYAMLError: The text is not YAML, whatever the parser stumbled over.
    """
    try:
        if HAS_LIBYAML and not pure:
            yield from yaml.parse(text, Loader=yaml.CSafeLoader)
        else:
            yield from yaml.parse(text, Loader=_LikeLibyaml)
    except yaml.YAMLError:
        raise
    except Exception as error:
        # No text is known to lead here; a fault of the parser is still the text's problem, not a crash.
        raise MarkedYAMLError(problem=str(error)) from error
