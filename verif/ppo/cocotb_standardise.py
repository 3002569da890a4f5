"""rlc_ppo_standardise against the model: advantages of minibatches, near to the mean and far away."""

from collections import deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.ppo import standardise

LATENCY = 12


@cocotb.test()
async def every_advantage_is_the_models(dut):
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await start(dut, "s_valid")
    for number in range(16):
        count, bits = int(rng.choice([2, 3, 64, 200])), int(rng.integers(0, 27))
        batch = rng.integers(-(1 << bits), 1 << bits, count)
        if number == 0:  # one of many is far away
            batch, count = np.where(np.arange(200) == 7, 1 << 25, 0), 200
        if number == 1:
            batch = np.full(count, 77)
        by = standardise.scale_of(batch)
        wanted, saturated = standardise.standardised(batch, by)
        dut.cfg_count.value, dut.cfg_bits.value = count, by.bits
        dut.total.value, dut.mantissa.value = by.total & (1 << 43) - 1, by.mantissa
        dut.exponent.value = by.exponent & 127
        for _ in range(2):
            await FallingEdge(dut.clk)
        line: deque[int | None] = deque([None] * LATENCY)
        waiting, over = deque(range(count)), 0
        while waiting or any(at is not None for at in line):
            takes = bool(waiting) and rng.random() < 0.8
            line.append(waiting.popleft() if takes else None)
            dut.s_valid.value = int(takes)
            number_in = batch[line[-1]] if takes else rng.integers(0, 1 << 27)
            dut.s_data.value = int(number_in) & (1 << 27) - 1
            await ReadOnly()
            at = line.popleft()
            assert int(dut.m_valid.value) == int(at is not None)
            if at is not None:
                assert dut.m_data.value.to_signed() == wanted[at], f"{batch[at]}: {wanted[at]} expected"
                over += int(dut.m_saturated.value)
                HITS["numbers"] += 1
            await FallingEdge(dut.clk)
        assert over == saturated
        HITS["equal"] += not by.mantissa
        HITS["far"] += int((np.abs(wanted) > 10 << 12).any())
    report()
