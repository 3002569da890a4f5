"""A client of all memories of a replay server with several; docs/net.md says what a bank is."""

import contextlib
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import fraction, whole
from rlcores.cores.common.draws import Draws, splitmix64
from rlcores.cores.net import frames as net
from rlcores.cores.sumtree import maths
from rlcores.errors import UserError
from rlcores.net.client import ReplayClient
from rlcores.net.session import Batch, Given


class BankedClient:
    """As rlcores.net.ReplayClient, of all banks. Its client numbers are `client` and those behind it, one a bank.

    Slot s of bank b is slot s · banks + b. seed: of the draws; with the same seed, requests and memories it draws the
    same batches.

    >>> from rlcores.cores.net.frames import Settings
    >>> from rlcores.net import ReplayServer
    >>> with ReplayServer(Settings(capacity=100, record_bytes=8, banks=2)) as server:
    ...     with BankedClient(server.address) as client:
    ...         client.put(np.arange(6), td_errors=np.ones(6))
    ...         client.flush()
    ...         [one["size"] for one in client.stats()], len(client.sample(4).slots)
    ([3, 3], 4)
    """

    def __init__(self, address: str, client: int = 0, *, seed: int = 0, **options: Any) -> None:
        """options: as ReplayClient's. Raises UserError, and RunFailed where nobody answers."""
        self._draws = Draws(seed=splitmix64(seed ^ client, 1)[0])
        self._turn = 0  # the bank of the next record
        with contextlib.ExitStack() as made:
            first = ReplayClient(address, client, **options)
            made.callback(first.close)
            self._clients = [first] * first.settings.banks
            for number in range(client + 1, client + len(self._clients)):
                one = ReplayClient(address, number, **options)
                made.callback(one.close)
                self._clients[one.settings.bank] = one
            self._clients[first.settings.bank] = first
            self._close = made.pop_all()

    @property
    def settings(self) -> net.Settings:
        """What each bank is, as the first said."""
        return self._clients[0].settings

    def __enter__(self) -> "BankedClient":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        with self._close:
            if kind is None:
                self.flush()

    def close(self) -> None:
        """Give the sockets back. What was not acknowledged may be stored or not; flush() first."""
        self._close.close()

    def put(self, records: ArrayLike, **given: Unpack[Given]) -> None:
        """Store records (n, …), one bank after the other. Waits only for credit."""
        columns, banks = self._clients[0]._rows(records, **given), len(self._clients)
        for k in range(min(banks, len(columns[0]))):
            client = self._clients[(self._turn + k) % banks]
            client.hand(client.session.put(*(np.ascontiguousarray(x[k::banks]) for x in columns)))
        self._turn = (self._turn + len(columns[0])) % banks

    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        banks = len(self._clients)
        columns = self._clients[0]._updates(slots, generations, td_errors, priorities, banks)
        for bank, client in enumerate(self._clients):
            here = columns[0] % banks == bank
            slots, *others = (x[here] for x in columns)
            if len(slots):
                client.hand(client.session.update(slots // np.uint32(banks), *others))

    @property
    def limited(self) -> int:
        """As ReplayClient's."""
        return self._clients[0].limited

    def sample(self, batch_size: int, *, beta: float = 0.4, stratified: bool = True, weights: bool = True) -> Batch:
        """A batch: the bank of each record in proportion to the banks' totals, then a draw inside it.

        Raises UserError when there is nothing to sample.
        """
        count = whole("batch_size", batch_size, 1, self.settings.sample_max)
        beta = round(fraction("beta", beta, 0.0, 1.0) * 32768)
        while True:
            totals = np.cumsum([one["total"] for one in self.stats()])
            if not totals[-1]:
                raise UserError("there is nothing to sample: no record has a priority above 0")
            self._draws.restart(count if stratified else 1)
            targets = [u * int(totals[-1]) >> 32 for u in self._draws.take(count).tolist()]
            bank = np.searchsorted(totals, targets, "right")
            asked = {
                n: client.ask(here, beta=0.0, stratified=stratified, weights=False, draws=self._words())
                for n, client in enumerate(self._clients)
                if (here := int((bank == n).sum()))
            }
            for n, one in asked.items():
                self._clients[n].answered(one)
            # A bank that lost its priorities in between has none to draw: once more.
            if all(one.status != net.EMPTY for one in asked.values()):
                break
        parts = {n: self._clients[n].batch(one) for n, one in asked.items()}
        found = Batch(
            *(_merged(bank, {n: part[k] for n, part in parts.items()}) for k in range(6)),
            sum(part.total for part in parts.values()),
            sum(part.size for part in parts.values()),
        )
        slots = found.slots * np.uint32(len(self._clients)) + bank.astype(np.uint32)
        if not weights:
            return found._replace(slots=slots)
        priorities = found.priorities.astype(np.int64)
        # As of one memory: the total is the same for all, and no less than any priority.
        total = np.full(count, max(totals[-1], priorities.max()))
        raw = maths.weights(np.zeros(count), priorities, total, beta)
        return found._replace(slots=slots, weights=(raw / 2.0**maths.WEIGHT_FRACTION).astype(np.float32))

    def put_weights(self, data: bytes, version: int) -> None:
        """Publish weights in every bank, so that a client of any one finds them."""
        for one in self._clients:
            one.put_weights(data, version)

    def get_weights(self, version: int = 0) -> tuple[int, bytes] | None:
        """As ReplayClient's, of the first bank."""
        return self._clients[0].get_weights(version)

    def stats(self) -> list[dict[str, int]]:
        """State and counters of each bank."""
        asked = [one.ask_stats() for one in self._clients]
        return [one.stats(request) for one, request in zip(self._clients, asked, strict=True)]

    def flush(self) -> None:
        """Until everything was acknowledged."""
        for one in self._clients:
            one.flush()

    def _words(self) -> np.ndarray:
        while not (words := self._draws.generator.take(4)).any():
            pass
        return words


def _merged(bank: np.ndarray, parts: dict[int, np.ndarray]) -> np.ndarray:
    """One array of those of each bank, in the order of `bank`."""
    some = next(iter(parts.values()))
    found = np.empty((len(bank), *some.shape[1:]), some.dtype)
    for n, part in parts.items():
        found[bank == n] = part
    return found
