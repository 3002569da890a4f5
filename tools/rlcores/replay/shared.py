"""One replay buffer of several processes of a machine, without a server."""

import functools
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from sys import float_info
from typing import Any, Self, TypeVar, cast

import _rlcores_native as engine
import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import files, forks
from rlcores.base.arguments import check_int
from rlcores.base.attributes import Guarded
from rlcores.base.threads import turn
from rlcores.cores.common.draws import state_of
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.calls import EngineCalls
from rlcores.cores.sumtree.loss_adjusted import LossAdjustedSampler
from rlcores.cores.sumtree.model import UPDATE
from rlcores.cores.sumtree.results import Slots
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.settings import MOST_BATCH, ReplaySettings
from rlcores.errors import UserError
from rlcores.replay.batch import ReplayBatch
from rlcores.replay.buffer import batch_of, sampler_of
from rlcores.replay.draws import EMPTY, Words
from rlcores.replay.journal import Change
from rlcores.replay.layout import RecordLayout
from rlcores.replay.shared_folder import SharedFolder
from rlcores.replay.shared_parts import Part, PartFolder
from rlcores.replay.shared_state import SharedState
from rlcores.replay.spaces import Nested, Spec

_TREE = 35  # numbers of the engine's tree
_WORDS, _STALE = slice(_TREE, _TREE + 4), _TREE + 4  # places behind them
_LEAVES = 0  # the journal's block of priorities; those of the parts follow

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _turn(method: _Method) -> _Method:
    """A method that no two processes run at once on one buffer: done whole, or not at all."""

    @functools.wraps(method)
    def called(self: "SharedReplayBuffer", *arguments: Any, **named: Any) -> Any:
        state = self._present()
        with state.turn as depth:
            if depth > 1:  # of another method
                return method(self, *arguments, **named)
            try:
                state.begin()
                result = method(self, *arguments, **named)
                state.commit()
            finally:
                state.end()
            return result

    return cast(_Method, called)


class SharedReplayBuffer(Guarded):
    """A ReplayBuffer that several processes of one machine add to, draw from and update.

    Hand it to processes as an argument, however they are started, or open its folder there. Every call takes effect
    alone, in one order, and gives what one process would get that makes the same calls. A process that is killed in
    the middle of a call loses that call, and holds up nobody.

    buffer_size   transitions of all processes together, a multiple of writers * num_envs, at most 2**24
    writers       processes that add, at most. Each has a part of the buffer, buffer_size / writers transitions, first
                  in, first out, so no return, stack or episode has steps of two processes. A process takes a part
                  with its first add(), and gives it back with close() or its end
    num_envs      environments that step together in each process
    folder        where the buffer lies, and stays: open() goes on with it. None: in memory (/dev/shm where that is), as
                  long as a process has it
    arrays, observations, autoreset, n_steps, gamma, frame_stack, prioritized, priorities, alpha, beta,
    priority_epsilon, batch_size, stratified, seed, sampler_options, threads, device
                  as for ReplayBuffer; priorities are "proportional" or "loss_adjusted". alpha and beta are those of all
                  processes, device is one's own

    >>> import numpy as np
    >>> buffer = SharedReplayBuffer(1000, {"observation": ((4,), "float32")}, writers=2, seed=1)
    >>> here = np.zeros(4)
    >>> slots = buffer.add(observation=here, next_observation=here, reward=1.0, terminated=False, truncated=False)
    >>> batch = buffer.sample(8)
    >>> int(buffer.update(batch.indices, np.ones(8), batch.generations).sum()), buffer.writer
    (8, 0)
    """

    def __init__(
        self,
        buffer_size: int,
        arrays: Mapping[str, Any],
        *,
        writers: int,
        observations: tuple[str, ...] = ("observation",),
        num_envs: int = 1,
        autoreset: str | None = None,
        n_steps: int = 1,
        gamma: float = 0.99,
        frame_stack: int | Mapping[str, int] = 1,
        prioritized: bool = True,
        priorities: str = "proportional",
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        batch_size: int = 64,
        stratified: bool = True,
        seed: int | None = None,
        sampler_options: Mapping[str, Any] | None = None,
        folder: str | Path | None = None,
        threads: int = 1,
        device: Any = None,
    ) -> None:
        """Raises UserError when an argument is out of its range, or there is no room for the arrays."""
        settings = ReplaySettings(
            buffer_size=buffer_size,
            alpha=alpha,
            beta=beta,
            priority_epsilon=priority_epsilon,
            batch_size=batch_size,
            stratified=stratified,
            seed=seed,
        )
        writers = check_int("writers", writers, 1, 1024)
        unit = writers * check_int("num_envs", num_envs, 1, settings.buffer_size)
        if settings.buffer_size % unit or not settings.buffer_size:
            near = max(settings.buffer_size // unit, 1) * unit
            raise UserError(
                f"buffer_size is {buffer_size}; with {writers} writers of {num_envs} environments it must be a "
                f"multiple, as {near} is"
            )
        for option in sampler_options or {}:
            if option in ("banks", "max_priority_within_buffer", "generation_width"):
                raise UserError(f"sampler_options has '{option}', which a shared buffer does not have")
        if priorities == "rank":
            raise UserError("priorities='rank' are of a ReplayBuffer: ranks are sorted in one process")
        layout = RecordLayout(settings.buffer_size // unit, num_envs, arrays, observations, frame_stack)
        self._settings: dict[str, Any] = {
            "buffer_size": settings.buffer_size,
            "arrays": {name: (shape, dtype.str) for name, (shape, dtype) in layout.specs.items()},
            "writers": writers,
            "observations": layout.observations,
            "num_envs": num_envs,
            "autoreset": autoreset,
            "n_steps": n_steps,
            "gamma": gamma,
            "frame_stack": layout.stacks,
            "prioritized": prioritized,
            "priorities": priorities,
            "alpha": alpha,
            "beta": beta,
            "priority_epsilon": priority_epsilon,
            "batch_size": settings.batch_size,
            "stratified": settings.stratified,
            "seed": seed,
            "sampler_options": dict(sampler_options or {}),
            "threads": threads,
        }
        self._device = device
        self._hold = SharedFolder(None if folder is None else Path(folder))
        try:
            with self._hold.turn.lock:
                self._hold.need_new()
                self._attach(new=True)
                self._hold.write_settings(self._settings)
        except BaseException:
            self._hold.close()
            raise

    @classmethod
    def open(cls, folder: str | Path, *, device: Any = None) -> Self:
        """The buffer in this folder, which other processes may have open too. Raises UserError when there is none."""
        buffer = cls.__new__(cls)
        buffer._device = device
        buffer._reopen(Path(folder))
        return buffer

    # --- this process's hold on the buffer ---

    def _reopen(self, folder: Path) -> None:
        self._hold = SharedFolder.there(folder)
        try:
            self._settings = self._hold.read_settings()
            with self._hold.turn.lock:
                self._attach(new=False)
        except BaseException:
            self._hold.close()
            raise

    def _attach(self, new: bool) -> None:
        """Map the files, with the turn; all that is not in them is made anew."""
        given, hold = dict(self._settings), self._hold
        folder = hold.folder
        try:
            writers, size = given.pop("writers"), given.pop("buffer_size")
            part_size: int = size // writers
            self._size = part_size
            shared = {name: given[name] for name in ("alpha", "beta", "priority_epsilon", "batch_size", "stratified")}
            settings = ReplaySettings(buffer_size=size, seed=given.pop("seed"), **shared)
            prioritized, priorities = given.pop("prioritized"), given.pop("priorities")
            options = given.pop("sampler_options")
            kind, options = sampler_of(prioritized, priorities, settings, options)
            self._parts: list[Part] = []
            for number in range(writers):
                own = folder / f"part{number}"
                own.mkdir(exist_ok=True)
                rows = {name: given[name] for name in given if name not in _OF_DRAWS}
                self._parts.append(
                    Part(part_size, **rows, prioritized=False, folder=own, keep=PartFolder(own, new, hold.turn))
                )
        except (KeyError, TypeError) as error:
            raise UserError(f"the settings of the shared replay buffer in '{folder}' are damaged: {error}") from error
        self._words = Words(state_of(settings.first_seed))
        self._sampler: PrioritizedSampler | None = None
        nodes = leaves = 0
        if kind is not None:
            options.setdefault("batch_max", max(1024, settings.batch_size))
            options["batch_size"] = settings.batch_size
            self._sampler = kind(size, seed=settings.seed, backend="native", **options)
            nodes, leaves = self._tree().node_bytes, self._tree().leaves_at
        try:
            self._state = SharedState(hold, nodes, new)
            hold.open_writers(writers)
        except OSError as error:
            raise UserError(f"cannot open the shared replay buffer in '{folder}': {files.reason(error)}") from error
        self._leaves = self._state.nodes[leaves:].view(np.uint32)
        self._leaves_at, self._stale = leaves, 0
        if self._sampler is not None:
            self._tree().adopt(self._state.nodes)
        blocks: list[np.ndarray] = [self._leaves]
        for part in self._parts:
            part.rows.note = functools.partial(self._note_rows, len(blocks))
            blocks += part.rows.blocks
        self._state.begin_with(blocks)
        self._state.store, self._state.load, self._state.undone = self._store, self._load, self._rebuild
        if new:
            self._state.commit()
        self._process = os.getpid()
        forks.leave_in_child(self, SharedReplayBuffer._leave)

    def _present(self) -> SharedState:
        """The state as this process has it: one that was forked opens the buffer once more."""
        if self._process != os.getpid():
            with turn(self):
                if self._process != os.getpid():
                    self._reopen(self._hold.folder)
        if self._hold.closed:
            raise UserError(
                "this buffer was closed in this process; SharedReplayBuffer.open(buffer.folder) opens it again"
            )
        return self._state

    def _leave(self) -> None:
        self._hold.leave()

    def _tree(self) -> "engine.SumTree":
        calls = self._prioritized().tree._calls
        assert isinstance(calls, EngineCalls)
        tree: engine.SumTree = calls.engine
        return tree

    def _load(self, numbers: np.ndarray) -> None:
        """Take over what the last call left; see SharedState."""
        s0, s1, s2, s3 = numbers[_WORDS].tolist()
        self._words.state, self._stale = (s0, s1, s2, s3), int(numbers[_STALE])
        if self._sampler is not None:
            tree, sampler = self._tree(), self._sampler
            tree.load(numbers[:_TREE])
            sampler._alpha, sampler._beta, sampler._scale = tree.alpha, tree.beta, tree.scale

    def _store(self, numbers: np.ndarray) -> None:
        numbers[_WORDS], numbers[_STALE] = self._words.state, self._stale
        if self._sampler is not None:
            self._tree().store(numbers[:_TREE])

    def _rebuild(self) -> None:
        """The nodes above the leaves, from these."""
        if self._sampler is None:
            return
        whole = engine.SumTree(*vars(self._sampler.tree.driver.shape).values())
        room = np.zeros(len(self._state.nodes) + 64, np.uint8)
        nodes = room[-room.ctypes.data % 64 :][: len(self._state.nodes)]
        whole.adopt(nodes)
        slots = np.arange(len(self._leaves))
        whole.write(UPDATE, slots, self._leaves.astype(np.int64), None, -1.0, np.empty(len(slots), bool), False)
        self._state.nodes[: self._leaves_at] = nodes[: self._leaves_at]

    def _note_rows(self, first: int, changes: Iterator[Change]) -> None:
        self._state.note((first + block, rows) for block, rows in changes)

    def _note_priorities(self, slots: np.ndarray | None = None) -> None:
        """Before priorities of slots change, or all of them."""
        self._state.note([(_LEAVES, slice(0, len(self._leaves)) if slots is None else slots)])

    def close(self) -> None:
        """Leave the buffer: another process may take the part that this one added to. A forked one has its own hold."""
        if self._process == os.getpid():
            self._hold.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled it is a way to the same buffer, for processes that are not forked."""
        return _opened, (type(self), self._hold.folder, self._device)

    # --- what it is ---

    @property
    def folder(self) -> Path:
        """Where the buffer lies."""
        return self._hold.folder

    @property
    def buffer_size(self) -> int:
        """Transitions of all parts."""
        return self._size * len(self._parts)

    @property
    def num_envs(self) -> int:
        """Environments of a process."""
        number: int = self._settings["num_envs"]
        return number

    @property
    def specs(self) -> Mapping[str, Spec]:
        """Shape and type of each array that is stored."""
        return self._parts[0].specs

    @property
    def writers(self) -> int:
        """Parts."""
        return len(self._parts)

    @property
    def writer(self) -> int | None:
        """The number of the part that this process adds to, if any."""
        return self._hold.own if self._process == os.getpid() else None

    @_turn
    def __len__(self) -> int:
        """Rows in use; those that came with mask false are among them, and are never drawn."""
        return sum(len(part) for part in self._parts)

    def __repr__(self) -> str:
        draws = "uniform draws" if self._sampler is None else f"{self._settings['priorities']} priorities"
        return (
            f"SharedReplayBuffer({len(self):,} of {self.buffer_size:,} transitions, {self.writers} writers, {draws}, "
            f"in '{self.folder}')"
        )

    @property
    @_turn
    def discontinuities(self) -> int:
        """See ReplayBuffer; of all parts."""
        return sum(part.discontinuities for part in self._parts)

    @property
    @_turn
    def stale(self) -> int:
        """Priorities that were dropped, of all processes: their transition was overwritten since it was drawn."""
        return self._stale

    @property
    @_turn
    def beta(self) -> float:
        """Exponent of the importance weights of all processes; may be set between samples."""
        return self._prioritized().beta

    @beta.setter
    @_turn
    def beta(self, beta: float) -> None:
        self._prioritized().beta = beta

    @property
    @_turn
    def alpha(self) -> float:
        """Exponent of the priorities of all processes; may be set between samples, see PrioritizedSampler.alpha."""
        return self._prioritized().alpha

    @alpha.setter
    @_turn
    def alpha(self, alpha: float) -> None:
        sampler = self._prioritized()
        self._note_priorities()
        sampler.alpha = alpha

    def _prioritized(self) -> PrioritizedSampler:
        if self._sampler is None:
            raise UserError("this buffer draws uniformly (prioritized=False), so it has no priorities")
        return self._sampler

    # --- writing ---

    def _own(self) -> Part:
        """The part that this process adds to."""
        self._present()
        if self._hold.own is None:
            self._claim()
        assert self._hold.own is not None
        return self._parts[self._hold.own]

    @_turn
    def _claim(self) -> None:
        self._parts[self._hold.claim()].end_episode()  # of another process's environments

    def add(self, *, mask: ArrayLike | None = None, **step: Nested) -> Slots:
        """Store a step of this process's environments, or some one after another; see ReplayBuffer.add."""
        part = self._own()
        return self._added(part, functools.partial(part.add, mask=mask, **step))

    def add_some(self, env_ids: ArrayLike, **step: Nested) -> Slots:
        """A step of some environments of this process, where the steps wait too; see ReplayBuffer.add_some."""
        part = self._own()
        return self._added(part, functools.partial(part.add_some, env_ids, **step))

    def flush(self) -> Slots:
        """Store the steps of this process that wait; see ReplayBuffer.flush."""
        part = self._own()
        return self._added(part, part.flush)

    @property
    def waiting(self) -> int:
        """Steps of this process that wait for its other environments."""
        return 0 if self.writer is None else self._own().waiting

    @_turn
    def _added(self, part: Part, add: Callable[[], Slots]) -> Slots:
        """Steps of this process's part, with the largest priority."""
        rows, first = part.rows, self._size * self._parts.index(part)
        slots = add().indices + first
        if self._sampler is not None and len(slots):
            self._note_priorities(slots)
            self._sampler.place(slots)
            if int(rows.counts[2]) < len(rows) and len(void := slots[rows.void(slots - first)]):
                self._sampler.tree.update(void, np.zeros(len(void), np.int64))
        return Slots(slots, self._steps(slots))

    def end_episode(self, mask: ArrayLike | None = None) -> None:
        """Say that environments of this process were reset; see ReplayBuffer.end_episode."""
        part = self._own()
        self._end_episode(part, mask)

    @_turn
    def _end_episode(self, part: Part, mask: ArrayLike | None) -> None:
        part.end_episode(mask)

    # --- reading ---

    @_turn
    def sample(
        self,
        batch_size: int | None = None,
        *,
        beta: float | None = None,
        out: "ReplayBatch | Mapping[str, np.ndarray] | None" = None,
    ) -> ReplayBatch:
        """A batch of transitions of all processes; see ReplayBuffer.sample."""
        count = self._settings["batch_size"] if batch_size is None else batch_size
        count = check_int("batch_size", count, 1, MOST_BATCH)
        if (own := self._hold.own) is not None and self._parts[own]._watch.waits:
            self._parts[own]._watch.say(self._parts[own].rows, True)
        batch = batch_of(self._parts[0]._layout, count, out)
        if self._sampler is None:
            if beta is not None:
                self._prioritized()
            batch.indices[:], batch.weights[:] = self._uniform(count), 1
        else:
            drawn = self._sampler.sample(count, beta=beta)
            batch.indices[:], batch.weights[:] = drawn.indices, drawn.weights
        batch.generations[:] = self._steps(batch.indices)
        self._gather(batch.indices, batch.arrays)
        return batch if self._device is None else batch.to(self._device)

    def _uniform(self, count: int) -> np.ndarray:
        """Slots that hold a transition, as rlcores.replay.draws.Uniform takes those of one store."""
        rows = [part.rows for part in self._parts]
        ends = np.cumsum([len(each) for each in rows])
        held = sum(int(each.counts[2]) for each in rows)
        if not held:
            raise UserError(EMPTY)
        size = int(ends[-1])
        if 8 * held < size and held < 8 * count:
            whole = np.concatenate([each.whole() + self._size * k for k, each in enumerate(rows)])
            return np.asarray(whole[self._words.below(held, count)])
        chosen = np.empty(0, np.int64)
        while len(chosen) < count:
            numbers = self._words.below(size, count - len(chosen))
            part = np.searchsorted(ends, numbers, side="right")
            slots = numbers - np.append(0, ends)[part] + part * self._size
            chosen = np.concatenate([chosen, slots[~self._void(slots)]])
        return chosen

    def _void(self, slots: np.ndarray) -> np.ndarray:
        """Which slots (n,) hold no transition."""
        void = np.empty(len(slots), bool)
        for number, places in self._by_part(slots):
            void[places] = self._parts[number].rows.void(slots[places] - number * self._size)
        return void

    def _by_part(self, slots: np.ndarray) -> "list[tuple[int, slice | np.ndarray]]":
        """Which of slots (n,) are of which part: a range where they come in order, as draws in strata do."""
        if len(self._parts) == 1:
            return [(0, slice(0, len(slots)))]
        numbers = slots // self._size
        if (numbers[1:] >= numbers[:-1]).all():
            ends = np.searchsorted(numbers, np.arange(len(self._parts) + 1)).tolist()
            return [(k, slice(*ends[k : k + 2])) for k in range(len(self._parts)) if ends[k] < ends[k + 1]]
        return [(int(k), np.flatnonzero(numbers == k)) for k in np.unique(numbers)]

    def _gather(self, slots: np.ndarray, arrays: Mapping[str, np.ndarray]) -> None:
        """Fill the arrays of a batch."""
        for number, places in self._by_part(slots):
            part, own = self._parts[number], slots[places] - number * self._size
            if isinstance(places, slice):
                to = {name: array[places] for name, array in arrays.items()}
                part._settled().gather(own, part.n_steps, part.gamma, to)
                continue
            to = part._layout.arrays(len(own), {})
            part._settled().gather(own, part.n_steps, part.gamma, to)
            for name, array in to.items():
                arrays[name][places] = array

    def _steps(self, slots: np.ndarray) -> np.ndarray:
        """The steps of their part's run that slots (n,) hold, which are the tags; below 0 where none came yet."""
        part, own = np.divmod(slots, self._size)
        row, rows = own // self.num_envs, self._size // self.num_envs
        newest = np.array([each.rows.time for each in self._parts])[part] - 1
        return np.asarray(newest - (newest - row) % rows)

    @_turn
    def read(self, indices: ArrayLike, *, out: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """The arrays of slots (n,), as a batch has them. out: as in sample()."""
        slots = replay_input.wholes("indices", indices, 0, self.buffer_size - 1)
        if (empty := self._steps(slots) < 0).any():
            raise UserError(f"there is nothing to read: no step came to slot {slots[empty][0]} yet")
        arrays = self._parts[0]._layout.arrays(len(slots), out or {})
        self._gather(slots, arrays)
        return arrays

    @_turn
    def update(self, indices: ArrayLike, td_errors: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities from new TD errors; with generations only of transitions that are still there.

        Returns bool (n,): False where the transition was overwritten, by whatever process, and nothing was changed.
        Raises UserError for a slot that holds no transition.
        """
        sampler = self._prioritized()
        slots = replay_input.wholes("indices", indices, 0, self.buffer_size - 1)
        errors = replay_input.td_errors("td_errors", td_errors, len(slots))
        accepted = np.ones(len(slots), bool)
        if generations is not None:
            tags = replay_input.wholes("generations", generations, 0, _MOST_STEPS, len(slots))
            accepted = tags == self._steps(slots)
        empty = accepted & (self._leaves[slots] == 0)
        if empty.any():
            raise UserError(f"slot {slots[empty][0]} holds no transition")
        slots, errors = slots[accepted], errors[accepted]
        self._stale += len(accepted) - len(slots)
        if len(slots):
            self._note_priorities(None if self._moves(errors) else slots)
            sampler.place(slots, errors)
        return accepted

    def _moves(self, errors: np.ndarray) -> bool:
        """Whether the largest of TD errors may move the scale, and with it all priorities."""
        sampler = self._prioritized()
        most = max(float(np.abs(errors).max()) + sampler.priority_epsilon, float_info.min)
        if isinstance(sampler, LossAdjustedSampler):
            most = max(most, sampler.min_priority)
        bits = math.log2(most) * sampler.alpha + sampler._scale / 256
        return sampler._follows and bits > sampler.tree.driver.shape.priority_width - 0.01

    # --- files ---

    def sync(self) -> None:
        """Write everything to the disk: behind that a loss of power loses only what came since."""
        state = self._present()
        with state.turn:
            state.sync(self._flush_rows)

    def _flush_rows(self) -> None:
        for part in self._parts:
            part.rows.flush()


_OF_DRAWS = ("alpha", "beta", "priority_epsilon", "stratified")
_MOST_STEPS = 1 << 62


def _opened(kind: type[SharedReplayBuffer], folder: Path, device: Any) -> SharedReplayBuffer:
    return kind.open(folder, device=device)
