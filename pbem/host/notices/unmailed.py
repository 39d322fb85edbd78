"""What players are to be told where no mail goes is kept while something is done, to be sent by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.play.homes.home import Home

if TYPE_CHECKING:
    from pbem.store.journals.records import Telling


@contextmanager
def kept_for_hand(home: Home) -> Iterator[Mapping[str, Telling]]:
    """Keep what is to be told and cannot be mailed while something is done in a home."""
    found: dict[str, Telling] = {}
    home.unmailed = found
    try:
        yield found
    finally:
        home.unmailed = None
