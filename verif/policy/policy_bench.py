"""Drives the policy core: observations and weights at any pace, stalls at the answers; what must come is known."""

import random
from collections import Counter, deque
from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise

import cocotb
import numpy as np
from bench_handshake import Sink, Source, port
from bench_hits import report
from bench_pins import pack, start, write
from cocotb.triggers import FallingEdge, ReadOnly
from uvm_bench import parameters

from rlcores.cores.common.log2exp2 import exp2_fixed
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.policy.density import OUT_FRAC, log2e_times
from rlcores.cores.policy.head import EPSILON_FRAC, HeadSettings
from rlcores.cores.policy.model import DROPPED, PolicyModel
from rlcores_lab.cycles.policy import PolicyShape

WEIGHT, ACT = 27, 18
FRACTIONS = (12, 12, 11, 13, 16)


def state_before(word: int, rng: random.Random) -> list[int]:
    """A state of the generator whose second word is this one: an action's number; the coin before it is any."""

    def turned(number: int, by: int) -> int:
        return (number << by | number >> 32 - by) & 2**32 - 1

    s0 = rng.getrandbits(32)  # of the second word, turned(s0 + s3, 7) + s0
    s3 = turned((word - s0) & 2**32 - 1, 25) - s0 & 2**32 - 1
    mixed, free = turned(s3, 21), rng.getrandbits(32)
    return [s0 ^ mixed, free ^ mixed, rng.getrandbits(32) | 1, free]


@cache
def edges() -> np.ndarray:
    """Log-deviations at which the mantissa of 1 / deviation, 17 bits of exp2, is about to be rounded otherwise."""
    x = np.arange(0, 1 << 20, 8, dtype=np.int64) << 6
    first, then = (exp2_fixed(x + k, 17, 16)[0] for k in (0, 1))
    powers = np.add.outer(np.arange(-4, 8) << 20, x[first != then] >> 6).ravel()
    log2e = log2e_times(np.int64(1 << 40), 0) / (1 << 40)
    return np.rint(-powers * 4 / log2e).astype(np.int64)


class Bench:
    """The core, what it must answer, and what has been covered."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.shape = PolicyShape.of(parameters(dut, "policy"))
        self.hits: Counter[str] = Counter()
        self.clock = 0
        shape = self.shape
        frac = (*FRACTIONS[: shape.layers], self.rng.choice((13, 16, 18)))
        self.model = PolicyModel(
            shape.sizes, frac, output_width=shape.output_width, continuous=shape.continuous, logp=shape.logp
        )
        self.settings = HeadSettings()
        self.squashes = cycle(self.rng.sample(range(3), 3))
        self.log_deviations: np.ndarray | None = None  # of a set that has become active in this clock
        ones = (1,) * shape.layers
        network = NetworkShape(shape.sizes, shape.lanes, shape.forward, ones, shape.update_rows, shape.update_cols)
        self.layout = WeightLayout(network)
        self.widest = max(a * b for a, b in zip(shape.update_rows, shape.update_cols, strict=True))
        self.observation: deque[np.ndarray] = deque()
        self.source = Source(dut, *port("s_obs", ["data"]), rng=self.rng)
        self.sinks = {name: Sink(dut, *port(f"m_{name}", ["data"]), rng=self.rng) for name in ("act", "log")}
        self.acts: deque[tuple[int, int]] = deque()  # the clock in which it is there at the earliest, and the action
        self.logs: deque[tuple[int, int]] = deque()
        self.groups: list[deque[int]] = [deque() for _ in ones]
        self.next_set: tuple[list, np.ndarray] | None = None
        self.passes: list[tuple[int, int]] = []  # version and the last clock in which a pass meets it
        self.version, self.filling, self.skip, self.loaded = 0, False, False, False
        self.share = {"obs": 1.0, "act": 1.0, "log": 1.0, "w": 1.0}
        self.entered: list[int] = []
        self.prompt = True  # nothing has stalled: answers come to the clock

    async def start(self) -> None:
        self.any_shape()
        quiet = ("s_obs_valid", "m_act_ready", "m_log_ready", "w_valid", "w_abort", "seed_load", "sat_clear")
        await start(self.dut, *quiet, rest=3, cfg_act_frac=pack(self.model.act_frac, 5))

    def set(self, settings: HeadSettings) -> None:
        """Epsilon and noise, which may change any time."""
        self.settings = replace(self.settings, epsilon=settings.epsilon, noise=settings.noise)
        write(self.dut, cfg_epsilon=settings.epsilon, cfg_noise=int(settings.noise))

    def any_shape(self) -> None:
        """What is squashed, the scale: while nothing is inside."""
        squash, scale = next(self.squashes), self.rng.choice((1 << 15, 1 << 16, self.rng.randrange(1 << 17)))
        self.settings = replace(self.settings, squash=squash, scale=scale)
        write(self.dut, cfg_squash=squash, cfg_scale=scale)
        self.set(self.settings)

    def any_settings(self) -> None:
        epsilon = self.rng.choice((0, 0, 1 << EPSILON_FRAC, self.rng.randrange(1 << EPSILON_FRAC)))
        self.set(HeadSettings(epsilon=epsilon, noise=self.rng.random() < 0.5))

    async def seed(self, state: list[int] | None = None) -> None:
        """A new state, while nothing is inside; None: any."""
        state = state or [self.rng.getrandbits(32) | 1 for _ in range(4)]
        self.model.seed(state)
        write(self.dut, cfg_seed=pack(state, 32), seed_load=1)
        await self.tick()
        self.dut.seed_load.value = 0

    def weights(self, *, largest: bool = False) -> None:
        """A set of weights begins to come, big ones now and then; largest: all positive, 8 to 10."""
        rng = np.random.default_rng(self.rng.getrandbits(32))
        top = 1 << self.rng.choice((12, 16, 20, 23) if self.shape.continuous else (20, 23, 23, 26))
        spread = self.rng.choice((1 << 22, 1 << 24, 1 << 26))  # of the log-deviations
        sizes = self.shape.sizes
        low, top = (1 << 25, 5 << 23) if largest else (-top, top)
        matrices = [(rng.integers(low, top, (n, m)), rng.integers(low, top, n)) for m, n in pairwise(sizes)]
        stream = self.layout.to_stream(matrices)
        at = 0
        for layer, (rows, cols) in enumerate(zip(self.shape.update_rows, self.shape.update_cols, strict=True), 1):
            count = len(self.layout.indices(layer)[0])
            part = stream[at : at + count].reshape(-1, rows * cols)
            at += count
            self.groups[layer - 1] = deque(pack(group, WEIGHT) for group in part)
        logs = rng.integers(-spread, spread, sizes[-1])
        if rng.random() < 0.5:
            logs = rng.choice(edges(), sizes[-1])
        self.next_set, self.filling = (matrices, logs), False

    def observe(self, count: int, *, positive: bool = False) -> None:
        top = 1 << ACT - 1
        low = top >> 1 if positive else -top
        for _ in range(count):
            observation = [self.rng.randrange(low, top) >> self.rng.choice((0, 3)) for _ in range(self.shape.sizes[0])]
            self.observation.append(np.array(observation))
            padded = np.zeros((self.shape.words[0], self.shape.lanes[0]), np.int64)
            padded.flat[: len(observation)] = observation
            self.source.queue.extend({"data": pack(word, ACT)} for word in padded)

    async def tick(self) -> None:
        """One clock."""
        dut, rng, shape = self.dut, self.rng, self.shape
        for name, one in {"obs": self.source, **self.sinks}.items():
            one.share = self.share[name]
            one.drive()
        valid, data = 0, 0
        for layer, groups in enumerate(self.groups):
            if groups and rng.random() < self.share["w"]:
                valid |= 1 << layer
                data |= groups[0] << layer * self.widest * WEIGHT
        known = self.log_deviations is not None
        logs = pack(self.log_deviations, WEIGHT) if known else rng.getrandbits(WEIGHT * shape.actions)
        write(dut, w_valid=valid, w_data=data, w_log_std=logs)
        self.log_deviations = None
        await ReadOnly()
        self._answer("act", self.acts)
        self._answer("log", self.logs)
        if self.source.sample() and len(self.source.queue) % shape.words[0] == 0:
            self._enter()
        self.hits["waiting"] += self.source.offering
        # What comes in this clock counts from the next one on.
        if valid:
            self._group(valid)
        await FallingEdge(dut.clk)
        self.clock += 1

    def _enter(self) -> None:
        assert self.loaded, "an observation entered before there were weights"
        if self.entered:
            gap = self.clock - self.entered[-1]
            assert gap >= self.shape.interval, f"observations {gap} clocks apart"
            self.hits["back to back"] += gap == self.shape.interval
        self.entered.append(self.clock)
        self.passes.append((self.version, self.clock + self.shape.pass_clocks))
        answers = self.model.act(self.observation.popleft()[None], self.settings)
        logs = [answers.logs[0]]
        if self.shape.continuous:
            actions, samples = pack(answers.actions[0], ACT), answers.samples[0]
            logs += list(samples)
            self.hits[f"squash {self.settings.squash}"] += 1
            self.hits["inside"] += bool((abs(samples) < 1 << OUT_FRAC).all() and samples.any())
            self.hits["density"] += abs(int(answers.logs[0])) < 1 << 24
        else:
            actions = int(answers.actions[0])
            self.hits[f"action {actions}"] += 1
        self.acts.append((self.clock + self.shape.act_clocks, actions))
        if self.shape.logp:
            self.logs.append((self.clock + self.shape.log_clocks, pack(logs, WEIGHT)))
        self.hits["beside weights"] += any(self.groups)

    def _group(self, valid: int) -> None:
        if not self.filling:
            self.filling = True
            old = 1 - self.version
            self.skip = any(version == old and self.clock <= until for version, until in self.passes)
        for layer, groups in enumerate(self.groups):
            if valid >> layer & 1:
                groups.popleft()
        if any(self.groups):
            return
        self.filling = False
        if self.skip:
            self.model.counters[DROPPED] += 1
            self.hits["set left out"] += 1
        else:
            self.hits["set taken"] += 1
            self.hits["set taken in flight"] += any(self.clock <= until for _, until in self.passes)
            self.model.load(*self.next_set)
            self.log_deviations = self.next_set[1]
            self.version, self.loaded = 1 - self.version, True
        self.passes = [p for p in self.passes if p[1] >= self.clock - 1]

    def _answer(self, name: str, queue: deque[tuple[int, int]]) -> None:
        taken = self.sinks[name].sample()
        word, due = taken or self.sinks[name].standing.offered, bool(queue) and self.clock >= queue[0][0]
        assert due or not word, f"clock {self.clock}: {name} comes too soon, or nobody asked"
        assert word or not (self.prompt and due), f"clock {self.clock}: {name} comes late"
        if word:
            assert word["data"] == queue[0][1], f"clock {self.clock}: {name} {word} instead of {queue[0][1]}"
            self.hits[f"{name} stalled"] += not taken
        if taken:
            self.hits["to the clock"] += self.clock == queue[0][0]
            queue.popleft()
            self.hits[name] += 1

    async def until_idle(self, rest: int = 0) -> None:
        limit = self.clock + 400_000
        while self.observation or self.acts or self.logs or any(self.groups):
            await self.tick()
            assert self.clock < limit, f"stuck: {len(self.acts)} actions and {len(self.logs)} log-probabilities left"
        for _ in range(rest):
            await self.tick()

    def check_counters(self) -> None:
        count = int(self.dut.sat_count.value)
        counters = [count >> 32 * i & 2**32 - 1 for i in range(8)]
        wanted = [int(c) for c in self.model.counters]
        assert counters == wanted, f"counters {counters} instead of {wanted}"

    def report(self) -> None:
        report(self.hits)
