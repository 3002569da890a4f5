"""The tensor unit under a driver that knows its ports: commands, results as arrays, tensors and planes in and out."""

import random
from collections import deque
from collections.abc import Callable

import bench_pins
import cocotb
import numpy as np
from bench_handshake import Sink, port, send
from bench_hits import HITS
from bench_pins import clock_number, clocks, integers, pack, start, until
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.types import LogicArray

from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Command, Matrix, Tensor, TensorShape
from rlcores.cores.tensor.words import GRADIENTS, LOAD, READ

QUIET = (
    "s_valid", "u_valid", "v_valid", "h_valid", "r_ready", "load_valid", "read_ready", "a_valid", "e_valid", "settings",
    "tau", "samples", "draw_load",
)  # fmt: skip
TOLD = "id", "saturated", "acc_overflow", "peak"


def unpack(number: int, width: int, count: int) -> np.ndarray:
    """Signed elements, the first one lowest."""
    return np.array(bench_pins.unpack(number, width, count), np.int64)


def lanes_there(side: int) -> Callable[[LogicArray], int]:
    """Reads numbers of 35 bits, and behind them which of them are there; the others, of no sample, become 0.

    Behind the last sample of an odd batch a lane holds what nobody wrote: X in Icarus.
    """

    def read(value: LogicArray) -> int:
        there = int(value[36 * side - 1 : 35 * side])
        numbers = (int(value[35 * n + 34 : 35 * n]) if there >> n & 1 else 0 for n in range(side))
        return there << 35 * side | pack(numbers, 35)

    return read


class Unit:
    """The unit; result() and tell() hear of all that leaves, in the order of the commands."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.shape = TensorShape(*integers(dut, "SIDE", "BLOCKS", "PASS_SUMS"))
        self.under_way: deque[tuple[Command, int]] = deque()  # and when it was taken
        self.before: tuple[int, Command] | None = None
        self._words: dict[tuple[int, int], np.ndarray] = {}
        self._biases: dict[int, np.ndarray] = {}

    def result(self, command: Command, numbers: np.ndarray, biases: np.ndarray) -> None:
        """All results of a command: (words * span, rows * side), padding included, and gradients of biases."""

    def tell(self, told: tuple[int, ...]) -> None:
        """What is told of a command: TOLD."""

    async def start(self) -> None:
        dut = self.dut
        await start(dut, *QUIET)
        cocotb.start_soon(self._look())

    async def _look(self) -> None:
        dut, shape = self.dut, self.shape
        while True:
            await FallingEdge(dut.clk)
            await ReadOnly()
            if int(dut.told_valid.value):
                HITS["told"] += 1
                self.tell(tuple(int(getattr(dut, f"told_{name}").value) for name in TOLD))
            if not int(dut.m_valid.value):
                continue
            assert self.under_way, "a result too many"
            command, at = self.under_way[0]
            assert int(dut.m_to.value) == command.to
            place = int(dut.m_tile.value) - command.to_base, int(dut.m_index.value)
            place = (place[0], 0) if command.to == GRADIENTS else place
            assert place not in self._words, "a word twice"
            self._words[place] = unpack(int(dut.m_data.value), 27, shape.span * shape.side)
            if int(dut.m_bias.value):
                self._biases[int(dut.m_row.value) - command.bias_base] = unpack(
                    int(dut.m_bias_data.value), 27, shape.side
                )
            if len(self._words) == command.rows * command.words:
                spent = clock_number() - at
                assert spent == command.clocks(shape) + shape.latency + program.ISSUE_STAGES, f"{spent} clocks"
                self.under_way.popleft()
                HITS[("activations", "deltas", "outputs", "gradients")[command.to]] += 1
                self.result(command, *self._together(command))
                self._words, self._biases = {}, {}

    def _together(self, command: Command) -> tuple[np.ndarray, np.ndarray]:
        s = self.shape
        out = np.zeros((command.words * s.span, command.rows * s.side), np.int64)
        for (tile, index), data in self._words.items():
            if command.to == GRADIENTS:
                row, word = divmod(tile, command.words)
            else:
                word, column = divmod(tile, command.to_word)
                row = column * s.blocks + index
            part = slice(word * s.span, (word + 1) * s.span), slice(row * s.side, (row + 1) * s.side)
            out[part] = data.reshape(s.span, s.side)
        none = np.zeros(0, np.int64)
        return out, np.concatenate([none, *(self._biases[row] for row in sorted(self._biases))])

    async def command(self, command: Command) -> None:
        """Hand over a command, and check when it is taken."""
        waited = await send(self.dut, "s", data=command.pack())
        taken = clock_number() - 1
        # Only two commands are known at a time: behind a short one, the one before it may be waited for, too.
        if waited and self.before and self.before[1].clocks(self.shape) > self.shape.told:
            at, last = self.before
            assert taken - at == last.clocks(self.shape) + command.gap(self.shape, last), "a gap between commands"
            HITS["waited for its turn"] += 1
        self.before = taken, command
        self.under_way.append((command, taken))

    async def unit(self, word: int) -> None:
        """A command to the update unit."""
        await send(self.dut, "u", data=word)

    async def done(self) -> None:
        """Until the update unit rests."""
        await until(self.dut, lambda: not int(self.dut.busy.value) & 2)
        await FallingEdge(self.dut.clk)

    async def pause(self) -> None:
        """Some clocks, or none."""
        while self.rng.random() < 0.1:
            await clocks(self.dut, 1)

    async def load(self, layer: Matrix, plane: int, first: int, target: Matrix, words: np.ndarray) -> None:
        where = {"first": first, "target": target, "target_first": first}
        await self.unit(parameters.update(self.shape, layer, kind=LOAD, plane=plane, **where))
        for word in words:
            await self.pause()
            await send(self.dut, "load", data=pack(word, 48))
        await self.done()

    async def read(self, layer: Matrix, plane: int, first: int) -> np.ndarray:
        await self.unit(parameters.update(self.shape, layer, kind=READ, plane=plane, first=first, target_first=first))
        sink = Sink(self.dut, *port("read", ["data"]), 0.7, self.rng)
        words = await sink.take(self.dut, parameters.group_count(self.shape, layer))
        await self.done()
        return np.array([unpack(word["data"], 48, self.shape.side) for word in words])

    async def tensor(self, name: str, tensor: Tensor, numbers: np.ndarray) -> None:
        span = self.shape.span
        places = [(b, f) for b in range(numbers.shape[0]) for f in range(numbers.shape[1])]
        self.rng.shuffle(places)
        for b, f in places:
            await self.pause()
            tile = tensor.base + (b // span) * tensor.row(self.shape) + f // span
            word = {"tile": tile, "sample": b % span, "feature": f % span, "data": int(numbers[b, f]) & (1 << 18) - 1}
            HITS[f"{name} waits"] += await send(self.dut, name, **word)
