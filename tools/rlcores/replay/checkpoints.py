"""How a replay buffer is written, copied, and gone on with: states, files, folders that stay."""

import copy
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from rlcores.base import files, states
from rlcores.base.arguments import check_bool
from rlcores.base.attributes import Guarded
from rlcores.base.states import require_entries
from rlcores.base.threads import alone
from rlcores.cores.common.draws import seed_of
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import UserError, warn
from rlcores.replay.draws import WithoutReplacement, Words
from rlcores.replay.folder import BufferFolder
from rlcores.replay.goals import Hindsight
from rlcores.replay.store import Store

OF_PRIORITIES = ("alpha", "beta", "priority_epsilon", "stratified")  # which uniform draws do not have


class Checkpointed(Guarded, ABC):
    """The methods with which a ReplayBuffer is saved, copied and resumed."""

    # What the buffer has.
    num_envs: int
    buffer_size: int
    seed: int | None
    sampler: PrioritizedSampler | None
    _device: Any
    _draws: Words
    _folder: Path | None
    _hindsight: Hindsight | None
    _kept: BufferFolder | None
    _order: WithoutReplacement | None
    _settings: dict[str, Any]
    _store: Store

    @abstractmethod
    def _settled(self) -> Store: ...

    @abstractmethod
    def _void(self, slots: np.ndarray) -> None: ...

    @alone
    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: NumPy arrays, copied, and numbers."""
        state: dict[str, Any] = {name: array.copy() for name, array in self._settled().state().items()}
        return state | self._rest()

    def _rest(self) -> dict[str, Any]:
        rest: dict[str, Any] = {"draws": np.array(self._draws.state, np.int64), "seed": self.seed}
        if self._order is not None:
            rest["order"] = self._order.state()
        return rest if self.sampler is None else rest | {"sampler": self.sampler.state_dict()}

    @alone
    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue as the buffer that gave the state would; see SumTree.load_state_dict for the tags.

        n_steps, gamma, frame_stack and batch_size stay this buffer's. Raises UserError, before anything changes, when
        the state is that of a buffer with other arrays, environments or priorities, or is damaged.
        """
        require_entries(state, ("draws", *(() if self.sampler is None else ("sampler",))), "such a replay buffer")
        if self.sampler is None and "sampler" in state:
            raise UserError("the state is that of a buffer with priorities; this one has prioritized=False")
        order = None if self._order is None else _order_of(state)
        draws = _words(state)
        seed = seed_of(state["seed"]) if "seed" in state else self.seed  # older states have none
        held = self._store.check(state)
        if self.sampler is not None:
            require_entries(state["sampler"], ("tree",), "a prioritized sampler")
            require_entries(state["sampler"]["tree"], ("size",), "a sum tree")
            if not np.array_equal(size := state["sampler"]["tree"]["size"], held):
                raise UserError(f"the state is damaged: it has {held} rows, its sampler {size}")
            at = int(state["time"]) * self.num_envs % self.buffer_size
            if not np.array_equal(state["sampler"]["tree"].get("next"), at):
                raise UserError("the state is damaged: its sampler goes on with another slot than its rows")
        half = self._store.half
        self._store.mark(True)
        try:
            if self.sampler is not None:
                self.sampler.load_state_dict(state["sampler"])
        except UserError:
            self._store.mark(half)
            raise
        self._store.restore(state)
        self._draws.state = draws
        if self._order is not None and order is not None:
            self._order.load(order)
        self.seed = self._settings["seed"] = seed
        self._store.adding = None
        self._store.mark(False)

    @alone
    def save(self, path: str | Path) -> None:
        """Write the whole buffer, with its arguments, to one file, whole or not at all; load() reads it."""
        settings = np.frombuffer(json.dumps(self._settings, default=lambda number: number.item()).encode(), np.uint8)
        files.write_arrays(
            Path(path), {"settings": settings} | self._settled().state() | states.flat(self._rest(), ".")
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        backend: Any = None,
        folder: str | Path | None = None,
        hindsight: Hindsight | None = None,
        device: Any = None,
    ) -> Self:
        """The buffer that save() wrote. backend: another one; folder, hindsight, device: as in the constructor.

        Raises UserError when the file is none of a replay buffer, is cut short or damaged.
        """
        what, own = "a saved replay buffer", {"folder": folder, "hindsight": hindsight, "device": device}
        arrays = files.map_arrays(Path(path), what)
        if "settings" not in arrays:
            raise UserError(f"'{path}' is not {what}: it has no 'settings'")
        settings = files.parse_json(bytes(arrays.pop("settings")).decode("utf-8", "replace"), f"'{path}' is not {what}")
        try:
            buffer = cls(**settings | ({} if backend is None else {"backend": backend}), **own)
            state = {name: array for name, array in arrays.items() if not name.startswith("sampler.")}
            sampler = states.strip_prefix(arrays, "sampler")
            buffer.load_state_dict(state | ({"sampler": states.nested(sampler, ".")} if sampler else {}))
        except (UserError, TypeError) as error:
            raise UserError(f"'{path}' is not {what}: {error}") from error
        return buffer

    @alone
    def sync(self) -> None:
        """Write everything to the disk, of a buffer with keep=True: open() then resumes exactly from here.

        Without it open() has all transitions too, unless the process is killed during an add(), and unless the
        machine loses power; those that came since have the largest priority.
        """
        if self._kept is None:
            raise UserError("this buffer's files do not stay: make it with folder=… and keep=True, or save() it")
        self._need_writer()
        self._settled().flush()
        files.write_arrays(
            self._kept.state, states.flat(self._rest(), ".") | {"time": np.array(self._store.time, np.int64)}
        )

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        readonly: bool = False,
        backend: Any = None,
        hindsight: Hindsight | None = None,
        device: Any = None,
    ) -> Self:
        """The buffer that was made with keep=True in this folder, as it is there: nothing is read or copied.

        readonly: beside a process that writes it, of which every new step is seen at once; draws are uniform, since
        priorities are in the writer's memory. backend: another one; hindsight, device: as in the constructor. Raises
        UserError when there is none, another process writes it, or its process was killed while it wrote a step.
        """
        kept = BufferFolder(folder, "read" if check_bool("readonly", readonly) else "open")
        try:
            settings = kept.read_settings() | ({} if backend is None else {"backend": backend})
            settings = _uniform(settings) if readonly else settings
            options = {"folder": folder, "keep": kept, "hindsight": hindsight, "device": device}
            try:
                buffer = cls(**settings | options)
            except TypeError as error:
                raise UserError(f"the settings of a replay buffer in '{folder}' are damaged: {error}") from error
            if not readonly:
                buffer._go_on()
        except UserError:
            kept.close()
            raise
        return buffer

    @alone
    def _go_on(self) -> None:
        """Of files that stay: check them, and take over what sync() wrote."""
        store = self._settled()
        store.check(store.state())
        store.resumed, missing = store.time > 0, store.time
        if self._kept is not None and self._kept.state.exists():
            arrays = files.map_arrays(self._kept.state, "the state of a replay buffer")
            require_entries(arrays, ("draws", "time"), "a replay buffer that stays")
            if self._order is not None:
                self._order.load(_order_of(arrays))
            self._draws.state = _words(arrays)
            missing -= int(arrays["time"])
            if self.sampler is not None:
                self.sampler.load_state_dict(states.nested(states.strip_prefix(arrays, "sampler"), "."))
        if self.sampler is not None and missing > 0:
            warn(f"{missing * self.num_envs} transitions came after the last sync(): they have the largest priority")
            most = missing * self.num_envs
            slots = self.sampler.add(most % self.buffer_size + self.buffer_size * (most >= self.buffer_size))
            self._void(np.unique(slots.indices))

    def _need_writer(self) -> None:
        if self._kept is not None:
            self._kept.need_writer()

    def close(self) -> None:
        """sync() a buffer whose files stay, and let other processes write it; it is not used behind that.

        `with ReplayBuffer.open(folder) as buffer:` calls it at the end.
        """
        if self._kept is not None:
            if self._kept.mode != "read":
                self.sync()
            self._kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    @alone
    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: all of it, tags included."""
        store = {name: array.copy() for name, array in self._settled().state().items()}
        order = None if self._order is None else self._order.state()
        own = {"own": (self.sampler, self._draws.state), "parts": (self._hindsight, self._device), "order": order}
        return {"settings": self._settings, "folder": self._folder, "store": store} | own

    def __setstate__(self, state: dict[str, Any]) -> None:
        settings, (hindsight, device) = _uniform(state["settings"]), state["parts"]
        init: Any = type(self).__init__
        init(self, **settings, folder=state["folder"], hindsight=hindsight, device=device)
        self._settings = state["settings"]
        self._store.restore(state["store"])
        self._store.resumed = False  # a copy continues as the original
        self.sampler, self._draws.state = state["own"]
        if self._order is not None:
            self._order.load(state["order"])


def _uniform(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a buffer without those of priorities: its draws are uniform."""
    without = {*OF_PRIORITIES, "priorities", "sampler_options"}
    return {name: value for name, value in settings.items() if name not in without} | {"prioritized": False}


def _words(state: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """The state of the generator of uniform draws. Raises UserError."""
    s0, s1, s2, s3 = replay_input.wholes("draws", state["draws"], 0, (1 << 32) - 1, 4).tolist()
    return s0, s1, s2, s3


def _order_of(state: Mapping[str, Any]) -> np.ndarray:
    """The state of draws without replacement. Raises UserError."""
    require_entries(state, ("order",), "a replay buffer without replacement")
    return replay_input.wholes("order", state["order"], 0, 1 << 32, WithoutReplacement.NUMBERS)
