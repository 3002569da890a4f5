"""rlc_mlp against its model: every answer in its clock, while sets of weights are swapped, cut and refused."""

import json
import os
import random
from collections import Counter
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from mlp_cases import CASES, IDENTITY, weights, words

from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel

HITS: Counter[str] = Counter()
ANSWERS = 60


class Bench:
    """Drives all ports clock by clock: what is driven behind a falling edge counts at the next rising edge."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.case = os.environ["RLCORES_CASE"]
        self.shape = CASES[self.case]
        self.models = [MlpModel(weights(self.shape, seed)) for seed in (1, 2)]
        self.sets = [words(weights(self.shape, seed)) for seed in (1, 2)]
        self.active: int | None = None
        self.pending: int | None = None
        self.loading: list[tuple[int, bool]] = []
        self.load_is: int | None = None  # the set that is being sent; None: one that must be refused
        self.observing: list[int] = []
        self.awaited: tuple[int, list[int]] | None = None  # clock and answer
        self.clock = 0
        self.loads: list[tuple[list[tuple[int, bool]], int | None]] = []
        self.refusals = 0

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
                bad = [(IDENTITY, True)]
            elif kind == "long":
                bad = [*((word, False) for word, _ in whole), (7, self.rng.random() < 0.5)]
                bad = bad if bad[-1][1] else [*bad, (8, True)]
            else:
                bad = [(IDENTITY ^ (1 << self.rng.randrange(31)), False), *whole[1:]]
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
        self.loading, self.observing = [], []
        self.refusals = 0
        self.resting = True

    async def step(self, load: bool, observe: bool) -> None:
        """One clock."""
        dut, rng = self.dut, self.rng
        await FallingEdge(dut.clk)
        self.clock += 1
        assert int(dut.loaded.value) == (self.active is not None or bool(int(dut.taken.value))), "loaded"
        if int(dut.taken.value):
            assert self.pending is not None, "a set is taken that was not sent"
            assert self.awaited is None, "a set is taken inside a pass"
            self.active, self.pending = self.pending, None
            HITS["taken"] += 1
        if int(dut.refused.value):
            assert self.refusals, "a set is refused that was not sent"
            self.refusals -= 1
            HITS["refused"] += 1
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
        idle = int(dut.s_obs_ready.value)
        assert not (idle and due), "an observation may enter before the answer has left"
        if (
            not self.observing
            and observe
            and self.active is not None
            and self.awaited is None
            and not (valid and ready)
        ):
            self.observing = self.observation()
        give = bool(self.observing) and rng.random() < 0.6
        dut.s_obs_valid.value = int(give)
        dut.s_obs_data.value = self.observing[0] if give else rng.randrange(1 << 6)
        if give and idle:
            self.observing.pop(0)
            if not self.observing:
                self.awaited = (self.clock + cycles.answer(self.shape), self.answer())
        # The weights.
        if not self.loading and load and self.loads and self.pending is None and not self.refusals:
            self.loading, self.load_is = self.loads.pop(0)
            self.loading = list(self.loading)
        send = bool(self.loading) and rng.random() < 0.8
        dut.s_load_valid.value = int(send)
        word, last = self.loading[0] if send else (rng.randrange(1 << 30), bool(rng.randrange(2)))
        dut.s_load_data.value, dut.s_load_last.value = word, int(last)
        if send and int(dut.s_load_ready.value):
            self.loading.pop(0)
            if not self.loading:
                if self.load_is is None:
                    self.refusals += 1
                else:
                    self.pending = self.load_is


@cocotb.test()
async def answers(dut) -> None:
    """Answers of both sets, sets swapped between them, resets in the middle."""
    bench = Bench(dut)
    for name in ("s_obs_valid", "s_obs_data", "m_act_ready", "s_load_valid", "s_load_data", "s_load_last"):
        getattr(dut, name).value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
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
    assert bench.pending is None and not bench.refusals
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(HITS))
