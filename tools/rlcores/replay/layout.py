"""The arrays of a step and of a batch: names, shapes, types, and whether those that come are such."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_int
from rlcores.base.arrays import is_array, plain
from rlcores.errors import UserError
from rlcores.replay import spaces

_STEP = {"reward": np.dtype(np.float32), "terminated": np.dtype(bool), "truncated": np.dtype(bool)}
_DISCOUNT = {"discount": ((), np.dtype(np.float32))}


class RecordLayout:
    """What is stored of each of `rows` steps of `num_envs` environments.

    specs    name -> (shape, type) of all arrays, nested ones by the names of their parts
    seen     those that a step has two of; others: the rest
    stacks   frames of each observation in a batch
    columns  name -> (shape, type) of all arrays of a batch
    """

    def __init__(
        self,
        rows: int,
        num_envs: int,
        arrays: Mapping[str, Any],
        observations: Sequence[str],
        frame_stack: int | Mapping[str, int],
    ) -> None:
        """Raises UserError for arguments that a ReplayBuffer does not take."""
        self.rows, self.num_envs = rows, num_envs
        self.specs = specs = spaces.leaves(arrays)
        self.observations = spaces.expand(observations, specs)
        for name in self.observations:
            if name not in specs:
                raise UserError(f"observations names '{name}', which is none of the arrays: {', '.join(specs)}")
        reserved = {*_STEP, "flags", "mask", "discount", *(f"next_{name}" for name in self.observations)}
        if taken := sorted(reserved & specs.keys()):
            raise UserError(f"an array cannot be called '{taken[0]}': a step has that anyway")
        self._nested = any("." in name for name in specs)
        self.seen = {name: specs[name] for name in self.observations}
        self.others = {name: spec for name, spec in specs.items() if name not in self.seen}
        self.stacks = self._frames(frame_stack)
        scalars = {name: ((), dtype) for name, dtype in _STEP.items()}
        self._taken = self.seen | self.others | {f"next_{name}": spec for name, spec in self.seen.items()} | scalars
        self.columns = self.others | scalars | _DISCOUNT
        for name, (shape, dtype) in self.seen.items():
            stack = (self.stacks[name],) if self.stacks[name] > 1 else ()
            self.columns |= dict.fromkeys((name, f"next_{name}"), ((*stack, *shape), dtype))

    def _frames(self, counts: int | Mapping[str, int]) -> dict[str, int]:
        """Frames of each observation."""
        if not isinstance(counts, Mapping):
            counts = dict.fromkeys(self.observations, counts)
        counts = {
            each: count
            for name, count in counts.items()
            for each in spaces.expand([name], dict.fromkeys(self.observations))
        }
        for name in counts:
            if name not in self.observations:
                raise UserError(f"frame_stack names '{name}', which is no observation: {', '.join(self.observations)}")
        return {name: check_int("frame_stack", counts.get(name, 1), 1, 256) for name in self.observations}

    def of(self, num_envs: int) -> "RecordLayout":
        """The same of other environments."""
        layout = copy.copy(self)
        layout.num_envs = num_envs
        return layout

    def step(self, step: Mapping[str, Any], mask: ArrayLike | None) -> dict[str, np.ndarray]:
        """All arrays of steps as (steps, num_envs, …) of their types, and mask. Raises UserError."""
        specs = self._taken
        if self._nested:
            step = spaces.flat(step)
        for name in specs:
            if name not in step:
                raise UserError(f"add() needs '{name}': {', '.join(specs)}")
        for name in step:
            if name not in specs:
                raise UserError(f"add() was given '{name}', which this buffer does not store: {', '.join(specs)}")
        front = plain("reward", step["reward"]).shape
        whole_front = front
        if self.num_envs == 1 and len(front) < 2:
            whole_front = (front[0] if front else 1, 1)
        elif len(front) == 1:
            whole_front = (1, *front)
        if len(whole_front) != 2 or whole_front[1] != self.num_envs:
            raise UserError(f"reward has shape {front}; it must be ({self.num_envs},) or (steps, {self.num_envs})")
        arrays: dict[str, np.ndarray] = {}
        for name, (shape, dtype) in specs.items():
            array = step[name] if type(step[name]) is np.ndarray else plain(name, step[name])
            if array.shape != front + shape:
                raise UserError(f"{name} has shape {array.shape}; with a reward of {front} it must be {front + shape}")
            arrays[name] = cast(name, array, dtype).reshape(whole_front + shape)
        valid = np.ones(front, bool) if mask is None else cast("mask", plain("mask", mask), np.dtype(bool))
        if valid.shape != front:
            raise UserError(f"mask has shape {valid.shape}; it must be that of reward, {front}")
        arrays["mask"] = valid.reshape(whole_front)
        if whole_front[0] > self.rows:
            raise UserError(
                f"{whole_front[0]} steps of {self.num_envs} environments are more than the buffer holds, "
                f"{self.rows * self.num_envs} transitions"
            )
        return arrays

    def arrays(self, count: int, out: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Arrays for a batch: those of `out`, or new ones. Raises UserError."""
        arrays: dict[str, np.ndarray] = {}
        for name, (shape, dtype) in self.columns.items():
            if name in out:
                arrays[name] = right(f"out['{name}']", out[name], (count, *shape), dtype)
            else:
                arrays[name] = np.empty((count, *shape), dtype)
        for name in out:
            if name not in arrays:
                raise UserError(f"out has '{name}', which a batch has not: {', '.join(arrays)}")
        return arrays


def right(name: str, array: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array that a caller gave to be filled."""
    if not is_array(array) or array.shape != shape or array.dtype != dtype:
        raise UserError(f"{name} must be a NumPy array {dtype} {shape}")
    checked: np.ndarray = array
    if not checked.flags.carray:
        raise UserError(f"{name} must be writable, and in one piece")
    return checked


def cast(name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The same numbers in another type, floating ones rounded."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} is an array of {array.dtype}; it must be {dtype}")
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = array.astype(dtype)
    wrong = np.isinf(numbers) & np.isfinite(array) if dtype.kind == "f" else numbers != array
    if wrong.any():
        raise UserError(f"{name} has the value {array[wrong][0]}, which {dtype} does not hold")
    return numbers
