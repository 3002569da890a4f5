"""rlc_mlp against its model: every answer in its clock, while sets of weights are swapped, cut and refused."""

import json
import os
import random

import cocotb
import numpy as np
from bench_handshake import Sink, Source, port
from bench_hits import HITS, report
from bench_pins import clock_number, pack, reset, start
from cocotb.triggers import FallingEdge, ReadOnly
from mlp_cases import CASES, weights, words

from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.shape import MlpShape

ANSWERS = 60


class Bench:
    """Drives all ports clock by clock, and knows what must come in each."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        parameters = json.loads(os.environ["RLCORES_PARAMETERS"])
        self.identity = parameters.get("IDENTITY", 0)
        case = os.environ.get("RLCORES_CASE")
        self.shape = CASES[case] if case else MlpShape.of(parameters)
        self.models = [MlpModel(weights(self.shape, seed)) for seed in (1, 2)]
        self.sets = [words(weights(self.shape, seed), self.identity) for seed in (1, 2)]
        self.observing = Source(dut, *port("s_obs", ["data"]), 0.6, self.rng)
        self.loading = Source(dut, *port("s_load", ["data", "last"]), 0.8, self.rng)
        self.answering = Sink(dut, *port("m_act", ["data"]), 0.4, self.rng)
        self.ports = self.observing, self.loading, self.answering
        self.loads: list[tuple[list[tuple[int, bool]], int | None]] = []
        self.forget()

    def forget(self) -> None:
        """A reset: what has begun is forgotten; without an image nothing is loaded."""
        for one in self.ports:
            one.clear()
            one.rest()
        self.active: int | None = None
        self.pending: int | None = None
        self.load_is: int | None = None  # the set that is being sent; None: one that must be refused
        self.awaited: tuple[int, int] | None = None  # clock and answer
        self.refused = self.taken = False  # pulses that must come in the next clock

    def observe(self) -> None:
        """A random observation, with rubbish behind its last element; its answer is remembered."""
        shape, rng = self.shape, self.rng
        top = 1 << (shape.act_widths[0] - 1)
        self.x = np.array([rng.choice([-top, top - 1, 0, rng.randrange(-top, top)]) for _ in range(shape.sizes[0])])
        count = shape.pieces(shape.sizes[0], shape.cols) * shape.cols
        padded = [*self.x.tolist(), *(rng.getrandbits(shape.act_width) for _ in range(count - len(self.x)))]
        for n in range(0, count, shape.cols):
            self.observing.queue.append({"data": pack(padded[n : n + shape.cols], shape.act_width)})

    def answer(self) -> int:
        """What the active set answers to the last observation."""
        return pack(self.models[self.active].act(self.x)[0].tolist(), 10 if self.shape.argmax else 18)

    def plan_loads(self) -> None:
        """Good sets, and sets that are cut, too long, or of another identity."""
        for number in range(12):
            of = number % 2
            whole = [(word, n == len(self.sets[of]) - 1) for n, word in enumerate(self.sets[of])]
            kind = ("good", "cut", "long", "other", "good", "short")[number % 6]
            if kind == "good":
                self.loads.append((whole, of))
                continue
            if kind == "cut":
                at = self.rng.randrange(1, len(whole) - 1)
                bad = [*((word, False) for word, _ in whole[:at]), (whole[at][0], True)]
            elif kind == "short":  # only its head
                bad = [(self.identity, True)]
            elif kind == "long":
                bad = [*((word, False) for word, _ in whole), (7, self.rng.random() < 0.5)]
                bad = bad if bad[-1][1] else [*bad, (8, True)]
            else:
                bad = [(self.identity ^ (1 << self.rng.randrange(31)), False), *whole[1:]]
            self.loads.append((bad, None))
            HITS[kind] += 1

    async def step(self, load: bool, observe: bool) -> None:
        """One clock."""
        dut, clock = self.dut, clock_number()
        # Most observations come where there is room.
        if observe and not self.observing.queue and (int(dut.s_obs_ready.value) or self.rng.random() < 0.01):
            self.observe()
        if load and not self.loading.queue and self.loads:
            sent, self.load_is = self.loads.pop(0)
            self.loading.queue.extend({"data": word, "last": int(last)} for word, last in sent)
        for one in self.ports:
            one.drive()
        await ReadOnly()
        assert int(dut.loaded.value) == (self.active is not None or self.taken), "loaded"
        assert int(dut.taken.value) == self.taken, "a set becomes active too early, too late or not"
        if self.taken:
            self.active, self.pending = self.pending, None
            HITS["taken"] += 1
        assert int(dut.refused.value) == self.refused, "a set is refused that fits, or the other way round"
        HITS["refused"] += self.refused
        # The answer: in its clock, and it stands.
        came = self.answering.sample()
        shown, inside = came or self.answering.standing.offered, self.awaited is not None
        assert bool(shown) == (inside and clock >= self.awaited[0]), f"{shown} in clock {clock}, due {self.awaited}"
        assert not shown or shown["data"] == self.awaited[1], "an answer is not the model's"
        if came:
            self.awaited = None
            HITS["answers"] += 1
        # The observation.
        idle = int(dut.s_obs_ready.value)
        assert idle == (self.active is not None and not inside), "an observation enters or waits in the wrong clock"
        start = bool(self.observing.sample()) and not self.observing.queue
        if start:
            self.awaited = clock + cycles.answer(self.shape), self.answer()
        self.taken = self.pending is not None and (bool(came) if inside else not start)
        # The weights: a set waits while the one before it does.
        assert int(dut.s_load_ready.value) == (self.pending is None), "weights enter or wait in the wrong clock"
        whole = bool(self.loading.sample()) and not self.loading.queue
        HITS["sets that wait"] += self.loading.offering
        self.refused = whole and self.load_is is None
        if whole:
            self.pending = self.load_is
        await FallingEdge(dut.clk)


@cocotb.test()
async def answers(dut) -> None:
    """Answers of both sets, sets swapped between them, resets in the middle."""
    bench = Bench(dut)
    await start(dut, rest=1)
    for _ in range(10):
        await bench.step(False, False)
        assert not int(dut.s_obs_ready.value), "an observation may enter without weights"
    for part in range(3):
        bench.loads = []
        bench.plan_loads()
        target = HITS["answers"] + ANSWERS
        for _ in range(200000):
            await bench.step(True, True)
            if HITS["answers"] >= target and not bench.loads and not bench.loading.queue:
                break
        assert HITS["answers"] >= target and not bench.loads, "the bench stands still"
        if part < 2:
            for _ in range(bench.rng.randrange(3, 60)):
                await bench.step(True, True)
            bench.forget()
            await reset(dut, rest=1)
            HITS["resets"] += 1
    for _ in range(500):  # all that is under way ends
        await bench.step(False, False)
    assert bench.pending is None
    report()


@cocotb.test()
async def a_set_becomes_active_though_observations_leave_no_clock_free(dut) -> None:
    bench = Bench(dut)
    await start(dut, rest=1)
    for one in bench.ports:
        one.share = 1.0
    bench.loads = [([(w, n == len(s) - 1) for n, w in enumerate(s)], of) for of, s in enumerate(bench.sets)] * 3
    taken = HITS["taken"]
    for _ in range(20 * (cycles.answer(bench.shape) + len(bench.sets[0]))):
        await bench.step(True, True)
    assert HITS["taken"] == taken + 6, "a set waits for a gap between two observations"
    report()
