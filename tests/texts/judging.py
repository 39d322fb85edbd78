"""What rules say of orders at the positions of a corpus: what is wrong with them, or what they will do."""

from __future__ import annotations

from pbem.text.strictyaml import dump_flow
from tests.behaviour import judged


def judged_orders(rules: str) -> str:
    """Return what is said of orders of some rules."""
    found = ""
    for row in judged.rows(rules):
        problems, lines = judged.judge(row)
        wrong = [f"  {'.'.join(map(str, one.path))}: {one}\n" for one in problems]
        told = "".join(wrong or [f"  {line}\n" for line in lines])
        found += f"=== {row['order']}\n{dump_flow(row['do'])}\n{told}\n"
    return found
