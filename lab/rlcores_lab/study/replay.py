"""Prioritised replay for the study, fast enough for Python: a tree of two levels over NumPy arrays.

Both arithmetics use it, so it is not what a difference between them comes from. `rlcores.PrioritizedSampler` is
the core's own sampler, bit for bit; its model takes most of a millisecond a batch, this takes about a twentieth.
"""

import numpy as np

from rlcores.cores.learner.format import Batch
from rlcores.train.tasks import EPSILON

_BLOCK = 64  # slots whose sum is kept; a draw walks through all sums and one block


class Replay:
    """The last `capacity` transitions, drawn as (|td| + epsilon)**alpha, stratified (Schaul et al. 2016)."""

    def __init__(self, capacity: int, state_size: int, action: np.ndarray, seed: int, alpha: float = 0.6) -> None:
        """action: an example, for its shape and type."""
        blocks = -(-capacity // _BLOCK)
        self._leaves = np.zeros((blocks, _BLOCK))
        self._flat = self._leaves.reshape(-1)
        self._sums = np.zeros(blocks)
        self._states = np.zeros((capacity, state_size), np.float32)
        self._next_states = np.zeros((capacity, state_size), np.float32)
        self._actions = np.zeros((capacity, *np.shape(action)), np.asarray(action).dtype)
        self._rewards = np.zeros(capacity, np.float32)
        self._terminated = np.zeros(capacity, bool)
        self._rng = np.random.default_rng(seed)
        self._capacity, self._alpha, self._largest, self._added = capacity, alpha, 1.0, 0

    def __len__(self) -> int:
        """Transitions held."""
        return min(self._added, self._capacity)

    def add(self, state, action, reward: float, next_state, terminated: bool) -> None:
        """One transition, with the largest priority seen so far."""
        at = self._added % self._capacity
        self._states[at], self._next_states[at] = state, next_state
        self._actions[at], self._rewards[at], self._terminated[at] = action, reward, terminated
        self._flat[at] = self._largest
        block = at // _BLOCK
        self._sums[block] = self._leaves[block].sum()
        self._added += 1

    def sample(self, count: int, beta: float) -> tuple[np.ndarray, Batch]:
        """Indices (count,) and their transitions; importance weights are divided by the batch's largest."""
        ends = np.cumsum(self._sums)
        total = ends[-1]
        wanted = (np.arange(count) + self._rng.random(count)) * (total / count)
        block = np.minimum(np.searchsorted(ends, wanted, side="right"), len(ends) - 1)
        rest = wanted - (ends[block] - self._sums[block])
        inside = (np.cumsum(self._leaves[block], axis=1) <= rest[:, None]).sum(1)
        # Rounding may carry a target past the end of its block: the last slot, which could be an empty one.
        index = np.minimum(block * _BLOCK + np.minimum(inside, _BLOCK - 1), len(self) - 1)
        weights = np.maximum(self._flat[index], 1e-12) ** -beta
        weights /= weights.max()
        return index, Batch(
            states=self._states[index],
            actions=self._actions[index],
            rewards=self._rewards[index],
            next_states=self._next_states[index],
            terminated=self._terminated[index],
            weights=weights.astype(np.float32),
        )

    def update(self, index: np.ndarray, td: np.ndarray) -> None:
        """New priorities from |td| (count,)."""
        priorities = (td + EPSILON) ** self._alpha
        self._flat[index] = priorities
        self._largest = max(self._largest, float(priorities.max()))
        blocks = np.unique(index // _BLOCK)
        self._sums[blocks] = self._leaves[blocks].sum(1)
