"""The blocking client of a replay server."""

import contextlib
from typing import Any, Unpack

from numpy.typing import ArrayLike

from rlcores.cores.net import frames as net
from rlcores.net import addresses
from rlcores.net.session import ANSWERED, CONNECTED, HANDED, Batch, Given, How, Requests, stats_of


class ReplayClient(Requests):
    """A client that waits for its answers. One thread at a time.

    address      HOST:PORT of the server
    client       number of this actor or learner: no two that run at once have the same
    schema       hash of what is in a record, to be sure that all clients mean the same; 0: not compared
    key          16 bytes, as the server has them
    timeout      seconds without any answer after which a call gives up with RunFailed; requests stay valid, and the
                 next call goes on with them
    ordered      every request is accepted after all before it; else only priorities keep their order, and a batch is
                 drawn after the priorities before it

    batch        messages to and from the kernel in a call; 1: one datagram a call

    put() and update() hand over and go on; flush() waits until all of it was acknowledged. What was acknowledged is
    stored, once. Where a server refuses records or priorities, the next call that waits for it raises UserError.
    """

    def __init__(self, address: str, client: int = 0, **options: Any) -> None:
        """Connects. options: record_bytes, schema, key, timeout, ordered, batch.

        Raises UserError, and RunFailed where nobody answers.
        """
        super().__init__(address, client, **options)
        self._socket = addresses.udp(address, bind=False)
        self._number = self._socket.fileno()
        self.session.flow(addresses.room(self._socket))
        try:
            self._until(CONNECTED)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "ReplayClient":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        with contextlib.ExitStack() as last:
            last.callback(self.close)
            if kind is None and self._socket is not None:
                self.flush()

    def close(self) -> None:
        """Give the socket back. What was not acknowledged may be stored or not; flush() first."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def put(self, records: ArrayLike, **given: Unpack[Given]) -> None:
        """Store records (n, …), each of record_bytes bytes or less. Waits only for credit.

        Their priorities are those given (n,), or those of TD errors (n,), or the largest so far.
        """
        self.hand(self._put(records, **given))

    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        self.hand(self._update(slots, generations, td_errors, priorities))

    def sample(self, batch_size: int, **how: Unpack[How]) -> Batch:
        """A batch, drawn in proportion to the priorities. Raises UserError when there is nothing to sample.

        how: beta (0.4), stratified (True), weights (True), draws: session.How.
        """
        return self.batch(self.answered(self._sample(batch_size, **how)))

    def ask(self, batch_size: int, **how: Unpack[How]) -> Any:
        """sample() without waiting: a request for answered(), and then batch() or text()."""
        return self._given(self._sample(batch_size, **how))

    def answered(self, request: Any) -> Any:
        """The request, when it is answered."""
        self._until(ANSWERED, request)
        return request

    def text(self, request: Any) -> bytes:
        """What the server says to ask(), as docs/net.md lays it out. Raises UserError as sample() does."""
        return self._drawn(self.answered(request)).result

    def read(self, slots: ArrayLike, generations: ArrayLike) -> Batch:
        """Records of slots, where they were not overwritten since; their weights are 0."""
        return self.batch(self.answered(self._read(slots, generations)))

    def put_weights(self, data: bytes, version: int) -> None:
        """Publish weights, whole or not at all. Raises UserError when the version is not above the published one."""
        made = self._weights(data, version)
        for one in made:
            self.answered(one)
        self._published(made, version)

    def get_weights(self, version: int = 0) -> tuple[int, bytes] | None:
        """Version and bytes of the newest weights, or of those; None while there are none, or no longer those."""
        while True:
            first = self.answered(self._chunk(version))
            if first.status != net.OK:
                return None
            rest = self._rest(first)
            for one in rest:
                self.answered(one)
            found = self._joined(first, rest)
            if found is not None or version:
                return found

    def stats(self, asked: Any = None) -> dict[str, int]:
        """State and counters of the server. asked: an ask_stats() that was sent before."""
        return stats_of(self.answered(asked or self.session.stat()))

    def ask_stats(self) -> Any:
        """A request for stats()."""
        return self._given(self.session.stat())

    def flush(self) -> None:
        """Until everything was acknowledged."""
        self._until(ANSWERED)

    def hand(self, _: list[Any]) -> None:
        """Until requests of the session were handed over."""
        self._until(HANDED)

    def _given(self, request: Any) -> Any:
        self._ended(*self.session.give(self._number))
        return request

    def _until(self, what: int, one: Any = None) -> None:
        while not self._ended(*self.session.until(self._number, one, what, self._timeout)):
            pass
        self._tell_refused()
