"""A client of all memories of a replay server with several; docs/net.md says what a bank is."""

import contextlib
from typing import Any, Unpack

from numpy.typing import ArrayLike

from rlcores.net.banks import Banks
from rlcores.net.client import ReplayClient
from rlcores.net.session import Batch, Given


class BankedClient(Banks[ReplayClient]):
    """As rlcores.net.ReplayClient, of all banks. Its client numbers are `client` and those behind it, one a bank.

    Slot s of bank b is slot s · banks + b. seed: of the draws; with the same seed, requests and memories it draws the
    same batches.

    >>> import numpy as np
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
        super().__init__(seed, client)
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

    def __enter__(self) -> "BankedClient":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        with self._close:
            if kind is None and self._first._socket is not None:
                self.flush()

    def close(self) -> None:
        """Give the sockets back. What was not acknowledged may be stored or not; flush() first."""
        self._close.close()

    def put(self, records: ArrayLike, **given: Unpack[Given]) -> None:
        """Store records (n, …), one bank after the other. Waits only for credit."""
        for client, made in list(self._puts(records, **given)):
            client.hand(made)

    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        for client, made in list(self._updates(slots, generations, td_errors, priorities)):
            client.hand(made)

    def sample(self, batch_size: int, *, beta: float = 0.4, stratified: bool = True, weights: bool = True) -> Batch:
        """A batch: the bank of each record in proportion to the banks' totals, then a draw inside it.

        Raises UserError when there is nothing to sample.
        """
        count, beta_word = self._wanted(batch_size, beta)
        while True:
            stats = self.stats()
            bank, how = self._drawn(stats, count, stratified)
            asked = {n: self._clients[n].ask(**one) for n, one in how.items()}
            answers = {n: self._clients[n].answered(one) for n, one in asked.items()}
            found = self._merged(bank, answers, stats, beta_word, weights)
            if found is not None:
                return found

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
