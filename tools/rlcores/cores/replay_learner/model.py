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
from rlcores.cores.sumtree.maths import DELTA_FRACTION, WEIGHT_FRACTION
from rlcores.cores.sumtree.model import INSERT, OK, RESERVE, STALE, UPDATE
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver

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
    """The loop's registers that results depend on, as after reset."""

    batch: int = 1
    ahead: int = 0
    td_frac: int = 16


@dataclass
class _Batch:
    answers: np.ndarray
    void: np.ndarray


class ReplayLearnerModel:
    """The core between two stops. tree and learner are its parts; memory (slots, elements) holds its experiences."""

    def __init__(
        self, tree: SumTreeModelDriver, learner: ValueLearner | DdpgLearner | None, layout: RecordLayout
    ) -> None:
        """tree: or what has its calls. learner may follow later, and be exchanged, when its formats are written."""
        self.tree, self.learner, self.layout = tree, learner, layout
        self.tree.configure(weights=True)
        self.registers = Registers()
        self.memory = np.zeros((1 << tree.shape.leaves_log2, layout.elements), np.uint32)
        self.filled = 0  # experiences committed since the last clear
        self.counters = dict.fromkeys(COUNTERS, 0)

    def clear(self) -> None:
        """Forget all experiences."""
        self.tree.clear()
        self.filled = 0

    def insert(self, rows: np.ndarray, failed: np.ndarray | None = None) -> None:
        """Take experiences in, uint32 (n, elements). failed (n,) bool: the memory refuses the write.

        A slot is reserved for each; one whose write failed keeps its old content and priority 0.
        """
        count = len(rows)
        failed = np.zeros(count, bool) if failed is None else np.asarray(failed, bool)
        first = self.layout.first(rows)
        use_max = first == LARGEST
        # RESERVE and COMMIT, one experience after the other, leave what INSERT leaves.
        kinds, errors = np.where(failed, RESERVE, INSERT), self._errors(np.where(use_max, 0, first))
        slots = self.tree.operations(kinds, 0, errors, use_max=use_max, td=True)["index"]
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
        answers = self.tree.draw(self.registers.batch)
        empty = answers["status"] != OK
        lost = ~empty & np.isin(answers["index"], list(unreadable))
        self._count(sampled=len(answers), read_errors=int(lost.sum()), voids=int((empty | lost).sum()))
        return _Batch(answers, empty | lost)

    def _update(self, batch: _Batch) -> None:
        answers, void = batch.answers, batch.void
        # No experience comes in between: in the core a slot is overwritten only after the reads that were due before.
        rows = self.memory[answers["index"]]
        rows[void] = self.layout.void()
        weights = round_shift(answers["weight"].astype(np.int64), WEIGHT_FRACTION - FACTOR_FRAC)
        records = self.layout.unpack(rows, np.where(void, 0, weights))
        td = self.learner.step_records(records)
        valid = self.layout.valid(records)
        # The learner gives a 0 with a last record that is not valid; nothing is updated by it.
        known, errors = answers[valid], self._errors(td[: int(valid.sum())])
        answered = self.tree.operations(UPDATE, known["index"], errors, known["generation"], check=True, td=True)
        self._count(batches=1, stale_updates=int((answered["status"] == STALE).sum()))

    def _errors(self, td: np.ndarray) -> np.ndarray:
        """|TD errors| as the tree takes them."""
        return np.minimum(td.astype(np.int64) << (DELTA_FRACTION - self.registers.td_frac), DELTA_MAX)

    def _count(self, **events: int) -> None:
        for name, count in events.items():
            self.counters[name] = (self.counters[name] + count) & 0xFFFFFFFF
