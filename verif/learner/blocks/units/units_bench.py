"""Shared by the benches of the learner's units: words through any number of valid/ready ports, with random stalls."""

import random
from collections import deque
from collections.abc import Callable, Mapping

import cocotb
import numpy as np
from bench_handshake import Sink, Source, Word, port
from bench_hits import HITS
from bench_pins import pack, start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.learner.words import WEIGHT_ADDR


def words(vectors: np.ndarray, lanes: int, width: int) -> list[int]:
    """Stream words of one batch slice, vectors (columns, size): column after column, `lanes` elements each, zeros
    behind."""
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
    """sat(round(value / 2**shift)) and whether it was saturated."""
    rounded = (int(value) + (1 << shift >> 1)) >> shift
    saturated = max(-(1 << width - 1), min((1 << width - 1) - 1, rounded))
    return saturated, saturated != rounded


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


class Ports:
    """Drives the sources, takes from the sinks and compares with what is expected, all in one loop over clocks."""

    def __init__(self, dut, sources: Mapping[str, list[str]], sinks: Mapping[str, list[str]]) -> None:
        self.dut, self.rng, self.clock = dut, random.Random(cocotb.RANDOM_SEED), 0
        self.sources = {name: Source(dut, *port(name, fields), rng=self.rng) for name, fields in sources.items()}
        self.sinks = {name: Sink(dut, *port(name, fields), rng=self.rng) for name, fields in sinks.items()}
        self.to_send = {name: source.queue for name, source in self.sources.items()}
        self.expected: dict[str, deque[Word]] = {name: deque() for name in sinks}
        self.share = dict.fromkeys([*sources, *sinks], 1.0)  # chance that a port does something in a clock
        self._slow = [*sources, *sinks]  # whose turn it is still to be slow
        self.each_clock: list[Callable[[], None]] = []  # called when all has settled

    async def start(self, **inputs: int) -> None:
        """Clock, inputs, three clocks of reset."""
        fields = [f"{name}_{field}" for name, source in self.sources.items() for field in source.fields]
        for one in (*self.sources.values(), *self.sinks.values()):
            one.rest()
        await start(self.dut, *fields, rest=2, **inputs)

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
        for name, one in (self.sources | self.sinks).items():
            one.share = self.share[name]
            one.drive()
        await ReadOnly()
        moved = False
        for name, source in self.sources.items():
            if source.offering:
                taken = source.sample() is not None
                if not taken:
                    HITS[f"{name} refused"] += 1
                moved |= taken
        for name in self.sinks:
            moved |= self._take(name)
        for call in self.each_clock:
            call()
        self.clock += 1
        await FallingEdge(self.dut.clk)
        return moved

    def _take(self, name: str) -> bool:
        sink = self.sinks[name]
        word = sink.sample()
        if sink.standing.offered is not None:
            HITS[f"{name} stalled"] += 1
        if word is None:
            return False
        assert self.expected[name], f"{name}: a word too many: {word}"
        wanted = self.expected[name].popleft()
        for field in word:
            assert word[field] == wanted[field], f"{name}.{field}: 0x{word[field]:X} instead of 0x{wanted[field]:X}"
        HITS[f"{name} words"] += 1
        return True

    def clear(self) -> None:
        """A reset: nothing is on its way, and nothing is expected."""
        for one in (*self.sources.values(), *self.sinks.values()):
            one.clear()
        for queue in self.expected.values():
            queue.clear()

    @property
    def done(self) -> bool:
        return not any(self.to_send.values()) and not any(self.expected.values())

    async def run(self, patience: int = 3000, rest: int = 60) -> None:
        """Until everything was sent and has come, and nothing more comes for `rest` clocks."""
        idle = 0
        while not self.done or idle < rest:
            idle = 0 if await self.tick() else idle + 1
            assert idle < patience, f"stuck: {self._left()}"
        for source in self.sources.values():
            source.rest()

    def _left(self) -> str:
        queues = {**self.to_send, **self.expected}
        return ", ".join(f"{name} {len(queue)}" for name, queue in queues.items())
