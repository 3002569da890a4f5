"""rlc_mlp against its model: every answer in its clock, while sets of weights are swapped, cut and refused."""

import json
import os
import random

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.triggers import FallingEdge
from mlp_cases import CASES, weights, words

from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.shape import MlpShape

ANSWERS = 60


class Bench:
    """Drives all ports clock by clock: what is driven behind a falling edge counts at the next rising edge."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        given = json.loads(os.environ["RLCORES_PARAMETERS"])
        self.identity = given.get("IDENTITY", 0)
        case = os.environ.get("RLCORES_CASE")
        self.shape = CASES[case] if case else MlpShape.of(given)
        self.models = [MlpModel(weights(self.shape, seed)) for seed in (1, 2)]
        self.sets = [words(weights(self.shape, seed), self.identity) for seed in (1, 2)]
        self.active: int | None = None
        self.pending: int | None = None
        self.loading: list[tuple[int, bool]] = []
        self.load_is: int | None = None  # the set that is being sent; None: one that must be refused
        self.observing: list[int] = []
        self.awaited: tuple[int, list[int]] | None = None  # clock and answer
        self.clock = 0
        self.loads: list[tuple[list[tuple[int, bool]], int | None]] = []
        self.refused = self.taken = False  # pulses that must come in the next clock
        self.obs_waits = self.load_waits = False  # what was offered and not taken

    def observation(self) -> list[int]:
        """Words of a random observation, with rubbish behind its last element; its answer is remembered."""
        shape, width = self.shape, self.shape.act_width
        top = 1 << (shape.act_widths[0] - 1)
        self.x = np.array(
            [self.rng.choice([-top, top - 1, 0, self.rng.randrange(-top, top)]) for _ in range(shape.sizes[0])]
        )
        count = shape.pieces(shape.sizes[0], shape.cols) * shape.cols
        padded = [*self.x.tolist(), *(self.rng.randrange(1 << width) for _ in range(count - len(self.x)))]
        groups = [padded[n : n + shape.cols] for n in range(0, count, shape.cols)]
        return [sum((v & ((1 << width) - 1)) << width * place for place, v in enumerate(group)) for group in groups]

    def answer(self) -> int:
        """What the active set answers to the last observation."""
        found = self.models[self.active].act(self.x)[0].tolist()
        bits = 10 if self.shape.argmax else 18
        return sum((v & ((1 << bits) - 1)) << bits * place for place, v in enumerate(found))

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

    async def reset(self) -> None:
        """A reset at any time: what has begun is forgotten; without an image nothing is loaded."""
        dut = self.dut
        dut.rst.value = 1
        for name in ("s_obs_valid", "m_act_ready", "s_load_valid"):
            getattr(dut, name).value = 0
        for _ in range(2):
            await FallingEdge(dut.clk)
            self.clock += 1
        dut.rst.value = 0
        self.active = self.pending = self.load_is = self.awaited = None
        self.obs_waits = self.load_waits = False
        self.loading, self.observing = [], []
        self.refused = self.taken = False

    async def step(self, load: bool, observe: bool) -> None:
        """One clock."""
        dut, rng = self.dut, self.rng
        await FallingEdge(dut.clk)
        self.clock += 1
        assert int(dut.loaded.value) == (self.active is not None or self.taken), "loaded"
        assert int(dut.taken.value) == self.taken, "a set becomes active too early, too late or not"
        if self.taken:
            self.active, self.pending = self.pending, None
            HITS["taken"] += 1
        assert int(dut.refused.value) == self.refused, "a set is refused that fits, or the other way round"
        HITS["refused"] += self.refused
        # The answer: in its clock, and it stands.
        valid = int(dut.m_act_valid.value)
        due = self.awaited is not None and self.clock >= self.awaited[0]
        assert valid == due, f"m_act_valid is {valid} in clock {self.clock}, due {self.awaited}"
        if valid:
            assert int(dut.m_act_data.value) == self.awaited[1], "an answer is not the model's"
        ready = rng.random() < 0.4
        dut.m_act_ready.value = int(ready)
        if valid and ready:
            self.awaited = None
            HITS["answers"] += 1
        # The observation.
        inside = self.awaited is not None or bool(valid and ready)
        idle = int(dut.s_obs_ready.value)
        assert idle == (self.active is not None and not inside), "an observation enters or waits in the wrong clock"
        if not self.observing and observe and idle:
            self.observing = self.observation()
        give = bool(self.observing) and (self.obs_waits or rng.random() < 0.6)
        dut.s_obs_valid.value = int(give)
        dut.s_obs_data.value = self.observing[0] if give else rng.randrange(1 << 6)
        self.obs_waits = give and not idle
        start = False
        if give and idle:
            self.observing.pop(0)
            if not self.observing:
                start, self.awaited = True, (self.clock + cycles.answer(self.shape), self.answer())
        self.taken = self.pending is not None and not inside and not start
        # The weights: a set waits while the one before it does.
        open_ = int(dut.s_load_ready.value)
        assert open_ == (self.pending is None), "weights enter or wait in the wrong clock"
        if not self.loading and load and self.loads:
            self.loading, self.load_is = self.loads.pop(0)
            self.loading = list(self.loading)
        send = bool(self.loading) and (self.load_waits or rng.random() < 0.8)
        dut.s_load_valid.value = int(send)
        word, last = self.loading[0] if send else (rng.randrange(1 << 30), bool(rng.randrange(2)))
        dut.s_load_data.value, dut.s_load_last.value = word, int(last)
        self.load_waits = send and not open_
        HITS["sets that wait"] += self.load_waits
        self.refused = False
        if send and open_:
            self.loading.pop(0)
            if not self.loading and self.load_is is None:
                self.refused = True
            elif not self.loading:
                self.pending = self.load_is


@cocotb.test()
async def answers(dut) -> None:
    """Answers of both sets, sets swapped between them, resets in the middle."""
    bench = Bench(dut)
    for name in ("s_obs_valid", "s_obs_data", "m_act_ready", "s_load_valid", "s_load_data", "s_load_last"):
        getattr(dut, name).value = 0
    start_clock(dut.clk)
    await bench.reset()
    for _ in range(10):
        await bench.step(False, False)
        assert not int(dut.s_obs_ready.value), "an observation may enter without weights"
    for part in range(3):
        bench.loads = []
        bench.plan_loads()
        target = HITS["answers"] + ANSWERS
        for _ in range(200000):
            await bench.step(True, True)
            if HITS["answers"] >= target and not bench.loads and not bench.loading:
                break
        assert HITS["answers"] >= target and not bench.loads, "the bench stands still"
        if part < 2:
            for _ in range(bench.rng.randrange(3, 60)):
                await bench.step(True, True)
            await bench.reset()
            HITS["resets"] += 1
    for _ in range(500):  # all that is under way ends
        await bench.step(False, False)
    assert bench.pending is None
    report()
