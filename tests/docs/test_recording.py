"""The recording of the start page shows what the commands print now, and shuts nobody out."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tests.docs.make_recording import LARGEST, LONGEST, RECORDING, recorded, recording, seconds_of

KEPT = RECORDING.read_text(encoding="utf-8")


def test_the_recording_shows_what_its_commands_print_now() -> None:
    assert recording(recorded()) == KEPT, "record it anew with `make recording`"


def test_the_recording_is_short_and_small() -> None:
    assert seconds_of(KEPT) < LONGEST
    assert len(KEPT.encode()) <= LARGEST


def test_the_recording_needs_neither_network_nor_script_and_keeps_its_text_as_text() -> None:
    elements = list(ElementTree.fromstring(KEPT).iter())

    assert {element.tag.partition("}")[2] for element in elements} <= {
        "svg",
        "title",
        "style",
        "g",
        "rect",
        "text",
    }
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", KEPT)
    assert "".join(element.text or "" for element in elements).count("pbem check white.yaml") == 2
