"""The committed results of all cores, verif/mutation/results.json, and their table in docs/verification.md."""

import json
from collections.abc import Callable
from pathlib import Path

from rlcores.base import paths, report
from rlcores_lab import shown
from rlcores_lab.mutation import plan as plans
from rlcores_lab.mutation.points import KINDS
from rlcores_lab.mutation.run import STATUSES, Result


def results() -> dict[str, dict]:
    """What was accepted: core -> commit, seed, counts, and the mutants that were not killed."""
    place = plans.folder() / "results.json"
    return json.loads(place.read_text()) if place.exists() else {}


def accept(result: Result, refreshed: Callable[[Path], str]) -> None:
    """Replace a core's earlier results, and the page of the table by its refreshed() text."""
    outcomes = result.outcomes
    entry = {
        "commit": report.commit(),
        "seed": result.seed,
        "count": len(outcomes),
        **{status: result.count(status) for status in STATUSES},
        "kinds": {
            kind: [
                sum(o.mutant.change.kind == kind and o.status == "killed" for o in outcomes),
                sum(o.mutant.change.kind == kind for o in outcomes),
            ]
            for kind in KINDS
        },
        "others": [outcome.row() for outcome in outcomes if outcome.status != "killed"],
    }
    every = {**results(), result.core: entry}
    text = json.dumps({core: every[core] for core in plans.names() if core in every}, indent=1)
    (plans.folder() / "results.json").write_text(f"{text}\n")
    document().write_text(refreshed(document()))


def document() -> Path:
    """The page with the table."""
    return paths.root() / "docs" / "verification.md"


def markdown() -> str:
    """The table of all cores."""
    names = ("killed", "equal", "stillborn", "survived")
    kinds = [f"{kind}s" for kind in KINDS]
    rows = [("core", "mutants", *names, "share killed", f"of {kinds[0]}", *kinds[1:])]
    for core, entry in results().items():
        counts = [str(entry[name]) for name in ("count", *names)]
        rest = entry["count"] - entry["equal"] - entry["stillborn"]
        share = f"{100 * entry['killed'] / rest:.1f} %" if rest else "-"
        each = [f"{killed} of {there}" for killed, there in entry["kinds"].values()]
        rows.append((f"`{core}`", *counts, share, *each))
    return shown.markdown(rows, left=())
