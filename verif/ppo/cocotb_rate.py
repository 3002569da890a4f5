"""rlc_ppo_lr_schedule against the model: from the first step on, rates that fall to nothing, and rates that do not."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, pulse, start, until
from cocotb.triggers import FallingEdge

from rlcores.cores.learner.optimisers.slot import Betas
from rlcores.cores.ppo.rates import Rates


@cocotb.test()
async def every_rate_is_the_models(dut):
    betas = Betas(*integers(dut, "BETA1_NUM", "BETA1_SHIFT", "BETA2_NUM", "BETA2_SHIFT"))
    await start(dut, "start", "restart")
    latencies = set()
    for number in range(8):
        first = random.randrange(-(10 << 20), 20 << 20)
        iterations = random.choice((1, 2, 976, random.randrange(1, 1 << 32))) if number % 4 else 0
        model = Rates(first, iterations, betas)
        dut.cfg_first.value, dut.cfg_iterations.value = first & (1 << 28) - 1, iterations
        for step in range(40):
            iteration = min(step // 3 * random.choice((1, 1, 7)), max(iterations - 1, 0))
            dut.remaining.value = max(1, iterations - iteration)
            await pulse(dut, dut.start)
            latencies.add(1 + await until(dut, lambda: int(dut.done.value), 100))
            wanted = model.next(iteration)
            assert int(dut.log_rate.value) == wanted & (1 << 20) - 1, f"step {step}: {wanted} expected"
            HITS["falling" if iterations else "level"] += 1
            await FallingEdge(dut.clk)
            # What stands at the settings meanwhile has no effect on the next step.
            for _ in range(random.choice((0, 0, 4))):
                await FallingEdge(dut.clk)
        await pulse(dut, dut.restart)
        for _ in range(6):
            await FallingEdge(dut.clk)
    assert len(latencies) == 1 and 14 <= latencies.pop() <= 17
    report()
