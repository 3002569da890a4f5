"""Functional coverage: bins by name, kept over all tests of one simulation, left behind as coverage.json."""

from collections import Counter
from collections.abc import Iterable

from bench_hits import leave


class Coverage:
    """Hits of named bins. The goal is the set of bins that this simulation must reach."""

    def __init__(self) -> None:
        self.goal: set[str] = set()
        self.hits: Counter[str] = Counter()

    def want(self, bins: Iterable[str]) -> None:
        """Add bins to the goal."""
        self.goal.update(bins)

    def hit(self, name: str, times: int = 1) -> None:
        """Count a bin; one outside the goal is only reported."""
        if times:
            self.hits[name] += int(times)

    @property
    def holes(self) -> list[str]:
        """Bins of the goal that nothing hit."""
        return sorted(name for name in self.goal if not self.hits[name])

    @property
    def percent(self) -> float:
        """Share of the goal that was hit."""
        return 100.0 * (len(self.goal) - len(self.holes)) / len(self.goal) if self.goal else 0.0

    def write(self) -> None:
        """Leave {bin: hits} for the test that started the simulation."""
        leave({name: self.hits[name] for name in sorted(self.goal | set(self.hits))})

    def check(self) -> None:
        """Write; raises AssertionError when nothing was wanted, or a bin of the goal was never hit."""
        self.write()
        assert self.goal and not self.holes, f"never hit: {', '.join(self.holes)}"
