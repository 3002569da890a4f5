"""Driver of the sum tree core behind its AXI wrapper. Numbers stay raw; api.py has units and checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.words import Word
from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.draws import state_of
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.sumtree import words
from rlcores.cores.sumtree.model import MISS, OPERATION, SAMPLE, SumTreeShape, together
from rlcores.cores.sumtree.model_driver import COUNTERS, FLAGS, SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.errors import RunFailed, UserError


def _beat(word: Word, names: Sequence[str]) -> np.dtype:
    """These fields of a stream's beat; each begins a byte, and takes what is behind it in 32 or 64 bits."""
    sizes = ["<u8" if word.fields[name] > 32 else "<u4" for name in names]
    return np.dtype(
        {
            "names": list(names),
            "formats": sizes,
            "offsets": [word.at(name) // 8 for name in names],
            "itemsize": word.bits // 8,
        }
    )


def _beside_kind(word: Word, beats: np.ndarray, name: str) -> np.ndarray:
    """A field of beats that stands in the same 32 bits as kind."""
    return beats["kind"] >> (word.at(name) - word.at("kind")) & (1 << word.fields[name]) - 1


_OP = _beat(words.OP, ("index", "priority", "generation", "kind"))
_DONE = _beat(words.DONE, ("index", "priority", "generation", "kind"))
_DRAWN = _beat(words.DRAWN, ("index", "priority", "total", "generation", "weight", "status"))
# Where the parameters of a SumTreeShape are read.
_SHAPE = dict.fromkeys(("leaves_log2", "priority_width", "draw_width", "generation_width"), "PARAM0")
_SHAPE["capacity"] = "PARAM2"


class SumTreeError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


@dataclass(frozen=True)
class Options:
    """What the core was built with, beside its SumTreeShape."""

    batch_max: int  # answers of the largest batch
    shared: bool  # operations and samples share the leaves' read port
    priority_maths: bool  # TD errors become priorities, answers get weights


def pack_operations(
    kind: ArrayLike,
    index: ArrayLike = 0,
    priority: ArrayLike = 0,
    generation: ArrayLike = 0,
    check: ArrayLike = False,
    use_max: ArrayLike = False,
    td: ArrayLike = False,
) -> np.ndarray:
    """Beats of s_axis_op, uint64 (n, 2); the arguments broadcast to (n,).

    index, priority (a TD error sfix(32,20) where td) and generation have 32 bits.
    """
    kind, index, priority, generation, check, use_max, td = together(
        kind, index, priority, generation, check, use_max, td
    )
    beats = np.empty(len(kind), _OP)
    for name, values in (("index", index), ("priority", priority), ("generation", generation)):
        beats[name] = values.astype(np.int64)  # two's complement where negative, which no cast of floats gives
    control = kind.astype(np.uint32)
    for name, flag in (("check", check), ("max", use_max), ("td", td)):
        control |= flag.astype(np.uint32) << np.uint32(words.OP.at(name) - words.OP.at("kind"))
    beats["kind"] = control
    return beats.view(np.uint64).reshape(-1, 2)


def unpack_operations(beats: np.ndarray) -> np.ndarray:
    """Answers, (n,) of dtype sumtree.OPERATION, from beats of m_axis_op, uint64 (n, 2)."""
    given = np.ascontiguousarray(beats).view(_DONE).reshape(-1)
    answers = np.empty(len(given), OPERATION)
    for name in ("index", "priority", "generation"):
        answers[name] = given[name]
    for name in ("kind", "status"):
        answers[name] = _beside_kind(words.DONE, given, name)
    return answers


def pack_requests(kind: ArrayLike, value: ArrayLike = 0) -> np.ndarray:
    """Beats of s_axis_sample, uint64 (n, 1); the arguments broadcast to (n,), value has 62 bits."""
    kind, value = together(kind, value)
    return (kind.astype(np.uint64) << np.uint64(words.ASK.at("kind")) | value.astype(np.uint64)).reshape(-1, 1)


def unpack_samples(beats: np.ndarray) -> np.ndarray:
    """Answers, (n,) of dtype sumtree.SAMPLE, from beats of m_axis_sample, uint64 (n, 4)."""
    given = np.ascontiguousarray(beats).view(_DRAWN).reshape(-1)
    answers = np.empty(len(given), SAMPLE)
    for name in SAMPLE.names:
        answers[name] = given[name]
    return answers


class SumTreeDriver(CoreDriver):
    """One sum tree core behind a bus; a method without a docstring is that of SumTreeModelDriver.

    Raises SumTreeError when the core refuses a register's value, and UserError for what can be seen before.
    """

    CORE, WHAT, ERROR, REFUSALS = "sumtree", "sum tree core", SumTreeError, ("CONFIG", "BUSY")
    read, write = CoreDriver.read_register, CoreDriver.write_register

    def __init__(self, bus: StreamsBus) -> None:
        """Find the core and wait until it is ready; its state stays. Raises SumTreeError when another core answers."""
        super().__init__(bus)
        with self._shape_of_core():
            self.shape = SumTreeShape(**{name: self._field(register, name) for name, register in _SHAPE.items()})
        self.options = Options(
            batch_max=self._field("PARAM1", "batch_max"),
            shared=bool(self._field("PARAM1", "shared")),
            priority_maths=bool(self._field("PARAM1", "priority_maths")),
        )
        self.batch_max = self.options.batch_max
        self._wait()
        self._batch = 1
        self._new_batch = self.read("BATCH")
        self.restart()

    def _wait(self) -> None:
        """Until the tree is clear, every operation carried out, and no abort under way."""
        self._until_idle("busy", "operating", "aborting")

    def abort(self) -> None:
        self._command("abort")
        self._wait()
        self._take_left("op", "sample")
        self._batch = self._new_batch

    # --- streams ---

    def operations(self, *fields: ArrayLike, **named: ArrayLike) -> np.ndarray:
        """As the model's; fields as of pack_operations."""
        beats = pack_operations(*fields, **named)
        taken = self.bus.transfer({"s_axis_op": beats}, {"m_axis_op": len(beats)})
        return self._operations(beats, taken["m_axis_op"])

    def samples(self, kind: ArrayLike, value: ArrayLike = 0) -> np.ndarray:
        """As the model's; the arguments broadcast to (n,)."""
        beats = pack_requests(kind, value)
        self._whole_batches(len(beats))
        taken = self.bus.transfer({"s_axis_sample": beats}, {"m_axis_sample": len(beats)})
        return self._samples(taken["m_axis_sample"])

    def both(self, operations: np.ndarray, requests: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Beats of pack_operations and of pack_requests at the same time: one of each a clock while both last.

        Returns the answers to operations and to requests. On a bus without stalls the i-th operation comes right
        before the i-th request.
        """
        self._whole_batches(len(requests))
        taken = self.bus.transfer(
            {"s_axis_op": operations, "s_axis_sample": requests},
            {"m_axis_op": len(operations), "m_axis_sample": len(requests)},
        )
        return self._operations(operations, taken["m_axis_op"]), self._samples(taken["m_axis_sample"])

    def draw(self, count: int) -> np.ndarray:
        self._whole_batches(count)
        self.write("DRAW", count)
        return self._samples(self.bus.transfer({}, {"m_axis_sample": count})["m_axis_sample"])

    def _operations(self, asked: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """Answers. Raises SumTreeError where they are not those of what was asked."""
        answers, beats = unpack_operations(taken), np.ascontiguousarray(asked).view(_OP).reshape(-1)
        if (other := answers["kind"] != _beside_kind(words.OP, beats, "kind")).any():
            raise SumTreeError(
                f"the sum tree core answers operation {np.argmax(other)} as another kind of operation: beats of "
                "m_axis_op were lost or came twice; abort() it"
            )
        return answers

    def _samples(self, taken: np.ndarray) -> np.ndarray:
        """Answers. Raises SumTreeError where no such core gives them."""
        answers = unpack_samples(taken)
        valid = answers["status"] == 0
        wrong = valid & ((answers["index"] >= self.shape.capacity) | (answers["priority"] > answers["total"]))
        if (wrong | (answers["status"] > MISS)).any():
            raise SumTreeError(
                f"the sum tree core answers with slot {answers['index'][np.argmax(wrong)]} of {self.shape.capacity}, "
                "which it cannot have: beats of m_axis_sample were lost or are damaged; abort() it"
            )
        return answers

    def _whole_batches(self, count: int) -> None:
        # A batch gets its weights when its last answer is there, so the others would wait for ever.
        if count % self._batch and self._field("CONTROL", "weights"):
            raise UserError(f"with weights, samples come in batches of {self._batch}; {count} were asked for")

    # --- configuration and commands ---

    def configure(
        self,
        *,
        weights: bool | None = None,
        stratified: bool | None = None,
        quiet: bool | None = None,
        **registers: Any,
    ) -> None:
        """As the model's. With quiet, operations() waits for answers that never come."""
        written = {name.upper(): value for name, value in registers.items() if value is not None}
        for name, value in written.items():
            bits = self._map[name].mask("rw").bit_length()
            if not (-(1 << (bits - 1)) if name == "SCALE" else 0) <= value < 1 << bits:
                raise UserError(f"{name} is {value}; it has {bits} bits")
            self.write(name, value & ((1 << bits) - 1))
        self._new_batch = written.get("BATCH", self._new_batch)
        bits = {"weights": weights, "stratified": stratified, "quiet": quiet}
        switches = {self._mask("CONTROL", name): value for name, value in bits.items() if value is not None}
        if switches:
            kept = self.read("CONTROL") & ~sum(switches)
            self.write("CONTROL", kept | sum(mask for mask, value in switches.items() if value))

    def seed(self, seed: int) -> None:
        self.load_draws(state_of(seed))

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        for i, word in enumerate(state):
            self.write(f"SEED{i}", word)
        self._batch = self._new_batch

    def restart(self) -> None:
        self._command("restart")
        self._batch = self._new_batch

    def clear(self) -> None:
        self._command("clear")
        self._wait()

    # --- state ---

    size, largest, capacity = register("SIZE"), register("LARGEST"), register("IN_FORCE")

    @property
    def total(self) -> int:
        return self._joined("TOTAL_LO", "TOTAL_HI")

    def counters(self) -> dict[str, int]:
        return {name: self.read(name.upper()) for name in COUNTERS}

    def clear_counters(self) -> None:
        """Set all counters to 0."""
        self._command("clear_counters")

    def flags(self) -> frozenset[str]:
        return super().flags() & frozenset(FLAGS)


Driver = SumTreeDriver | SumTreeModelDriver | SumTreeNativeDriver
