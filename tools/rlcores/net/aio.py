"""The clients of a replay server for asyncio: the calls of those of rlcores.net, to be awaited."""

import asyncio
import math
from collections.abc import Awaitable, Iterable
from typing import Any, Unpack

from numpy.typing import ArrayLike

from rlcores.cores.net import frames as net
from rlcores.errors import RunFailed, UserError
from rlcores.net import addresses
from rlcores.net.banks import Banks
from rlcores.net.session import Batch, Given, How, Requests, stats_of


class ReplayClient(Requests):
    """A client whose calls are awaited; many tasks of one event loop may share it. Arguments as of rlcores.net's.

    >>> import numpy as np
    >>> from rlcores.cores.net.frames import Settings
    >>> from rlcores.net import ReplayServer, aio
    >>> async def main():
    ...     with ReplayServer(Settings(capacity=100, record_bytes=8)) as server:
    ...         async with aio.ReplayClient(server.address) as client:
    ...             await client.put(np.arange(3))
    ...             return len((await client.sample(2)).slots)
    >>> asyncio.run(main())
    2
    """

    def __init__(self, address: str, client: int = 0, **options: Any) -> None:
        """Nothing is sent before `async with` or connect(). Raises UserError."""
        super().__init__(address, client, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._changed: asyncio.Event | None = None
        self._failed: BaseException | None = None

    async def connect(self) -> None:
        """Say HELLO. Raises UserError, and RunFailed where nobody answers."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._socket = addresses.udp(self.address, bind=False)
        self._socket.setblocking(False)
        self.session.flow(addresses.room(self._socket))
        self._loop.add_reader(self._socket, self._take)
        try:
            await self._until(lambda: self.session.connected)
        except BaseException:
            self.close()
            raise

    async def __aenter__(self) -> "ReplayClient":
        await self.connect()
        return self

    async def __aexit__(self, kind: type | None, *_: object) -> None:
        try:
            if kind is None and self._socket is not None:
                await self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Give the socket back. What was not acknowledged may be stored or not; flush() first."""
        if self._socket is None:
            return
        self._loop.remove_reader(self._socket)
        if self._timer is not None:
            self._timer.cancel()
        self._socket.close()
        self._socket = None

    async def put(self, records: ArrayLike, **given: Unpack[Given]) -> None:
        """As of the blocking client: waits only for credit."""
        await self.hand(self._put(records, **given))

    async def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """As of the blocking client: waits only for credit."""
        await self.hand(self._update(slots, generations, td_errors, priorities))

    async def sample(self, batch_size: int, **how: Unpack[How]) -> Batch:
        """A batch. Raises UserError when there is nothing to sample."""
        return self.batch(await self.answered(self._sample(batch_size, **how)))

    def ask(self, batch_size: int, **how: Unpack[How]) -> Any:
        """sample() without waiting: a request for answered(), and then batch()."""
        return self._sample(batch_size, **how)

    async def read(self, slots: ArrayLike, generations: ArrayLike) -> Batch:
        """Records of slots, where they were not overwritten since; their weights are 0."""
        return self.batch(await self.answered(self._read(slots, generations)))

    async def put_weights(self, data: bytes, version: int) -> None:
        """Publish weights, whole or not at all. Raises UserError when the version is not above the published one."""
        made = self._weights(data, version)
        await self._until(lambda: all(one.done for one in made))
        self._published(made, version)

    async def get_weights(self, version: int = 0) -> tuple[int, bytes] | None:
        """Version and bytes of the newest weights, or of those; None while there are none, or no longer those."""
        while True:
            first = await self.answered(self._chunk(version))
            if first.status != net.OK:
                return None
            rest = self._rest(first)
            await self._until(lambda rest=rest: all(one.done for one in rest))
            found = self._joined(first, rest)
            if found is not None or version:
                return found

    async def stats(self) -> dict[str, int]:
        """State and counters of the server."""
        return stats_of(await self.answered(self.session.stat()))

    async def flush(self) -> None:
        """Until everything was acknowledged."""
        await self._until(lambda: not self.session.unanswered)

    async def hand(self, made: list[Any]) -> None:
        """Until requests of the session were handed over."""
        await self._until(lambda: not made or made[-1].admitted)

    async def answered(self, request: Any) -> Any:
        """The request, when it is answered."""
        await self._until(lambda: request.done)
        return request

    async def _until(self, done: Any) -> None:
        self._give()
        while not done():
            if self._failed is not None:
                raise self._failed
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), self._timeout)
            except TimeoutError:
                raise RunFailed(f"no answer from {self.address} for {self._timeout:g} s") from None
        self._tell_refused()

    def _take(self) -> None:
        self._watched(self.session.take)
        self._give()

    def _watched(self, call: Any) -> None:
        """A call of the session, which may have taken answers: whoever waits looks whether it was his."""
        try:
            self._ended(*call(self._socket.fileno()))
        except (RunFailed, UserError) as error:
            self._failed = error
        self._changed.set()

    def _give(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._watched(self.session.give)
        at = self.session.next_time()  # of the clock that asyncio has too
        self._timer = None if at == math.inf else self._loop.call_at(at, self._give)


class BankedClient(Banks[ReplayClient]):
    """As rlcores.net.BankedClient, with calls that are awaited: all banks work at once, and many tasks may share it.

    While one task at a time samples, the same seed, requests and memories give the same batches.

    >>> import numpy as np
    >>> from rlcores.cores.net.frames import Settings
    >>> from rlcores.net import ReplayServer, aio
    >>> async def main():
    ...     with ReplayServer(Settings(capacity=100, record_bytes=8, banks=2)) as server:
    ...         async with aio.BankedClient(server.address) as client:
    ...             await client.put(np.arange(6), td_errors=np.ones(6))
    ...             await client.flush()
    ...             return [one["size"] for one in await client.stats()], len((await client.sample(4)).slots)
    >>> asyncio.run(main())
    ([3, 3], 4)
    """

    def __init__(self, address: str, client: int = 0, *, seed: int = 0, **options: Any) -> None:
        """Nothing is sent before `async with` or connect(). options: as ReplayClient's. Raises UserError."""
        super().__init__(seed, client)
        self._made = ReplayClient(address, client, **options)
        self._more = lambda number: ReplayClient(address, client + number, **options)

    async def connect(self) -> None:
        """Say HELLO to every bank. Raises UserError, and RunFailed where nobody answers."""
        first = self._made
        await first.connect()
        banks = first.settings.banks
        clients = [first, *map(self._more, range(1, banks))]
        try:
            await _all(one.connect() for one in clients[1:])
        except BaseException:
            for one in clients:
                one.close()
            raise
        self._clients = sorted(clients, key=lambda one: one.settings.bank)

    async def __aenter__(self) -> "BankedClient":
        await self.connect()
        return self

    async def __aexit__(self, kind: type | None, *_: object) -> None:
        try:
            if kind is None and self._first._socket is not None:
                await self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Give the sockets back. What was not acknowledged may be stored or not; flush() first."""
        for one in self._clients:
            one.close()

    async def put(self, records: ArrayLike, **given: Unpack[Given]) -> None:
        """As of the blocking client: waits only for credit."""
        made = list(self._puts(records, **given))
        await _all(client.hand(one) for client, one in made)

    async def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """As of the blocking client: waits only for credit."""
        made = list(self._updates(slots, generations, td_errors, priorities))
        await _all(client.hand(one) for client, one in made)

    async def sample(
        self, batch_size: int, *, beta: float = 0.4, stratified: bool = True, weights: bool = True
    ) -> Batch:
        """As of the blocking client. Raises UserError when there is nothing to sample."""
        count, beta_word = self._wanted(batch_size, beta)
        while True:
            stats = await self.stats()
            bank, how = self._drawn(stats, count, stratified)
            asked = {n: self._clients[n].ask(**one) for n, one in how.items()}
            await _all(self._clients[n].answered(one) for n, one in asked.items())
            found = self._merged(bank, asked, stats, beta_word, weights)
            if found is not None:
                return found

    async def put_weights(self, data: bytes, version: int) -> None:
        """Publish weights in every bank, so that a client of any one finds them."""
        await _all(one.put_weights(data, version) for one in self._clients)

    async def get_weights(self, version: int = 0) -> tuple[int, bytes] | None:
        """As ReplayClient's, of the first bank."""
        return await self._first.get_weights(version)

    async def stats(self) -> list[dict[str, int]]:
        """State and counters of each bank."""
        return await _all(one.stats() for one in self._clients)

    async def flush(self) -> None:
        """Until everything was acknowledged."""
        await _all(one.flush() for one in self._clients)


async def _all(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """What all of them give. The first error is raised when all of them have ended."""
    found = await asyncio.gather(*calls, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return found
