"""Shared by the benches of the learner's units: words through any number of valid/ready ports, with random stalls.

A bench writes inputs after the falling edge and samples when they have settled, before the rising edge.
"""

import json
import os
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.learner.words import WEIGHT_ADDR

Word = dict[str, int]
HITS: Counter[str] = Counter()


def pack(values: Iterable[int], width: int) -> int:
    """Elements side by side, the first one lowest."""
    mask = (1 << width) - 1
    return sum((int(value) & mask) << place * width for place, value in enumerate(values))


def unpack(number: int, width: int, count: int) -> list[int]:
    """The reverse of pack, signed."""
    half = 1 << width - 1
    return [((number >> place * width & (1 << width) - 1) ^ half) - half for place in range(count)]


def words(vectors: np.ndarray, lanes: int, width: int) -> list[int]:
    """Stream words of one wave, vectors (columns, size): column after column, `lanes` elements each, zeros behind."""
    columns, size = vectors.shape
    padded = np.zeros((columns, -(-size // lanes) * lanes), object)
    padded[:, :size] = vectors
    return [pack(padded[:, at : at + lanes].reshape(-1), width) for at in range(0, padded.shape[1], lanes)]


def signed(rng: random.Random, width: int) -> int:
    """A number of that many bits: any, a small one, or an end of the range."""
    half = 1 << width - 1
    kind = rng.random()
    if kind < 0.1:
        return rng.choice((-half, half - 1, 0, 1, -1))
    if kind < 0.4:
        return rng.randint(-half >> width // 2, half >> width // 2)
    return rng.randint(-half, half - 1)


def matrix(rng: random.Random, rows: int, columns: int, width: int) -> np.ndarray:
    """Signed numbers of that many bits, Python's own integers."""
    return np.array([[signed(rng, width) for _ in range(columns)] for _ in range(rows)], object)


def narrow(value: int, shift: int, width: int) -> tuple[int, bool]:
    """sat(round(value / 2**shift)) and whether it was limited."""
    rounded = (int(value) + (1 << shift >> 1)) >> shift
    limited = max(-(1 << width - 1), min((1 << width - 1) - 1, rounded))
    return limited, limited != rounded


def blocks(rng: random.Random, rows: int, columns: int, lanes_j: int, lanes_i: int, jb: int, ib: int) -> list[tuple]:
    """Groups (bias, jw, js, iw, is) of a layer, in any order."""
    places = [(jw, js) for jw in range(rows // lanes_j) for js in range(lanes_j // jb)]
    jobs = [(0, *at, iw, part) for at in places for iw in range(columns // lanes_i) for part in range(lanes_i // ib)]
    jobs += [(1, *at, 0, 0) for at in places]
    rng.shuffle(jobs)
    return jobs


def place(bias: int, jw: int, js: int, iw: int, part: int, *, forward: int = 1, backward: int = 1) -> int:
    """A group's place on the weight bus, as rlc_nn_weight_addr_gen says it."""
    jof, jg = divmod(jw, forward)
    iof, ig = divmod(iw, backward)
    return WEIGHT_ADDR.pack(bias=bias, jw=jw, jof=jof, jg=jg, js=js, iw=iw, iof=iof, ig=ig, **{"is": part})


async def pulse(dut, signal) -> None:
    """One clock high, from a falling edge to the next."""
    signal.value = 1
    await FallingEdge(dut.clk)
    signal.value = 0


class Ports:
    """Drives the sources, takes from the sinks and compares with what is expected, all in one loop over clocks."""

    def __init__(self, dut, sources: Mapping[str, list[str]], sinks: Mapping[str, list[str]]) -> None:
        self.dut, self.sources, self.sinks = dut, sources, sinks
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.clock = 0
        self.to_send: dict[str, deque[Word]] = {name: deque() for name in sources}
        self.expected: dict[str, deque[Word]] = {name: deque() for name in sinks}
        self.share = dict.fromkeys([*sources, *sinks], 1.0)  # chance that a port does something in a clock
        self._slow = [*sources, *sinks]  # whose turn it is still to be slow
        self._stalled: dict[str, Word] = {}
        self._offered: dict[str, bool] = dict.fromkeys(sources, False)
        self.each_clock: list[Callable[[], None]] = []  # called when all has settled

    def port(self, name: str, part: str):
        return getattr(self.dut, f"{name}_{part}")

    async def start(self, **inputs: int) -> None:
        """Clock, inputs, three clocks of reset."""
        for name, fields in self.sources.items():
            for part in ("valid", *fields):
                self.port(name, part).value = 0
        for name in self.sinks:
            self.port(name, "ready").value = 0
        for name, value in inputs.items():
            getattr(self.dut, name).value = value
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0
        for _ in range(2):
            await FallingEdge(self.dut.clk)

    def any_pace(self) -> None:
        """Another chance for each port: first each is the slow one in turn, then as it comes."""
        for name in self.share:
            self.share[name] = 1.0 if self._slow else self.rng.choice((1.0, 1.0, 0.7, 0.3, 0.1))
        if self._slow:
            self.share[self._slow.pop()] = 0.2

    def full_speed(self) -> None:
        for name in self.share:
            self.share[name] = 1.0

    async def tick(self) -> bool:
        """One clock; whether anything moved."""
        rng, moved = self.rng, False
        for name, fields in self.sources.items():
            queue = self.to_send[name]
            self._offered[name] = bool(queue) and (self._offered[name] or rng.random() < self.share[name])
            self.port(name, "valid").value = int(self._offered[name])
            for part in fields:
                signal = self.port(name, part)
                # Without valid, anything.
                signal.value = queue[0][part] if self._offered[name] else rng.getrandbits(len(signal))
        for name in self.sinks:
            self.port(name, "ready").value = int(rng.random() < self.share[name])
        await ReadOnly()
        for name in self.sources:
            if self._offered[name]:
                if int(self.port(name, "ready").value):
                    self.to_send[name].popleft()
                    self._offered[name] = False
                    moved = True
                else:
                    HITS[f"{name} refused"] += 1
        for name, fields in self.sinks.items():
            moved |= self._take(name, fields)
        for call in self.each_clock:
            call()
        self.clock += 1
        await FallingEdge(self.dut.clk)
        return moved

    def _take(self, name: str, fields: list[str]) -> bool:
        valid, ready = int(self.port(name, "valid").value), int(self.port(name, "ready").value)
        out = {part: int(self.port(name, part).value) for part in fields} if valid else {}
        before = self._stalled.pop(name, None)
        assert before in (None, out), f"{name}: changed or withdrawn while stalled"
        if not valid:
            return False
        if not ready:
            self._stalled[name] = out
            HITS[f"{name} stalled"] += 1
            return False
        assert self.expected[name], f"{name}: a word too many: {out}"
        wanted = self.expected[name].popleft()
        for part in fields:
            assert out[part] == wanted[part], f"{name}.{part}: 0x{out[part]:X} instead of 0x{wanted[part]:X}"
        HITS[f"{name} words"] += 1
        return True

    @property
    def done(self) -> bool:
        return not any(self.to_send.values()) and not any(self.expected.values())

    async def run(self, patience: int = 3000, rest: int = 60) -> None:
        """Until everything was sent and has come, and nothing more comes for `rest` clocks."""
        idle = 0
        while not self.done or idle < rest:
            idle = 0 if await self.tick() else idle + 1
            assert idle < patience, f"stuck: {self._left()}"
        for name in self.sources:
            self.port(name, "valid").value = 0

    def _left(self) -> str:
        queues = {**self.to_send, **self.expected}
        return ", ".join(f"{name} {len(queue)}" for name, queue in queues.items())


def report() -> None:
    """Leave the hits where the test that started the simulation finds them."""
    path = Path(os.environ["RLCORES_RUN_DIR"], "coverage.json")
    before = Counter(json.loads(path.read_text())) if path.exists() else Counter()
    path.write_text(json.dumps(before + HITS))


def parameters(dut, *names: str) -> tuple[int, ...]:
    """Integer parameters of the top."""
    return tuple(int(getattr(dut, name).value) for name in names)
