"""What a client of all banks asks of which bank, and how one batch is made of theirs; docs/net.md says what a bank is.

The blocking and the asynchronous client differ only in how they wait.
"""

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import fraction, whole
from rlcores.cores.common.draws import Draws, splitmix64
from rlcores.cores.net import frames as net
from rlcores.cores.sumtree import maths
from rlcores.errors import UserError
from rlcores.net.session import Batch, Requests

Client = TypeVar("Client", bound=Requests)


class Banks(Generic[Client]):
    """The clients of a server's banks, one each, in the order of the banks."""

    def __init__(self, seed: int, client: int) -> None:
        self._clients: list[Client] = []
        numbers = whole("seed", seed, 0, 2**64 - 1), whole("client", client, 0, 65535)
        self._draws = Draws(seed=splitmix64(numbers[0] ^ numbers[1], 1)[0])
        self._turn = 0  # the bank of the next record

    @property
    def settings(self) -> net.Settings:
        """What each bank is, as the first said."""
        return self._first.settings

    @property
    def limited(self) -> int:
        """As ReplayClient's."""
        return self._first.limited

    @property
    def _first(self) -> Client:
        if not self._clients:
            raise UserError("the client is not connected")
        return self._clients[0]

    def _puts(self, records: ArrayLike, **given: Any) -> Iterator[tuple[Client, list[Any]]]:
        """Requests of each bank that is put into. Take all of them before you wait: the turn is the next one's then."""
        columns, banks = self._first._rows(records, **given), len(self._clients)
        turn, self._turn = self._turn, (self._turn + len(columns[0])) % banks
        for k in range(min(banks, len(columns[0]))):
            client = self._clients[(turn + k) % banks]
            yield client, client.session.put(*(np.ascontiguousarray(x[k::banks]) for x in columns))

    def _updates(
        self, slots: ArrayLike, generations: ArrayLike, td_errors: ArrayLike | None, priorities: ArrayLike | None
    ) -> Iterator[tuple[Client, list[Any]]]:
        """Requests of each bank of whose slots some are given."""
        banks = len(self._clients)
        columns = self._first._updates(slots, generations, td_errors, priorities, banks)
        for bank, client in enumerate(self._clients):
            here = columns[0] % banks == bank
            slots, *others = (x[here] for x in columns)
            if len(slots):
                yield client, client.session.update(slots // np.uint32(banks), *others)

    def _wanted(self, batch_size: int, beta: float) -> tuple[int, int]:
        """Records, and beta as ufix(16, 15)."""
        count = whole("batch_size", batch_size, 1, self.settings.sample_max)
        return count, round(fraction("beta", beta, 0.0, 1.0) * 32768)

    def _drawn(self, stats: list[dict[str, int]], count: int, stratified: bool) -> tuple[np.ndarray, dict[int, dict]]:
        """The bank of each record (count,); and by bank what is asked of it. Raises UserError: there is nothing."""
        totals = np.cumsum([one["total"] for one in stats])
        if not totals[-1]:
            raise UserError("there is nothing to sample: no record has a priority above 0")
        self._draws.restart(count if stratified else 1)
        targets = [u * int(totals[-1]) >> 32 for u in self._draws.take(count).tolist()]
        bank = np.searchsorted(totals, targets, "right")
        how = {"beta": 0.0, "stratified": stratified, "weights": False}
        numbers = np.bincount(bank, minlength=len(totals)).tolist()
        return bank, {n: {"batch_size": here, "draws": self._words(), **how} for n, here in enumerate(numbers) if here}

    def _words(self) -> np.ndarray:
        while not (words := self._draws.generator.take(4)).any():
            pass
        return words

    def _merged(
        self, bank: np.ndarray, answers: dict[int, Any], stats: list[dict[str, int]], beta: int, weights: bool
    ) -> Batch | None:
        """One batch of those of the banks. None: a bank had lost its priorities since STAT; ask once more."""
        if any(one.status == net.EMPTY for one in answers.values()):
            return None
        parts = {n: self._clients[n].batch(one) for n, one in answers.items()}
        held = {n: (one["total"], one["size"]) for n, one in enumerate(stats)}  # also of banks that none was drawn from
        held |= {n: (part.total, part.size) for n, part in parts.items()}
        found = Batch(
            *(_ordered(bank, {n: part[k] for n, part in parts.items()}) for k in range(6)),
            *(sum(numbers) for numbers in zip(*held.values(), strict=True)),
        )
        slots = found.slots * np.uint32(len(self._clients)) + bank.astype(np.uint32)
        if not weights:
            return found._replace(slots=slots)
        priorities = found.priorities.astype(np.int64)
        # As of one memory: the total is the same for all, and no less than any priority.
        total = np.full(len(bank), max(sum(one["total"] for one in stats), priorities.max()))
        raw = maths.weights(np.zeros(len(bank)), priorities, total, beta)
        return found._replace(slots=slots, weights=(raw / 2.0**maths.WEIGHT_FRACTION).astype(np.float32))


def _ordered(bank: np.ndarray, parts: dict[int, np.ndarray]) -> np.ndarray:
    """One array of those of each bank, in the order of `bank`."""
    some = next(iter(parts.values()))
    found = np.empty((len(bank), *some.shape[1:]), some.dtype)
    for n, part in parts.items():
        found[bank == n] = part
    return found
