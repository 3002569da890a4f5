"""The replay management's design space: radix, banks, memory kinds and read ports of the sum tree.

A gradient step of batch B asks the tree for B samples and B updates, and environments for some inserts. All of it lies
beside the training of another batch, so what is wanted is the smallest tree that keeps up with the learner. One bank
takes a sample and an operation a clock, with SHARED one of both; S banks about S of each (docs/sumtree_banks.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rlcores.cores.sumtree import shape as tree_shape
from rlcores_lab.area import sumtree as tree_area
from rlcores_lab.area import sumtree_banks as banks_area
from rlcores_lab.area.estimate.memory import clog2
from rlcores_lab.dse.board import short

# Samples and operations per clock of each number of banks with queues of 16, measured (docs/sumtree_banks.md).
_RATE = {1: 1.0, 2: 1.95, 4: 3.87, 8: 7.64, 16: 15.2}
QUEUE = 16
_WIDTH, _DRAW, _GENERATION = 18, 32, 8


@dataclass(frozen=True)
class Tree:
    """A sum tree and what the models say of it."""

    parameters: dict[str, int]  # of rlc_sumtree; with BANKS > 1 of each bank
    banks: int
    counts: dict[str, float]
    latency: int  # clocks from a request to its answer
    clocks: float  # clocks that a gradient step keeps it busy

    @property
    def levels(self) -> str:
        """The radices, root first: '16·16·16'."""
        return "·".join(str(1 << level.bits) for level in reversed(tree_shape.places(self.parameters)))


def rate(banks: int) -> float:
    """Samples, and operations, a clock."""
    return _RATE[banks]


def busy(batch: int, inserts: float, banks: int, shared: bool) -> float:
    """Clocks of B samples, B updates and the inserts of a step."""
    operations, samples = batch + inserts, batch
    return (operations + samples if shared else max(operations, samples)) / rate(banks)


def _code(digits: list[int]) -> int:
    """Digits a place, the leaves first, as a parameter's code: leaves last, equal leading digits once."""
    while len(digits) > 1 and digits[-1] == digits[-2]:
        digits = digits[:-1]
    return int("".join(str(d) for d in reversed(digits)))


def trees(capacity: int, batch: int, inserts: float) -> Iterator[Tree]:
    """Every tree that is considered for `capacity` leaves."""
    for banks in _RATE:
        bits = max(clog2(-(-capacity // banks)), 1)
        for radix in range(2, min(6, bits) + 1):
            for shared in (0, 1):
                for leaf in (2, 3):
                    yield _tree(capacity, bits, radix, shared, leaf, banks, busy(batch, inserts, banks, bool(shared)))


def _tree(capacity: int, bits: int, radix: int, shared: int, leaf: int, banks: int, clocks: float) -> Tree:
    parameters = {
        "LEAVES_LOG2": bits, "RADIX_LOG2": radix, "CAPACITY": -(-capacity // banks),
        "PRIORITY_WIDTH": _WIDTH, "DRAW_WIDTH": _DRAW, "GENERATION_WIDTH": _GENERATION, "SHARED": shared,
        "HEAD_STYLE": leaf, "HEAD_LATENCY": 3 if leaf == 3 else 2, "NARROW_STYLE": 2, "NARROW_LATENCY": 2,
        "WIDE_STYLE": 2, "WIDE_LATENCY": 2, "BYPASS": 0, "ADDS": 3,
    }  # fmt: skip
    levels = tree_shape.places(parameters)
    # Short memories in LUTs, the leaves where they were asked for, everything else in block RAM.
    wide = [leaf, *(1 if level.word_bits <= 5 else 2 for level in levels[1:])]
    narrow = [1 if level.word_bits + level.bits <= 5 else 2 for level in levels[1:]] or [2]
    parameters |= {
        "WIDE_STYLE": _code(wide), "WIDE_LATENCY": _code([3 if leaf == 3 else 2, *(2 for _ in levels[1:])]),
        "NARROW_STYLE": _code(narrow),
    }  # fmt: skip
    counts = (
        tree_area.total(parameters) if banks == 1 else banks_area.total(parameters | {"BANKS": banks, "QUEUE": QUEUE})
    )
    return Tree(parameters, banks, counts, tree_shape.latency(parameters), clocks)


def search(capacity: int, batch: int, inserts: float, period: int, have: dict[str, float]) -> list[Tree]:
    """The trees that keep up with a learner of this period and fit, the one that fills the least of anything first."""
    fitting = [t for t in trees(capacity, batch, inserts) if t.clocks <= period and not short(t.counts, have)]
    return sorted(fitting, key=lambda t: (t.banks, share(t, have), t.latency))


def share(tree: Tree, have: dict[str, float]) -> float:
    """The largest share of any resource that it takes."""
    return max(tree.counts[r] / n for r, n in have.items() if n)


def missing(capacity: int, batch: int, inserts: float, period: int, have: dict[str, float]) -> dict[str, float]:
    """By how much the tree that comes nearest falls short of the resources; empty when none is fast enough."""
    fast = [t for t in trees(capacity, batch, inserts) if t.clocks <= period]
    if not fast:
        return {}
    return short(min(fast, key=lambda t: share(t, have)).counts, have)
