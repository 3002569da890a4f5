"""Driver of the tensor core behind its AXI wrapper: beats in, numbers out. learner.py trains with it."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.tensor import beats, parameters
from rlcores.cores.tensor.program import Matrix, TensorShape
from rlcores.cores.tensor.words import DONE, LOAD, READ
from rlcores.errors import RunFailed

# What is built for a list of networks, by the register that says so.
MEMORIES = (
    "WEIGHT_BLOCKS", "TARGET_BLOCKS", "BIAS_ROWS", "A_TILES", "E_TILES", "ROWS", "GROUPS", "TARGET_GROUPS",
    "GRAD_WORDS", "GRAD_ROWS", "WORDS", "OUTPUT_WORDS", "STEPS",
)  # fmt: skip
COUNTERS = ("WEIGHT_SATURATED", "VALUE_SATURATED", "ACC_OVERFLOW", "DROPPED", "REFUSED")
FAULTS = ("DROPPED", "REFUSED", "SHIFT", "FORMAT")  # flags of a program, or of a driver, that is wrong
FRACTIONS = 64
SECOND_MOMENTS = 3  # a plane without signs


class TensorError(RunFailed):
    """The core is not what was expected, or refused what was asked."""


class TensorDriver(CoreDriver):
    """One tensor core behind a bus. shape: of its array; memories: what it was built with, by name."""

    CORE, WHAT, ERROR, REFUSALS = "tensor", "tensor core", TensorError, ("CONFIG", "BUSY")

    def __init__(self, bus: StreamsBus) -> None:
        """Find the core and forget what is inside. Raises TensorError when another core answers."""
        super().__init__(bus)
        side, blocks = (self._field("ARRAY", name) for name in ("side", "blocks"))
        if side < 2 or not blocks:
            raise TensorError(f"the tensor core says that it has blocks of {side} numbers, {blocks} side by side")
        self.shape = TensorShape(side, blocks, self.read_register("PASS_SUMS"))
        self.memories = {name: self.read_register(name) for name in MEMORIES}
        self.clocks = 0  # of the last program
        self.abort()

    samples = register("SAMPLES", "Of a batch.")

    @property
    def counters(self) -> dict[str, int]:
        """What was clipped or left out since the start, by register."""
        return {name: self.read_register(name) for name in COUNTERS}

    def abort(self) -> None:
        """Back to idle; programs, fractions and parameters have to be loaded again."""
        self._command("abort")
        self._take_left("out")
        self.send([beats.begin()])
        self._command("clear_counters")
        self.clear_flags()

    def set_samples(self, samples: int) -> None:
        """Of a batch. Raises TensorError while the core is at work."""
        self._until_idle("busy", "products", "updates", "vectors", "host")
        self.write_register("SAMPLES", samples)

    @property
    def generator(self) -> list[int]:
        """State of xoshiro128++."""
        return [self.read_register(f"STATE{n}") for n in range(4)]

    def fractions(self) -> list[int]:
        """All fractions of now."""
        words = (self.read_register(f"FRACTIONS{n}") for n in range(FRACTIONS // 4))
        return [word >> 8 * n & 63 for word in words for n in range(4)]

    def send(self, stream: Iterable[Sequence[int] | np.ndarray]) -> None:
        """Beats to which nothing comes back."""
        self.bus.transfer({"s_axis_in": beats.joined(stream)}, {})

    def ask(self, stream: Iterable[Sequence[int] | np.ndarray], count: int = 0) -> tuple[np.ndarray, int]:
        """Beats to which `count` numbers and an end come back: those numbers, and what the end says.

        Raises TensorError where something else comes.
        """
        taken = self.bus.transfer({"s_axis_in": beats.joined(stream)}, {"m_axis_out": count + 1})["m_axis_out"]
        kinds, _, numbers = beats.numbers(taken)
        if kinds[-1] != DONE or (kinds[:-1] == DONE).any():
            raise TensorError(f"the tensor core gave other than {count} numbers and an end")
        self._check()
        return numbers[:-1], int(numbers[-1])

    def run(self, stream: Iterable[Sequence[int] | np.ndarray], entry: int, results: int) -> np.ndarray:
        """Beats, then the program at `entry`: the numbers that leave it, one a sample and feature."""
        numbers, self.clocks = self.ask([*stream, beats.start(entry)], results)
        return numbers

    def load(self, layer: Matrix, first: int, plane: int, w: np.ndarray, b: np.ndarray) -> None:
        """A plane of a layer: rlcores.cores.tensor.parameters."""
        word = parameters.update(self.shape, layer, kind=LOAD, plane=plane, first=first, target_first=first)
        self.send([beats.parameters(word), beats.groups(parameters.groups_of(self.shape, layer, w, b))])

    def read(self, layer: Matrix, first: int, plane: int) -> tuple[np.ndarray, np.ndarray]:
        """The same out of the core."""
        word = parameters.update(self.shape, layer, kind=READ, plane=plane, first=first, target_first=first)
        count = parameters.group_count(self.shape, layer) * self.shape.side
        numbers = self.ask([beats.parameters(word)], count)[0].reshape(-1, self.shape.side)
        return parameters.of_groups(self.shape, layer, numbers & (1 << 48) - 1 if plane == SECOND_MOMENTS else numbers)

    def _check(self) -> None:
        raised = self.flags() & set(FAULTS)
        if raised:
            fields = self._map["FLAGS"].by_name
            self.clear_flags()
            raise TensorError("the tensor core says: " + "; ".join(f"{fields[n].doc} ({n})" for n in sorted(raised)))


def lacking(needs: Mapping[str, int], memories: Mapping[str, int]) -> str:
    """Which memory is too small, in words; '' when all are large enough."""
    short = [f"{name} {memories[name]:,} of {count:,}" for name, count in needs.items() if count > memories[name]]
    return ", ".join(short)
