"""torchrl's `Service` around a replay server (`rlcores serve`): an owner that starts and ends it, and its clients."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlcores.base.arguments import check_int
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.cores.replay_server.frames import ServerSettings, padded
from rlcores.errors import UserError
from rlcores.integrations.torchrl_server import row_of, server_buffer
from rlcores.net import ReplayServer


class ReplayService(Guarded):
    """A replay server with the lifecycle of torchrl's services: start(), is_alive, client(), shutdown().

    The owner keeps the server in threads of its process. What client() gives may be pickled to other processes, and to
    other machines where the address is not the loopback's. It puts, draws and updates, and cannot end the server.
    """

    def __init__(
        self,
        example: Any,
        *,
        buffer_size: int = 1 << 20,
        num_clients: int = 16,
        address: str = "127.0.0.1:0",
        batch_size: int = 256,
        beta: float = 0.4,
        key: bytes | None = None,
        folder: Path | str | None = None,
    ) -> None:
        """Does not start it yet.

        example: a TensorDict of one transition, without a batch. buffer_size: transitions that are kept. num_clients:
        how many clients there may be. address, key, folder: as of rlcores.net.ReplayServer. batch_size, beta: of the
        clients' draws. Raises UserError for sizes that a server cannot have, RunFailed when torchrl cannot be imported.
        """
        self.settings = ServerSettings(
            capacity=check_int("buffer_size", buffer_size, 1, 1 << 32),
            record_bytes=padded(row_of(example).itemsize),
            clients=check_int("num_clients", num_clients, 1, 65535),
            sample_max=max(ServerSettings().sample_max, check_int("batch_size", batch_size, 1, 65535)),
        )
        self._options: dict[str, Any] = {"example": example, "batch_size": batch_size, "beta": beta, "key": key}
        self._address, self._folder = address, folder
        self._server: ReplayServer | None = None
        self._clients: Iterator[int] = iter(())

    def __repr__(self) -> str:
        return described(
            self,
            f"room for {self.settings.capacity:,} transitions",
            "not running" if self._server is None else repr(self._server),
        )

    @property
    def is_alive(self) -> bool:
        """Whether the server is there."""
        return self._server is not None

    @property
    def address(self) -> str:
        """Where the server is. Raises UserError before start() and after shutdown()."""
        return self._running().address

    def start(self) -> "ReplayService":
        """Start the server, where it is not there yet. In its folder it goes on where it ended, without one it is new.

        Raises UserError when the address or the folder cannot be had.
        """
        if self._server is None:
            self._server = ReplayServer(self.settings, self._address, key=self._options["key"], folder=self._folder)
            self._clients = iter(range(self.settings.clients))
        return self

    def client(self) -> "ReplayServiceClient":
        """A client with a number of its own, for one process at a time. Raises UserError when all are given out."""
        running = self._running()
        number = next(self._clients, None)
        if number is None:
            raise UserError(f"all {self.settings.clients} clients are given out; start it with a larger num_clients")
        return ReplayServiceClient(running.address, client=number, **self._options)

    def clients(self, num_clients: int) -> list["ReplayServiceClient"]:
        """A list of num_clients clients, one for each process."""
        return [self.client() for _ in range(check_int("num_clients", num_clients, 1, 65535))]

    def shutdown(self, timeout: float | None = None) -> None:
        """End the server; a second time does nothing. It ends within a round of its threads, whatever `timeout` is."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def __enter__(self) -> "ReplayService":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def _running(self) -> ReplayServer:
        if self._server is None:
            raise UserError("the replay service does not run; start() it first")
        return self._server


class ReplayServiceClient(Guarded):
    """What a process may do with a ReplayService: as a torchrl buffer, without the right to end it.

    It connects when it is first used, so that it can be pickled and sent before. ReplayService.client() makes it.
    """

    def __init__(self, address: str, **options: Any) -> None:
        self.address, self._options = address, options
        self._made: Any = None

    def __repr__(self) -> str:
        return described(self, self.address, f"batches of {self.batch_size}", "" if self._made else "not connected")

    @property
    def buffer(self) -> Any:
        """The TensorDictReplayBuffer of server_buffer(). Raises RunFailed when no server answers."""
        if self._made is None:
            self._made = server_buffer(self.address, **self._options)
        return self._made

    @property
    def batch_size(self) -> int:
        """Transitions of a batch."""
        count: int = self._options["batch_size"]
        return count

    def __len__(self) -> int:
        return len(self.buffer)

    def add(self, data: Any) -> Any:
        """Put one transition."""
        return self.buffer.add(data)

    def extend(self, data: Any) -> Any:
        """Put transitions, a batch of them."""
        return self.buffer.extend(data)

    def sample(self, batch_size: int | None = None) -> Any:
        """A batch, drawn in proportion to the priorities: a TensorDict with `index` and `priority_weight`."""
        return self.buffer.sample(batch_size)

    def update_priority(self, index: Any, priority: Any) -> None:
        """Priorities of slots that were drawn, from TD errors."""
        self.buffer.update_priority(index, priority)

    def update_tensordict_priority(self, data: Any) -> None:
        """Priorities of a batch that was drawn, from its `td_error`."""
        self.buffer.update_tensordict_priority(data)

    def close(self) -> None:
        """Wait until all that was put has come, and end the connection; the next use begins another one."""
        made, self._made = self._made, None
        if made is not None:
            made._storage.client.flush()
            made._storage.client.close()

    def __getstate__(self) -> dict[str, Any]:
        """Where the server is, and not the connection, which belongs to this process."""
        return self.__dict__ | {"_made": None}
