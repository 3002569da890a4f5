"""Whole steps of DQN, TD3 and SAC in RTL, beside the learner in the model: TD errors, fractions, every parameter."""

import json
import os
import random
from dataclasses import dataclass
from functools import partial

import cocotb
import numpy as np
from bench_handshake import Sink, port, send
from bench_hits import HITS, report
from bench_pins import clocks, integers, pack, pulse, start, until, write
from cocotb.triggers import FallingEdge, ReadOnly
from tensor_bench import lanes_there, unpack

from rlcores.cores.learner.optimisers.slot import packed
from rlcores.cores.rl.batch import batch_of
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.rl.td3 import Td3Settings as Td3Settings
from rlcores.cores.tensor import parameters
from rlcores.cores.tensor.learners import trainer_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.cores.tensor.trainer import RECORD, Trainer
from rlcores.cores.tensor.words import LOAD, READ


# What is trained: a dict of Case's fields as JSON.
@dataclass(frozen=True)
class Case:
    """steps: of each learner; the rest: their shape."""

    steps: int = 6
    states: int = 3
    actions: int = 2
    network: tuple[int, ...] = (6, 5)
    activation: str = "relu"
    normalisation: str = "none"
    batch: int = 6
    learners: tuple[str, ...] = ("Dqn", "Dueling", "Td3", "Sac")


DONE = 4  # clocks after which a load or a read is done
CASE = Case(**json.loads(os.environ.get("RLCORES_CASE", "{}")))
LEARNERS = {
    "Dqn": (Dqn, partial(DqnSettings, dueling=False, double=False, huber=0.0)), "Dueling": (Dqn, DqnSettings),
    "Td3": (Td3, Td3Settings), "Sac": (Sac, SacSettings),
}  # fmt: skip


class Unit:
    """The unit under a driver."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.shape, self.left = TensorShape(*integers(dut, "SIDE", "BLOCKS", "PASS_SUMS")), []

    async def start(self) -> None:
        quiet = (
            "p_valid", "f_valid", "w_valid", "start", "draw_load", "h_valid", "r_ready", "x_valid", "load_valid",
            "read_ready", "f_word", "look", "look_id",
        )  # fmt: skip
        await start(self.dut, *quiet, samples=CASE.batch)
        cocotb.start_soon(self._look())

    async def _look(self) -> None:
        dut, side = self.dut, self.shape.side
        errors = Sink(dut, *port("r", ["data"]), 0.7, self.rng, {"data": lanes_there(side)})
        while True:
            errors.drive()
            await ReadOnly()
            assert not int(dut.misfit.value), "a step drops what cannot be dropped"
            if word := errors.sample():
                bits = word["data"]
                numbers = unpack(bits, 35, side)
                self.left += [int(n) for lane, n in enumerate(numbers) if bits >> side * 35 + lane & 1]
            await FallingEdge(dut.clk)

    async def plane(self, kept, plane: int) -> None:
        """A plane of a network into the unit."""
        net, numbers = kept.net, kept.network.integers.matrices(plane)
        for layer, first, (w, b) in zip(net.layers, net.firsts, numbers, strict=True):
            where = {"first": first, "target": layer, "target_first": first}
            await send(self.dut, "x", data=parameters.update(self.shape, layer, kind=LOAD, plane=plane, **where))
            for group in parameters.groups_of(self.shape, layer, w, b):
                await send(self.dut, "load", data=pack(group, 48))
            await clocks(self.dut, DONE)

    async def read(self, kept, plane: int) -> np.ndarray:
        """A plane out of it, flat."""
        net, flat, sink = kept.net, [], Sink(self.dut, *port("read", ["data"]))
        for layer, first in zip(net.layers, net.firsts, strict=True):
            word = parameters.update(self.shape, layer, kind=READ, plane=plane, first=first, target_first=first)
            await send(self.dut, "x", data=word)
            words = await sink.take(self.dut, parameters.group_count(self.shape, layer))
            await clocks(self.dut, DONE)
            groups = np.array([unpack(word["data"], 48, self.shape.side) for word in words])
            w, b = parameters.of_groups(self.shape, layer, groups & (1 << 48) - 1 if plane == 3 else groups)
            flat += [w.reshape(-1), b]
        return np.concatenate(flat)

    async def begin(self, trainers: list[Trainer]) -> None:
        """Programs, fractions and parameters of a learner."""
        address = 0
        self.entries = []
        for trainer in trainers:
            assert trainer.output_words <= int(self.dut.OUTPUT_WORDS.value)
            assert trainer.words <= int(self.dut.WORDS.value)
            self.entries.append(address)
            for step in trainer.program:
                write(self.dut, p_address=address, p_data=step)
                await pulse(self.dut, self.dut.p_valid)
                address += 1
        first = trainers[0]
        for n in range(64):
            write(self.dut, f_id=n, f_data=first.setting(n) if n < len(first.exponents) else 0)
            await pulse(self.dut, self.dut.f_valid)
        for kept in first.networks + ([first.temperature] if hasattr(first, "temperature") else []):
            for plane in range(4):
                await self.plane(kept, plane)
        if hasattr(first.learner, "generator"):
            self.dut.draw_state.value = pack(first.learner.generator.state, 32)
            await pulse(self.dut, self.dut.draw_load)

    async def step(self, trainer: Trainer, entry: int, batch: tuple) -> np.ndarray:
        """A step: TD errors that have left."""
        learner = trainer.learner
        for slot, rates in trainer.rates():
            await send(self.dut, "w", slot=slot, settings=packed(rates), tau=rates["tau"])
        if isinstance(learner, Dqn):
            transitions = dict(zip(RECORD, batch, strict=True))
        else:
            transitions = batch_of(learner.states, learner.actions, batch)
        for name, numbers in trainer.records(transitions).items():
            for sample, row in enumerate(numbers):
                for feature, number in enumerate(row):
                    at = trainer.at(trainer.record[name], feature) + sample // self.shape.side
                    lane = sample % self.shape.side
                    await send(self.dut, "h", address=at, lane=lane, data=int(number) & (1 << 35) - 1)
        self.left = []
        # Fractions follow at the beginning of the next step; the first one has nothing to follow.
        await self.run(entry + (trainer.learner.steps == 0))
        return np.array(self.left)

    def compare(self, fractions: list[int], when: str) -> None:
        """The fractions of now."""
        now = int(self.dut.fractions.value)
        for n, frac in enumerate(fractions):
            assert now >> 6 * n & 63 == frac, f"fraction {n} is {now >> 6 * n & 63} and not {frac} at {when}"

    async def run(self, entry: int) -> None:
        """A program, to its end."""
        dut = self.dut
        dut.entry.value = entry
        await pulse(dut, dut.start)
        self.clocks = await until(dut, lambda: not int(dut.busy.value))
        await FallingEdge(dut.clk)


async def train(unit: Unit, name: str, seed: int) -> None:
    kind, settings = LEARNERS[name]
    settings = settings(network=tuple(CASE.network), activation=CASE.activation, normalisation=CASE.normalisation)
    learner = kind(CASE.states, CASE.actions, settings, seed=seed, backend="model")
    trainers = [trainer_of(learner, unit.shape, CASE.batch)]
    if kind is Td3:
        trainers.append(trainer_of(learner, unit.shape, CASE.batch, delayed=False))
    await unit.begin(trainers)
    rng, clocks = np.random.default_rng(seed), []
    rows, states, actions = CASE.batch, CASE.states, CASE.actions
    discrete = kind is Dqn
    acts = lambda: rng.integers(0, actions, rows) if discrete else rng.uniform(-1, 1, (rows, actions))  # noqa: E731
    for number in range(CASE.steps):
        batch = (
            rng.normal(size=(rows, states)), acts(), rng.normal(size=rows),
            rng.normal(size=(rows, states)), rng.choice([0, 0.99], rows), rng.uniform(0.1, 1, rows),
        )  # fmt: skip
        early = kind is Td3 and (learner.steps + 1) % learner.settings.policy_delay != 0
        fractions = [exponent.frac for exponent in trainers[0].exponents]
        before = learner.value.frac
        td_errors = await unit.step(trainers[early], unit.entries[early], batch)
        clocks.append(unit.clocks)
        expected = learner.step(*batch)
        assert np.array_equal(np.abs(td_errors) * 2.0**-before, expected), f"TD errors differ in step {number}"
        unit.compare(fractions, f"step {number}")
        HITS["steps"] += 1
    first = trainers[0]
    cocotb.log.info("%s: %s clocks", name, clocks)
    await unit.run(unit.entries[0] + first.settle)
    unit.compare([exponent.frac for exponent in first.exponents], "the end")
    for kept in first.networks + ([first.temperature] if hasattr(first, "temperature") else []):
        for plane in range(4):
            numbers, model = await unit.read(kept, plane), kept.network.integers.planes[plane]
            assert np.array_equal(numbers, model), f"plane {plane} differs"
    HITS["moves"] += sum(e.moves for network in learner.networks for e in network.own())
    HITS[name] += 1
    # The first step follows nothing.
    HITS[f"least {name}"] = min(clocks[1:])


@cocotb.test()
async def learners(dut) -> None:
    """One after the other on the same unit."""
    unit = Unit(dut)
    await unit.start()
    for name in CASE.learners:
        await train(unit, name, unit.rng.getrandbits(31))
    report()
