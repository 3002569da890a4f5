"""The page docs/heppo_robots.md, from the runs that are kept."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rlcores_lab import shown
from rlcores_lab.study import heppo, robots, robots_table
from rlcores_lab.study.heppo import EXPERIMENTS, PAPER_BITS
from rlcores_lab.study.robots import ENVIRONMENTS, SWEPT, Run

PAGE = Path("docs") / "heppo_robots.md"


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    runs = robots.kept()
    return {
        PAGE: shown.rendered(
            "study/robots.md.j2",
            count=len(runs),
            planned=len(robots.plan(heppo.SEEDS, ENVIRONMENTS)),
            tables=robots_table.markdown(runs),
            claims=shown.markdown(claims(runs)),
            values=shown.markdown(robots_table.trajectories(runs)),
            reading=robots_table.reading(runs),
            cost=_cost(runs),
            versions="; ".join(dict.fromkeys(r.versions for r in runs)) or "none yet",
            swept=" and ".join(f"{steps:,}" for steps in SWEPT.values()),
        )
    }


def claims(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A line a claim of heppo.yaml and robot: both returns, and what they show."""
    rows = [("the paper says", "task", "one", "other", "we find")]
    for environment, steps in ENVIRONMENTS.items():
        for claim in heppo.GIVEN["claims"]:
            pair = [
                robots_table.line(runs, environment, e, PAPER_BITS if EXPERIMENTS[e].quantised else None, steps)
                for e in (claim["one"], claim["other"])
            ]
            if None not in pair:
                texts = (f"{x.experiment}: {x.text()}" for x in pair)
                rows.append((claim["text"], environment, *texts, verdict(claim["wanted"], *pair)))
    return rows


def verdict(wanted: str, one: robots_table.Line, other: robots_table.Line) -> str:
    """What two experiments show of a claim: "better", "worse" or "no worse" is wanted of the first."""
    if min(len(one.finals), len(other.finals)) < 2:
        return "one seed: nothing yet"
    way = robots_table.apart(one, other)
    if wanted == "no worse":
        return "does not hold" if way < 0 else "holds: no worse"
    right = 1 if wanted == "better" else -1
    return {right: "**holds**", -right: "**the opposite**", 0: "not shown"}[way]


def _cost(runs: Sequence[Run]) -> str:
    parts = []
    for environment in ENVIRONMENTS:
        group = [r for r in runs if r.environment == environment]
        if group:
            each = {k: 1e6 * float(np.mean([r.seconds[k] / r.steps for r in group])) for k in group[0].seconds}
            shares = ", ".join(f"{100 * v / sum(each.values()):.0f} % {k}" for k, v in each.items())
            parts.append(f"{sum(each.values()):.0f} µs on {environment} ({shares})")
    return "; ".join(parts) or "a time that is not known yet"
