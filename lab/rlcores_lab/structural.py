"""Structural coverage of the regression: lines, branches and toggles that Verilator counted, merged over all runs.

A point counts once, wherever the module stands and whatever its parameters are. Rules of buses and assertions are no
part of a core, and a module counts for the core in whose folder of rtl/ it is. Toggles that no run can reach are waived
by the names of signals, with a reason (verif/regression/waivers.yaml). Lines and branches are not waived.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from rlcores.base import paths

KINDS = {"v_line": "line", "v_branch": "branch", "v_toggle": "toggle"}
MANY = {"line": "lines", "branch": "branches", "toggle": "toggles"}
GOAL = 90.0  # percent
_OURS = re.compile(r"/rtl/(\w+)/(?:gen/)?(rlc_\w+)\.s?v$")
_NOT_A_CORE = re.compile(r"_(rules|bind)$|^rlc_assert")

WAIVERS = Path("verif") / "regression" / "waivers.yaml"

Point = tuple[str, str, str, int, str]  # folder of rtl/, kind, module, line, what is counted there


@dataclass(frozen=True)
class Waiver:
    """Signals of a module in a folder of rtl/ whose toggles no run reaches; of arrays those from place `first` on."""

    folder: str
    module: str
    signals: tuple[str, ...]
    reason: str
    first: int = 0

    def covers(self, point: Point) -> bool:
        """Whether a point is one of its toggles."""
        folder, kind, module, _, what = point
        if (folder, kind, module) != (self.folder, "toggle", self.module):
            return False
        signal = what.partition(":")[0]
        places = re.findall(r"\[(\d+)\]", signal)
        return re.sub(r"\[\d+\]", "", signal) in self.signals and (not self.first or int(places[0]) >= self.first)


@cache
def waivers() -> tuple[Waiver, ...]:
    """All that there are."""
    given = yaml.safe_load((paths.root() / WAIVERS).read_text())
    return tuple(
        Waiver(folder, module, tuple(signals), one["reason"], one.get("first", 0))
        for folder, reasons in given.items()
        for one in reasons
        for module, signals in one["signals"].items()
    )


@dataclass(frozen=True)
class Structural:
    """Of one folder of rtl/: kind -> points that were hit and all but those waived; lines and branches that were not.

    waived: how many toggles are, which no run hit, by waiver.
    """

    folder: str
    counts: dict[str, tuple[int, int]]
    holes: list[tuple[str, int, str]]  # module, line, what
    waived: dict[Waiver, int] = field(default_factory=dict)

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


def merged(runs: Iterable[dict[Point, int]], waived: Iterable[Waiver] = ()) -> list[Structural]:
    """What runs hit together, by folder, without what is waived."""
    hits: dict[Point, int] = {}
    for run in runs:
        for point, count in run.items():
            hits[point] = hits.get(point, 0) + count
    folders = []
    for folder in sorted({point[0] for point in hits}):
        own = {point: count for point, count in hits.items() if point[0] == folder}
        taken: dict[Waiver, int] = {}
        for point in [point for point, count in own.items() if not count]:
            if waiver := next((each for each in waived if each.covers(point)), None):
                taken[waiver] = taken.get(waiver, 0) + 1
                del own[point]
        counts = {
            kind: (
                sum(bool(count) for point, count in own.items() if point[1] == kind),
                sum(point[1] == kind for point in own),
            )
            for kind in KINDS.values()
        }
        holes = [(p[2], p[3], f"{p[1]} {p[4].split()[0]}") for p, n in own.items() if not n and p[1] != "toggle"]
        folders.append(Structural(folder, counts, sorted(holes), taken))
    return folders
