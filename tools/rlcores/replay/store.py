"""Where transitions lie: a ring of rows, one environment a column. What can be derived is not stored.

An observation is stored once. The next observation of a step is the observation of the following one, and is kept
apart only where the two differ in any bit: at an end of an episode, or where somebody changes observations as they come
in. That alone ends no episode. Stacks of frames and returns of n steps are made when they are asked for.

Row t of the run stands at t % rows; frames (the observations) at t % (rows + stack), so that the oldest row finds the
frames before it, and the newest one the frame behind it. What is small lies side by side in one record of a row, and so
does what is small of a frame: reading a transition then touches few lines of memory.
"""

import os
import tempfile
from collections.abc import Mapping
from errno import EDQUOT, EFBIG, ENOMEM, ENOSPC
from pathlib import Path
from typing import Any, NamedTuple

import _rlcores_native as engine
import numpy as np

from rlcores.base.arrays import compact, need_finite
from rlcores.base.files import reason, reserve
from rlcores.errors import UserError
from rlcores.replay.spaces import Spec

# BROKEN: the episode goes no further, though nothing ended. RESET: the program reset the environment after this step.
TERMINATED, TRUNCATED, BROKEN, VOID, KEPT, RESET = 1, 2, 4, 8, 16, 32
ENDED = TERMINATED | TRUNCATED | BROKEN
ALWAYS: dict[str, Spec] = {"reward": ((), np.dtype(np.float32)), "flags": ((), np.dtype(np.uint8))}
_FULL = (ENOSPC, EDQUOT, EFBIG, ENOMEM)
_SMALL = 64  # bytes that lie in a record
_MOST_STEPS = 1 << 62


class Walk(NamedTuple):
    """Where n steps lead; arrays (n,)."""

    steps: np.ndarray  # int64: the transition's own step of the run
    lasts: np.ndarray  # int64: the last step of its return
    columns: np.ndarray  # int64: its environment
    returns: np.ndarray  # float32: sum of gamma**i * reward
    flags: np.ndarray  # uint8: of the last step
    discounts: np.ndarray  # float32: gamma**n, or 0 behind a terminated step


class Continuity(NamedTuple):
    """How steps went on from those before them; numbers of steps."""

    expected: int = 0  # behind a step that ended nothing
    broken: int = 0  # of these, with an observation that is not the next one of the step before
    after_ends: int = 0  # behind an end
    same: int = 0  # of these, with the last observation of the episode that ended
    idle: int = 0  # of these, with reward 0 and no end, from one observation to another


class Store:
    """A ring of `rows` steps of `columns` environments.

    observations  name -> (shape, dtype), stored once, with their next ones
    others        name -> (shape, dtype)
    stacks        name of an observation -> frames a stack, at least 1
    folder        where the arrays lie in files that are mapped; None: in memory
    keep          None: these files have no names, and vanish with the process. "new": they stay. "open": they are those
                  that a store with the same arguments left
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        observations: Mapping[str, Spec],
        others: Mapping[str, Spec],
        stacks: Mapping[str, int],
        folder: Path | None = None,
        keep: str | None = None,
    ) -> None:
        self._keep_files, self._files = keep, 0
        self.adding: int | None = None  # steps that had come when an add() of the buffer began that has not ended
        self.rows, self.columns, self.stacks = rows, columns, dict(stacks)
        self.ring = rows + max(stacks.values(), default=1)
        # Pages of memory that nobody touches take no room, so there may be one apart for every row.
        spares = rows * columns
        self._folder = folder
        self._block_of: dict[str, np.ndarray] = {}
        first: dict[str, Spec] = {".first": ((), np.dtype(bool))}
        place: dict[str, Spec] = {".place": ((), np.dtype(np.int64))}
        try:
            frames = self._arrays((self.ring, columns), dict(observations) | first)
            data = self._arrays((rows, columns), dict(others) | ALWAYS | place)
            self.apart = {name: self._array((spares,), *spec) for name, spec in observations.items()}
        except (OSError, MemoryError, ValueError) as error:
            where = f"in '{folder}'" if folder else "in memory"
            what = "no room for" if getattr(error, "errno", ENOSPC) in _FULL else "cannot keep"
            raise UserError(f"{what} {rows * columns} transitions {where}: {reason(error)}") from error
        self.first = frames.pop(".first")  # the frame before is of another episode
        self.place_apart = data.pop(".place")  # of the next observation, where flags say KEPT
        self.frames, self.data = frames, data
        # Places that were given back, and how many; these are in memory, unless files stay.
        self.free, self._numbers, self._writing = (
            self._array((count,), (), np.dtype(np.int64)) if keep else np.zeros(count, np.int64)
            for count in (spares, 9, 1)
        )
        self.counts = self._numbers[:3]  # places in use or given back; given back; transitions that are not void
        self._half = False
        self.resumed = False  # a state was restored, and no step has come since
        self.restored = 0  # states so far
        self._process = os.getpid()

    def _arrays(self, front: tuple[int, ...], specs: Mapping[str, Spec]) -> dict[str, np.ndarray]:
        """An array each, those of a few bytes in records."""
        small = {n: spec for n, spec in specs.items() if np.prod(spec[0], dtype=np.int64) * spec[1].itemsize <= _SMALL}
        fields = [(name, dtype, shape) for name, (shape, dtype) in small.items()]
        records = self._array(front, (), np.dtype(fields, align=True))
        large = {name: self._array(front, *specs[name]) for name in specs.keys() - small.keys()}
        self._block_of |= dict.fromkeys(small, records) | large
        return {name: records[name] if name in small else large[name] for name in specs}

    def _array(self, front: tuple[int, ...], shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        whole = front + shape
        if self._folder is None or not np.prod(whole, dtype=np.int64) * dtype.itemsize:
            return np.zeros(whole, dtype)
        size = int(np.prod(whole, dtype=np.int64)) * dtype.itemsize
        self._files += 1
        path = self._folder / f"rows{self._files}.bin"
        if self._keep_files == "open":
            if path.stat().st_size != size:
                raise OSError(f"'{path}' has {path.stat().st_size} bytes, not the {size} of such a buffer")
            return np.memmap(path, dtype, "r+", shape=whole)
        # Without a name it is gone with its mapping.
        with open(path, "w+b") if self._keep_files else tempfile.TemporaryFile(dir=self._folder) as file:
            reserve(file, size)
            return np.memmap(file, dtype, "w+", shape=whole)

    def flush(self) -> None:
        """Bring all that is in mapped files onto the disk."""
        blocks = [*self._block_of.values(), *self.apart.values(), self.free, self._numbers, self._writing]
        for block in {id(block): block for block in blocks}.values():
            if isinstance(block, np.memmap):
                block.flush()

    def mark(self, half: bool) -> None:
        """Note that the rows are half written, or whole again, where files stay in them too."""
        self._half = half
        if self._keep_files:
            self._writing[0] = half

    @property
    def half(self) -> bool:
        """Whether a call that writes was interrupted, where files stay also in another process."""
        return self._half or (bool(self._keep_files) and bool(self._writing[0]))

    @property
    def time(self) -> int:
        """Steps that came."""
        return int(self._numbers[3])

    def own(self) -> None:
        """Raises UserError where the rows are half written, or another process writes them too."""
        self._here()
        if self.half:
            raise UserError(
                "a call was interrupted while it wrote the buffer's arrays: load a state, or make a new buffer"
            )

    def _here(self) -> None:
        if self._folder is not None and self._process != os.getpid():
            raise UserError(
                "the buffer's mapped files are those of the process that made it; make one in this process, which was "
                "forked from it, and hand it state_dict() or a saved file"
            )

    def __len__(self) -> int:
        """Transitions held, void ones too."""
        return min(self.time, self.rows) * self.columns

    @property
    def continuity(self) -> Continuity:
        """How the steps went on from each other so far."""
        return Continuity(*map(int, self._numbers[4:]))

    def put(self, arrays: Mapping[str, np.ndarray], following: Mapping[str, np.ndarray], flags: np.ndarray) -> bool:
        """Steps of every environment, one after another; whether continuity is worth a look.

        arrays (steps, columns, …) of all names and reward; following: next observations; flags (steps, columns). Raises
        UserError, before anything changes, when a number is not finite.
        """
        for name, array in [*arrays.items(), *((f"next_{name}", array) for name, array in following.items())]:
            need_finite(name, array)
        before = self._numbers[[5, 7]].sum()
        self.mark(True)
        for t in range(len(flags)):
            self._put(
                {name: array[t] for name, array in arrays.items()} | {"flags": flags[t]},
                {name: array[t] for name, array in following.items()},
            )
        self.mark(False)
        return bool(self._numbers[[5, 7]].sum() != before)

    def _put(self, arrays: Mapping[str, np.ndarray], following: Mapping[str, np.ndarray]) -> None:
        row, now = self.time % self.rows, self.time % self.ring
        new = np.ones(self.columns, bool)
        if self.time:
            before = (self.time - 1) % self.rows
            was = self.data["flags"][before]
            none, held = arrays["flags"] & VOID != 0, was & VOID == 0
            moved, idle = np.zeros((2, self.columns), bool)
            for name, frames in self.frames.items():
                moved |= _differ(frames[now], arrays[name])
                idle |= _differ(following[name], arrays[name])
            idle &= (arrays["flags"] == 0) & (arrays["reward"] == 0)
            ended = held & ~none & (was & (TERMINATED | TRUNCATED) != 0)
            goes = held & ~none & (was & ENDED == 0)
            counted = goes, goes & moved, ended, ended & ~moved, ended & ~moved & idle
            self._numbers[4:] += [each.sum() for each in counted]
            new = none | (was & (ENDED | VOID) != 0)
            was[none & held & (was & ENDED == 0)] |= BROKEN
            self._keep(before, now, np.flatnonzero((moved | none) & held))
        self._forget(row)
        if self.time >= self.rows:
            self.counts[2] -= (self.data["flags"][row] & VOID == 0).sum()
        self.counts[2] += (arrays["flags"] & VOID == 0).sum()
        for name, frames in self.frames.items():
            frames[now] = arrays[name]
            frames[(now + 1) % self.ring] = following[name]
        for name, rows in self.data.items():
            rows[row] = arrays[name]
        self.first[now] = new
        self._numbers[3] += 1

    def end_episode(self, columns: np.ndarray) -> None:
        """The newest step of these environments, bool (columns,), is the last one of its episode."""
        if self.time:
            newest = self.data["flags"][(self.time - 1) % self.rows]
            newest[columns & (newest & (ENDED | VOID) == 0)] |= BROKEN
            newest[columns & (newest & VOID == 0)] |= RESET

    def moved(self, observations: Mapping[str, np.ndarray]) -> np.ndarray:
        """Which environments, bool (columns,), do not go on with these observations (columns, …) where they were."""
        moved = np.zeros(self.columns, bool)
        for name, frames in self.frames.items() if self.time else ():
            moved |= _differ(frames[self.time % self.ring], observations[name])
        return moved

    def ended(self) -> np.ndarray:
        """Which environments, bool (columns,), have ended and were not reset by the program."""
        if not self.time:
            return np.zeros(self.columns, bool)
        newest = self.data["flags"][(self.time - 1) % self.rows]
        ended: np.ndarray = (newest & (TERMINATED | TRUNCATED) != 0) & (newest & (VOID | RESET) == 0)
        return ended

    def keys(self, count: int) -> list[tuple[int, int, int]]:
        """Of the newest steps of one environment, in order: hashes of both observations, and flags."""
        times = np.arange(max(self.time - min(count, self.rows), 0), self.time)
        flags, places = (rows[times % self.rows, 0] for rows in (self.data["flags"], self.place_apart))
        kept = flags & KEPT != 0
        parts: list[list[Any]] = [[], []]
        for name, frames in self.frames.items():
            behind = frames[(times + 1) % self.ring, 0]
            behind[kept] = self.apart[name][places[kept]]
            for part, seen in zip(parts, (frames[times % self.ring, 0], behind), strict=True):
                part.append([row.tobytes() for row in seen])
        hashes = [[hash(row) for row in zip(*part, strict=True)] for part in parts]
        return list(zip(*hashes, flags.tolist(), strict=True))

    def _keep(self, row: int, frame: int, columns: np.ndarray) -> None:
        """Next observations that the coming step would overwrite."""
        for column in columns:
            if self.counts[1]:
                self.counts[1] -= 1
                place = self.free[self.counts[1]]
            else:
                place = self.counts[0]
                self.counts[0] += 1
            for name, frames in self.frames.items():
                self.apart[name][place] = frames[frame, column]
            self.place_apart[row, column] = place
        self.data["flags"][row, columns] |= KEPT

    def _forget(self, row: int) -> None:
        """Give the places back that a row had, the first one's first."""
        for place in self.place_apart[row][self.data["flags"][row] & KEPT != 0]:
            self.free[self.counts[1]] = place
            self.counts[1] += 1

    # --- reading ---

    def whole(self) -> np.ndarray:
        """Slots that hold a transition, in order: int64."""
        return np.flatnonzero(self.data["flags"].reshape(-1)[: len(self)] & VOID == 0)

    def void(self, slots: np.ndarray) -> np.ndarray:
        """Which slots (n,) hold no transition: bool (n,)."""
        flags = self.data["flags"][slots // self.columns, slots % self.columns]
        return np.asarray((slots >= len(self)) | (flags & VOID != 0))

    def gather(self, slots: np.ndarray, n_steps: int, gamma: float, out: Mapping[str, np.ndarray]) -> None:
        """Fill the arrays of a batch with the transitions of slots int64 (n,), as ReplayBatch has them."""
        walk = self._walk(slots, n_steps, gamma)
        for name in self.frames:
            self._observation(name, walk, out[name])
            self._following(name, walk, out[f"next_{name}"])
        row, column = np.divmod(slots, self.columns)
        for name in self.data.keys() - ALWAYS:
            out[name][...] = self.data[name][row, column]
        out["reward"][...], out["discount"][...] = walk.returns, walk.discounts
        out["terminated"][...] = walk.flags & TERMINATED != 0
        out["truncated"][...] = walk.flags & (TRUNCATED | BROKEN) != 0

    def _walk(self, slots: np.ndarray, n_steps: int, gamma: float) -> Walk:
        """The returns of up to n steps from slots (n,): up to an end of the episode, or the newest step."""
        row, columns = np.divmod(slots, self.columns)
        steps = self.time - 1 - (self.time - 1 - row) % self.rows
        rewards, flags = self.data["reward"], self.data["flags"]
        returns, factor = rewards[row, columns].astype(np.float64), np.ones(len(slots))
        lasts, goes = steps.copy(), np.ones(len(slots), bool)
        for _ in range(n_steps - 1):
            goes &= (flags[lasts % self.rows, columns] & ENDED == 0) & (lasts + 1 < self.time)
            if not goes.any():
                break
            lasts += goes
            factor = np.where(goes, factor * gamma, factor)
            returns = np.where(goes, returns + factor * rewards[lasts % self.rows, columns], returns)
        end = flags[lasts % self.rows, columns]
        discounts = np.where(end & TERMINATED, 0, factor * gamma)
        return Walk(steps, lasts, columns, returns.astype(np.float32), end, discounts.astype(np.float32))

    def _observation(self, name: str, walk: Walk, out: np.ndarray) -> None:
        """Observations (n, …), or stacks of frames (n, stack, …) with the newest one last."""
        at = walk.steps.copy()
        for frame in _layers(out, self.stacks[name]):
            frame[...] = self.frames[name][at % self.ring, walk.columns]
            at -= ~self.first[at % self.ring, walk.columns]

    def _following(self, name: str, walk: Walk, out: np.ndarray) -> None:
        """The observations behind the last steps, likewise."""
        newest, *older = _layers(out, self.stacks[name])
        newest[...] = self.behind(name, walk.lasts, walk.columns)
        at = walk.lasts.copy()
        for frame in older:
            frame[...] = self.frames[name][at % self.ring, walk.columns]
            at -= ~self.first[at % self.ring, walk.columns]

    def behind(self, name: str, steps: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Observations behind steps of the run int64 (n,) of these environments, single frames (n, …)."""
        rows = steps % self.rows
        observations: np.ndarray = self.frames[name][(steps + 1) % self.ring, columns]
        kept = self.data["flags"][rows, columns] & KEPT != 0
        observations[kept] = self.apart[name][self.place_apart[rows, columns][kept]]
        return observations

    # --- state ---

    def state(self) -> dict[str, np.ndarray]:
        """All arrays as far as they are used, views of what is here."""
        own = {"time": np.array(self.time, np.int64), "continuity": self._numbers[4:]}
        return self._upto(self.time, *self.counts[:2]) | own

    def _upto(self, time: int, apart: int, free: int) -> dict[str, np.ndarray]:
        """The arrays as far as `time` steps, and places of next observations, use them."""
        rows, frames = min(time, self.rows), min(time + 1, self.ring)
        arrays = {f"frames.{name}": array[:frames] for name, array in self.frames.items()}
        arrays |= {f"apart.{name}": array[:apart] for name, array in self.apart.items()}
        arrays |= {f"data.{name}": array[:rows] for name, array in self.data.items()}
        numbers = {"first": self.first[:frames], "places": self.place_apart[:rows], "free": self.free[:free]}
        return arrays | numbers | {"counts": self.counts}

    def check(self, state: Mapping[str, np.ndarray]) -> int:
        """Rows in use of a state. Raises UserError when state() of such a store does not give it."""
        time, counts = _numbers(state, "time", ()), _numbers(state, "counts", (3,))
        apart, free, held = (int(number) for number in counts)
        went = _numbers(state, "continuity", (5,)) if "continuity" in state else np.zeros(1)  # older states have none
        if went.min() < 0 or not 0 <= time < _MOST_STEPS or not 0 <= free <= apart <= self.rows * self.columns:
            raise UserError("the state is damaged: its numbers do not fit together")
        for name, array in self._upto(int(time), apart, free).items():
            if name not in state:
                raise UserError(f"the state has no array '{name}'; it is not one of such a replay buffer")
            part = np.asarray(state[name])
            if part.dtype != array.dtype or part.shape != array.shape:
                raise UserError(
                    f"'{name}' of the state is {part.dtype} {part.shape}; it must be {array.dtype} {array.shape}"
                )
        flags = state["data.flags"]
        places: np.ndarray = state["places"][flags & KEPT != 0]
        firsts = np.asarray(state["first"]).view(np.uint8)
        # What follows the newest step is in its frame still; and a truth value is one byte, 0 or 1, to the engine.
        if (time and (flags[(time - 1) % self.rows] & KEPT).any()) or firsts.max(initial=0) > 1:
            raise UserError("the state is damaged: its numbers do not fit together")
        numbers: np.ndarray = np.concatenate([places, np.asarray(state["free"], np.int64)])
        numbers.sort()
        if not np.array_equal(numbers, np.arange(apart)):
            raise UserError("the state is damaged: its places of next observations are not those of one buffer")
        if held != (flags & VOID == 0).sum():
            raise UserError("the state is damaged: it has another number of transitions than it says")
        return min(int(time), self.rows) * self.columns

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Hold what state() gave. Raises UserError, before anything changes, when it is not of such a store."""
        self._here()
        self.check(state)
        self.data["flags"][:] = 0  # rows that the state has not hold nothing
        self._numbers[3], self._numbers[4:] = int(state["time"]), state.get("continuity", 0)
        for name, array in self._upto(self.time, *state["counts"][:2]).items():
            array[...] = state[name]
        self.resumed = True
        self.restored += 1


class NativeStore(Store):
    """The same, its batches made by the native engine, which lets other threads of Python run."""

    def __init__(self, *args: Any, threads: int = 1, **kwargs: Any) -> None:
        """threads: for a batch, at most; a batch of less than a megabyte takes one."""
        super().__init__(*args, **kwargs)
        self._threads = threads
        self._others = [name for name in self.data if name not in ALWAYS]
        reward, flags, first, place = (self._place(name) for name in ("reward", "flags", ".first", ".place"))
        self.engine = engine.ReplayRows(
            self.rows,
            self.columns,
            self.ring,
            reward,
            flags,
            first,
            place,
            self.free,
            self._numbers,
            [(*self._place(name), self.apart[name], self.stacks[name]) for name in self.frames],
            [self._place(name) for name in self._others],
        )

    def _place(self, name: str) -> tuple[np.ndarray, int, int]:
        """Where an array lies: the records or the array itself, the offset in a record, and its own bytes there."""
        block = self._block_of[name]
        if block.dtype.fields is None:
            return block, 0, block[0, 0].nbytes
        fields: Any = block.dtype.fields
        kind, offset = fields[name][:2]
        return block, offset, kind.itemsize

    def put(self, arrays: Mapping[str, np.ndarray], following: Mapping[str, np.ndarray], flags: np.ndarray) -> bool:
        """See Store.put."""
        columns = (
            [compact(arrays[name]) for name in self.frames],
            [compact(following[name]) for name in self.frames],
            [compact(arrays[name]) for name in self._others],
            compact(arrays["reward"]).reshape(-1),
            flags.reshape(-1),
        )
        # Ctrl-C is handled before or after a call of the engine; a kill may come during it, and files stay.
        if self._keep_files:
            self._writing[0] = 1
        try:
            status = self.engine.put(self.time, *columns)
        finally:
            self._writing[0] = 0
        if status >= 0:
            checked = [(n, arrays[n]) for n in self.frames] + [(f"next_{n}", following[n]) for n in self.frames]
            need_finite(*(checked + [(n, arrays[n]) for n in (*self._others, "reward")])[status])
        return status == -2

    def room(
        self,
        arrays: Mapping[str, np.ndarray],
        slots: np.ndarray,
        generations: np.ndarray | None = None,
        weights: np.ndarray | None = None,
    ) -> "engine.ReplayRoom":
        """The arrays of a batch for the engine, which may fill them again and again as long as they are these."""
        return engine.ReplayRoom(
            self.engine,
            slots,
            [arrays[name] for name in self.frames],
            [arrays[f"next_{name}"] for name in self.frames],
            [arrays[name] for name in self._others],
            arrays["reward"],
            arrays["discount"],
            arrays["terminated"],
            arrays["truncated"],
            generations,
            weights,
        )

    def gather(self, slots: np.ndarray, n_steps: int, gamma: float, out: Mapping[str, np.ndarray]) -> None:
        """See Store.gather."""
        self.room(out, slots).gather(self.engine, self.time, n_steps, gamma, self._threads)

    def sampled(self, room: "engine.ReplayRoom", n_steps: int, gamma: float, *drawing: Any) -> bool:
        """Draw slots and gather them in one call. drawing: the engine's tree, the batch, whether in strata.

        False, and nothing is changed, where the tree has nothing to draw.
        """
        return room.sample(self.engine, self.time, n_steps, gamma, self._threads, *drawing)

    def made(self, room: "engine.ReplayRoom") -> bool:
        """Whether room() of this store gave it."""
        return room.of(self.engine)


def _layers(out: np.ndarray, stack: int) -> list[np.ndarray]:
    """Where the frames of a stack go, the newest first."""
    return [out] if stack == 1 else [out[:, i] for i in reversed(range(stack))]


def _differ(here: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Which of the first axis differ in any bit."""
    count = len(here)
    if not here.size:
        return np.zeros(count, bool)
    bits = [compact(x).reshape(count, -1).view(np.uint8) for x in (here, there)]
    return np.asarray((bits[0] != bits[1]).any(axis=1))


def _numbers(state: Mapping[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asarray(state.get(name))
    if array.shape != shape or array.dtype != np.int64:
        raise UserError(f"the state has no whole numbers '{name}'; it is not one of such a replay buffer")
    return array
