"""The replay learner without its clock, bit for bit: sum tree, priority maths, learner and experiences in one order.

With D batches ahead, and S(k) the samples of batch k, U(k) its priority updates, that order is
S(0) ... S(D), U(0), S(D+1), U(1), ...; what was sampled when sampling ends is updated in turn. So D = 0 is prioritised
experience replay as it is written (Schaul et al. 2016), and for any D a result depends on nothing but the experiences
that came before each batch. A relaxed loop (Zhang 2022, section 4.3.1) ends no call with the last D updates: they wait
for the batches of later calls.

What its driver offers is what every driver of the core offers. All numbers are raw, as in the core's registers and
streams; rlcores.cores.replay_learner.api has units and checks.
"""

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.learner import shape as learner_shape
from rlcores.cores.learner.format import FACTOR_FRAC
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.replay_learner.records import DELTA_MAX, LARGEST, RecordLayout
from rlcores.cores.sumtree.maths import DELTA_FRACTION, WEIGHT_FRACTION
from rlcores.cores.sumtree.model import INSERT, OK, READ, RESERVE, STALE, UPDATE
from rlcores.cores.sumtree.model import SumTreeShape as TreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.errors import RunFailed

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


class ReplayLearnerError(RunFailed):
    """The core is not what was expected, or refused what was asked."""


class MemoryFault(ReplayLearnerError):
    """The memory answered with an error. What was sampled is trained and updated, what was committed stays.

    address: where the first record begins that could not be read or written, in bytes. batches: those trained by the
    call. lost: experiences of the call that are not in the memory.
    """

    def __init__(self, sentence: str, address: int, *, batches: int = 0, lost: int = 0) -> None:
        super().__init__(sentence)
        self.address, self.batches, self.lost = address, batches, lost


def shapes(parameters: Mapping[str, int | str]) -> tuple[learner_shape.LearnerShape, TreeShape, RecordLayout]:
    """What Verilog parameters describe. Raises ValueError when it cannot be built."""
    learner = learner_shape.LearnerShape.of(parameters)
    tree = TreeShape.of({name: value for name, value in parameters.items() if isinstance(value, int)})
    return learner, tree, RecordLayout(learner, int(parameters.get("DATA_WIDTH", 128)))


@dataclass
class Registers:
    """The loop's registers that results depend on, as after reset."""

    batch: int = 1
    ahead: int = 0
    td_frac: int = 16
    relaxed: bool = False  # updates wait from call to call; the core's registers have no such bit


@dataclass
class Drawn:
    """A batch: the tree's answers, which of them train nothing, and how many those are."""

    answers: np.ndarray
    void: np.ndarray
    voids: int


@dataclass
class Errors:
    """What a gradient step leaves: the tree's answers for the records that trained, and their |TD errors|."""

    known: np.ndarray
    errors: np.ndarray


class TreeInside:
    """What every driver of the core does with the driver of its tree."""

    tree: SumTreeModelDriver  # or what has its calls

    def configure(
        self,
        *,
        batch: int | None = None,
        ahead: int | None = None,
        td_frac: int | None = None,
        relaxed: bool | None = None,
        stratified: bool | None = None,
        **tree: int | None,
    ) -> None:
        """Write what is given; tree: as of the sum tree's driver. capacity and initial wait for clear().

        ahead: D. td_frac: fraction of Q and of initial priorities. relaxed: updates wait from call to call, which the
        core does not do. The learner's own batch is for its configure().
        """
        for name, value in (("batch", batch), ("ahead", ahead), ("td_frac", td_frac), ("relaxed", relaxed)):
            if value is not None:
                self._register(name, value)
        self.tree.configure(batch=batch, stratified=stratified, **tree)
        if batch is not None or stratified is not None:
            self.tree.restart()

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """Set the state words s0 … s3 of the draws; the next sample is the first of a batch."""
        self.tree.load_draws(state)

    size = property(attrgetter("tree.size"), doc="Slots taken since the last clear, at most the capacity.")
    largest = property(attrgetter("tree.largest"), doc="The largest priority seen since the last clear.")


class ReplayLearnerModelDriver(TreeInside):
    """Driver over the integer model: experiences in, batches trained. Its memory has no errors.

    learner, tree: drivers of the parts inside. ahead_max: largest D. writes: experiences on their way; the capacity is
    this or more. memory (slots, elements) holds the experiences, filled counts those committed since the last clear.
    Nothing is on its way between two calls but `pending`, of a relaxed loop: what waits for its updates, oldest first.
    """

    LEARNER, TREE = LearnerModelDriver, SumTreeModelDriver

    def __init__(self, parameters: Mapping[str, int | str], *, base: int = 0) -> None:
        """The core with these Verilog parameters as it is after reset. Raises ValueError when it cannot be built.

        base: where its records begin in the memory, bytes. Raises UserError when they may not, as the core refuses it.
        """
        shape, self.tree_shape, self.layout = shapes(parameters)
        self.base = self.layout.check_base(base, self.tree_shape.leaves_log2, int(parameters.get("ADDR_WIDTH", 34)))
        self.ahead_max, self.writes = int(parameters.get("AHEAD_MAX", 4)), int(parameters.get("WRITES", 8))
        self.learner = self.LEARNER(shape)
        self.tree = self.TREE(self.tree_shape)
        self.tree.configure(weights=True)
        self.registers = Registers()
        self.memory = np.zeros((1 << self.tree_shape.leaves_log2, self.layout.elements), np.uint32)
        self.filled = 0
        self.pending: deque[Errors] = deque()
        self.clear_counters()

    def _register(self, name: str, value: int) -> None:
        setattr(self.registers, name, value)

    def insert(self, rows: np.ndarray, failed: np.ndarray | None = None) -> None:
        """Take experiences in, uint32 (n, layout.elements). failed (n,) bool: the memory refuses the write.

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
        """Batches of gradient steps, and all their priority updates; needs an experience.

        unreadable: slots whose reads the memory answers with an error.
        """
        if self.registers.relaxed:
            for _ in range(batches):
                self.pending.append(self._learn(self.drawn(unreadable)))
                if len(self.pending) > self.registers.ahead:
                    self.update(self.pending.popleft())
            return
        waiting: deque[Drawn] = deque()
        for _ in range(batches):
            waiting.append(self.drawn(unreadable))
            if len(waiting) > self.registers.ahead:
                self.train_on(waiting.popleft())
        while waiting:
            self.train_on(waiting.popleft())

    def sample(self) -> Errors:
        """S(k) and its gradient step, which waits for nothing else; update() gives the tree what comes of it."""
        return self._learn(self.drawn(()))

    def update(self, trained: Errors) -> None:
        """U(k): the priorities of a batch that sample() trained; k by k."""
        answered = self.tree.operations(
            UPDATE, trained.known["index"], trained.errors, trained.known["generation"], check=True, td=True
        )
        self._count(batches=1, stale_updates=int((answered["status"] == STALE).sum()))

    def settle(self) -> None:
        """The updates that wait, in turn."""
        while self.pending:
            self.update(self.pending.popleft())

    def abort(self) -> None:
        """Back to idle from wherever a core is, as after a call that failed; nothing is ever under way here.

        Half a batch and half an experience are dropped. Weights are those of the last whole step, experiences and
        priorities those of the last operation that was carried out; the draws go on from where they are.
        """

    def clear(self) -> None:
        """Forget all experiences, and the updates that wait."""
        self.tree.clear()
        self.filled = 0
        self.pending.clear()

    def records(self, count: int) -> np.ndarray:
        """What the slots 0 … count - 1 hold, uint32 (count, layout.elements)."""
        return self.memory[:count].copy()

    def priorities(self, count: int) -> np.ndarray:
        """Priorities of the slots 0 … count - 1, int64 (count,)."""
        return self.tree.operations(READ, np.arange(count))["priority"].astype(np.int64)

    def set_priorities(self, values: np.ndarray) -> None:
        """Set the priorities of the slots from 0 on, as the tree holds them, 0 included."""
        self.tree.operations(UPDATE, np.arange(len(values)), values)

    def save_pending(self) -> dict[str, np.ndarray]:
        """The updates that wait, between two calls: index, |TD error|, stale or not, and how many each batch has."""
        index, generation, errors = (
            np.concatenate([np.zeros(0, np.int64), *(np.asarray(x, np.int64) for x in column)])
            for column in (
                [one.known["index"] for one in self.pending],
                [one.known["generation"] for one in self.pending],
                [one.errors for one in self.pending],
            )
        )
        sizes = np.array([len(one.errors) for one in self.pending], np.int64)
        return {"index": index, "errors": errors, "stale": generation != self._generations(index), "sizes": sizes}

    def load_pending(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on with what save_pending() gave, in a tree that holds the same slots; their generations are its own."""
        index, stale = kept["index"], kept["stale"].astype(bool)
        known = np.zeros(len(index), [("index", np.int64), ("generation", np.int64)])
        known["index"] = index
        generations = self._generations(index)
        known["generation"] = np.where(stale, generations ^ 1, generations)
        ends = np.cumsum(kept["sizes"])
        parts = [slice(end - size, end) for size, end in zip(kept["sizes"], ends, strict=True)]
        self.pending = deque(Errors(known[part], kept["errors"][part]) for part in parts)

    def _generations(self, index: np.ndarray) -> np.ndarray:
        return self.tree.operations(READ, index)["generation"].astype(np.int64)

    def continue_from(self, since_sync: int, seed: int) -> None:
        """Forget experiences and weights; the next target update counts `since_sync` steps, the rounding is seeded.

        All that configure() and the learner's configure() write must be written again.
        """
        self.clear()
        self.learner.continue_from(since_sync, seed)

    def counters(self) -> dict[str, int]:
        """Counters by name, since reset or clear_counters(); 32 bits each. Those of clocks only the core has."""
        return dict(self._counts)

    def clear_counters(self) -> None:
        """Set the counters to 0."""
        self._counts = dict.fromkeys(COUNTERS, 0)

    # --- a batch ---

    def drawn(self, unreadable: Collection[int] = ()) -> Drawn:
        """S(k) alone: what train_on() trains with."""
        answers = self.tree.draw(self.registers.batch)
        void, lost = answers["status"] != OK, 0
        if len(unreadable):
            unread = ~void & np.isin(answers["index"], list(unreadable))
            void, lost = void | unread, int(unread.sum())
        drawn = Drawn(answers, void, np.count_nonzero(void))
        self._count(sampled=len(answers), read_errors=lost, voids=drawn.voids)
        return drawn

    def answered(self, drawn: Any) -> Drawn:
        """The batch that drawn() has begun, when it is here."""
        return drawn

    def train_on(self, batch: Drawn) -> None:
        """A batch's gradient step, and U(k)."""
        # No experience comes in between: in the core a slot is overwritten only after the reads that were due before.
        self.update(self._learn(batch))

    def _learn(self, batch: Drawn) -> Errors:
        return self._learned(batch, self.memory[batch.answers["index"]])

    def _learned(self, batch: Drawn, rows: np.ndarray) -> Errors:
        answers, void = batch.answers, batch.void
        rows[void] = self.layout.void()
        weights = round_shift(answers["weight"].astype(np.int64), WEIGHT_FRACTION - FACTOR_FRAC)
        records = self.layout.unpack(rows, np.where(void, 0, weights))
        td = self.learner.model.step_records(records)
        valid = self.layout.valid(records)
        # The learner gives a 0 with a last record that is not valid; nothing is updated by it.
        return Errors(answers[valid], self._errors(td[: int(valid.sum())]))

    def _errors(self, td: np.ndarray) -> np.ndarray:
        """|TD errors| as the tree takes them."""
        return np.minimum(td.astype(np.int64) << (DELTA_FRACTION - self.registers.td_frac), DELTA_MAX)

    def _count(self, **events: int) -> None:
        for name, count in events.items():
            self._counts[name] = (self._counts[name] + count) & 0xFFFFFFFF
