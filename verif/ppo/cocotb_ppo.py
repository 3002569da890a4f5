"""rlc_ppo against the model, whole iterations: actions, weights, moments and counts, bit for bit.

As top rlc_ppo the bench plays the environments, with stalls on both streams, and then gives rollouts that the model
collected; as ppo_with_env they are rlc_env.
"""

from collections import deque
from dataclasses import replace

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pack, pulse
from cocotb_networks import GAUSSIAN, PARAMETERS
from cocotb_networks import Bench as Networks
from ppo_formats import formats_of
from units_bench import Ports

from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.env import beats
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.mountaincar import MountainCar, MountainCarContinuous
from rlcores.cores.env.pendulum import Pendulum
from rlcores.cores.learner.shape import networks
from rlcores.cores.ppo import model, settings
from rlcores.cores.ppo.registers import rollout_words

DP, N = PARAMETERS["DP"], PARAMETERS["N_ENVS"]
PHYSICS = {4: CartPole, 3: Pendulum, 2: MountainCarContinuous if GAUSSIAN else MountainCar}  # by observations
TIME_LIMIT = 7  # so that episodes are cut off
PATIENCE = 10_000  # clocks in which nothing enters or leaves, as while it trains


class Recorder:
    """Environments that keep what was done in them and what they answered."""

    def __init__(self, envs: EnvModel) -> None:
        self.envs, self.actions, self.beats = envs, [], []

    def step(self, actions: np.ndarray) -> np.ndarray:
        self.actions += (actions & (1 << 18) - 1).tolist()
        self.beats.append(self.envs.step(actions))
        HITS["cut off"] += int((self.beats[-1]["truncated"] & ~self.beats[-1]["terminated"]).sum())
        HITS["ended"] += int(self.beats[-1]["terminated"].sum())
        return self.beats[-1]


class Bench(Networks):
    """Core and model side by side; planes of weights go as in the networks' bench."""

    OTHERS = frozenset()

    def __init__(self, dut) -> None:
        self.dut = dut
        self.rng = rng = np.random.default_rng(cocotb.RANDOM_SEED)
        self.alone = not hasattr(dut, "env_seed")
        critic, actor = networks(PARAMETERS)
        self.groups = {"actor": actor, "critic": critic}
        self.formats = formats_of(actor.layers, critic.layers)
        steps = PARAMETERS["STEPS"]
        minibatches = N * steps // PARAMETERS["BATCH_MAX"]
        self.settings = settings.registers(
            self.formats, gaussian=GAUSSIAN, envs=N, steps=steps, minibatches=minibatches, epochs=2, entropy=0.02,
            learning_rate=0.01, norm_limit=0.3, value_clip=float(rng.choice([0, 0.5])), reward_scale=0.5, falls=4,
            seed=int(rng.integers(1 << 32)),
        )  # fmt: skip
        self.ppo = model.Ppo(
            self.groups["actor"].sizes, self.groups["critic"].sizes, self.formats, self.settings, GAUSSIAN, columns=DP
        )
        sources, sinks = ({"s": ["data"], "s_external": ["data"]}, {"m": ["data"]}) if self.alone else ({}, {})
        self.ports = Ports(dut, {**sources, "s_load": ["data"]}, {**sinks, "m_read": ["data", "last"]})
        self.counts = np.zeros(model.COUNTERS, np.int64)
        self.waiting: deque[dict[str, int]] = deque()  # answers whose action has not come
        self.before = self.dropped = self.acted = 0
        self.actions: deque[int] = deque()
        self.ports.each_clock.append(self._watch)

    def registers(self) -> dict[str, int]:
        return super().registers() | dict.fromkeys(("start", "resume", "halt", "drop"), 0)

    def _watch(self) -> None:
        if sat := int(self.dut.sat.value):
            self.counts[1:] += [sat >> 8 * i & 255 for i in range(model.COUNTERS - 1)]
        self.dropped += int(self.dut.ev_dropped.value)
        if self.alone:
            self.acted += max(0, self.before - len(self.ports.expected["m"]))
            together = N if self.settings.lockstep else 1
            if self.acted >= together:
                self.acted -= together
                for _ in range(min(together, len(self.waiting))):
                    self.ports.to_send["s"].append(self.waiting.popleft())
            self.before = len(self.ports.expected["m"])
        elif int(self.dut.act_valid.value) and int(self.dut.act_ready.value):
            assert int(self.dut.act_data.value) == self.actions.popleft(), "another action"

    async def until_idle(self) -> int:
        begun, ports, still = self.ports.clock, self.ports, 0
        while True:
            still = 0 if await ports.tick() else still + 1
            if int(self.dut.idle.value):
                return ports.clock - begun
            assert still < PATIENCE, f"stuck: {ports._left()}"

    def together(self) -> None:
        """From now on the environments answer when all of them have their actions."""
        self.settings = self.ppo.settings = replace(self.settings, lockstep=1)
        self.dut.cfg_lockstep.value = 1

    async def iterations(
        self, envs: EnvModel, observations: np.ndarray, count: int, command: str
    ) -> tuple[np.ndarray, int]:
        """`count` of the model, then the core's; the observations behind them, and the core's clocks."""
        recorder = Recorder(envs)
        for _ in range(count):
            rollout, observations = self.ppo.collect(recorder, observations)
            self.ppo.train(rollout)
        if self.alone:
            self.ports.expected["m"].extend({"data": int(action)} for action in recorder.actions)
            self.before = len(self.ports.expected["m"])
            self.waiting.extend(words(np.concatenate(recorder.beats)))
        self.actions.extend(recorder.actions)
        await self.command(command, count)
        if self.alone and command == "start":
            self.ports.to_send["s"].extend(self.first)
        took = await self.until_idle()
        assert not (self.ports.expected["m"] if self.alone else self.actions)
        HITS["iterations"] += count
        HITS["actions"] += len(recorder.actions)
        return observations, took

    async def command(self, name: str, todo: int) -> None:
        self.dut.cfg_todo.value = todo
        getattr(self.dut, name).value = 1
        await self.ports.tick()
        getattr(self.dut, name).value = 0

    async def give(self, envs: EnvModel, observations: np.ndarray) -> None:
        """A new run, on rollouts that the model collects: two in one go, then one more."""
        own, dut = self.ppo, self.dut
        own.iterations = 0
        own._shuffle = Xoshiro128pp(stream_state(state_of(own.settings.seed), model.SHUFFLE))
        dut.cfg_external_rollout.value = 1
        for command, count in (("start", 2), ("resume", 1)):
            for _ in range(count):
                rollout, observations = own.collect(envs, observations)
                own.train(rollout)
                words = [{"data": word} for word in rollout_words(rollout, own.settings.gamma)]
                self.ports.to_send["s_external"].extend(words)
                HITS["external records"] += len(words)
            await self.command(command, count)
            dut.cfg_external_rollout.value = 0  # the run knows
            await self.until_idle()
            assert not self.ports.to_send["s_external"] and int(dut.iteration.value) == own.iterations


def words(records: np.ndarray) -> list[dict[str, int]]:
    return [{"data": sum(int(word) << 64 * i for i, word in enumerate(beat))} for beat in beats.pack(records)]


@cocotb.test()
async def whole_iterations_are_the_models(dut):
    bench = Bench(dut)
    envs = EnvModel(PHYSICS[bench.groups["actor"].sizes[0]](), N, TIME_LIMIT)
    seed = int(bench.rng.integers(1 << 32))
    start = envs.start(seed)
    bench.first = words(start)
    inputs = bench.registers()
    if not bench.alone:
        inputs |= {"env_seed": pack(state_of(seed), 32), "env_time_limit": TIME_LIMIT}
    await bench.ports.start(**inputs)
    for _ in range(20):
        await bench.ports.tick()
    assert int(dut.cfg_ok.value) and int(dut.idle.value)
    for name in bench.groups:
        net = getattr(bench.ppo, name)
        net.start(bench.rng.integers(-(1 << 21), 1 << 21, net.size))
    if GAUSSIAN:
        bench.ppo.logs[0] = bench.rng.integers(-(1 << 22), 1 << 21, bench.ppo.outputs)
    await bench.every_plane(read=False)
    await pulse(dut, dut.rate_restart)

    bench.ports.full_speed()
    observations, took = await bench.iterations(envs, start["obs"], 1, "start")
    print(f"clocks {took} of an iteration of {N * bench.settings.steps} steps")
    await bench.every_plane(read=True)
    bench.ports.any_pace()
    bench.together()
    observations, _ = await bench.iterations(envs, observations, 2, "resume")
    await bench.every_plane(read=True)
    ours, counted = bench.ppo.counters.copy(), bench.counts
    ours[model.ACC_OVERFLOW] = counted[model.ACC_OVERFLOW] = 0  # words, whose number only the learner's tests know
    assert (ours == counted).all(), f"saturated: {counted} instead of {ours}"
    if bench.alone:
        await bench.give(envs, observations)
        await bench.every_plane(read=True)
    assert bench.dropped == 0
    report()
