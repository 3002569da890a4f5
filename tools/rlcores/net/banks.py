"""What a client of all banks asks of which bank, and how one batch is made of theirs; banks: see docs/net.md."""

from typing import Any, Generic, NoReturn, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_float, check_int
from rlcores.base.attributes import Guarded
from rlcores.base.naming import count_of, described
from rlcores.cores.common.draws import Draws, seed_of, splitmix64
from rlcores.cores.replay_server import frames as net
from rlcores.cores.sumtree import maths
from rlcores.cores.sumtree.arguments import wholes
from rlcores.errors import UserError
from rlcores.net.session import ANSWERED, HANDED, NO_COPY, PutOptions, RecordBatch, Requests, Steps, Wait, at_once, call

Client = TypeVar("Client", bound=Requests)


class Banks(Guarded, Generic[Client]):
    """The clients of a server's banks, one each, in the order of the banks."""

    def __init__(self, seed: int | None, client: int) -> None:
        self._clients: list[Client] = []
        self.seed = seed_of(seed)
        self._client = check_int("client", client, 0, 65535)
        self._draws = Draws(seed=splitmix64(self.seed ^ self._client, 1)[0])
        self._next_bank = 0  # the bank of the next record

    def __repr__(self) -> str:
        if not self._clients:
            return described(self, f"client {self._client}", "not connected")
        at, last = self.address, self._client + len(self._clients) - 1
        return described(self, at, f"clients {self._client} to {last}", count_of(len(self._clients), "banks"))

    def __reduce__(self) -> NoReturn:
        raise UserError(NO_COPY)

    @property
    def settings(self) -> net.ServerSettings:
        """What each bank is, as the first said."""
        return self._first.settings

    @property
    def address(self) -> str:
        """HOST:PORT of the server."""
        return self._first.address

    @property
    def saturated(self) -> int:
        """As ReplayClient's."""
        return self._first.saturated

    @property
    def _first(self) -> Client:
        if not self._clients:
            raise UserError("the client is not connected")
        return self._clients[0]

    @property
    def _open(self) -> bool:
        return self._first._open

    # --- calls ---

    @call
    def put(self, records: ArrayLike, *, banks: ArrayLike | None = None, **options: Unpack[PutOptions]) -> Steps[None]:
        """Store records (n, …), one bank after the other, or in banks (n,). Waits only for credit."""
        columns, count = self._first._rows(records, **options), len(self._clients)
        rows = len(columns[0])
        if banks is None:
            # The turn is the next call's before this one waits.
            turn, self._next_bank = self._next_bank, (self._next_bank + rows) % count
            where = (turn + np.arange(rows)) % count
        else:
            where = wholes("banks", banks, 0, count - 1, rows)
        waits: list[Wait] = []
        for bank in dict.fromkeys(where.tolist()):
            client, here = self._clients[bank], where == bank
            waits.append((client, HANDED, client.session.put(*(np.ascontiguousarray(x[here]) for x in columns))))
        yield waits

    @call
    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> Steps[None]:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        banks = len(self._clients)
        waits: list[Wait] = []
        columns = self._first._updates(slots, generations, td_errors, priorities, banks)
        for bank, client in enumerate(self._clients):
            here = columns[0] % banks == bank
            places, *others = (x[here] for x in columns)
            if len(places):
                waits.append((client, HANDED, client.session.update(places // np.uint32(banks), *others)))
        yield waits

    @call
    def sample(
        self, batch_size: int, *, beta: float = 0.4, stratified: bool = True, weights: bool = True
    ) -> Steps[RecordBatch]:
        """A batch: the bank of each record in proportion to the banks' totals, then a draw inside it.

        Raises UserError when there is nothing to sample.
        """
        count = check_int("batch_size", batch_size, 1, self.settings.sample_max)
        beta_word = round(check_float("beta", beta, 0.0, 1.0) * 32768)
        while True:
            stats = yield from at_once(Requests.stats.steps(one) for one in self._clients)
            bank, how = self._drawn(stats, count, stratified)
            asked = {n: self._clients[n]._sample(**one) for n, one in how.items()}
            yield [(self._clients[n], ANSWERED, [one]) for n, one in asked.items()]
            # A bank may have lost its priorities since it told its state.
            if all(one.status != net.EMPTY for one in asked.values()):
                return self._merged(bank, asked, stats, beta_word, weights)

    @call
    def put_weights(self, data: bytes, version: int) -> Steps[None]:
        """Publish weights in every bank, so that a client of any one finds them."""
        yield from at_once(Requests.put_weights.steps(one, data, version) for one in self._clients)

    @call
    def get_weights(self, version: int = 0) -> Steps[tuple[int, bytes] | None]:
        """As ReplayClient's, of the first bank."""
        return (yield from Requests.get_weights.steps(self._first, version))

    @call
    def stats(self) -> Steps[list[dict[str, int]]]:
        """State and counters of each bank."""
        return (yield from at_once(Requests.stats.steps(one) for one in self._clients))

    @call
    def flush(self) -> Steps[None]:
        """Until everything was acknowledged."""
        yield from at_once(Requests.flush.steps(one) for one in self._clients)

    # --- what they are made of ---

    def _drawn(
        self, stats: list[dict[str, int]], count: int, stratified: bool
    ) -> tuple[np.ndarray, dict[int, dict[str, Any]]]:
        """The bank of each record (count,); and by bank what is asked of it. Raises UserError: there is nothing."""
        totals = np.cumsum([one["total"] for one in stats])
        if not totals[-1]:
            raise UserError("there is nothing to sample: no record has a priority above 0")
        self._draws.restart(count if stratified else 1)
        targets = [u * int(totals[-1]) >> 32 for u in self._draws.take(count).tolist()]
        bank = np.searchsorted(totals, targets, "right")
        how: dict[str, Any] = {"beta": 0.0, "stratified": stratified, "weights": False}
        numbers = np.bincount(bank, minlength=len(totals)).tolist()
        return bank, {n: {"batch_size": here, "draws": self._words(), **how} for n, here in enumerate(numbers) if here}

    def _words(self) -> np.ndarray:
        while not (words := self._draws.generator.take(4)).any():
            pass
        return words

    def _merged(
        self, bank: np.ndarray, answers: dict[int, Any], stats: list[dict[str, int]], beta: int, weights: bool
    ) -> RecordBatch:
        """One batch of those of the banks."""
        parts = {n: self._clients[n].batch(one) for n, one in answers.items()}
        held = {n: (one["total"], one["size"]) for n, one in enumerate(stats)}  # also of banks that none was drawn from
        held |= {n: (part.total, part.size) for n, part in parts.items()}
        arrays = (_ordered(bank, {n: part[:6][k] for n, part in parts.items()}) for k in range(6))
        batch = RecordBatch._make([*arrays, *map(sum, zip(*held.values(), strict=True))])
        slots = batch.slots * np.uint32(len(self._clients)) + bank.astype(np.uint32)
        if not weights:
            return batch._replace(slots=slots)
        priorities = batch.priorities.astype(np.int64)
        # As of one memory: the total is the same for all, and no less than any priority.
        total = np.full(len(bank), max(sum(one["total"] for one in stats), priorities.max()))
        raw = maths.weights(np.zeros(len(bank)), priorities, total, beta)
        return batch._replace(slots=slots, weights=(raw / 2.0**maths.WEIGHT_FRACTION).astype(np.float32))


def _ordered(bank: np.ndarray, parts: dict[int, np.ndarray]) -> np.ndarray:
    """One array of those of each bank, in the order of `bank`."""
    some = next(iter(parts.values()))
    joined = np.empty((len(bank), *some.shape[1:]), some.dtype)
    for n, part in parts.items():
        joined[bank == n] = part
    return joined
