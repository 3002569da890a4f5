"""Structural coverage of the regression: lines, branches and toggles that Verilator counted, merged over all runs.

A point counts once, wherever the module stands and whatever its parameters are. Rules of buses and assertions are no
part of a core, and a module counts for the core in whose folder of rtl/ it is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

KINDS = {"v_line": "line", "v_branch": "branch", "v_toggle": "toggle"}
GOAL = 90.0  # percent
_OURS = re.compile(r"/rtl/(\w+)/(rlc_\w+)\.s?v$")
_NOT_A_CORE = re.compile(r"_(rules|bind)$|^rlc_assert")

Point = tuple[str, str, str, int, str]  # folder of rtl/, kind, module, line, what is counted there


@dataclass(frozen=True)
class Structural:
    """Of one folder of rtl/: kind -> points that were hit and all; and the lines and branches that were not."""

    folder: str
    counts: dict[str, tuple[int, int]]
    holes: list[tuple[str, int, str]]  # module, line, what

    def percent(self, kind: str) -> float:
        """Points hit, of all."""
        hit, all_of_them = self.counts.get(kind, (0, 0))
        return 100.0 * hit / all_of_them if all_of_them else 100.0


def read(file: Path) -> dict[Point, int]:
    """Hits by point, of a file that Verilator wrote."""
    hits_by_point: dict[Point, int] = {}
    for line in file.read_text(errors="replace").splitlines():
        if not line.startswith("C '"):
            continue
        text, _, hits = line[3:].rpartition("' ")
        fields = dict(part.split("\x02", 1) for part in text.split("\x01") if part)
        place, kind = _OURS.search(fields["f"]), KINDS.get(fields["page"].partition("/")[0])
        if place is None or kind is None or _NOT_A_CORE.search(place[2]):
            continue
        what = fields["o"] if kind == "toggle" else f"{fields['o']} {fields['n']}"
        point = (place[1], kind, place[2], int(fields["l"]), what)
        hits_by_point[point] = hits_by_point.get(point, 0) + int(hits)
    return hits_by_point


def merged(runs: Iterable[dict[Point, int]]) -> list[Structural]:
    """What runs hit together, by folder."""
    hits: dict[Point, int] = {}
    for run in runs:
        for point, count in run.items():
            hits[point] = hits.get(point, 0) + count
    folders = []
    for folder in sorted({point[0] for point in hits}):
        own = {point: count for point, count in hits.items() if point[0] == folder}
        counts = {
            kind: (
                sum(bool(count) for point, count in own.items() if point[1] == kind),
                sum(point[1] == kind for point in own),
            )
            for kind in KINDS.values()
        }
        holes = [(p[2], p[3], f"{p[1]} {p[4].split()[0]}") for p, n in own.items() if not n and p[1] != "toggle"]
        folders.append(Structural(folder, counts, sorted(holes)))
    return folders
