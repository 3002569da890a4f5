"""Steps of some environments of a buffer, which wait until the others have stepped too."""

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.sumtree import arguments
from rlcores.errors import UserError


class Waiting:
    """A queue of steps for each environment. A row of the buffer is a step of every environment, in their own order."""

    def __init__(self, num_envs: int, most: int) -> None:
        """most: steps that an environment may be ahead of another."""
        self._queues: list[deque[dict[str, np.ndarray]]] = [deque() for _ in range(num_envs)]
        self._most = most

    def __len__(self) -> int:
        """Steps that wait."""
        return sum(map(len, self._queues))

    def ids(self, env_ids: ArrayLike) -> np.ndarray:
        """Numbers of environments, int64 (k,), each once. Raises UserError."""
        ids = arguments.wholes("env_ids", env_ids, 0, len(self._queues) - 1)
        if len(np.unique(ids)) != len(ids):
            raise UserError(f"env_ids names environment {_twice(ids)} twice; give one step of each")
        return ids

    def put(self, ids: np.ndarray, step: Mapping[str, np.ndarray]) -> None:
        """A step of each of these environments, arrays (k, …). Raises UserError where one is too far ahead."""
        numbers: list[int] = ids.tolist()
        if numbers and (longest := max(len(self._queues[n]) for n in numbers)) >= self._most:
            ahead = next(n for n in numbers if len(self._queues[n]) == longest)
            behind = min(range(len(self._queues)), key=lambda n: len(self._queues[n]))
            raise UserError(
                f"environment {ahead} is {longest} steps ahead of environment {behind}, as many as the buffer holds; "
                "flush() stores what waits, without the environments that have not stepped"
            )
        for k, n in enumerate(numbers):
            self._queues[n].append({name: np.array(array[k]) for name, array in step.items()})

    def take(self, flush: bool = False) -> dict[str, np.ndarray] | None:
        """Rows that are whole, as arrays (steps, num_envs, …); with flush all, their `mask` False where none came.

        None when there is none.
        """
        rows = (max if flush else min)(map(len, self._queues))
        if not rows:
            return None
        some = next(queue[0] for queue in self._queues if queue)
        nothing = {name: np.zeros_like(array) for name, array in some.items()}  # mask is False
        steps = [[queue.popleft() if queue else nothing for queue in self._queues] for _ in range(rows)]
        return {name: np.array([[one[name] for one in row] for row in steps]) for name in nothing}


def _twice(ids: np.ndarray) -> int:
    numbers, counts = np.unique(ids, return_counts=True)
    return int(numbers[counts > 1][0])
