"""Driver of the sum tree core behind its AXI wrapper. Numbers stay raw; api.py has units and checks."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.buses.bus import StreamsBus
from rlcores.buses.verilated import VerilatedBus
from rlcores.cores.common.draws import state_of
from rlcores.cores.sumtree.model import OPERATION, SAMPLE, Shape
from rlcores.cores.sumtree.model_driver import COUNTERS, FLAGS
from rlcores.engine import registers
from rlcores.errors import RunFailed, UserError

VLNV = "rlcores:sumtree:sumtree"
TOP = "rlc_sumtree_axi"
BEAT_BITS = {"s_axis_op": 128, "s_axis_sample": 64, "m_axis_op": 128, "m_axis_sample": 256}

ID = 0x5253554D
MAJOR = 1

# Beats of the streams as rlc_sumtree_axi.v has them; control holds what is not a word of its own.
_OP = np.dtype([("index", "<u4"), ("priority", "<u4"), ("generation", "<u4"), ("control", "<u4")])
_SAMPLE = np.dtype(
    [
        ("index", "<u4"),
        ("priority", "<u4"),
        ("total", "<u8"),
        ("generation", "<u4"),
        ("weight", "<u4"),
        ("status", "<u4"),
        ("unused", "<u4"),
    ]
)
_SHAPE = {
    "leaves_log2": "PARAM0",
    "priority_width": "PARAM0",
    "draw_width": "PARAM0",
    "generation_width": "PARAM0",
    "capacity": "PARAM2",
}


class SumTreeError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


@dataclass(frozen=True)
class Options:
    """What the core was built with, beside its Shape."""

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
    kind, index, priority, generation, check, use_max, td = np.broadcast_arrays(
        *(np.atleast_1d(x) for x in (kind, index, priority, generation, check, use_max, td))
    )
    beats = np.empty(len(kind), _OP)
    for name, values in (("index", index), ("priority", priority), ("generation", generation)):
        beats[name] = values.astype(np.int64)  # two's complement where negative, which no cast of floats gives
    control = kind.astype(np.uint32)
    for place, flag in ((3, check), (4, use_max), (5, td)):
        control |= flag.astype(np.uint32) << np.uint32(place)
    beats["control"] = control
    return beats.view(np.uint64).reshape(-1, 2)


def unpack_operations(beats: np.ndarray) -> np.ndarray:
    """Answers, (n,) of dtype sumtree.OPERATION, from beats of m_axis_op, uint64 (n, 2)."""
    words = np.ascontiguousarray(beats).view(_OP).reshape(-1)
    answers = np.empty(len(words), OPERATION)
    for name in ("index", "priority", "generation"):
        answers[name] = words[name]
    answers["kind"] = words["control"] & 7
    answers["status"] = words["control"] >> 4 & 3
    return answers


def pack_requests(kind: ArrayLike, value: ArrayLike = 0) -> np.ndarray:
    """Beats of s_axis_sample, uint64 (n, 1); the arguments broadcast to (n,), value has 62 bits."""
    kind, value = np.broadcast_arrays(np.atleast_1d(kind), np.atleast_1d(value))
    return (kind.astype(np.uint64) << np.uint64(62) | value.astype(np.uint64)).reshape(-1, 1)


def unpack_samples(beats: np.ndarray) -> np.ndarray:
    """Answers, (n,) of dtype sumtree.SAMPLE, from beats of m_axis_sample, uint64 (n, 4)."""
    words = np.ascontiguousarray(beats).view(_SAMPLE).reshape(-1)
    answers = np.empty(len(words), SAMPLE)
    for name in SAMPLE.names:
        answers[name] = words[name]
    return answers


class SumTreeDriver:
    """One sum tree core behind a bus; implements sumtree_model.Driver.

    Raises SumTreeError when the core refuses a register's value, and UserError for what can be seen before.
    """

    def __init__(self, bus: StreamsBus) -> None:
        """Find the core and wait until it is ready; its state stays. Raises SumTreeError when another core answers."""
        self.bus = bus
        self._map = registers.load("sumtree")
        found = self.read("ID")
        if found != ID:
            raise SumTreeError(f"no sum tree core answers: its ID register reads 0x{found:08X} instead of 0x{ID:08X}")
        major = self.read("VERSION") >> 16
        if major != MAJOR:
            raise SumTreeError(f"the core has register map version {major}; this driver knows version {MAJOR}")
        self.shape = Shape(**{name: self._parameter(register, name) for name, register in _SHAPE.items()})
        self.options = Options(
            batch_max=self._parameter("PARAM1", "batch_max"),
            shared=bool(self._parameter("PARAM1", "shared")),
            priority_maths=bool(self._parameter("PARAM1", "priority_maths")),
        )
        self.batch_max = self.options.batch_max
        self._wait()
        self._batch = 1
        self._new_batch = self.read("BATCH")
        self.restart()

    @classmethod
    def verilated(cls, parameters: Mapping[str, int], *, limit: int = 50_000_000) -> "SumTreeDriver":
        """The RTL with these Verilog parameters, built by Verilator when needed. limit: see VerilatedBus."""
        sources, sinks = (tuple(name for name in BEAT_BITS if name.startswith(side)) for side in "sm")
        return cls(VerilatedBus(VLNV, TOP, parameters, sources=sources, sinks=sinks, beat_bits=BEAT_BITS, limit=limit))

    # --- registers ---

    def read(self, name: str) -> int:
        """A register by its name in sumtree.rdl."""
        return self.bus.read(self._map[name].address)

    def write(self, name: str, value: int) -> None:
        """Write a register. Raises SumTreeError when the core ignores the write."""
        self.bus.write(self._map[name].address, value)
        flags = self._map["FLAGS"].by_name
        raised = self.read("FLAGS") & (flags["CONFIG"].mask | flags["BUSY"].mask)
        if raised:
            self.bus.write(self._map["FLAGS"].address, raised)
            reasons = "; ".join(f"{f.doc} ({n})" for n, f in flags.items() if raised & f.mask)
            raise SumTreeError(f"the sum tree core answers to {name} = {value}: {reasons}")

    def _parameter(self, register: str, field: str) -> int:
        found = self._map[register].by_name[field]
        return (self.read(register) & found.mask) >> found.low

    def _command(self, name: str) -> None:
        self.write("COMMAND", self._map["COMMAND"].by_name[name].mask)

    def _wait(self) -> None:
        """Until the tree is clear, every operation carried out, and no abort under way."""
        fields = self._map["STATUS"].by_name
        while self.read("STATUS") & (fields["busy"].mask | fields["operating"].mask | fields["aborting"].mask):
            pass

    def abort(self) -> None:
        """See sumtree_model.Driver."""
        self._command("abort")
        self._wait()
        for name in ("op", "sample"):
            while self.read("STATUS") & self._map["STATUS"].by_name[f"left_{name}"].mask:
                self.bus.transfer({}, {f"m_axis_{name}": 1})
        self._batch = self._new_batch

    # --- streams ---

    def operations(
        self,
        kind: ArrayLike,
        index: ArrayLike = 0,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: ArrayLike = False,
        use_max: ArrayLike = False,
        td: ArrayLike = False,
    ) -> np.ndarray:
        """Carry out operations in order; the arguments broadcast to (n,). See sumtree_model.Driver."""
        beats = pack_operations(kind, index, priority, generation, check, use_max, td)
        taken = self.bus.transfer({"s_axis_op": beats}, {"m_axis_op": len(beats)})
        return unpack_operations(taken["m_axis_op"])

    def samples(self, kind: ArrayLike, value: ArrayLike = 0) -> np.ndarray:
        """Answer requests in order; the arguments broadcast to (n,). See sumtree_model.Driver."""
        beats = pack_requests(kind, value)
        self._whole_batches(len(beats))
        taken = self.bus.transfer({"s_axis_sample": beats}, {"m_axis_sample": len(beats)})
        return unpack_samples(taken["m_axis_sample"])

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
        return unpack_operations(taken["m_axis_op"]), unpack_samples(taken["m_axis_sample"])

    def draw(self, count: int) -> np.ndarray:
        """`count` samples with internal draws, started by one register."""
        self._whole_batches(count)
        self.write("DRAW", count)
        return unpack_samples(self.bus.transfer({}, {"m_axis_sample": count})["m_axis_sample"])

    def _whole_batches(self, count: int) -> None:
        # A batch gets its weights when its last answer is there, so the others would wait for ever.
        if count % self._batch and self.read("CONTROL") & self._map["CONTROL"].by_name["weights"].mask:
            raise UserError(f"with weights, samples come in batches of {self._batch}; {count} were asked for")

    # --- configuration and commands ---

    def configure(
        self,
        *,
        capacity: int | None = None,
        initial: int | None = None,
        batch: int | None = None,
        stratified: bool | None = None,
        alpha: int | None = None,
        epsilon: int | None = None,
        scale: int | None = None,
        beta: int | None = None,
        weights: bool | None = None,
        quiet: bool | None = None,
    ) -> None:
        """Write what is given; see sumtree_model.Driver. With quiet, operations() waits for answers that never come."""
        words = {
            "CAPACITY": capacity,
            "INITIAL": initial,
            "BATCH": batch,
            "ALPHA": alpha,
            "EPSILON": epsilon,
            "SCALE": scale,
            "BETA": beta,
        }
        for name, value in words.items():
            if value is None:
                continue
            bits = self._map[name].mask("rw").bit_length()
            if not (-(1 << (bits - 1)) if name == "SCALE" else 0) <= value < 1 << bits:
                raise UserError(f"{name} is {value}; it has {bits} bits")
            self.write(name, value & ((1 << bits) - 1))
        if batch is not None:
            self._new_batch = batch
        control = self.read("CONTROL")
        for name, value in (("weights", weights), ("stratified", stratified), ("quiet", quiet)):
            mask = self._map["CONTROL"].by_name[name].mask
            if value is not None:
                control = control | mask if value else control & ~mask
        if any(value is not None for value in (weights, stratified, quiet)):
            self.write("CONTROL", control)

    def seed(self, seed: int) -> None:
        """Seed the internal draws with 64 bits (splitmix64 makes the state), and restart."""
        self.load_draws(state_of(seed))

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """Set the generator's state words s0 … s3, and restart."""
        for i, word in enumerate(state):
            self.write(f"SEED{i}", word)
        self._batch = self._new_batch

    def restart(self) -> None:
        """The next internal draw and the next answer are the first of a batch."""
        self._command("restart")
        self._batch = self._new_batch

    def clear(self) -> None:
        """Empty the tree and make every tag stale; returns when it is done."""
        self._command("clear")
        self._wait()

    # --- state ---

    @property
    def size(self) -> int:
        """Slots inserted since the last clear."""
        return self.read("SIZE")

    @property
    def total(self) -> int:
        """Sum of all priorities."""
        low = self.read("TOTAL_LO")
        return self.read("TOTAL_HI") << 32 | low

    @property
    def largest(self) -> int:
        """The largest priority seen since the last clear."""
        return self.read("LARGEST")

    @property
    def capacity(self) -> int:
        """The capacity in force."""
        return self.read("IN_FORCE")

    def counters(self) -> dict[str, int]:
        """The counters by name, since reset or clear_counters(); 32 bits each."""
        return {name: self.read(name.upper()) for name in COUNTERS}

    def clear_counters(self) -> None:
        """Set all counters to 0."""
        self._command("clear_counters")

    def flags(self) -> frozenset[str]:
        """Names of sumtree_model.FLAGS that were raised since clear_flags()."""
        word = self.read("FLAGS")
        return frozenset(name for name in FLAGS if word & self._map["FLAGS"].by_name[name].mask)

    def clear_flags(self) -> None:
        """Forget all flags."""
        self.write("FLAGS", self._map["FLAGS"].mask("w1c"))
