"""torchrl's storage and sampler over a replay server (`rlcores serve`), docs/net.md."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base.arguments import check_float
from rlcores.base.arrays import need_finite, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.cores.replay_server.frames import padded, schema_of
from rlcores.errors import UserError
from rlcores.integrations import require_library
from rlcores.integrations.handed import Handed
from rlcores.net import RecordBatch, ReplayClient

try:
    import torch
    from tensordict import TensorDict
    from torchrl.data.replay_buffers import Storage, TensorDictReplayBuffer
    from torchrl.data.replay_buffers.samplers import PrioritizedSampler, Sampler

    _MISSING = None
except (ImportError, OSError) as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        Storage = Sampler = PrioritizedSampler = object
        _MISSING = error


def row_of(example: Any) -> np.dtype:
    """The record of a transition, a TensorDict without a batch. Raises RunFailed when torchrl cannot be imported."""
    require_library("torchrl", _MISSING)
    leaves = {name: plain("example", value) for name, value in example.flatten_keys(".").items()}
    return np.dtype([(name, x.dtype, x.shape) for name, x in leaves.items()])


class ServerStorage(Guarded, Storage):
    """A torchrl storage whose transitions are kept by a replay server, for buffers on many machines.

    Each buffer has its own `client` number; what one extends, all draw. Only what was drawn can be read: slots belong
    to the server, which says with each batch what is in them. A buffer over it needs ServerSampler; server_buffer()
    makes one.
    """

    def __init__(self, address: str, example: Any, *, client: int = 0, key: bytes | None = None) -> None:
        """example: a TensorDict of one transition, without a batch: names, shapes and types of what is kept.

        Raises UserError when the server's records are too short or of other transitions, RunFailed when torchrl
        cannot be imported or no server answers.
        """
        self._row = row_of(example)
        self.client = ReplayClient(address, client, key=key, schema=schema_of(self._row.descr))
        settings = self.client.settings
        if self._row.itemsize > settings.record_bytes:
            raise UserError(
                f"a transition has {self._row.itemsize} bytes, the records of the server at {address} "
                f"{settings.record_bytes}; start it with --record-bytes {padded(self._row.itemsize)}"
            )
        super().__init__(settings.capacity)
        self._handed = Handed()  # generations of batches
        self._tags = np.zeros(settings.capacity, np.uint32)  # generations of slots as they were drawn last
        self._last: RecordBatch | None = None

    def __repr__(self) -> str:
        return described(
            self, f"room for {self.max_size:,} transitions of {self._row.itemsize} bytes", repr(self.client)
        )

    def __len__(self) -> int:
        """Number of transitions in the server, from all clients."""
        return self.client.stats()["size"]

    def set(self, cursor: Any, data: Any, *, set_cursor: bool = True) -> None:
        """Put transitions; the server chooses their slots, whatever the cursor says. Waits only for credit."""
        batch = data if data.ndim else data.unsqueeze(0)
        rows = np.zeros(batch.shape[0], self._row)
        flat = batch.flatten_keys(".")
        for name in self._row.names or ():
            rows[name] = plain(name, flat.get(name))
            need_finite(name, rows[name])
        self.client.put(rows)

    def draw(self, count: int, beta: float) -> RecordBatch:
        """A batch, behind all that this client put."""
        self.client.flush()
        self._last = self.client.sample(count, beta=beta)
        return self._last

    def drew(self, index: "torch.Tensor", batch: RecordBatch) -> None:
        """`index` is what a batch was handed out as."""
        self._handed.drew(index, batch.slots.astype(np.int64), batch.generations)
        self._tags[batch.slots] = batch.generations

    def _generations(self, index: Any, slots: np.ndarray) -> np.ndarray:
        """Of slots as they were drawn in the batch that `index` is of, else as they were drawn last."""
        tags = self._handed.tags(index, slots)
        return self._tags[slots] if tags is None else tags

    def get(self, index: Any) -> "TensorDict":
        """The transitions of slots that were drawn. Raises UserError where they were overwritten since."""
        slots = np.atleast_1d(plain("index", index)).astype(np.int64)
        batch = self._last
        if batch is None or not np.array_equal(slots, batch.slots):
            batch = self.client.read(slots, self._generations(index, slots))
            if batch.gone.any():
                raise UserError("slots that were not drawn, or that were overwritten since, cannot be read")
        rows = np.ascontiguousarray(batch.records[:, : self._row.itemsize]).view(self._row)[:, 0]
        columns = {name: torch.as_tensor(np.ascontiguousarray(rows[name])) for name in self._row.names or ()}
        return TensorDict(columns, batch_size=[len(slots)]).unflatten_keys(".")

    def update(self, index: Any, priority: Any) -> None:
        """Priorities of slots that were drawn, from TD errors."""
        slots = plain("index", index).reshape(-1).astype(np.int64)
        errors = np.broadcast_to(plain("priority", priority).reshape(-1), slots.shape)
        self.client.update(slots, self._generations(index, slots), errors)

    def contains(self, item: Any) -> Any:
        """Whether slots are in use."""
        return torch.as_tensor(plain("item", item)) < len(self)

    def _empty(self) -> None:
        """Nothing: what others have put is not ours to forget."""

    def state_dict(self) -> dict[str, Any]:
        """Nothing: the server keeps its transitions itself (--folder)."""
        self.client.flush()
        return {}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Nothing."""


class ServerSampler(Guarded, PrioritizedSampler):
    """Draws of the server, in proportion to its priorities; new transitions have the largest. alpha is the server's.

    torchrl asks for its PrioritizedSampler by name; nothing of that is used.

    beta        exponent of the importance weights, `priority_weight` in a sample; may be set between samples
    reduction   as torchrl's: of the priorities of a sample that has several
    """

    def __init__(self, beta: float = 0.4, reduction: str = "max") -> None:
        """Raises RunFailed when torchrl cannot be imported."""
        require_library("torchrl", _MISSING)
        Sampler.__init__(self)
        self.beta, self.reduction = check_float("beta", beta, 0.0, 1.0), reduction

    def __repr__(self) -> str:
        return described(self, f"beta={self.beta:g}", f"reduction={self.reduction}")

    def sample(self, storage: ServerStorage, batch_size: int) -> tuple[Any, dict[str, Any]]:
        """Slots, int64 (batch_size,), and {"priority_weight"}: 0 for what was overwritten before it came."""
        batch = storage.draw(batch_size, self.beta)
        weights = np.where(batch.gone, np.float32(0), batch.weights)
        index = torch.as_tensor(batch.slots.astype(np.int64))
        storage.drew(index, batch)
        return index, {"priority_weight": torch.as_tensor(weights)}

    def update_priority(self, index: Any, priority: Any, *, storage: ServerStorage | None = None, **_: Any) -> None:
        """Priorities from new TD errors; the server drops those of transitions that were overwritten."""
        if storage is not None:
            storage.update(index, priority)

    def add(self, index: Any) -> None:
        """Nothing: the server knows."""

    def extend(self, index: Any) -> None:
        """Nothing: the server knows."""

    def mark_update(self, index: Any, *, storage: Any = None) -> None:
        """Nothing: a priority is what update_priority() gives."""

    def _empty(self) -> None:
        """Nothing is held here."""

    def state_dict(self) -> dict[str, Any]:
        """beta."""
        return {"beta": self.beta}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """beta."""
        self.beta = state_dict["beta"]

    def dumps(self, path: Any) -> None:
        """Nothing: beta is an argument."""

    def loads(self, path: Any) -> None:
        """Nothing."""


def server_buffer(
    address: str,
    example: Any,
    *,
    client: int = 0,
    key: bytes | None = None,
    beta: float = 0.4,
    batch_size: int = 256,
    **options: Any,
) -> "TensorDictReplayBuffer":
    """A TensorDictReplayBuffer at a replay server. example, client, key: as of ServerStorage; options: torchrl's."""
    storage = ServerStorage(address, example, client=client, key=key)
    defaults = {"sampler": ServerSampler(beta), "batch_size": batch_size, "collate_fn": _as_it_is}
    return TensorDictReplayBuffer(storage=storage, **(defaults | options))


def _as_it_is(batch: Any) -> Any:
    return batch
