"""Banked sum tree on the Verilated RTL: updates and samples per clock, and whether samples follow the priorities."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rlcores.base.report import Figure
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab.bench.drive import NUMBER, POINTER, Answer, load

VLNV, TOP = "rlcores:sumtree:banks", "rlc_sumtree_banks"
SEED = 1
CLOCKS = 100_000

# Enough for every request on the way: a tag of its own.
_TAG_WIDTH = 14
_ONE_IN_10000 = 3.719  # of a normal distribution


@dataclass(frozen=True)
class Run:
    """What the driver counted: answers in `clocks` clocks of traffic, and states at the end."""

    clocks: int
    updates: int
    samples: int
    inserted: int  # different slots given by as many inserts as there are slots
    total: int
    leaves: int
    wrong: int
    message: str


@dataclass(frozen=True)
class Bench:
    """What all banks do with every lane offered every clock, and chi-square of the samples against the priorities."""

    parameters: dict[str, int]
    run: Run
    chi_square: float
    chi_limit: float  # exceeded once in 10,000 runs of a fair sampler

    @property
    def banks(self) -> int:
        """BANKS of the core."""
        return self.parameters["BANKS"]

    @property
    def leaves(self) -> int:
        """Leaves of all banks."""
        return self.banks << self.parameters["LEAVES_LOG2"]

    @property
    def samples_per_clock(self) -> float:
        """Samples answered per clock."""
        return self.run.samples / self.run.clocks

    @property
    def updates_per_clock(self) -> float:
        """Updates answered per clock."""
        return self.run.updates / self.run.clocks


def measure(parameters: Mapping[str, int], seed: int = SEED, clocks: int = CLOCKS) -> Bench:
    """Build the banked core, fill it, and offer an update and a sample on every lane in every clock, uniformly random.

    The updates repeat the priorities, so that the samples have one distribution. Raises RunFailed when an answer or a
    state at the end is wrong, when the samples do not follow the priorities, or when the core does not build.
    parameters: all that configs.yaml has, which the driver has to know.
    """
    complete = {**parameters, "TAG_WIDTH": _TAG_WIDTH}
    library = load(VLNV, TOP, complete, "sumtree_banks_drive.cpp")
    slots = complete["CAPACITY"]
    rng = np.random.default_rng(seed)
    most = min((1 << complete["PRIORITY_WIDTH"]) - 1, 255)
    # No slot so rare that chi-square means nothing; one in eight never.
    priorities = np.where(rng.random(slots) < 0.125, 0, rng.integers(most // 8 + 1, most + 1, slots)).astype(np.uint32)
    counts = np.zeros(slots, np.uint64)
    answer = Answer(Run)
    library.banks_run.argtypes, library.banks_run.restype = [NUMBER, NUMBER, *[POINTER] * 3], None
    library.banks_run(seed, clocks, priorities.ctypes.data, counts.ctypes.data, answer.place)
    run = answer.read()
    if run.wrong:
        raise RunFailed(f"the banked sum tree core is wrong {run.wrong} times: {run.message}")
    if run.inserted != slots:
        raise RunFailed(f"{slots} inserts were given {run.inserted} different slots")
    if run.total != run.leaves or run.leaves != priorities.sum():
        raise RunFailed(f"the total is {run.total}, but the leaves add up to {run.leaves}")
    chi_square, limit = fit(counts, priorities)
    if chi_square > limit:
        raise RunFailed(f"samples do not follow the priorities: chi-square is {chi_square:.0f}, more than {limit:.0f}")
    return Bench(complete, run, chi_square, limit)


def fit(counts: np.ndarray, priorities: np.ndarray) -> tuple[float, float]:
    """Chi-square of counts against priorities, and its 0.9999 quantile for a fair sampler (Wilson, Hilferty 1931)."""
    there = priorities > 0
    expected = counts.sum() * priorities[there] / priorities.sum()
    value = float((((counts[there] - expected) ** 2) / expected).sum())
    freedom = int(there.sum()) - 1
    spread = 2 / (9 * freedom)
    return value, freedom * (1 - spread + _ONE_IN_10000 * spread**0.5) ** 3


def figures(bench: Bench, clock: Clock, prefix: str = "sumtree") -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    listed = [
        Figure("leaves", bench.leaves, "leaves", "measured"),
        Figure("banks", bench.banks, "banks", "measured"),
        Figure("samples_per_cycle", bench.samples_per_clock, "1, all banks", "measured"),
        Figure("updates_per_cycle", bench.updates_per_clock, "1, all banks", "measured"),
        Figure("chi_square", bench.chi_square, "of samples against priorities", "measured"),
        Figure("chi_square_limit", bench.chi_limit, "exceeded once in 10,000 runs", "model"),
        Figure("checked", bench.run.updates + bench.run.samples, "answers", "measured"),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("sample_ns", 1e3 / clock.mhz / bench.samples_per_clock, "ns", "model"),
        Figure("update_ns", 1e3 / clock.mhz / bench.updates_per_clock, "ns", "model"),
    ]
    return [Figure(f"{prefix}.{f.name}", f.value, f.unit, f.how) for f in listed]
