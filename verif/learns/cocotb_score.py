"""rlc_learns_score against sums and a division in Python: answers at any pace, scores taken at any time."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, pulse, start
from cocotb.triggers import FallingEdge

RUNS, TAKES = 3, 60


@cocotb.test()
async def episodes_returns_mean_and_bar_are_those_of_the_answers(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    envs, goal = integers(dut, "N_ENVS", "GOAL")
    await start(dut, "clear", "s_valid", "s_first", "s_end", "s_reward", "take")
    for _ in range(RUNS):
        await pulse(dut, dut.clear)
        so_far, turn, mean = [0] * envs, 0, 0
        episodes = returns = 0
        begun = 0  # answers with `first`, one an environment
        long = rng.random() < 0.5
        for _ in range(TAKES):
            for _ in range(rng.choice((0, 1, 40, 400))):
                valid = rng.random() < 0.7
                first, end = begun < envs, rng.random() < (0.002 if long else 0.1)
                reward = 1 if long else rng.choice((1, 1, 1, 0, 127))
                dut.s_valid.value, dut.s_first.value = int(valid), int(first)
                dut.s_end.value, dut.s_reward.value = int(end), reward if valid else 5
                await FallingEdge(dut.clk)
                if not valid:
                    continue
                if first:
                    so_far[turn] = 0
                    begun += 1
                else:
                    so_far[turn] += reward
                    if end:
                        episodes, returns = episodes + 1, returns + so_far[turn]
                        so_far[turn] = 0
                turn = (turn + 1) % envs
            dut.s_valid.value = 0
            await pulse(dut, dut.take)
            clocks = 1
            while not int(dut.done.value):
                await FallingEdge(dut.clk)
                clocks += 1
                assert clocks <= 26, "done is late"
            mean = returns // episodes if episodes else mean
            shown = int(dut.episodes.value), int(dut.returns.value), int(dut.mean.value)
            assert shown == (episodes, returns, mean), f"{shown} instead of {(episodes, returns, mean)}"
            lit = [8 * mean >= goal * (k + 1) for k in range(8)]
            assert int(dut.bar.value) == sum(on << k for k, on in enumerate(lit))
            HITS["scores" if episodes else "no episode"] += 1
            HITS["part of the bar"] += 0 < sum(lit) < 8
            HITS["whole bar"] += all(lit)
            episodes = returns = 0
    report()
