"""rlc_ppo_networks against the model: it acts, trains minibatch behind minibatch, acts with new weights, is cut off."""

import dataclasses
import json
import os
from collections.abc import Awaitable, Callable

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pack, pulse
from cocotb.utils import get_sim_time
from ppo_formats import formats_of
from units_bench import Ports

from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import networks
from rlcores.cores.ppo import model, norm, settings, standardise
from rlcores.cores.ppo.registers import planes, ports
from rlcores.cores.ppo.shape import PpoShape
from rlcores.cores.ppo.words import NETWORKS
from rlcores_lab.cycles import ppo as cycles

PARAMETERS = json.loads(os.environ["RLCORES_PARAMETERS"])
DP = PARAMETERS["DP"]
SAMPLE = ["obs", "raw", "log", "before", "advantage", "scaled", "last"]
GAUSSIAN = bool(PARAMETERS.get("GAUSSIAN"))
LONG = int(os.environ.get("RLCORES_PPO_BATCH", 0))  # samples of a minibatch whose clocks alone are looked at
BATCH = LONG or 3 * DP + 1  # its last batch slice has one sample
TURN = 16  # clocks behind a change of train in which no sample enters


def two(value: int, width: int) -> int:
    """Two's complement."""
    return int(value) & (1 << width) - 1


class Bench:
    """The core's networks and the model side by side."""

    # Settings of what stands around the networks.
    OTHERS = frozenset(f"cfg_{name}" for name in (
        "seed", "external_rollout", "lockstep", "todo", "steps", "epochs", "batch", "batch_bits", "batch_log", "gamma",
        "gamma_lambda", "reward_scale",
    ))  # fmt: skip

    def __init__(self, dut) -> None:
        self.dut = dut
        self.rng = rng = np.random.default_rng(cocotb.RANDOM_SEED)
        critic, actor = networks(PARAMETERS)
        self.groups = {"actor": actor, "critic": critic}
        self.formats = formats_of(actor.layers, critic.layers)
        least = self.formats.least(gaussian=False)
        self.settings = settings.registers(
            self.formats, gaussian=GAUSSIAN, envs=BATCH, steps=4, minibatches=4, entropy=0.02, learning_rate=0.01,
            adam_epsilon=0.05,  # as large as gradients are
            norm_limit=float(rng.uniform(0.02, 0.5)), value_clip=float(rng.choice([0, 0.5])), falls=5,
            seed=int(rng.integers(1 << 32)),
        )  # fmt: skip
        assert self.settings.batch == BATCH and self.settings.norm < norm.register(1, BATCH, least)
        self.ppo = model.Ppo(
            self.groups["actor"].sizes, self.groups["critic"].sizes, self.formats, self.settings, GAUSSIAN, columns=DP
        )
        self.ports = Ports(
            dut,
            {"s_o": ["data", "act", "last"], "s_t": SAMPLE, "s_load": ["data"]},
            {"m_a": ["act", "value"], "m_read": ["data", "last"]},
        )
        self.actions: list[tuple[int, ...]] = []  # that must come, with log-probabilities
        self.counts = np.zeros(model.COUNTERS, np.int64)
        self.done = self.training = 0
        self.largest = False  # observations have the largest number that there is
        self.turned = -TURN  # the clock in which train changed
        self.begun: list[int] = []  # clocks of samples, and of done
        self.clocks: list[int] = []
        self.ports.each_clock.append(self._watch)

    def _watch(self) -> None:
        dut = self.dut
        if int(dut.s_o_ready.value) or int(dut.s_t_ready.value):
            assert get_sim_time("ns") // 10 - self.turned >= TURN, (
                "a sample may enter before the networks' gates are new"
            )
        if int(dut.done.value):
            self.done += 1
            self.clocks.append(self.ports.clock)
        if int(dut.s_t_valid.value) and int(dut.s_t_ready.value):
            self.begun.append(self.ports.clock)
        if int(dut.s_o_valid.value) and int(dut.s_o_ready.value):
            self.begun.append(self.ports.clock)
        if int(dut.m_a_valid.value) and int(dut.m_a_ready.value):
            self.clocks.append(self.ports.clock)
        if int(dut.m_a_valid.value) and int(dut.m_a_ready.value) and int(dut.m_a_act.value):
            wanted = self.actions.pop(0)
            observed = int(dut.m_a_raw.value), int(dut.m_a_move.value), int(dut.m_a_log.value)
            assert observed == wanted, (
                f"action, what of it goes out and log-probability are {observed} instead of {wanted}"
            )
        if sat := int(dut.sat.value):
            self.counts[1:] += [sat >> 8 * i & 255 for i in range(model.COUNTERS - 1)]

    async def start(self) -> None:
        dut = self.dut
        inputs = self.registers() | dict.fromkeys(("train", "flush", "seed_load"), 0)
        await self.ports.start(**inputs, remaining=self.settings.falls, seed=pack(state_of(self.settings.seed), 32))
        await self.quiet()
        assert int(dut.cfg_ok.value)
        await self.seeded()
        await pulse(dut, dut.rate_restart)

    def registers(self) -> dict[str, int]:
        """What the networks are set to, and a host that does nothing."""
        names = "rate_restart", "host_drop", "host_start", "host_read", "host_network", "host_param_bank"
        values = ports(self.formats, self.settings, DP, todo=2)
        return dict.fromkeys(names, 0) | {name: x for name, x in values.items() if name not in self.OTHERS}

    async def quiet(self) -> None:
        clocks = 0
        while not int(self.dut.quiet.value):
            await self.ports.tick()
            clocks += 1
            assert clocks < 20_000, f"stuck: {self.ports._left()}"

    async def plane(self, name: str, plane: int, words: np.ndarray, read: bool) -> None:
        """Load a plane of a network from the model, or compare it with the model's."""
        dut, stream = self.dut, words.tolist()
        dut.host_network.value, dut.host_param_bank.value, dut.host_read.value = NETWORKS.index(name), plane, int(read)
        await pulse(dut, dut.host_start)
        if read:
            last = [0] * (len(stream) - 1) + [1]
            self.ports.expected["m_read"].extend(
                {"data": two(x, 64), "last": end} for x, end in zip(stream, last, strict=True)
            )
        else:
            self.ports.to_send["s_load"].extend({"data": two(x, 64)} for x in stream)
        await self.ports.run(rest=10)
        assert not int(dut.host_busy.value)
        HITS["planes read" if read else "planes loaded"] += 1

    async def every_plane(self, read: bool) -> None:
        for plane in planes(self.ppo, {name: WeightLayout(groups) for name, groups in self.groups.items()}):
            await self.plane(*plane, read)

    def observations(self, count: int) -> np.ndarray:
        if self.largest:
            return np.full((count, self.groups["actor"].sizes[0]), (1 << 17) - 1)
        return self.rng.integers(-(1 << 15), 1 << 15, (count, self.groups["actor"].sizes[0]))

    async def phase(self, train: int) -> None:
        await self.quiet()
        if self.training != train:
            self.training = self.dut.train.value = train
            self.turned = get_sim_time("ns") // 10
            self.ports.any_pace()

    async def seeded(self) -> None:
        """The generator from its begin."""
        await pulse(self.dut, self.dut.seed_load)
        self.ppo._noise = Xoshiro128pp(stream_state(state_of(self.settings.seed), model.NOISE))

    async def cut_off(self, after: int) -> bool:
        """All that is inside is given up; whether a minibatch was finished none the less.

        after: clocks, or, below 0, clocks after the weights may be written.
        """
        ports, done = self.ports, self.done
        while after < 0 and not int(self.dut.permit.value):
            await ports.tick()
        for _ in range(abs(after)):
            await ports.tick()
        self.dut.flush.value = 1
        await ports.tick()
        for source in ports.sources.values():
            source.clear()
        await self.quiet()
        ports.clear()
        self.actions.clear()
        self.dut.flush.value = 0
        await ports.tick()
        HITS["cut off"] += 1
        return self.done > done

    async def act(self, vectors: int, cut_off: int = 0, share: float = 0.7) -> None:
        """Observations, some of which only want their value; the last one is told so."""
        await self.phase(0)
        ppo, x = self.ppo, self.observations(vectors)
        wants = self.rng.random(vectors) < share
        wants[0] |= not wants.any()  # the model draws for one at least
        out, values = ppo.look(x)
        ppo.fill(vectors)
        answers = ppo.act(out[wants])
        for move, raw, log in zip(answers.actions, answers.samples, answers.logs, strict=True):
            if GAUSSIAN:
                self.actions.append((pack(raw, 27), pack(move, 18), two(log, 27)))
            else:
                self.actions.append((int(raw), int(move), two(log, 27)))
        for at in range(vectors):
            last = int(at == vectors - 1)
            self.ports.to_send["s_o"].append({"data": pack(x[at], 18), "act": int(wants[at]), "last": last})
            self.ports.expected["m_a"].append({"act": int(wants[at]), "value": two(values[at], 27)})
        if cut_off:
            await self.cut_off(cut_off)
            return
        await self.ports.run(rest=20)
        assert not self.actions
        HITS["acted"] += int(wants.sum())
        HITS["values"] += int((~wants).sum())

    def minibatch(self) -> tuple[np.ndarray, ...]:
        """Samples of a policy a little other than the present one."""
        rng, ppo, count = self.rng, self.ppo, BATCH
        x = self.observations(count)
        counters = ppo.counters.copy()
        out, values = ppo.look(x)
        ppo.counters[:] = counters
        if GAUSSIAN:
            wide = model.density.deviation(ppo.logs[0])
            actions = out + wide.noise(rng.integers(-2 << 14, 2 << 14, out.shape))
            log = model.density.gaussian(actions, out, wide).log
        else:
            actions = rng.integers(0, ppo.outputs, count)
            log = model.density.categorical(out).log_probability(actions)
        before = log + rng.integers(-(1 << 18), 1 << 18, count)
        old = values + rng.integers(-(1 << 16), 1 << 16, count)
        return x, actions, before, old, rng.integers(-(3 << 16), 3 << 16, count)

    async def timed(self, train: int, work: Callable[..., Awaitable[None]], expected: list[int], *arguments) -> None:
        """Without a stall, it takes the clocks that the model of clocks says."""
        await self.phase(train)
        self.ports.full_speed()
        self.begun.clear()
        self.clocks.clear()
        await work(*arguments)
        taken = [clock - self.begun[0] for clock in self.clocks]
        assert taken == expected, f"done after {taken} clocks instead of {expected}"

    async def train(self, minibatches: int, cut_off: int = 0) -> None:
        """Minibatches one right behind the other."""
        await self.phase(1)
        ppo, begun = self.ppo, self.done
        self.dut.remaining.value = max(1, self.settings.falls - ppo.iterations)
        for _ in range(minibatches):
            minibatch = self.minibatch()
            x, actions, before, old, advantages = minibatch
            z, _ = standardise.standardised(advantages, standardise.scale_of(advantages))
            for at in range(BATCH):
                numbers = (("log", before, 27), ("before", old, 27), ("advantage", advantages, 27), ("scaled", z, 18))
                word = {name: two(values[at], width) for name, values, width in numbers}
                word |= {
                    "obs": pack(x[at], 18),
                    "raw": pack(actions[at], 27) if GAUSSIAN else int(actions[at]),
                    "last": int(at == BATCH - 1),
                }
                self.ports.to_send["s_t"].append(word)
            if cut_off:
                if await self.cut_off(cut_off):
                    ppo.step(*minibatch)
                    HITS["finished"] += 1
                return
            ppo.step(*minibatch)
        clocks = 0
        while self.done < begun + minibatches:
            await self.ports.tick()
            clocks += 1
            assert clocks < 60_000, f"stuck with {self.done - begun} of {minibatches} minibatches"
        assert self.ports.done
        ppo.iterations += 1
        HITS["trained"] += minibatches


async def loaded(dut) -> Bench:
    """A bench whose core has weights."""
    bench = Bench(dut)
    await bench.start()
    for name, groups in bench.groups.items():
        net = getattr(bench.ppo, name)
        net.start(bench.rng.integers(-(1 << 22), 1 << 22, net.size))
        assert net.sizes == groups.sizes
    if GAUSSIAN:
        bench.ppo.logs[0] = bench.rng.integers(-(1 << 22), 1 << 21, bench.ppo.outputs)
    await bench.every_plane(read=False)
    return bench


@cocotb.test(skip=not LONG)
async def long_minibatches_take_the_clocks_of_the_model(dut):
    """Many more batch slices than are inside at once: every queue has been full."""
    bench = await loaded(dut)
    shape = PpoShape(bench.groups["actor"], bench.groups["critic"], DP, gaussian=GAUSSIAN)
    await bench.timed(1, bench.train, cycles.minibatches(shape, 2, BATCH), 2)
    report()


@cocotb.test(skip=LONG > 0)
async def it_acts_and_trains_as_the_model(dut):
    bench = await loaded(dut)
    await bench.act(4 * DP + 1)
    await bench.train(1)
    shape = PpoShape(bench.groups["actor"], bench.groups["critic"], DP, gaussian=GAUSSIAN)
    await bench.timed(0, bench.act, cycles.answers(shape), DP, 0, 1)
    await bench.timed(1, bench.train, cycles.minibatches(shape, 2, BATCH), 2)
    await bench.act(2 * DP + 1)
    await bench.every_plane(read=True)
    ours, counted = bench.ppo.counters.copy(), bench.counts
    for place in (
        model.STANDARD,
        model.ACC_OVERFLOW,
    ):  # the caller's; words, whose number only the learner's tests know
        ours[place] = counted[place] = 0
    assert (ours == counted).all(), f"saturated: {counted} instead of {ours}"
    HITS["saturated"] += int(ours.sum())

    # Whatever is cut off, weights are whole, and what follows is as ever.
    await bench.act(4 * DP, cut_off=int(bench.rng.integers(1, 120)))
    await bench.seeded()
    await bench.train(1, cut_off=int(bench.rng.integers(1, 600)))
    await bench.act(DP + 1)
    await bench.train(1, cut_off=-int(bench.rng.integers(1, 30)))
    await bench.train(1)
    await bench.phase(0)
    await bench.quiet()
    await bench.every_plane(read=True)
    report()


def without_a_coin(outputs: int, count: int, most: int) -> list[int]:
    """Seeds behind which one of the first `most` coins is below 2^-16, and so 0 in the bits that are compared."""
    seeds, seed = [], 0
    while len(seeds) < count:
        seed += 1
        words = Xoshiro128pp(stream_state(state_of(seed), model.NOISE))
        if any(words.next() >> 16 == 0 and at % (outputs + 1) == 0 for at in range(most * (outputs + 1))):
            seeds.append(seed)
    return seeds


@cocotb.test(skip=LONG > 0 or "no_coin" not in os.environ.get("COCOTB_TEST_FILTER", ""))
async def no_coin_is_so_small_that_it_explores(dut):
    HITS.clear()
    bench = await loaded(dut)
    for seed in without_a_coin(bench.ppo.outputs, count=6, most=24):
        bench.settings = dataclasses.replace(bench.settings, seed=seed)
        await bench.phase(0)
        bench.dut.seed.value = pack(state_of(seed), 32)
        await bench.seeded()
        await bench.act(24, share=1.0)
        HITS["coins of 0"] += 1
    report()


@cocotb.test(skip=networks(PARAMETERS)[0].sizes[0] <= 8)
async def sums_near_the_end_of_their_bits_are_counted_of_both_networks(dut):
    """More than eight products of the largest numbers; fewer never come near it."""
    HITS.clear()
    bench = await loaded(dut)
    bench.largest = True
    overflows = {}
    for large in ((), ("actor",), ("critic",), ("actor", "critic")):
        for name in bench.groups:
            net = getattr(bench.ppo, name)
            net.start(np.full(net.size, (1 << 26) - 1 if name in large else 1))
        await bench.phase(0)
        await bench.every_plane(read=False)
        before = bench.counts[model.ACC_OVERFLOW]
        await bench.act(1, share=1.0)
        overflows[large] = int(bench.counts[model.ACC_OVERFLOW] - before)
        HITS["sums"] += overflows[large]
    actor, critic = overflows["actor",], overflows["critic",]
    assert overflows[()] == 0 and min(actor, critic) > 0 and overflows["actor", "critic"] == actor + critic, overflows
    report()
