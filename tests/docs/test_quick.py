"""What `make test-quick` runs: tests that reach the change, the nearest first, while there is time."""

from __future__ import annotations

import re
import tomllib

from tests import reach


def test_every_part_that_make_test_leaves_out_has_a_target_and_a_place_in_ci() -> None:
    settings = tomllib.loads((reach.PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    names = [line.partition(":")[0] for line in settings["ini_options"]["markers"]]
    marked = {name for name in names if "(" not in name}
    left_out = re.search(r"not \(([a-z or]+)\)", settings["ini_options"]["addopts"])
    makefile = (reach.PROJECT / "Makefile").read_text(encoding="utf-8")

    assert left_out is not None
    assert {*left_out[1].split(" or ")} == marked
    assert {*re.findall(r"pytest .*-m ([a-z]+)\b", makefile)} == marked | {"wording"}  # a run of `make test`
