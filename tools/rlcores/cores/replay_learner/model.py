"""The replay learner without its clock, bit for bit: sum tree, priority maths, learner and experiences in one order.

With D batches ahead, and S(k) the samples of batch k, U(k) its priority updates, that order is
S(0) ... S(D), U(0), S(D+1), U(1), ...; what was sampled when sampling ends is updated in turn. So D = 0 is prioritised
experience replay as it is written (Schaul et al. 2016), and for any D a result depends on nothing but the experiences
that came before each batch.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.learner.format import FACTOR_FRAC
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.replay_learner.records import DELTA_MAX, LARGEST, RecordLayout
from rlcores.cores.sumtree import maths as sumtree_maths
from rlcores.cores.sumtree.model import CLEAR, INSERT, OK, RESERVE, STALE, UPDATE, SumTreeModel

# Counted since reset or clear_counters(), as the core's registers.
COUNTERS = (
    "batches",
    "sampled",
    "reserved",
    "committed",
    "stale_commits",
    "stale_updates",
    "voids",
    "read_errors",
    "write_errors",
    "dropped",
)


@dataclass
class Registers:
    """The loop's and the tree's registers that results depend on, as after reset."""

    batch: int = 1
    ahead: int = 0
    td_frac: int = 16
    alpha: int = 19661
    epsilon: int = 1
    scale: int = 0
    beta: int = 13107


@dataclass
class _Batch:
    answers: np.ndarray
    void: np.ndarray


class ReplayLearnerModel:
    """The core between two stops. tree and learner are its parts; memory (slots, elements) holds its experiences."""

    def __init__(self, tree: SumTreeModel, learner: ValueLearner | DdpgLearner | None, layout: RecordLayout) -> None:
        """learner may follow later, and be exchanged: the core's own has its formats written."""
        self.tree, self.learner, self.layout = tree, learner, layout
        self.registers = Registers()
        self.memory = np.zeros((tree.leaves, layout.elements), np.uint32)
        self.filled = 0  # experiences committed since the last clear
        self.counters = dict.fromkeys(COUNTERS, 0)

    def clear(self) -> None:
        """Forget all experiences."""
        self.tree.operation(CLEAR)
        self.filled = 0

    def insert(self, rows: np.ndarray, failed: np.ndarray | None = None) -> None:
        """Take experiences in, uint32 (n, elements). failed (n,) bool: the memory refuses the write.

        A slot is reserved for each; one whose write failed keeps its old content and priority 0.
        """
        count, tree = len(rows), self.tree
        failed = np.zeros(count, bool) if failed is None else np.asarray(failed, bool)
        slots = (tree.next + np.arange(count)) % tree.capacity
        first = self.layout.first(rows)
        use_max = first == LARGEST
        priorities = self._priorities(np.where(use_max, 0, first))
        # RESERVE and COMMIT, one experience after the other, leave what INSERT leaves.
        tree.operations(np.where(failed, RESERVE, INSERT), 0, priorities, 0, False, use_max)
        self.memory[slots[~failed]] = rows[~failed]
        lost = int(failed.sum())
        self.filled += count - lost
        self._count(reserved=count, committed=count - lost, write_errors=lost)

    def train(self, batches: int, unreadable: Collection[int] = ()) -> None:
        """Batches from one start to the end. unreadable: slots whose reads the memory answers with an error."""
        waiting: deque[_Batch] = deque()
        for _ in range(batches):
            waiting.append(self._sample(unreadable))
            if len(waiting) > self.registers.ahead:
                self._update(waiting.popleft())
        while waiting:
            self._update(waiting.popleft())

    def _sample(self, unreadable: Collection[int]) -> _Batch:
        answers = self.tree.samples(np.zeros(self.registers.batch, np.uint8))
        answers["weight"] = sumtree_maths.weights(
            answers["status"], answers["priority"], answers["total"], self.registers.beta
        )
        empty = answers["status"] != OK
        lost = ~empty & np.isin(answers["index"], list(unreadable))
        self._count(sampled=len(answers), read_errors=int(lost.sum()), voids=int((empty | lost).sum()))
        return _Batch(answers, empty | lost)

    def _update(self, batch: _Batch) -> None:
        answers, void = batch.answers, batch.void
        # No experience comes in between: in the core a slot is overwritten only after the reads that were due before.
        rows = self.memory[answers["index"]]
        rows[void] = self.layout.void()
        weights = round_shift(answers["weight"].astype(np.int64), sumtree_maths.WEIGHT_FRACTION - FACTOR_FRAC)
        records = self.layout.unpack(rows, np.where(void, 0, weights))
        td = self.learner.step_records(records)
        valid = self.layout.valid(records)
        # The learner gives a 0 with a last record that is not valid; nothing is updated by it.
        answered = self.tree.operations(
            np.full(int(valid.sum()), UPDATE, np.uint8),
            answers["index"][valid],
            self._priorities(td[: int(valid.sum())]),
            answers["generation"][valid],
            True,
            False,
        )
        self._count(batches=1, stale_updates=int((answered["status"] == STALE).sum()))

    def _priorities(self, td: np.ndarray) -> np.ndarray:
        r = self.registers
        delta = np.minimum(td.astype(np.int64) << (sumtree_maths.DELTA_FRACTION - r.td_frac), DELTA_MAX)
        width = self.tree.shape.priority_width
        return sumtree_maths.priorities(delta, r.alpha, r.epsilon, r.scale, width)[0]

    def _count(self, **events: int) -> None:
        for name, count in events.items():
            self.counters[name] = (self.counters[name] + count) & 0xFFFFFFFF
