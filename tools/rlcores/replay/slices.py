"""Slices of consecutive steps of one episode each, for recurrent policies and for models of sequences."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base.arguments import check_bool, check_int, choice
from rlcores.base.attributes import Guarded
from rlcores.errors import UserError
from rlcores.replay import spaces
from rlcores.replay.batch import shapes
from rlcores.replay.buffer import ReplayBuffer
from rlcores.replay.draws import Uniform
from rlcores.replay.episodes import Bounds

DRAWS = ("slice", "episode")
_TRIES = 8


@dataclass(slots=True, repr=False)
class SliceBatch:
    """Slices in order: `batch["observation"]` is (num_slices, steps, …), and so is every other array.

    arrays       all that ReplayBuffer's batches have; of those named as states only the first step's: (num_slices, …)
    mask         bool (num_slices, steps): False where a slice is padded, with zeros
    learn        bool likewise: mask behind the burn-in, the steps that a loss is made of
    indices      int64 likewise: slots; of padded steps that of the last one
    starts       int64 (num_slices,): slots that were drawn, for ReplayBuffer.update()
    generations  int64 (num_slices,): their tags
    weights      float32 (num_slices,): importance weights; all 1 where draws are uniform
    """

    arrays: dict[str, np.ndarray]
    mask: np.ndarray
    learn: np.ndarray
    indices: np.ndarray
    starts: np.ndarray
    generations: np.ndarray
    weights: np.ndarray

    def __repr__(self) -> str:
        return f"SliceBatch({len(self.mask)} slices of {self.mask.shape[1]} steps: {shapes(self.arrays)})"

    def __getitem__(self, name: str) -> Any:
        """An array, or the dictionary of those that a nested one consists of."""
        if name in self.arrays:
            return self.arrays[name]
        if not (inner := spaces.nested(name, self.arrays)):
            raise KeyError(name)
        return inner


class SliceSampler(Guarded):
    """Draws slices of a ReplayBuffer, none of which goes over the end of an episode.

    buffer         a ReplayBuffer; where it is prioritised, starts are drawn by priority
    slice_len      steps to learn from; None: whole episodes that have ended
    burn_in        steps before these, to bring a recurrent state up to date (Kapturowski et al. 2019)
    strict_length  True: only slices of that length. False: those of shorter episodes too, padded
    draw           "slice": every slice is as likely as any other. "episode": every episode is, and in it every slice,
                   as with torchrl's SliceSampler
    states         names of arrays with the recurrent state before a step

    A start that is drawn by priority too near the end of its episode is moved back as far as the slice asks for.

    >>> import numpy as np
    >>> from rlcores import ReplayBuffer
    >>> arrays = {"observation": ((), "f4"), "hidden": ((8,), "f4")}
    >>> buffer = ReplayBuffer(100, arrays, prioritized=False, seed=1)
    >>> time = np.arange(50.0)
    >>> slots = buffer.add(
    ...     observation=time, next_observation=time + 1, hidden=np.zeros((50, 8)), reward=np.ones(50),
    ...     terminated=time % 25 == 24, truncated=np.zeros(50, bool),
    ... )
    >>> batch = SliceSampler(buffer, 8, burn_in=4, states=("hidden",)).sample(16)
    >>> batch["observation"].shape, batch["hidden"].shape, int(batch.learn[0].sum())
    ((16, 12), (16, 8), 8)
    >>> bool((np.diff(batch["observation"], axis=1) == 1).all())
    True
    """

    def __init__(
        self,
        buffer: ReplayBuffer,
        slice_len: int | None,
        *,
        burn_in: int = 0,
        strict_length: bool = True,
        draw: str = "slice",
        states: tuple[str, ...] = (),
    ) -> None:
        """Raises UserError when an argument is out of its range."""
        most = buffer.buffer_size // buffer.num_envs
        self._buffer, self._states = buffer, spaces.expand(states, buffer.specs)
        self._len = None if slice_len is None else check_int("slice_len", slice_len, 1, most)
        self._burn_in = check_int("burn_in", burn_in, 0, most - (self._len or 0))
        self._strict = check_bool("strict_length", strict_length)
        self._by_episode = choice("draw", draw, DRAWS) == "episode" or slice_len is None
        for name in self._states:
            if name not in buffer.specs:
                raise UserError(f"states names '{name}', which is none of the arrays: {', '.join(buffer.specs)}")
        if draw == "episode" and buffer.sampler is not None:
            raise UserError("draw='episode' is of uniform draws: give the buffer prioritized=False")
        if slice_len is None and (burn_in or buffer.sampler is not None):
            raise UserError("whole episodes (slice_len=None) are drawn uniformly and without burn_in")

    def __repr__(self) -> str:
        length = "whole episodes" if self._len is None else f"{self._burn_in} + {self._len} steps"
        return f"SliceSampler({length}, of {self._buffer!r})"

    def sample(self, num_slices: int) -> SliceBatch:
        """Draw this many slices. Raises UserError when the buffer holds none."""
        count = check_int("num_slices", num_slices, 1, 32768)
        drawn: list[Any] = []

        def draw() -> np.ndarray:
            first, length, column, *rest = self._starts(count)
            steps = first[:, None] + np.arange(length.max() if self._len is None else self._burn_in + self._len)
            mask = steps < (first + length)[:, None]
            steps = np.minimum(steps, (first + length - 1)[:, None])
            slots = (
                steps % (self._buffer.buffer_size // self._buffer.num_envs) * self._buffer.num_envs + column[:, None]
            )
            drawn[:] = mask, slots, *rest
            return np.asarray(slots.reshape(-1))

        arrays = self._buffer.gathered(draw)
        mask, slots, starts, generations, weights = drawn
        arrays = {name: array.reshape(*slots.shape, *array.shape[1:]) for name, array in arrays.items()}
        if not mask.all():
            for array in arrays.values():
                array[~mask] = 0
        arrays |= {name: arrays[name][:, 0] for name in self._states}
        learn = mask.copy()
        learn[:, : self._burn_in] = False
        starts = slots[:, 0].copy() if starts is None else starts
        return SliceBatch(arrays, mask, learn, slots, starts, generations, weights)

    def _starts(self, count: int) -> tuple[Any, ...]:
        """First steps, lengths and environments of slices; slots drawn, tags and weights."""
        buffer = self._buffer
        if buffer.sampler is not None:
            batch = buffer.sampler.sample(count)
            of = buffer.episodes.bounds(batch.indices)
            column = batch.indices % buffer.num_envs
            rest: tuple[np.ndarray | None, np.ndarray, np.ndarray] = batch.indices, batch.generations, batch.weights
            begin, last = of.begin, of.last
            if self._strict and (short := last - begin + 1 < self._total).any():
                raise UserError(
                    f"{short.sum()} of {count} slots drawn are of episodes shorter than {self._total} steps; give "
                    "strict_length=False, which pads them"
                )
            first = np.maximum(np.minimum(of.step, last - self._total + 1), begin)
        else:
            rest = (None, np.zeros(count, np.int64), np.ones(count, np.float32))
            if self._by_episode:
                begin, last, column = self._episodes(count)
                free = 0 if self._len is None else np.maximum(last - begin + 1 - self._total, 0)
                first = begin + buffer.words.below(free + 1, count)
            else:
                slots = Uniform(buffer.store, buffer.words).draw_of(count, self._fits, self._what)
                of = buffer.episodes.bounds(slots)
                first, last, column = of.step, of.last, slots % buffer.num_envs
        length = last - first + 1
        return first, length if self._len is None else np.minimum(length, self._total), column, *rest

    @property
    def _total(self) -> int:
        return self._burn_in + (self._len or 0)

    @property
    def _what(self) -> str:
        if self._len is None:
            return "episode that has ended"
        return f"slice of {self._total} steps" if self._strict else "transition"

    def _fits(self, slots: np.ndarray) -> np.ndarray:
        """At which slots a slice begins."""
        of = self._buffer.episodes.bounds(slots)
        fits = of.last - of.step + 1 >= self._total
        if not self._strict:  # a shorter episode is one slice
            fits |= (of.step == of.begin) & (of.last - of.begin + 1 < self._total)
        return np.asarray(fits & ~self._buffer.store.void(slots))

    def _long(self, of: Bounds | Any) -> np.ndarray:
        """Which episodes have a slice."""
        if self._len is None:
            return of.closed
        return of.last - of.begin + 1 >= self._total if self._strict else np.ones(len(of.last), bool)

    def _episodes(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First and last steps and environments of episodes, each of which is as likely as any other."""
        episodes, words = self._buffer.episodes, self._buffer.words
        chosen = episodes.draw(count, words, self._long, _TRIES)
        if chosen is None:
            table = episodes.table()
            every = np.flatnonzero(self._long(table))
            if not len(every):
                raise UserError(f"there is nothing to sample: the buffer holds no {self._what}")
            chosen = table.at(every[words.below(len(every), count)])
        return chosen.begin, chosen.last, chosen.column
