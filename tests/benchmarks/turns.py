"""One turn of each rule system against its floor, and the price of durability."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.homes.home import Home
from pbem.store.opening import shipped_folder
from pbem.text.reports.report import Report
from tests.benchmarks.bare import reader
from tests.benchmarks.homes import (
    NoSync,
    Sample,
    in_memory,
    resolve,
    sample_home,
    samples,
    size_of,
    take_back,
)
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import top


def rows() -> Iterator[Row]:
    """Yield the rows of one turn of each rule system."""
    for sample in samples():
        with _home(sample, in_memory()) as home:
            yield _against_floor(home, sample)
    for sample in samples():
        with _home(sample, None) as home:
            yield paired(
                f"{sample.title}: the durable turn against the same without sync",
                _turn(home, sample),
                _turn(home, sample, without_sync=True),
                1.3,
                note="on the disk of the temporary folder",
            )


@contextmanager
def _home(sample: Sample, place: Path | None) -> Iterator[Home]:
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield sample_home(Path(folder) / "home", {sample.game: sample.game})


def _turn(home: Home, sample: Sample, *, without_sync: bool = False) -> Callable[[], float]:
    """Return a turn that can be done again and again."""

    def work() -> float:
        spent = timed(lambda: resolve(home, sample.game, NoSync() if without_sync else None))
        take_back(home, sample.game)
        return spent

    return work


def _against_floor(home: Home, sample: Sample) -> Row:
    """Compare with the bare steps: orders parsed and validated, reports rendered, the same bytes written."""
    made = resolve(home, sample.game)
    files = {path.relative_to(made): path.read_bytes() for path in made.rglob("*") if path.is_file()}
    reports = sorted(path for path in files if path.name == "report.json")
    contexts = [json.loads(files[path]) for path in reports]
    orders = sorted((shipped_folder("orders") / sample.game).iterdir())
    count, size = size_of(made)
    steps = len(json.loads(files[Path("turn.json")])["steps"])
    take_back(home, sample.game)
    read = reader(sample.rules)
    templates = templates_of(find_rules(sample.rules))
    beside = top(home) / "floor"

    def floor() -> None:
        for path in orders:
            read(path)
        for context in contexts:
            Report(templates, context).kept()
        for folder in sorted({(beside / path).parent for path in files}):
            folder.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (beside / path).write_bytes(data)

    def floored() -> float:
        spent = timed(floor)
        shutil.rmtree(beside)
        return spent

    return paired(
        f"{sample.title}: a turn against its floor",
        _turn(home, sample),
        floored,
        1.5,
        note=f"{steps} steps, {count} files, {size:,} bytes",
    )
