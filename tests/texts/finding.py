"""What the doctor finds where faults are planted, and the check of the contract in rules that break it."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Final

from tests.contract.test_contract import BROKEN, breaches
from tests.doctor import test_domain, test_faults
from tests.doctor.ward import Ward, a_ward

_OF_THE_MACHINE: Final = ((re.compile(r"\d+(?= MB are free)"), "N"), (re.compile(r"(?<=, port )\d+"), "PORT"))
_TIMES: Final = re.compile(r" \(\d+ times in all[^)]*\)")


def doctor(folder: Path) -> str:
    """Return what the doctor says of each fault, and what mends it."""
    found = ""
    for name, (plant, *_) in test_faults.FAULTS.items():
        with a_ward(folder / f"{len(found)}") as ward:
            plant(ward)
            found += f"=== {name}\n{_findings(ward)}\n"
    for name, (changed, *_) in test_domain.FAULTS.items():
        with a_ward(folder / f"{len(found)}") as ward:
            ward.zone.records = {
                key: value for key, value in {**ward.zone.records, **changed}.items() if value
            }
            found += f"=== the domain: {name}\n{_findings(ward)}\n"
    return found


def _findings(ward: Ward) -> str:
    with contextlib.redirect_stderr(io.StringIO()):  # what packages of other people warn of
        told = "".join(f"{one.part}: {one.text}\n  {one.mend}\n" for one in ward.found())
    told = told.replace(f"{ward.top.parent}/", "").replace(str(ward.top.parent), ".")
    for pattern, word in _OF_THE_MACHINE:
        told = pattern.sub(word, told)
    return told


def contract() -> str:
    """Return the first breach of each kind that is found in rules that break each promise of the contract."""
    found = ""
    for broken, *_ in BROKEN:
        first = dict(reversed(breaches(broken)))
        found += f"=== {broken.__name__.removeprefix('_')}\n"
        found += "".join(f"{kind}: {_TIMES.sub('', first[kind])[:300]}\n" for kind in sorted(first)) + "\n"
    return found
