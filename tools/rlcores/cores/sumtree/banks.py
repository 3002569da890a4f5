"""rlc_sumtree_banks without its clock: S sum trees side by side, requests one after the other.

Slot s is slot s // S of bank s % S. The core takes a request from each lane in every clock, and a sample chooses its
bank by totals that are some clocks old; here each request finds what the one before it left, which is what the core
answers when a request is sent after the answer of the one before. docs/sumtree_banks.md is the contract.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.threads import alone
from rlcores.cores.common.draws import Draws, state_of, stream_state
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.model import SumTreeShape, together
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver

BANKS = (1, 2, 4, 8, 16)

State = Sequence[int]


def bank_capacities(capacity: int, banks: int) -> list[int]:
    """Slots of each bank when `capacity` slots are interleaved; a bank has one at least."""
    return [-(-(max(capacity, banks) - bank) // banks) for bank in range(banks)]


def pick_bank(totals: Sequence[int], target: int) -> tuple[int, int]:
    """The least bank whose prefix of totals is above the target, and the target inside it.

    Raises ValueError when the target is not below the sum of all totals.
    """
    for bank, total in enumerate(totals):
        if target < total:
            return bank, target
        target -= total
    raise ValueError("the target is not below the total of all banks")


class SumTreeBanks:
    """Banks of a sum tree as they are after reset, each with a driver of the model's or of the native engine.

    Threads that share them take turns.

    >>> banks = SumTreeBanks(SumTreeShape(4, 16, 18), 2, capacity=30)
    >>> banks.operations(sumtree.INSERT, priority=[5, 0, 7])["index"]
    array([0, 1, 2], dtype=uint32)
    >>> banks.samples(sumtree.TARGET, [4, 5, 11])["index"]
    array([0, 2, 2], dtype=uint32)
    """

    def __init__(
        self,
        shape: SumTreeShape,
        banks: int = 8,
        *,
        capacity: int | None = None,
        private: bool = False,
        driver: Callable[[SumTreeShape], SumTreeModelDriver | SumTreeNativeDriver] = SumTreeNativeDriver,
    ) -> None:
        """shape: of one bank, but for its capacity. capacity: slots of all banks, as many as there are by default.

        private: lane l has bank l to itself (cfg_private). Raises ValueError.
        """
        if banks not in BANKS:
            raise ValueError(f"BANKS is {banks}; it must be one of {', '.join(map(str, BANKS))}")
        most = banks << shape.leaves_log2
        self._most = self._capacity = most if capacity is None else capacity
        if not banks <= self._most <= most:
            raise ValueError(f"CAPACITY is {capacity}; {banks} banks have {banks} to {most} slots")
        self.shape, self.private = shape, private
        self.banks = [driver(replace(shape, capacity=share)) for share in bank_capacities(self._most, banks)]
        self._lanes = [Draws(shape.draw_width, first=lane, step=banks) for lane in range(banks)]
        self._strata = self._next = self._cfg_capacity = 0
        self.load_draws(state_of(0))

    @property
    @alone
    def total(self) -> int:
        """Sum of all priorities."""
        return sum(bank.total for bank in self.banks)

    @property
    @alone
    def size(self) -> int:
        """Slots that were inserted since the last CLEAR."""
        return sum(bank.size for bank in self.banks)

    @property
    @alone
    def largest(self) -> int:
        """The largest priority that any bank has seen since the last CLEAR."""
        return max(bank.largest for bank in self.banks)

    @property
    def capacity(self) -> int:
        """The capacity in force."""
        return self._capacity

    @alone
    def configure(self, *, capacity: int | None = None, initial: int | None = None, strata: int | None = None) -> None:
        """cfg_capacity and cfg_initial, which wait for CLEAR, and cfg_strata, which waits for restart()."""
        self._cfg_capacity = self._cfg_capacity if capacity is None else capacity
        self._strata = self._strata if strata is None else strata
        own = self._strata if self.private or len(self.banks) == 1 else 0  # of a bank's draws
        for bank, share in zip(self.banks, bank_capacities(self._limit(), len(self.banks)), strict=True):
            bank.configure(capacity=share, initial=initial, batch=max(own, 1), stratified=own > 1)

    @alone
    def load_draws(self, state: State) -> None:
        """Software's state words s0 … s3, from which all generators take theirs; restarts."""
        count = len(self.banks)
        own = [state if count == 1 else stream_state(state, k) for k in range(2 * count)]
        for k in range(count):
            self.banks[k].load_draws(tuple(own[k]))
            self._lanes[k].load(own[count + k], self._strata)

    @alone
    def restart(self) -> None:
        """The next draws are in the lanes' first strata."""
        for bank, draws in zip(self.banks, self._lanes, strict=True):
            bank.restart()
            draws.restart(self._strata)

    @alone
    def operations(
        self,
        kind: ArrayLike,
        index: ArrayLike = 0,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: ArrayLike = False,
        use_max: ArrayLike = False,
        lane: ArrayLike = 0,
    ) -> np.ndarray:
        """Carry out operations in order, each on its lane: answers (n,) of dtype sumtree.OPERATION.

        The arguments broadcast to (n,). index may be larger than the core's ports: those beyond any bank are refused.
        """
        columns = together(kind, index, priority, generation, check, use_max, lane)
        answers = np.zeros(len(columns[0]), sumtree.OPERATION)
        kind, use_max = columns[0], columns[5].astype(bool)
        # What is done to all banks, or looks at all of them, is alone.
        single = (kind == sumtree.CLEAR) | (use_max & (not self.private and len(self.banks) > 1))
        places = np.flatnonzero(single).tolist()
        for first, last in pairwise(sorted({0, len(kind), *places, *(place + 1 for place in places)})):
            part = [x[first:last] for x in columns]
            answers[first:last] = self._single(*part) if single[first] else self._spread(*part)
        return answers

    def _single(self, kind, index, priority, generation, check, use_max, lane) -> np.ndarray:
        if kind[0] != sumtree.CLEAR:
            return self._spread(kind, index, np.array([self.largest]), generation, check, np.zeros(1, bool), lane)
        if lane[0]:  # refused as a kind that there is not
            answers = self._spread(kind | 2, index, priority, generation, check, use_max, lane)
            answers["kind"] = kind
            return answers
        self.configure()
        none, never = np.zeros((3, 1), np.int64), np.zeros((3, 1), bool)
        cleared = [bank.operations(kind, *none, *never) for bank in self.banks]
        self._capacity, self._next = self._limit(), 0
        return cleared[0]

    def _spread(self, kind, index, priority, generation, check, use_max, lane) -> np.ndarray:
        count = len(self.banks)
        bank = index % count
        inserts = (kind == sumtree.INSERT) | (kind == sumtree.RESERVE)
        if self.private:
            bank[inserts] = lane[inserts]
        else:
            dealt = self._next + np.arange(inserts.sum() + 1)
            bank[inserts], self._next = dealt[:-1] % self._capacity % count, int(dealt[-1]) % self._capacity
        answers = np.zeros(len(kind), sumtree.OPERATION)
        for number, tree in enumerate(self.banks):
            mine = bank == number
            if mine.any():
                args = (x[mine] for x in (kind, index // count, priority, generation, check, use_max))
                answers[mine] = self._global(tree.operations(*args, np.zeros(mine.sum(), bool)), number)
        return answers

    @alone
    def samples(self, kind: ArrayLike, value: ArrayLike = 0, lane: ArrayLike | None = None) -> np.ndarray:
        """Answer sample requests: (n,) of dtype sumtree.SAMPLE. total is the answering bank's; weight means nothing.

        lane: (n,); as it is not given, requests are dealt to the lanes in turn, from lane 0 on.
        """
        count = len(self.banks)
        kind, value = (x.copy() for x in together(kind, value))
        value = value.astype(np.uint64)
        lane = np.arange(len(kind)) % count if lane is None else np.broadcast_to(lane, kind.shape)
        bank = lane % count
        if self.private or count == 1:
            targets = (kind == sumtree.TARGET) | (kind == sumtree.SOFT)
            value = np.where(targets, value & np.uint64((1 << self.shape.total_width) - 1), value)
        else:
            totals = [tree.total for tree in self.banks]
            for i in range(len(kind)):
                bank[i], kind[i], value[i] = self._picked(totals, int(kind[i]), int(value[i]), int(lane[i]))
        answers = np.zeros(len(kind), sumtree.SAMPLE)
        for number, tree in enumerate(self.banks):
            mine = bank == number
            if mine.any():
                part = tree.samples(kind[mine].astype(np.uint8), value[mine])
                answers[mine] = self._global(part, number, part["status"] == sumtree.OK)
        return answers

    def _picked(self, totals: list[int], kind: int, value: int, lane: int) -> tuple[int, int, int]:
        asked, draw, total = sumtree.TARGET, self.shape.draw_width, sum(totals)
        if kind in (sumtree.DRAW, sumtree.GIVEN):
            asked = sumtree.DRAW if kind == sumtree.DRAW and self._lanes[lane].strata == 1 else sumtree.SOFT
            u = self._lanes[lane].next() if kind == sumtree.DRAW else value & (1 << draw) - 1
            value = u * total >> draw
        if value >= total:
            return 0, asked, (1 << max(self.shape.total_width, draw)) - 1
        bank, rest = pick_bank(totals, value)
        return bank, asked, rest

    def _limit(self) -> int:
        most, wanted = self._most, self._cfg_capacity
        return most if wanted == 0 or wanted > most else max(wanted, len(self.banks))

    def _global(self, answers: np.ndarray, bank: int, valid: np.ndarray | bool = True) -> np.ndarray:
        """With the slots of all banks."""
        slots = (answers["index"] & ((1 << self.shape.leaves_log2) - 1)) * len(self.banks) + bank
        answers["index"] = np.where(valid, slots, 0)
        return answers
