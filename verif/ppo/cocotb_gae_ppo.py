"""rlc_ppo_gae against the model: rollouts one behind the other, gaps, ends of episodes, numbers that are saturated."""

from collections import deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.ppo import gae

ONE = 1 << 17
LOOP = 6  # clocks between two records of an environment, at least


@cocotb.test()
async def every_advantage_is_the_models(dut):
    environments, tag_width = integers(dut, "ENVIRONMENTS", "TAG_WIDTH")
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await start(dut, "s_valid")
    expected: deque[tuple[int, int]] = deque()
    clock, saturated, asked = 0, 0, deque()

    async def tick(**inputs: int) -> None:
        nonlocal clock, saturated
        dut.s_valid.value = int(bool(inputs))
        for name in ("boot", "ends", "env", "reward", "value", "tag"):
            signal = getattr(dut, f"s_{name}")
            signal.value = inputs.get(name, int(rng.integers(0, 1 << len(signal)))) & (1 << len(signal)) - 1
        if inputs and not inputs["boot"]:
            asked.append(clock)
        await ReadOnly()
        saturated += int(dut.sat.value)
        if int(dut.m_valid.value):
            assert expected, "an advantage too many"
            assert (int(dut.m_advantage.value), int(dut.m_tag.value)) == expected.popleft()
            assert clock - asked.popleft() == 5
            HITS["advantages"] += 1
        clock += 1
        await FallingEdge(dut.clk)

    for number in range(10):
        usual = number % 2 == 0
        gamma, gl = (129761, 123273) if usual else rng.choice([0, ONE, int(rng.integers(0, ONE))], 2)
        dut.cfg_gamma.value, dut.cfg_gamma_lambda.value = int(gamma), int(gl)
        for _ in range(8):
            await tick()
        steps, wide = int(rng.integers(1, 9)), 26 if usual else 18
        # The first rollout is saturated for certain: rewards and values behind it large, values before it small.
        shape = (steps, environments)
        rewards, values, bootstrap = (rng.integers(-(1 << wide), 1 << wide, s) for s in (shape, shape, environments))
        if number == 0:
            rewards, values, bootstrap = np.abs(rewards), -np.abs(values) - (1 << 25), np.abs(bootstrap) >> 1
            values = np.maximum(values, -(1 << 26))
            rewards = np.minimum(rewards + (1 << 25), (1 << 26) - 1)
        ends = rng.random(shape) < 0.2
        HITS["ends"] += int(ends.sum())
        none = np.zeros(shape, bool)
        wanted = gae.advantages(rewards, values, ends, none, rewards, bootstrap, int(gamma), int(gl))
        saturated = 0
        gaps = float(rng.choice([0.0, 0.3]))
        last: dict[int, int] = {}

        async def give(env: int, last=last, gaps=gaps, **inputs: int) -> None:
            while clock - last.get(env, -99) < LOOP or rng.random() < gaps:
                await tick()
            last[env] = clock
            await tick(env=env, **inputs)

        for env in range(environments):
            await give(env, boot=1, ends=int(rng.integers(0, 2)), reward=0, value=int(bootstrap[env]), tag=0)
        for step in reversed(range(steps)):
            for env in range(environments):
                tag = int(rng.integers(0, 1 << tag_width))
                expected.append((int(wanted.advantages[step, env]) & (1 << 27) - 1, tag))
                record = {"reward": int(rewards[step, env]), "value": int(values[step, env])}
                await give(env, boot=0, ends=int(ends[step, env]), tag=tag, **record)
        for _ in range(12):
            await tick()
        assert not expected and saturated == wanted.saturated, f"{saturated} saturated, expected {wanted.saturated}"
        HITS["saturated"] += saturated
    report()
