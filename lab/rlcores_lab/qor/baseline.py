"""The committed baseline: figures that were accepted, when and at which commit, and what counts as worse.

baseline.json is a list that only grows: an entry a commit, with the figures that were new or different when they were
accepted there. The value in force is the last one, all of them are a figure's history.
"""

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from rlcores.base import files, report
from rlcores.eda import configs
from rlcores_lab.qor.jobs import FIGURES, MORE_IS_BETTER, Result, versions

FILE = Path(__file__).resolve().parent / "baseline.json"
PERCENT = 3.0  # worse than the baseline by more than this fails

Verdict = Literal["worse", "better", "same", "new", "missing"]


@dataclass(frozen=True)
class Comparison:
    """One figure beside its baseline."""

    config: str  # 'gae.tiny'
    figure: str  # 'lut'
    value: float | None
    before: float | None
    verdict: Verdict

    @property
    def percent(self) -> float | None:
        """Change against the baseline, in percent of it; infinite where that is 0. None when either is not there."""
        if self.value is None or self.before is None:
            return None
        if self.before == self.value:
            return 0.0
        return 100 * (self.value / self.before - 1) if self.before else math.inf

    @property
    def failed(self) -> bool:
        """Whether this ends the command with exit code 1."""
        return self.verdict in ("worse", "missing")

    def __str__(self) -> str:
        unit = FIGURES[self.figure][0]
        if self.verdict == "missing":
            return f"{self.config} {self.figure}: not reported; the baseline has {self.before:,g} {unit}"
        if self.before is None:
            return f"{self.config} {self.figure}: {self.value:,g} {unit}, not in the baseline"
        change = "from nothing" if math.isinf(self.percent) else f"{self.percent:+.1f} %"
        return f"{self.config} {self.figure}: {self.value:,g} {unit}, baseline {self.before:,g} ({change})"


class Baseline:
    """The accepted figures of a file. Raises UserError when the file is no baseline; a missing file is an empty one."""

    def __init__(self, file: Path = FILE) -> None:
        self.file = file
        self._accepted = self._read()

    def _read(self) -> list[dict]:
        what = "a baseline of `rlcores qor`"
        return files.read_as(self.file, what, _entries) if os.path.lexists(self.file) else []

    @property
    def empty(self) -> bool:
        """Whether nothing was ever accepted."""
        return not self._accepted

    @property
    def commit(self) -> str:
        """The commit of the last acceptance; '' when there is none."""
        return self._accepted[-1]["commit"] if self._accepted else ""

    @property
    def tools(self) -> dict[str, str]:
        """Versions of the tools at the last acceptance."""
        return dict(self._accepted[-1].get("tools", {})) if self._accepted else {}

    def history(self, name: str) -> list[tuple[str, float]]:
        """(date and commit, value) of every acceptance of a figure ('gae.tiny.lut'), oldest first."""
        entries = ((f"{e['date']} {e['commit']}", e["figures"].get(name)) for e in self._accepted)
        return [(when, float(value)) for when, value in entries if value is not None]

    def figures(self) -> dict[str, float]:
        """The values in force."""
        merged: dict[str, float | None] = {}
        for entry in self._accepted:
            merged |= entry["figures"]
        return {name: float(value) for name, value in merged.items() if value is not None}

    def compare(self, results: Iterable[Result], percent: float = PERCENT) -> list[Comparison]:
        """Every figure of these results, and every one that the baseline has of them and they have not.

        A result without figures, because its synthesis failed, has nothing to compare.
        """
        accepted = self.figures()
        listed = []
        for result in results:
            if result.error:
                continue
            for figure in FIGURES:
                value, before = result.figures.get(figure), accepted.get(f"{result.job.name}.{figure}")
                if value is not None or before is not None:
                    verdict = _verdict(value, before, figure in MORE_IS_BETTER, percent)
                    listed.append(Comparison(result.job.name, figure, value, before, verdict))
        return listed

    def gone(self) -> list[str]:
        """Configurations of the baseline that configs.yaml no longer has."""
        there = {f"{core}.{config}" for core in configs.cores() for config in configs.names(core)}
        return list(dict.fromkeys(c for c in (_config(name) for name in self.figures()) if c not in there))

    def accept(self, comparisons: Iterable[Comparison], gone: Sequence[str] = ()) -> int:
        """Write what is new or different behind what is there, and the configurations `gone` as gone.

        What is accepted piece by piece on one day, at one commit and with the same tools is one entry. Returns the
        number of figures written. Raises UserError when it cannot.
        """
        self._accepted = self._read()  # another run may have accepted something since this one began
        changed = {f"{c.config}.{c.figure}": c.value for c in comparisons if c.value != c.before}
        changed |= {name: None for name in self.figures() if _config(name) in gone}
        if not changed:
            return 0
        entry = {"date": date.today().isoformat(), "commit": report.commit(), "tools": versions()}
        figures = {name: _plain(value) for name, value in changed.items()}
        before, last = self._accepted[:-1], self._accepted[-1:]
        if last and entry == {key: value for key, value in last[0].items() if key != "figures"}:
            figures = last[0]["figures"] | figures
        else:
            before = self._accepted
        text = _text([*before, entry | {"figures": figures}])
        report.put(self.file, text)
        self._accepted = json.loads(text)["accepted"]
        return len(changed)


def _entries(document: dict) -> list[dict]:
    for entry in document["accepted"]:
        if not isinstance(entry["date"], str) or not isinstance(entry["commit"], str):
            raise TypeError("an entry has no date and commit")
        if any(not isinstance(v, int | float | None) for v in entry["figures"].values()):
            raise TypeError("a figure is no number")
    return list(document["accepted"])


def _verdict(value: float | None, before: float | None, more_is_better: bool, percent: float) -> Verdict:
    if value is None:
        return "missing"
    if before is None:
        return "new"
    allowed = abs(before) * (percent / 100 + 1e-9)  # exactly so much is still allowed
    gained = value - before if more_is_better else before - value
    if gained < -allowed:
        return "worse"
    return "better" if gained > allowed else "same"


def _config(name: str) -> str:
    """'gae.tiny' of 'gae.tiny.lut'."""
    return name.rpartition(".")[0]


def _plain(value: float | None) -> float | int | None:
    return int(value) if value is not None and value == int(value) else value


def _text(accepted: list[Mapping]) -> str:
    return json.dumps({"accepted": accepted}, indent=1) + "\n"
