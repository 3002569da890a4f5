"""The vector unit: random commands over a memory that the model keeps, too; results, what is told, and the clocks."""

import os
import random

import cocotb
import numpy as np
from bench_handshake import Sink, port, send
from bench_hits import HITS, report
from bench_pins import clocks, integers, pack, pulse, start, until
from cocotb.triggers import FallingEdge, ReadOnly
from tensor_bench import lanes_there, unpack

from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.policy.noise import normal
from rlcores.cores.tensor.vector import Constant, Memory, Row, Vector
from rlcores.cores.tensor.words import (
    DRAW,
    EXP2,
    IF_EQ,
    IF_LE,
    LOG2,
    MAC,
    MAX,
    MIN,
    STREAM,
    TANH,
    TO_DELTAS,
    VECTORS,
)

NAMES = ("mac", "min", "max", "tanh", "exp2", "log2", "draw", "eq", "ne", "lt", "le")
REGIONS = 7  # of the memory: 0 wide, 1 to 3 of 27 bits, 4 small, 5 below 2**34, for logarithms, 6 of no command
LATENCY = 13  # clocks from the last word of a command to the next command


class Unit:
    """The unit and its model."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.side, self.blocks = integers(dut, "SIDE", "BLOCKS")
        self.out: list = []
        self.told: list[tuple[int, int, int]] = []

    async def start(self) -> None:
        dut = self.dut
        self.stream = Sink(dut, *port("m", ["data"]), 0.5, self.rng, {"data": lanes_there(self.side)})
        self.tiles = Sink(dut, *port("t", ["deltas", "tile", "block", "feature", "en", "data"]), 0.5, self.rng)
        await start(dut, "s_valid", "o_valid", "h_valid", "t_ready", "m_ready", "load", cfg_samples=1)
        cocotb.start_soon(self._look())

    async def _look(self) -> None:
        dut, side = self.dut, self.side
        while True:
            self.stream.drive()
            self.tiles.drive()
            await ReadOnly()
            if int(dut.told_valid.value):
                self.told.append(tuple(int(getattr(dut, f"told_{n}").value) for n in ("id", "saturated", "peak")))
            if word := self.stream.sample():
                self.out.append((word["data"] >> side * 35, unpack(word["data"], 35, side)))
            if word := self.tiles.sample():
                *at, data = word.values()
                self.out.append((tuple(at), unpack(data, 18, side)))
            await FallingEdge(dut.clk)

    async def batch(self, samples: int, words: int) -> None:
        """Another batch: a memory of this many words, filled at random by the two ways in."""
        dut, rng = self.dut, np.random.default_rng(self.rng.getrandbits(31))
        dut.cfg_samples.value = samples
        await clocks(dut, 2)
        self.memory = memory = Memory(samples, words, self.side)
        region = words // REGIONS
        bits = (34, 26, 26, 26, 12, 33, 34)
        for at in range(region * REGIONS):
            width = bits[at // region]
            word = rng.integers(-1 << width, 1 << width, self.side)
            word = np.where(rng.random(self.side) < 0.2, word >> rng.integers(0, width), word)
            if at // region == 5:
                word = np.abs(word)
            memory.numbers[at] = word
            if width == 26 and self.rng.random() < 0.5:
                await send(dut, "o", data=at << self.side * 27 | pack(word, 27))
            else:
                for lane, number in enumerate(word):
                    await send(dut, "h", address=at, lane=lane, data=int(number) & (1 << 35) - 1)
        self.region = region

    async def seed(self, seed: int) -> None:
        words = state_of(seed)
        generator = Xoshiro128pp(words)
        self.memory.draw = lambda count: normal(generator.take(count))
        self.dut.state.value = pack(words, 32)
        await pulse(self.dut, self.dut.load)

    async def run(self, command: Vector, alone: bool = False) -> None:
        """The command in both, and what it gave; alone: nothing comes from outside meanwhile."""
        dut, memory = self.dut, self.memory
        before = memory.numbers.copy()
        expected = memory.run(command)
        await send(dut, "s", data=command.pack())
        outside = None if alone or self.rng.random() > 0.3 else cocotb.start_soon(self.outside())
        told, spent = len(self.told), await until(dut, lambda: not int(dut.busy.value))
        if command.to == VECTORS:
            assert spent == command.clocks(memory.batch, self.side) + LATENCY, f"{spent} clocks"
        await FallingEdge(dut.clk)
        if outside:
            await outside
        if command.id is not None:
            assert self.told[told:] == [(command.id, memory.saturated, memory.peak & (1 << 27) - 1)] or (
                # Magnitudes are joined by OR: of a largest number, only its highest bit is told for sure.
                self.told[told][:2] == (command.id, memory.saturated)
                and self.told[told][2].bit_length() == (memory.peak & (1 << 27) - 1).bit_length()
            ), f"told {self.told[told:]}"
        HITS[NAMES[command.op]] += 1
        HITS["saturated"] += memory.saturated
        if command.to != VECTORS:
            self.compare(command, before, expected)

    async def outside(self) -> None:
        """Numbers from outside while a command runs, to where no command reads."""
        rng = self.rng
        for _ in range(rng.randint(1, 20)):
            at, lane = rng.randrange(6 * self.region, 7 * self.region), rng.randrange(self.side)
            self.memory.numbers[at, lane] = number = rng.randrange(-(1 << 34), 1 << 34)
            await send(self.dut, "h", address=at, lane=lane, data=number & (1 << 35) - 1)

    def compare(self, command: Vector, before: np.ndarray, expected: np.ndarray) -> None:
        """What has left, in its order."""
        memory, side, span = self.memory, self.side, self.side * self.blocks
        place = 0
        for feature in range(command.features):
            for word in range(memory.stride):
                samples = range(word * side, min((word + 1) * side, memory.batch))
                lanes = [(s % side,) for s in samples] if command.op == DRAW else [[s % side for s in samples]]
                for every in lanes:
                    at, numbers = self.out[place]
                    place += 1
                    mine = [int(expected[word * side + lane, feature]) for lane in every]
                    if command.to == STREAM:
                        en = at
                    else:
                        deltas, tile, block, inside, en = at
                        row, column = word // self.blocks, command.to_feature + feature
                        assert deltas == (command.to == TO_DELTAS) and block == word % self.blocks
                        assert tile == command.to_base + row * command.to_row + column // span
                        assert inside == column % span
                        mine = [(n + 2**17) % 2**18 - 2**17 for n in mine]
                    # A comparison keeps some.
                    assert en & ~sum(1 << lane for lane in every) == 0
                    for lane, number in zip(every, mine, strict=True):
                        if en >> lane & 1:
                            assert numbers[lane] == number, f"{numbers[lane]} for {number}"
                        HITS["left"] += en >> lane & 1
        assert place == len(self.out)
        self.out = []

    async def check(self) -> None:
        """Every number of the memory, through the stream."""
        features = len(self.memory.numbers) // REGIONS * REGIONS // self.memory.stride
        await self.run(Vector(MAC, features=features, to_base=0, x=0, to=STREAM), alone=True)

    def command(self) -> Vector:
        """Any, in ranges that mean something."""
        rng, memory = self.rng, self.memory
        most = min(self.region // memory.stride, 3)
        features = rng.randint(1, most)

        def at(region: int, count: int = features) -> int:
            return region * self.region + rng.randrange(self.region - count * memory.stride + 1)

        op = rng.choice([MAC] * 6 + [MIN, MAX, TANH, EXP2, LOG2, DRAW] + list(range(IF_EQ, IF_LE + 1)))
        more: dict = {"to_base": at(rng.choice((1, 2, 3)))}
        if rng.random() < 0.3:
            to = rng.choice((1, TO_DELTAS, STREAM))
            first = rng.randrange(self.side * self.blocks)
            more = {"to": to, "to_base": rng.randrange(50), "to_row": rng.randrange(1, 5), "to_feature": first}
        if rng.random() < 0.7:
            more["id"] = rng.randrange(64)
        y = rng.choice((at(2), Row(at(3, 1)), Constant(rng.randrange(-(1 << 26), 1 << 26)), Constant(0)))
        z = rng.choice((at(1), Row(at(4, 1)), Constant(rng.randrange(-(1 << 34), 1 << 34)), Constant(0)))
        if op == MAC:
            more |= {"negate": rng.random() < 0.5, "up": rng.randrange(28), "shift": rng.choice((0, *range(64)))}
            more |= {"width": rng.choice((18, 27, rng.randint(2, 27))), "symmetric": rng.random() < 0.3}
            x = at(rng.choice((0, 1, 2, 4)))
        elif op == TANH:
            # Some are beyond the table.
            x, z = at(rng.choice((4, 4, 1))), Constant(rng.randrange(-(1 << 18), 1 << 18))
        elif op == EXP2:
            x, z = at(4), Constant(rng.randrange(-2, 27) << 20)
            more["negate"] = rng.random() < 0.5
        elif op == LOG2:
            x, z = at(5), Constant(rng.choice((0, 1 << 24)))
        else:
            # Of comparisons and of the smaller: numbers that meet often.
            x = at(4)
            y = rng.choice((x, at(2), Row(at(4, 1)), Constant(int(memory.numbers[x][0]))))
            z = rng.choice((at(1), Row(at(3, 1)), Constant(rng.randrange(-(1 << 26), 1 << 26))))
        return Vector(op, features=features, x=x, y=y, z=z, **more)


@cocotb.test()
async def commands(dut) -> None:
    """Batches of any size; the whole memory behind some commands."""
    unit = Unit(dut)
    await unit.start()
    steps = int(os.environ.get("RLCORES_STEPS", "60"))
    for samples in (1, unit.side, 3 * unit.side + 1, unit.rng.randint(1, 5 * unit.side)):
        await unit.batch(samples, int(dut.WORDS.value))
        await unit.seed(unit.rng.getrandbits(32))
        for _ in range(steps):
            await unit.run(unit.command())
            HITS["commands"] += 1
        await unit.check()
    # A command of no features is left out.
    dut.s_data.value = 0
    await pulse(dut, dut.s_valid)
    await ReadOnly()
    assert not int(dut.busy.value) and int(dut.refused.value)
    report()
