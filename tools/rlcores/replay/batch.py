"""A batch of a replay buffer, as NumPy arrays or as tensors of PyTorch."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlcores.base.naming import nearest
from rlcores.errors import RunFailed, UserError
from rlcores.replay import spaces


@dataclass(slots=True, repr=False)
class ReplayBatch:
    """What ReplayBuffer.sample gives: `batch["observation"]` and the like, in order, with a row for each transition.

    A nested observation is a dictionary: `batch["observation"]["image"]`, and `batch["observation.image"]` is the same.

    arrays       every array that is stored; next_observation (and so on) behind the n steps; reward, float32: the
                 return of the n steps; terminated, truncated, bool: whether they end there; discount, float32:
                 gamma**n, 0 where terminated, the factor of the value of the next observation
    indices      int64: slots, for update()
    generations  int64: likewise
    weights      float32: importance weights, the largest is 1; all 1 where draws are uniform
    """

    arrays: dict[str, np.ndarray]
    indices: np.ndarray
    generations: np.ndarray
    weights: np.ndarray
    _room: tuple[Any, list[int]] | None = field(default=None, repr=False, compare=False)  # for the engine
    _source: "ReplayBatch | None" = field(default=None, repr=False, compare=False)  # whose memory tensors are

    def __getitem__(self, name: str) -> Any:
        """An array, or the dictionary of those that a nested one consists of."""
        if name in self.arrays:
            return self.arrays[name]
        if not (inner := spaces.nested(name, self.arrays)):
            raise KeyError(f"a batch has no '{name}'{nearest(name, self.arrays)}; it has {', '.join(self.arrays)}")
        return inner

    def to(self, device: Any) -> "ReplayBatch":
        """The batch as tensors of PyTorch on a device; on the CPU they are the same memory.

        indices and generations stay NumPy arrays, as update() takes them. Raises RunFailed when there is no PyTorch.
        """
        tensors = {name: tensor(array, device) for name, array in self.arrays.items()}
        return ReplayBatch(tensors, self.indices, self.generations, tensor(self.weights, device), _source=self)

    def __repr__(self) -> str:
        return f"ReplayBatch({len(self.indices)} transitions: {shapes(self.arrays)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return ReplayBatch, (self.arrays, self.indices, self.generations, self.weights)

    def _places(self) -> list[int]:
        """Which arrays these are."""
        return [*map(id, (self.indices, self.generations, self.weights, *self.arrays.values()))]


def shapes(arrays: dict[str, Any]) -> str:
    """Names, types and shapes of arrays or tensors, for a repr."""
    return ", ".join(
        f"{name} {str(array.dtype).removeprefix('torch.')} {tuple(array.shape)}" for name, array in arrays.items()
    )


def tensor(array: np.ndarray, device: Any) -> Any:
    """A tensor of PyTorch on a device, which is the array itself on the CPU. Raises RunFailed without PyTorch."""
    try:
        import torch
    except ImportError as error:
        raise RunFailed(f"tensors need PyTorch, which cannot be imported: {error}") from None
    try:
        return torch.from_numpy(array).to(device)
    except (RuntimeError, TypeError, AssertionError) as error:
        raise UserError(f"no tensor of {array.dtype} on the device {device!r}: {error}") from None
