"""The blocking clients of a replay server."""

import contextlib
from typing import Any, Self, TypeVar

from rlcores.base.threads import alone
from rlcores.net import addresses
from rlcores.net.banks import Banks
from rlcores.net.session import CONNECTED, HANDED, Requests, Steps

_Result = TypeVar("_Result")


class _Blocking:
    """Carries out the steps of calls, and waits meanwhile. Threads take turns, a call each."""

    @alone
    def _carried_out(self, steps: Steps[_Result]) -> _Result:
        waits: list[tuple[Any, int, list[Any] | None]]  # of clients of this file
        while True:
            try:
                waits = next(steps)
            except StopIteration as done:
                result: _Result = done.value
                return result
            if len(waits) > 1:  # so that all of them are asked before one is waited for
                for client, _, _ in waits:
                    client._give()
            for client, what, requests in waits:
                client._wait(what, requests)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        client: Any = self  # which has these calls from its other base
        try:
            if kind is None and client._open:
                client.flush()
        finally:
            client.close()


class ReplayClient(_Blocking, Requests):
    """A client that waits for its answers. Threads that share it take turns, a call each.

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

        Raises UserError, and RunFailed where no server answers.
        """
        super().__init__(address, client, **options)
        self._socket = addresses.udp(address, bind=False)
        self._number = self._socket.fileno()
        self.session.flow(addresses.room(self._socket))
        try:
            self._wait(CONNECTED, None)
        except BaseException:
            self.close()
            raise

    @alone
    def close(self) -> None:
        """Give the socket back. What was not acknowledged may be stored or not; flush() first."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _give(self) -> None:
        self._ended(*self.session.give(self._number))

    def _wait(self, what: int, requests: list[Any] | None) -> None:
        session, each = self.session, (None,) if requests is None or what == HANDED else requests
        for one in each:
            while not self._ended(*session.until(self._number, one, what, self._timeout)):
                pass
        self._tell_refused()


class BankedClient(_Blocking, Banks[ReplayClient]):
    """As ReplayClient, of all banks (docs/net.md). Its client numbers are `client` and those behind it, one a bank.

    Slot s of bank b is slot s · banks + b. seed: of the draws, None: from the system's entropy, and the attribute
    says it; with the same seed, requests and memories it draws the same batches.

    >>> import numpy as np
    >>> from rlcores import ReplaySettings
    >>> from rlcores.net import ReplayServer
    >>> with ReplayServer(ReplaySettings(buffer_size=100), record_bytes=8, banks=2) as server:
    ...     with BankedClient(server.address) as client:
    ...         client.put(np.arange(6), td_errors=np.ones(6))
    ...         client.flush()
    ...         [one["size"] for one in client.stats()], len(client.sample(4).slots)
    ([3, 3], 4)
    """

    def __init__(self, address: str, client: int = 0, *, seed: int | None = None, **options: Any) -> None:
        """options: as ReplayClient's. Raises UserError, and RunFailed where no server answers."""
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

    @alone
    def close(self) -> None:
        """Give the sockets back. What was not acknowledged may be stored or not; flush() first."""
        self._close.close()
