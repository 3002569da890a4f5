"""The clients of a replay server for asyncio: the calls of those of rlcores.net, to be awaited."""

import asyncio
import math
from collections.abc import Awaitable, Iterable
from typing import Any, Self

from rlcores.errors import RunFailed, UserError
from rlcores.net import addresses
from rlcores.net.banks import Banks
from rlcores.net.session import CONNECTED, HANDED, Requests, Steps


class _Awaited:
    """Carries out the steps of calls as coroutines, for `async with`."""

    async def _carried_out(self, steps: Steps) -> Any:
        while True:
            try:
                waits = next(steps)
            except StopIteration as done:
                return done.value
            if len(waits) == 1:
                client, what, requests = waits[0]
                await client._wait(what, requests)
            else:
                await _all(client._wait(what, requests) for client, what, requests in waits)

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, kind: type | None, *_: object) -> None:
        try:
            if kind is None and self._open:
                await self.flush()
        finally:
            self.close()


class ReplayClient(_Awaited, Requests):
    """A client whose calls are awaited; many tasks of one event loop may share it. Arguments as of rlcores.net's.

    >>> import numpy as np
    >>> from rlcores import ReplaySettings
    >>> from rlcores.net import ReplayServer, aio
    >>> async def main():
    ...     with ReplayServer(ReplaySettings(buffer_size=100), record_bytes=8) as server:
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
        """Say HELLO. Raises UserError, and RunFailed where no server answers."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._socket = addresses.udp(self.address, bind=False)
        self._socket.setblocking(False)
        self.session.flow(addresses.room(self._socket))
        self._loop.add_reader(self._socket, self._take)
        try:
            await self._wait(CONNECTED, None)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the socket back. What was not acknowledged may be stored or not; flush() first."""
        if self._socket is None:
            return
        if self._here:  # a forked process has its parent's selector, too
            self._loop.remove_reader(self._socket)
        if self._timer is not None:
            self._timer.cancel()
        self._socket.close()
        self._socket = None

    def _there(self, what: int, requests: list[Any] | None) -> bool:
        if what == CONNECTED:
            return self.session.connected
        if requests is None:
            return not self.session.unanswered
        if what == HANDED:
            return not requests or requests[-1].admitted
        return all(one.done for one in requests)

    async def _wait(self, what: int, requests: list[Any] | None) -> None:
        self._give()
        while not self._there(what, requests):
            if self._failed is not None:
                raise self._failed
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), self._timeout)
            except TimeoutError:
                raise self._silence() from None
        self._tell_refused()

    def _take(self) -> None:
        self._watched(self.session.take)
        self._give()

    def _watched(self, call: Any) -> None:
        """A call of the session. It may have received answers, so every waiting call checks for its own."""
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


class BankedClient(_Awaited, Banks[ReplayClient]):
    """As rlcores.net.BankedClient, with calls that are awaited: all banks work at once, and many tasks may share it.

    While one task at a time samples, the same seed, requests and memories give the same batches.

    >>> import numpy as np
    >>> from rlcores import ReplaySettings
    >>> from rlcores.net import ReplayServer, aio
    >>> async def main():
    ...     with ReplayServer(ReplaySettings(buffer_size=100), record_bytes=8, banks=2) as server:
    ...         async with aio.BankedClient(server.address) as client:
    ...             await client.put(np.arange(6), td_errors=np.ones(6))
    ...             await client.flush()
    ...             return [one["size"] for one in await client.stats()], len((await client.sample(4)).slots)
    >>> asyncio.run(main())
    ([3, 3], 4)
    """

    def __init__(self, address: str, client: int = 0, *, seed: int | None = None, **options: Any) -> None:
        """Nothing is sent before `async with` or connect(). options: as ReplayClient's. Raises UserError."""
        super().__init__(seed, client)
        self._made = ReplayClient(address, client, **options)
        self._more = lambda number: ReplayClient(address, client + number, **options)

    async def connect(self) -> None:
        """Say HELLO to every bank. Raises UserError, and RunFailed where no server answers."""
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

    def close(self) -> None:
        """Give the sockets back. What was not acknowledged may be stored or not; flush() first."""
        for one in self._clients:
            one.close()


async def _all(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """What all of them give. The first error is raised when all of them have ended."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    for one in results:
        if isinstance(one, BaseException):
            raise one
    return results
