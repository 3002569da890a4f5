"""rlc_ppo_train_ctrl against the model: whole iterations, with environments and networks that are only numbers.

The bench answers observations as networks would, in batch slices, and actions as environments would. What it answers
is drawn before; the model's own rollout and training run on the same numbers.
"""

from collections import deque
from dataclasses import dataclass

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack, unpack
from units_bench import Ports

from rlcores.cores.common.draws import state_of
from rlcores.cores.common.log2exp2 import log2_fixed
from rlcores.cores.env import beats
from rlcores.cores.learner.format import LearnerFormats as NetworkFormats
from rlcores.cores.policy.head import Answers
from rlcores.cores.ppo import gae, standardise
from rlcores.cores.ppo.model import GAE, RECORD, STANDARD, Ppo
from rlcores.cores.ppo.registers import rollout_words
from rlcores.cores.ppo.settings import PpoFormats, PpoSettings
from rlcores.cores.ppo.words import ROLLOUT
from rlcores_lab.cycles import ppo as cycles

LAYERS = NetworkFormats((14, 16), (0, 12), (0, 18))
LOWEST = -(1 << 17)
HELD = 4  # the run in which no sample is taken for so long that all places for them are full


class Numbers(Ppo):
    """PPO whose networks and environments are drawn; keeps what came in and what went out."""

    def __init__(self, rng: np.random.Generator, inputs: int, settings: PpoSettings) -> None:
        super().__init__((inputs, 3), (inputs, 1), PpoFormats(LAYERS, LAYERS), settings)
        self.rng, self.inputs = rng, inputs
        self.wide = 20  # bits of values and rewards
        self.beats: list[np.ndarray] = []
        self.samples: list[dict[str, int]] = []

    def _codes(self) -> np.ndarray:
        codes = self.rng.integers(LOWEST, -LOWEST, (self.settings.envs, self.inputs))
        return np.where(self.rng.random(codes.shape) < 0.02, LOWEST, codes)

    def start(self) -> np.ndarray:
        beat = np.zeros(self.settings.envs, beats.dtype(self.inputs))
        beat["first"], beat["obs"], beat["final"] = True, self._codes(), self._codes()
        self.beats.append(beat)
        return beat["obs"]

    def step_environments(self) -> np.ndarray:
        count = self.settings.envs
        beat = np.zeros(count, beats.dtype(self.inputs))
        beat["obs"], beat["final"] = self._codes(), self._codes()
        most = 1 << min(self.wide + 2, 26)
        beat["reward"] = self.rng.integers(-most, most, count)
        beat["terminated"], beat["truncated"] = self.rng.random((2, count)) < 0.2
        self.beats.append(beat)
        return beat

    def value(self, observations: np.ndarray) -> np.ndarray:
        # Of the code alone: the bench answers for a vector without knowing which it is.
        mixed = observations @ (np.arange(self.inputs) * 77 + 1999)
        return (mixed * 0x9E3779B1 >> 3) % (2 << self.wide) - (1 << self.wide)

    def look(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(observations), 3), np.int64), self.value(observations)

    def act(self, out: np.ndarray) -> Answers:
        raw = self.rng.integers(0, 256, len(out))
        self.moves = self.rng.integers(0, 256, len(out))
        return Answers(self.moves, raw, self.rng.integers(-(1 << 26), 1, len(out)), 0, 0)

    def step(self, observations, actions, before, values, advantages) -> None:
        z, beyond = standardise.standardised(advantages, standardise.scale_of(advantages))
        self.counters[STANDARD] += beyond
        self.samples += [
            {"obs": pack(o, 18), "raw": int(a), "log": bits(b, 27), "before": bits(v, 27),
             "advantage": bits(x, 27), "scaled": bits(s, 18), "last": 0}
            for o, a, b, v, x, s in zip(observations, actions, before, values, advantages, z, strict=True)
        ]  # fmt: skip
        self.samples[-1]["last"] = 1


@dataclass(frozen=True)
class Around:
    """As much of a shape as advantages depend on."""

    environments: int
    steps: int
    gae_rows: int = 1


class Environments:
    """What Ppo.collect asks; keeps actions."""

    def __init__(self, model: Numbers) -> None:
        self.model, self.actions = model, []

    def step(self, actions: np.ndarray) -> np.ndarray:
        self.actions += actions.tolist()
        return self.model.step_environments()


def bits(x: int, width: int) -> int:
    return int(x) & (1 << width) - 1


def vectors(model: Numbers, columns: int, start: np.ndarray, steps: list[np.ndarray]) -> list[dict[str, int]]:
    """What the networks are given in a rollout that begins with these observations."""
    n, offered = model.settings.envs, []
    alone = n < columns or model.settings.lockstep  # no batch slice has vectors of two turns

    def add(obs: np.ndarray, act: bool, last: bool) -> None:
        offered.append({"obs": pack(obs, 18), "act": int(act), "last": int(last)})

    for e in range(n):
        add(start[e], True, e == n - 1 and alone)
    for t, beat in enumerate(steps):
        ends = t == len(steps) - 1
        for e in range(n):
            if beat["truncated"][e] and not beat["terminated"][e]:
                add(beat["final"][e], False, False)
                HITS["cut off"] += 1
            add(beat["obs"][e], not ends, e == n - 1 and (alone or ends))
    return offered


class Bench(Ports):
    """Networks and environments around the loop."""

    def __init__(self, dut, columns: int) -> None:
        fields = ["obs", "raw", "log", "before", "advantage", "scaled", "last"]
        super().__init__(
            dut,
            {"s": ["data"], "s_external": ["data"], "a": ["act", "raw", "move", "log", "value"]},
            {"m": ["data"], "o": ["obs", "act", "last"], "t": fields},
        )
        self.columns = columns
        self.each_clock.append(self._serve)
        self.reset()

    def reset(self) -> None:
        self.answers: deque[dict[str, int]] = deque()  # of all vectors of the run, in order
        self.batch_slice: list[dict[str, int]] = []
        self.beats: deque[dict[str, int]] = deque()  # that wait for their action
        self.trained: deque[int] = deque()  # clocks at which a minibatch is in the weights
        self.batch = self.acted = 0
        self.together = 1  # this many actions are answered at once
        self.before: dict[str, int] = {}
        self.sums = dict.fromkeys(("sat_record", "sat_gae", "sat_standard", "ev_dropped"), 0)
        self.iterations: list[int] = []
        self.waits = True
        self.turned: list[int] = []  # clocks in which training was said
        self.begun: list[int] = []  # .. and in which its first sample stood
        self.held = 0  # clocks from the first one on in which no sample is taken

    def expect(self, model: Numbers, iterations: int, obs: np.ndarray) -> np.ndarray:
        """Give the next iterations of the model to the ports; returns the observations behind them."""
        envs = Environments(model)
        for number in range(iterations):
            model.wide = (20, 26)[number % 2]
            at = len(model.beats)
            start = obs
            rollout, obs = model.collect(envs, obs)
            model.train(rollout)
            steps = model.beats[at:]
            wanted = vectors(model, self.columns, start, steps)
            self.expected["o"].extend(wanted)
            acts = iter(zip(rollout.actions.ravel(), envs.actions, rollout.logs.ravel(), strict=False))
            for word in wanted:
                codes = np.array([unpack(word["obs"], 18, model.inputs)])
                answer = {"act": word["act"], "value": bits(model.value(codes)[0], 27)}
                raw, move, log = next(acts) if word["act"] else (self.rng.getrandbits(8), 0, self.rng.getrandbits(27))
                self.answers.append({**answer, "raw": int(raw), "move": int(move), "log": bits(log, 27)})
            self.expected["m"].extend({"data": int(move)} for move in envs.actions)
            envs.actions.clear()
            self.beats.extend(words(np.concatenate(steps)))
            self.expected["t"].extend(model.samples)
            model.samples.clear()
        return obs

    def expect_external(self, model: Numbers, iterations: int, obs: np.ndarray) -> tuple[np.ndarray, int]:
        """Rollouts of the model that the core is given; the observations behind them, and how often it limits."""
        envs, limits, none = Environments(model), 0, np.zeros((model.settings.steps, model.settings.envs), bool)
        s = model.settings
        for number in range(iterations):
            model.wide = (20, 26)[number % 2]
            before = model.counters[GAE]
            rollout, obs = model.collect(envs, obs)
            model.train(rollout)
            records = list(rollout_words(rollout, s.gamma, cut=model.records is not None))
            self.to_send["s_external"].extend({"data": word} for word in records)
            HITS["external records"] += len(records)
            above = rollout.observations.shape[-1] * 18 + 8
            rewards = [ROLLOUT.unpack(word >> above)["reward"] for word in records[: none.size]]
            rewards = [(reward ^ 1 << 26) - (1 << 26) for reward in rewards]
            ends, rewards = rollout.terminated | rollout.truncated, np.array(rewards).reshape(none.shape)
            if model.records is None:
                estimated = gae.advantages(
                    rewards, rollout.values, ends, none, rewards, rollout.bootstrap, s.gamma, s.gamma_lambda
                )
                assert (estimated.advantages == rollout.advantages).all()
            # What does not fit in front of the core is not counted in it.
            lost = rollout.truncated & ~rollout.terminated
            limits += model.counters[GAE] - before - gae.ended(rollout.rewards, lost, rollout.finals, s.gamma)[1]
            self.expected["t"].extend(model.samples)
            model.samples.clear()
        return obs, limits

    def _serve(self) -> None:
        """What a clock's words cause: answers of a complete batch slice, the next beat, a trained minibatch."""
        moved = {name: self.before.get(name, 0) - len(self.expected[name]) for name in self.expected}
        if moved["o"] > 0:
            word = self.answers.popleft()
            self.batch_slice.append(word)
            if len(self.batch_slice) == self.columns or self.offered["last"]:
                HITS["short batch slices"] += len(self.batch_slice) < self.columns
                self.to_send["a"].extend(self.batch_slice)
                self.batch_slice = []
        self.acted += moved["m"] if moved["m"] > 0 else 0
        if self.acted >= self.together:
            self.acted -= self.together
            for _ in range(min(self.together, len(self.beats))):
                self.to_send["s"].append(self.beats.popleft())
        if moved["t"] > 0 and self.sample["last"]:
            self.trained.append(self.clock + self.rng.choice((1, 2, 40, 150)))
            self.trained = deque(sorted(self.trained))
            HITS["minibatches"] += 1
        if not int(self.dut.train.value):
            self.waits = True
        elif self.waits:
            if len(self.turned) == len(self.begun):
                self.turned.append(self.clock)
            if int(self.dut.t_valid.value):
                self.begun.append(self.clock)
                self.waits = False
        for name in self.sums:
            self.sums[name] += int(getattr(self.dut, name).value)
        if int(self.dut.ev_iteration.value):
            self.iterations.append(int(self.dut.remaining.value))

    async def step(self) -> bool:
        """One clock, with done and quiet as the networks would give them."""
        dut = self.dut
        done = bool(self.trained) and self.trained[0] <= self.clock
        if done:
            self.trained.popleft()
        dut.done.value = int(done)
        inside = self.batch_slice or self.to_send["a"] or self.trained or done or self.open
        dut.quiet.value = int(not inside and self.rng.random() < 0.5)
        self.before = {name: len(queue) for name, queue in self.expected.items()}
        self.offered = self.expected["o"][0] if self.expected["o"] else {}
        self.sample = self.expected["t"][0] if self.expected["t"] else {}
        pace = self.share["t"]
        if self.held and int(dut.t_valid.value):
            self.share["t"] = 0.0
            self.held -= 1
            HITS["held"] += 1
        moved = await self.tick()
        self.share["t"] = pace
        return moved

    @property
    def open(self) -> bool:
        """Samples of a minibatch that is not complete are inside."""
        return bool(self.expected["t"]) and len(self.expected["t"]) % self.size != 0


def words(records: np.ndarray) -> list[dict[str, int]]:
    return [{"data": sum(int(word) << 64 * i for i, word in enumerate(beat))} for beat in beats.pack(records)]


@cocotb.test()
async def whole_iterations_are_the_models(dut):
    names = "N_ENVS", "STEPS", "BATCH", "OBS", "COLUMNS", "RECORD_BITS"
    n, most, most_batch, inputs, columns, record_bits = integers(dut, *names)
    bench = Bench(dut, columns)
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    pulses = dict.fromkeys(("start", "resume", "halt", "drop"), 0)
    await bench.start(**pulses, done=0, quiet=1, cfg_seed=0, cfg_external_rollout=0, cfg_lockstep=0)

    async def pulse(name: str) -> None:
        getattr(dut, name).value = 1
        await bench.step()
        getattr(dut, name).value = 0

    async def until_idle(patience: int = 6000) -> int:
        begun = bench.clock
        still = 0
        while not int(dut.idle.value):
            still = 0 if await bench.step() else still + 1
            assert still < patience, f"stuck: {bench._left()}"
        return bench.clock - begun

    for run in range(7):
        bench.full_speed() if run == 0 else bench.any_pace()
        while True:
            steps, batch = int(rng.integers(1, most + 1)), int(rng.integers(2, most_batch + 1))
            if run in (0, HELD):
                # Of short minibatches one has its scale while the one before still waits for places.
                steps, batch = (
                    most,
                    (min if run == HELD else max)(b for b in range(2, most_batch + 1) if n * most % b == 0),
                )
            if n * steps % batch == 0:
                break
        epochs, falls = 3 if run == HELD else int(rng.integers(1, 4)), int(rng.choice([0, 2, 9]))
        settings = PpoSettings(
            envs=n, steps=steps, minibatches=n * steps // batch, epochs=epochs, falls=falls,
            gamma=int(rng.choice([129761, 1 << 17, 0])), gamma_lambda=123273,
            reward_scale=int(rng.choice([1 << 17, 9000, 0])), seed=int(rng.integers(1 << 32)),
            lockstep=int(run in (1, 3, 4)), record_bits=record_bits,
        )  # fmt: skip
        model = Numbers(rng, inputs, settings)
        bench.reset()
        bench.size, bench.together = batch, n if settings.lockstep else 1
        bench.held = 1500 if run == HELD else 0
        iterations = 2
        dut.cfg_todo.value, dut.cfg_iterations.value = iterations, falls
        dut.cfg_steps.value, dut.cfg_epochs.value = steps, epochs
        dut.cfg_seed.value = pack(state_of(settings.seed), 32)
        dut.cfg_batch.value, dut.cfg_batch_bits.value = batch, (batch - 1).bit_length()
        dut.cfg_batch_log.value = int(log2_fixed(np.uint64(batch)) - log2_fixed(np.uint64(batch - 1)))
        dut.cfg_gamma.value, dut.cfg_gamma_lambda.value = settings.gamma, settings.gamma_lambda
        dut.cfg_reward_scale.value = settings.reward_scale
        elsewhere = run > 4  # they are collected there
        dut.cfg_external_rollout.value, dut.cfg_lockstep.value = int(elsewhere), settings.lockstep
        limits = 0
        if elsewhere:
            obs, limits = bench.expect_external(model, iterations, model.start())
        else:
            obs = bench.expect(model, iterations, model.start())
        for _ in range(3):
            await bench.step()
        await pulse("start")
        if not elsewhere:
            bench.to_send["s"].extend(words(model.beats[0]))
        if run == 3:  # in the middle of it
            for _ in range(int(rng.integers(5, 40 * n))):
                await bench.step()
            await give_up(bench, pulse)
            await until_idle()
            assert not int(dut.resumes.value)
            HITS["given up"] += 1
            continue
        took = await until_idle()
        if run == 0:
            print(f"clocks {took} records {iterations * n * steps} minibatches {HITS['minibatches']}")
            clocks = {after - before for before, after in zip(bench.turned, bench.begun, strict=True)}
            wanted = cycles.advantages(Around(n, steps)) + cycles.statistics(batch)
            if (n * steps).bit_count() == 1:
                assert clocks == {wanted}, f"{clocks} clocks from a rollout to its first sample instead of {wanted}"
                HITS["timed"] += len(bench.turned)
        assert bench.done, bench._left()
        # The same again, without a new beginning; it is halted in its first iteration.
        dut.cfg_todo.value = 0
        if elsewhere:
            limits += bench.expect_external(model, 1, obs)[1]
        else:
            bench.expect(model, 1, obs)
        # What the environments do next came with the last actions: nothing waits.
        await pulse("resume")
        await bench.step()
        await pulse("halt")
        await until_idle()
        assert bench.done and int(dut.iteration.value) == 3, bench._left()
        assert bench.iterations == [max(1, falls - k) for k in range(3)], bench.iterations
        names = {"sat_record": RECORD, "sat_gae": GAE, "sat_standard": STANDARD}
        counted = {name: model.counters[at] for name, at in names.items()}
        if elsewhere:
            counted["sat_gae"] = limits
        for _ in range(6):
            await bench.step()
        assert bench.sums == {**counted, "ev_dropped": 0}, (bench.sums, counted)
        HITS["saturated advantages"] += int(model.counters[GAE])
        HITS["saturated codes"] += int(model.counters[RECORD])
        HITS["runs of elsewhere" if elsewhere else "runs"] += 1
    report()


async def give_up(bench: Bench, pulse) -> None:
    """Drop; what the environments offered is taken and dropped, what they were offered stays until it is taken."""
    for name in bench.share:
        bench.share[name] = 0.0
    bench.share["a"] = 1.0
    for _ in range(3):
        await bench.step()
    offered = [bench.expected["m"][0]] if bench.sinks["m"].standing.offered is not None else []
    for queue in (*bench.expected.values(), bench.answers, bench.beats, bench.trained):
        queue.clear()
    bench.batch_slice = []
    bench.expected["m"].extend(offered)
    bench.sources["a"].clear()
    await pulse("drop")
    for name in ("o", "t"):
        bench.sinks[name].clear()
    bench.full_speed()
    for _ in range(40):
        await bench.step()
    assert bench.done, bench._left()
