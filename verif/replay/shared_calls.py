"""Calls of a shared buffer for its tests, in an order that a seed says, and what such a buffer holds."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcores import SharedReplayBuffer

ARRAYS = {"observation": ((3,), "f4"), "who": ((), "i8"), "large": ((20,), "f8")}


def step(rng: np.random.Generator, envs: int, who: int, steps: int = 1) -> dict[str, Any]:
    """Steps of `envs` environments; some observations go on, and some do not."""
    shape = (steps, envs) if steps > 1 else (envs,)
    ends = rng.random((2, *shape)) < 0.15
    seen = rng.integers(0, 2, (2, *shape, 3))
    return {
        "observation": seen[0],
        "next_observation": seen[1],
        "who": np.full(shape, who),
        "large": rng.normal(size=(*shape, 20)),
        "reward": rng.normal(size=shape),
        "terminated": ends[0],
        "truncated": ends[1] & ~ends[0],
    }


def call(buffer: SharedReplayBuffer, rng: np.random.Generator, who: int, kind: str) -> list[np.ndarray]:
    """One call, or a draw and an update of it; what they gave."""
    envs, prioritized = buffer.num_envs, buffer._sampler is not None
    if kind == "add":
        return list(buffer.add(**step(rng, envs, who)))
    if kind == "add several":
        return list(buffer.add(**step(rng, envs, who, int(rng.integers(2, 4)))))
    if kind == "add masked":
        return list(buffer.add(mask=rng.random(envs) < 0.5, **step(rng, envs, who)))
    if kind == "end":
        buffer.end_episode(rng.random(envs) < 0.5)
        return []
    if kind == "beta" and prioritized:
        buffer.beta = float(rng.random())
        return []
    if kind == "alpha" and prioritized:
        buffer.alpha = float(rng.random() + 0.1)
        return []
    batch = buffer.sample(12)
    drawn = [batch.indices, batch.weights, batch.generations, *batch.arrays.values()]
    if kind == "update" and prioritized:
        errors = rng.normal(size=12) * 10.0 ** rng.integers(-4, 7)
        old = batch.generations + rng.integers(0, 2, 12) * (rng.random(12) < 0.1)
        drawn.append(buffer.update(batch.indices, errors, old))
    return drawn


KINDS = ("add", "add several", "add masked", "end", "beta", "alpha", "sample", "update")


def held(folder: Path) -> list[bytes]:
    """All that a buffer holds, and its next draws, which it makes."""
    with SharedReplayBuffer.open(folder) as buffer:
        parts: list[Any] = [len(buffer), buffer.discontinuities]
        for number, part in enumerate(buffer._parts):
            rows = part.rows
            slots = np.arange(len(rows)) + number * buffer._size
            parts += [*buffer.read(slots).values()] if len(slots) else []
            flags, kept = rows.data["flags"], rows.place_apart[rows.data["flags"] & 16 != 0]
            parts += [flags, kept, rows._numbers, rows._writing, rows.free[: rows.counts[1]]]
        state = buffer._state
        parts += [state._copy(int(state._page[0])), buffer._leaves]
        calls = int(state._page[0])
        if len(buffer):
            batch = buffer.sample(50)
            parts += [batch.indices, batch.weights]
        assert int(state._page[0]) > calls or not len(buffer)
    return [np.asarray(array).tobytes() for array in parts]
