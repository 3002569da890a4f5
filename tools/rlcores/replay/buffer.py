"""A replay buffer: named arrays of transitions, drawn by the sum tree or uniformly."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import forks
from rlcores.base.arguments import check_bool, check_float, check_int, choice
from rlcores.base.arrays import need_finite, plain
from rlcores.base.threads import alone
from rlcores.cores.common.draws import state_of
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.loss_adjusted import LossAdjustedSampler
from rlcores.cores.sumtree.ranks import RankSampler
from rlcores.cores.sumtree.results import Slots
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.settings import MOST_BATCH, ReplaySettings
from rlcores.errors import UserError
from rlcores.replay.batch import ReplayBatch
from rlcores.replay.checkpoints import OF_PRIORITIES, Checkpointed
from rlcores.replay.continuity import AUTORESETS, ContinuityCheck
from rlcores.replay.draws import Uniform, WithoutReplacement, Words
from rlcores.replay.episodes import Episodes
from rlcores.replay.folder import BufferFolder
from rlcores.replay.goals import Hindsight, Relabeller
from rlcores.replay.layout import RecordLayout, cast, right
from rlcores.replay.spaces import Nested, Spec
from rlcores.replay.store import TERMINATED, TRUNCATED, VOID, NativeStore, Store
from rlcores.replay.waiting import Waiting

_DRAWN: dict[str, np.dtype[Any]] = {
    "indices": np.dtype(np.int64),
    "generations": np.dtype(np.int64),
    "weights": np.dtype(np.float32),
}


_DEFAULTS = ReplaySettings(seed=0)
# Kinds of priorities, and the settings that a kind does not have; other values than the defaults are refused.
SAMPLERS: dict[str, tuple[type[PrioritizedSampler], tuple[str, ...]]] = {
    "proportional": (PrioritizedSampler, ()),
    "rank": (RankSampler, ("priority_epsilon",)),
    "loss_adjusted": (LossAdjustedSampler, ("beta", "priority_epsilon")),
}


class ReplayBuffer(Checkpointed):
    """Transitions of one or many environments, first in, first out, with prioritised or uniform draws.

    buffer_size   transitions of all environments together, a multiple of num_envs, at most 2**24
    arrays        what is stored: name -> (shape, dtype), or a space of Gymnasium with both. A step also has a reward,
                  terminated and truncated, which need no entry
    observations  names among them that a step has two of, before and behind it. Each is stored once: the one behind a
                  step is that before the next one, and is kept apart only where the two differ
    num_envs      environments that step together
    autoreset     how they reset themselves, as Gymnasium's AutoresetMode: "next_step" leaves out the step behind an
                  end, which only resets an environment; "same_step"; "disabled". None: every step is stored, and a
                  warning says where steps look like those of "next_step"
    n_steps       steps of a return. It ends early at the end of an episode and at the newest step, and its discount
                  says how far it went
    gamma         discount of a step
    frame_stack   frames an observation of a batch has, the newest last, or name -> frames. The first frame of an
                  episode stands for those before it. 1: no axis is added
    prioritized   draws in proportion to priorities, with update(); else uniform ones
    priorities    "proportional" to |TD error|**alpha; by its "rank", see RankSampler; "loss_adjusted", see
                  LossAdjustedSampler
    alpha, beta, priority_epsilon, batch_size, stratified, seed, backend
                  as for PrioritizedSampler; sampler_options: its others
    folder        where the arrays are kept in mapped files, for more than memory holds. They are gone with the buffer;
                  save() keeps them
    keep          True: the files in the folder stay, and open() resumes from them; sync() writes priorities and draws
    threads       that copy a batch of more than a megabyte, at most; their number changes nothing
    replacement   False: uniform draws take each transition once before any of them comes again
    hindsight     a Hindsight: goals of a batch are relabelled. Uniform draws then take ended episodes only
    device        a batch has tensors of PyTorch on this device, "cpu" without a copy; None: NumPy arrays

    >>> import numpy as np
    >>> buffer = ReplayBuffer(1000, {"observation": ((4,), "float32"), "action": ((), "int64")}, n_steps=3, seed=1)
    >>> here = np.zeros(4)
    >>> for step in range(20):
    ...     there = here + 1
    ...     slots = buffer.add(
    ...         observation=here, action=step % 2, next_observation=there, reward=1.0, terminated=step == 19,
    ...         truncated=False,
    ...     )
    ...     here = there
    >>> batch = buffer.sample(8)
    >>> batch["observation"].shape, round(float(batch["reward"].max()), 4)
    ((8, 4), 2.9701)
    >>> int(buffer.update(batch.indices, np.ones(8), batch.generations).sum())
    8
    """

    def __init__(
        self,
        buffer_size: int,
        arrays: Mapping[str, Any],
        *,
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
        backend: Any = "native",
        sampler_options: Mapping[str, Any] | None = None,
        folder: str | Path | None = None,
        keep: bool | BufferFolder = False,
        threads: int = 1,
        replacement: bool = True,
        hindsight: Hindsight | None = None,
        device: Any = None,
    ) -> None:
        """Raises UserError when an argument is out of its range, or there is no room for the arrays."""
        shared = ReplaySettings(
            buffer_size=buffer_size,
            alpha=alpha,
            beta=beta,
            priority_epsilon=priority_epsilon,
            batch_size=batch_size,
            stratified=stratified,
            seed=seed,
        )
        self._shared = shared
        kind, options = sampler_of(prioritized, priorities, shared, sampler_options or {})
        self.buffer_size = shared.buffer_size
        self.num_envs = check_int("num_envs", num_envs, 1, self.buffer_size)
        if self.buffer_size % self.num_envs:
            near = self.buffer_size // self.num_envs * self.num_envs
            raise UserError(
                f"buffer_size is {buffer_size}; with {num_envs} environments it must be a multiple, as {near} is"
            )
        self.autoreset = None if autoreset is None else choice("autoreset", autoreset, AUTORESETS, ", or None")
        self.n_steps = check_int("n_steps", n_steps, 1, 65536)
        self.gamma = check_float("gamma", gamma, 0, 1)
        self.batch_size, self.seed = shared.batch_size, shared.seed
        self._threads = check_int("threads", threads, 1, 256)
        rows = self.buffer_size // self.num_envs
        folder = None if folder is None else Path(folder)
        if keep and folder is None:
            raise UserError("keep=True needs a folder, in which the files stay")
        kept: BufferFolder | None = None
        if isinstance(keep, BufferFolder):
            kept = keep
        elif check_bool("keep", keep) and folder is not None:
            kept = BufferFolder(folder, "new")
        self._kept = kept
        if kept is not None:
            vars(self)["_turn"] = kept.turn  # of alone()
        self._layout = layout = RecordLayout(rows, self.num_envs, arrays, observations, frame_stack)
        keeps = None if kept is None else kept.files
        self._store = self._made_store(backend, folder, keeps)
        self._folder = folder
        self._settings = {
            "buffer_size": self.buffer_size,
            "arrays": {name: (shape, dtype.str) for name, (shape, dtype) in layout.specs.items()},
            "observations": layout.observations,
            "num_envs": self.num_envs,
            "autoreset": self.autoreset,
            "n_steps": self.n_steps,
            "gamma": self.gamma,
            "frame_stack": layout.stacks,
            "prioritized": prioritized,
            "priorities": priorities,
            "alpha": alpha,
            "beta": beta,
            "priority_epsilon": priority_epsilon,
            "batch_size": self.batch_size,
            "stratified": shared.stratified,
            "seed": self.seed,
            "backend": backend if isinstance(backend, str) else "model",
            "sampler_options": dict(sampler_options or {}),
            "threads": self._threads,
        }
        self._watch = ContinuityCheck(self.n_steps > 1 or max(layout.stacks.values(), default=1) > 1, self.autoreset)
        forks.leave_in_child(self, ReplayBuffer._leave)
        self._waiting = Waiting(self.num_envs, rows)
        self.sampler: PrioritizedSampler | None = None
        self._draws = Words(state_of(shared.first_seed))
        self._part(replacement, hindsight, device)
        if kind is not None:
            options.setdefault("batch_max", max(1024, self.batch_size))
            options["batch_size"] = self.batch_size
            self.sampler = kind(self.buffer_size, seed=self.seed, backend=backend, **options)
        if kept is not None and kept.mode == "new":
            kept.write_settings(self._settings)

    def _made_store(self, backend: Any, folder: Path | None, keep: str | None) -> Store:
        """A store of the layout's arrays."""
        layout = self._layout
        shape = layout.rows, layout.num_envs, layout.seen, layout.others, layout.stacks
        if backend == "model":
            return Store(*shape, folder, keep)
        return NativeStore(*shape, folder, keep, threads=self._threads)

    def _settled(self) -> Store:
        """The rows, and the sampler beside them, behind what an interrupted add() has left to do."""
        store = self._store
        store.own()
        if store.adding is not None and self.sampler is not None:
            self.sampler.tree.recover()
            came = (store.time - store.adding) * self.num_envs
            if came == self.buffer_size:  # once more does no harm: nobody has these tags
                self.sampler.add(came)
            elif missing := (store.time * self.num_envs - self.sampler.tree._calls.next) % self.buffer_size:
                self.sampler.add(missing)
            self._void((store.adding * self.num_envs + np.arange(came)) % self.buffer_size)
        store.adding = None
        return store

    @property
    def specs(self) -> Mapping[str, Spec]:
        """Shape and type of each array that is stored, nested ones by the names of their parts."""
        return self._layout.specs

    @property
    def store(self) -> Store:
        """Where the transitions lie; for samplers of one's own, which draw inside gathered()."""
        return self._store

    @property
    def words(self) -> Words:
        """The generator of uniform draws; likewise."""
        return self._draws

    @alone
    def gathered(self, draw: Callable[[], np.ndarray]) -> dict[str, np.ndarray]:
        """The arrays of slots int64 (n,) that draw() gives, as a batch has them; no other call comes between."""
        store, slots = self._settled(), draw()
        arrays = self._layout.arrays(len(slots), {})
        store.gather(slots, self.n_steps, self.gamma, arrays)
        return arrays

    @cached_property
    def episodes(self) -> Episodes:
        """Which transitions are of one episode; made at the first use."""
        return Episodes(self._store)

    def _leave(self) -> None:
        """In a process that was forked from the buffer's: mapped files are refused, a sampler says it by itself."""
        if self.sampler is None and self._folder is None:
            self._watch.leave()

    def _void(self, slots: np.ndarray) -> None:
        """Take the priorities away of those that hold no transition."""
        void = slots[self._store.void(slots)]
        if len(void) and self.sampler is not None:
            self.sampler.tree.update(void, np.zeros(len(void), np.int64))

    def __len__(self) -> int:
        """Rows in use; those that came with mask false are among them, and are never drawn."""
        return len(self._store)

    def __repr__(self) -> str:
        envs = f", {self.num_envs} environments" if self.num_envs > 1 else ""
        draws = f"{self._settings['priorities']} priorities" if self.sampler is not None else "uniform draws"
        where = f", in '{self._folder}'" if self._folder is not None else ""
        backend = self._settings["backend"] if self.sampler is None else self.sampler.tree.backend
        return f"ReplayBuffer({len(self):,} of {self.buffer_size:,} transitions{envs}, {backend}, {draws}{where})"

    @property
    def settings(self) -> ReplaySettings:
        """The settings of the draws as they are now, frozen."""
        now = self._shared.but(seed=self.seed, batch_size=self.batch_size)
        sampler = self.sampler
        if sampler is None:
            return now
        return now.but(alpha=sampler.alpha, beta=sampler.beta, stratified=sampler.stratified)

    @property
    def beta(self) -> float:
        """Exponent of the importance weights; may be set between samples."""
        return self._tree().beta

    @beta.setter
    def beta(self, beta: float) -> None:
        self._tree().beta = beta

    def _tree(self) -> PrioritizedSampler:
        if self.sampler is None:
            raise UserError("this buffer draws uniformly (prioritized=False), so it has no priorities")
        return self.sampler

    @property
    def discontinuities(self) -> int:
        """Steps behind a step that ended nothing whose observation is not the next one of that step.

        Returns and stacks continue over them. The first give a CoreWarning where n_steps or frame_stack is above 1.
        """
        return self._store.continuity.broken

    # --- writing ---

    @alone
    def add(self, *, mask: ArrayLike | None = None, **step: Nested) -> Slots:
        """Store a step of every environment, or some steps one after another; returns their slots, int64 (n,) each.

        step: every array by name, next_observation (and so on), reward, terminated, truncated. With reward of shape
        (num_envs,) an array of shape s comes as (num_envs, *s); with (steps, num_envs) as (steps, num_envs, *s); one
        environment may leave its axis out. next_observation is that of the step itself, not of the next episode: at an
        end it is final_obs of Gymnasium's infos where environments reset themselves in the same step. An episode ends
        with terminated, with truncated, with end_episode(), and where mask is false; never because an observation
        differs from the next one of the step before.

        mask, bool like reward: False where there is no transition, such as the step that only resets an environment
        (Gymnasium's autoreset in the next step; autoreset="next_step" does it by itself).

        A new transition has the largest priority seen. A full buffer loses its oldest ones. Raises UserError, before
        anything changes, when an array is missing, unknown, of another shape, does not fit its type, or has a number
        that is not finite; and when the steps of several environments are mixed where one was announced.
        """
        self._need_writer()
        if self._watch.waits:
            self._watch.say(self._store, False)
        arrays = self._layout.step(step, mask)
        if self._store.resumed or self.autoreset == "next_step":
            self._reset(arrays)
        steps = len(arrays["reward"])
        flags = arrays["terminated"] * np.uint8(TERMINATED) | arrays["truncated"] * np.uint8(TRUNCATED)
        flags[~arrays["mask"]] = VOID
        store, kept = self._settled(), {name: arrays[name] for name in (*self._layout.specs, "reward")}
        at = store.time % store.rows * self.num_envs
        store.adding = store.time
        looks = store.put(kept, {name: arrays[f"next_{name}"] for name in self._layout.seen}, flags)
        if self.sampler is None:
            indices = (at + np.arange(steps * self.num_envs)) % self.buffer_size
            slots = Slots(indices, np.zeros(len(indices), np.int64))
        else:
            slots = self.sampler.add(steps * self.num_envs)
            if not arrays["mask"].all():
                self._void(slots.indices)
        store.adding = None
        if looks:
            self._watch.look(store)
        return slots

    @alone
    def add_some(self, env_ids: ArrayLike, **step: Nested) -> Slots:
        """A step of some environments, which may step at their own pace: each array is (k, …) for k env_ids, all other.

        A step waits until every environment has one, for a row of the buffer is a step of all of them; the slots of
        the rows that became whole come back. Until then it is not drawn, and no saved file has it. Raises UserError as
        add() does, and where an environment is a whole buffer ahead of another. Do not call add() while steps wait.

        >>> buffer = ReplayBuffer(8, {"observation": ((), "f4")}, num_envs=2, seed=1)
        >>> step = {"next_observation": [1.0], "reward": [0.0], "terminated": [False], "truncated": [False]}
        >>> buffer.add_some([1], observation=[0.0], **step).indices, buffer.waiting
        (array([], dtype=int64), 1)
        >>> buffer.add_some([0], observation=[5.0], **step).indices, buffer.waiting
        (array([0, 1]), 0)
        """
        if len(ids := self._waiting.ids(env_ids)):
            checked = self._layout.of(len(ids)).step(step, None)
            for name, array in checked.items():
                need_finite(name, array)
            self._waiting.put(ids, {name: array[0] for name, array in checked.items()})
        return self._written(self._waiting.take())

    @alone
    def flush(self) -> Slots:
        """Store the steps that wait. The episodes of environments that have not stepped end there."""
        return self._written(self._waiting.take(flush=True))

    @property
    def waiting(self) -> int:
        """Steps that add_some() took and that wait for other environments."""
        return len(self._waiting)

    def _written(self, rows: Mapping[str, np.ndarray] | None) -> Slots:
        if rows is None:
            return Slots(np.empty(0, np.int64), np.empty(0, np.int64))
        if self.num_envs == 1:
            rows = {name: array[:, 0] for name, array in rows.items()}
        return self.add(**rows)

    @alone
    def end_episode(self, mask: ArrayLike | None = None) -> None:
        """Say that environments were reset, or will be before their next step, though their newest step ended nothing.

        Returns and stacks go no further than that step, which is truncated in a batch. mask: bool (num_envs,), which
        environments; all without it.
        """
        self._need_writer()
        ended = np.ones(self.num_envs, bool) if mask is None else cast("mask", plain("mask", mask), np.dtype(bool))
        if ended.shape != (self.num_envs,):
            raise UserError(f"mask has shape {ended.shape}; it must be ({self.num_envs},)")
        self._settled().end_episode(ended)

    def _reset(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the steps out of `mask` that only reset an environment."""
        store = self._store
        if store.resumed:  # by a program that has most likely reset its environments
            for name, array in arrays.items():
                need_finite(name, array)
            store.end_episode(store.moved({name: arrays[name][0] for name in self._layout.seen}))
            store.resumed = False
        if self.autoreset != "next_step":
            return
        ended, mask = store.ended(), arrays["mask"].copy()
        ends = arrays["terminated"] | arrays["truncated"]
        for now, end in zip(mask, ends, strict=True):
            if (wrong := now & ended & end).any():
                raise UserError(
                    f"the step behind an end ended environment {np.flatnonzero(wrong)[0]} again, where "
                    "autoreset='next_step' says that it only resets it: give autoreset as the environments have it"
                )
            now &= ~ended
            ended = now & end
        arrays["mask"] = mask

    # --- reading ---

    @alone
    def sample(
        self,
        batch_size: int | None = None,
        *,
        beta: float | None = None,
        out: "ReplayBatch | Mapping[str, np.ndarray] | None" = None,
    ) -> ReplayBatch:
        """A batch of transitions. beta: sets .beta.

        out: an earlier batch of this size, all of whose arrays are filled again; or arrays to fill instead of new ones,
        some or all, by name. Raises UserError when there is nothing to draw.
        """
        count = self.batch_size if batch_size is None else check_int("batch_size", batch_size, 1, MOST_BATCH)
        if self._watch.waits:
            self._watch.say(self._store, True)
        store, batch = self._settled(), self._batch(count, out)
        if self.sampler is None:
            if beta is not None:
                self._tree()
            batch.indices[:], batch.generations[:], batch.weights[:] = self._draw(count), 0, 1
        elif (
            batch._room
            and isinstance(store, NativeStore)
            and self.sampler._fill(count, beta, partial(store.sampled, batch._room[0], self.n_steps, self.gamma))
        ):
            return batch if self._finish is None else self._finish(batch)
        else:
            drawn = self.sampler.sample(count, beta=beta)
            batch.indices[:], batch.generations[:], batch.weights[:] = drawn.indices, drawn.generations, drawn.weights
        store.gather(batch.indices, self.n_steps, self.gamma, batch.arrays)
        return batch if self._finish is None else self._finish(batch)

    def _part(self, replacement: bool, hindsight: Hindsight | None, device: Any) -> None:
        """How slots are drawn uniformly, and what is done to a batch behind it."""
        words, store, prioritized = self._draws, self._store, self._settings["prioritized"]
        self._settings["replacement"] = check_bool("replacement", replacement)
        if prioritized and not replacement:
            raise UserError("replacement=False is of uniform draws: give prioritized=False too")
        uniform = Uniform(store, words)
        self._order = None if replacement else WithoutReplacement(store, words)
        self._draw: Callable[[int], np.ndarray] = uniform.draw if self._order is None else self._order.draw
        done: list[Callable[[ReplayBatch], ReplayBatch]] = []
        self._hindsight, self._device = hindsight, device
        if hindsight is not None:
            if self.n_steps > 1 or not replacement:
                raise UserError("hindsight is of returns of one step, drawn with replacement")
            relabel = Relabeller(hindsight, store, self.episodes, words, self.gamma).relabel
            done.append(lambda batch: (relabel(batch.indices, batch.arrays), batch)[1])
            self._draw = partial(_draw_ended, self, uniform)
        if device is not None:
            done.append(lambda batch: batch.to(device))
        self._finish = partial(_finished, done) if done else None

    def _batch(self, count: int, out: ReplayBatch | Mapping[str, np.ndarray] | None) -> ReplayBatch:
        """Arrays for a batch: an earlier one's, looked at once while they stay the same; given ones, or new ones."""
        store = self._store
        if isinstance(out, ReplayBatch) and isinstance(store, NativeStore):
            earlier = out._source or out
            if earlier._room:
                room, places = earlier._room
                if store.made(room) and len(earlier.indices) == count and places == earlier._places():
                    return earlier
        batch = batch_of(self._layout, count, out)
        if isinstance(store, NativeStore):
            room = store.room(batch.arrays, batch.indices, batch.generations, batch.weights)
            batch._room = room, batch._places()
        return batch

    @alone
    def read(self, indices: ArrayLike, *, out: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """The arrays of slots (n,), as a batch has them. out: as in sample()."""
        store = self._settled()
        slots = replay_input.wholes("indices", indices, 0, max(len(store) - 1, 0))
        if len(slots) and not len(store):
            raise UserError("there is nothing to read: the buffer holds no transition")
        arrays = self._layout.arrays(len(slots), out or {})
        store.gather(slots, self.n_steps, self.gamma, arrays)
        return arrays

    @alone
    def update(self, indices: ArrayLike, td_errors: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities from new TD errors; see PrioritizedSampler.update. Void rows stay void."""
        sampler = self._tree()
        slots = replay_input.wholes("indices", indices, 0, self.buffer_size - 1)
        void = self._settled().void(slots)
        if generations is not None and void.any():  # a stale tag is no mistake
            most = (1 << sampler.tree.driver.shape.generation_width) - 1
            void &= sampler.tree.generations(slots) == replay_input.wholes(
                "generations", generations, 0, most, len(slots)
            )
        if void.any():
            raise UserError(f"slot {slots[void][0]} holds no transition")
        return sampler.update(slots, td_errors, generations)


def batch_of(layout: RecordLayout, count: int, out: ReplayBatch | Mapping[str, np.ndarray] | None) -> ReplayBatch:
    """Arrays for a batch: an earlier one's, given ones, or new ones. Raises UserError where given ones do not fit."""
    if isinstance(out, ReplayBatch):
        batch = out._source or out
        batch.arrays = layout.arrays(count, batch.arrays)
        for name, dtype in _DRAWN.items():
            right(f"out.{name}", getattr(batch, name), (count,), dtype)
        return batch
    arrays = layout.arrays(count, out or {})
    indices, generations, weights = (np.empty(count, dtype) for dtype in _DRAWN.values())
    return ReplayBatch(arrays, indices, generations, weights)


def sampler_of(
    prioritized: bool, priorities: str, shared: ReplaySettings, given: Mapping[str, Any]
) -> tuple[type[PrioritizedSampler] | None, dict[str, Any]]:
    """The kind of a buffer's sampler and its options; None of uniform draws. Raises UserError for what it has not."""
    kind, missing = SAMPLERS[choice("priorities", priorities, tuple(SAMPLERS))]
    lacks = f"priorities='{priorities}' have"
    if not check_bool("prioritized", prioritized):
        missing, lacks = OF_PRIORITIES, "prioritized=False has"
        if priorities != "proportional":
            raise UserError(f"priorities is {priorities!r}, but {lacks} no priorities")
        if given:
            raise UserError(f"sampler_options is {dict(given)!r}, but {lacks} no sampler_options")
    for name in missing:
        if getattr(shared, name) != getattr(_DEFAULTS, name):
            raise UserError(f"{name} is {getattr(shared, name)}, but {lacks} no {name}")
    known = {**inspect.signature(PrioritizedSampler).parameters, **inspect.signature(kind).parameters}
    free = known.keys() - vars(_DEFAULTS).keys() - {"backend", "options"}
    for name in given:
        if name in vars(_DEFAULTS) or name == "backend":
            raise UserError(f"sampler_options has '{name}', which is an argument of the buffer's own")
        if name not in free:
            raise UserError(f"sampler_options has '{name}'; a {kind.__name__} takes {', '.join(sorted(free))}")
    own = {name: getattr(shared, name) for name in OF_PRIORITIES if name not in missing}
    return (kind, own | dict(given)) if prioritized else (None, {})


def _draw_ended(buffer: ReplayBuffer, uniform: Uniform, count: int) -> np.ndarray:
    return uniform.draw_of(count, buffer.episodes.closed, "episode that has ended")


def _finished(done: Sequence[Callable[[ReplayBatch], ReplayBatch]], batch: ReplayBatch) -> ReplayBatch:
    for change in done:
        batch = change(batch)
    return batch
