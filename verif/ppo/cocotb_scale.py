"""rlc_ppo_scale against the model: minibatches of every kind, one behind the other, those of equal advantages too."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start, until
from cocotb.triggers import FallingEdge

from rlcores.cores.ppo import standardise

LATENCY = 83


@cocotb.test()
async def every_scale_is_the_models(dut):
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await start(dut, "s_valid", "s_last")
    most = (1 << 26) - 1
    for number in range(24):
        count = int(rng.choice([2, 3, 4, 64, 100, int(rng.integers(2, 300))]))
        bits = int(rng.integers(0, 27))
        batch = rng.integers(-(1 << bits), 1 << bits, count)
        special = {0: np.full(count, -5), 1: np.full(count, -(1 << 26)), 2: np.zeros(count, np.int64)}
        special |= {3: np.where(np.arange(count) % 2, most, -most - 1), 4: np.arange(count) // (count - 1)}
        batch = np.clip(special.get(number, batch), -most - 1, most).astype(np.int64)
        wanted = standardise.scale_of(batch)
        ratio = standardise.log2_wide(count) - standardise.log2_wide(count - 1)
        dut.cfg_count.value, dut.cfg_bits.value, dut.cfg_log.value = count, wanted.bits, ratio
        gaps = float(rng.choice([0.0, 0.4]))
        for at, number_in in enumerate(batch):
            while rng.random() < gaps:
                dut.s_valid.value, dut.s_data.value, dut.s_last.value = 0, int(rng.integers(0, 1 << 27)), 1
                await FallingEdge(dut.clk)
            dut.s_valid.value, dut.s_last.value = 1, int(at == count - 1)
            dut.s_data.value = int(number_in) & (1 << 27) - 1
            await FallingEdge(dut.clk)
        dut.s_valid.value = 0
        clocks = 1 + await until(dut, lambda: int(dut.done.value), 200)
        assert clocks == LATENCY, f"{clocks} clocks"
        observed = (dut.total.value.to_signed(), int(dut.mantissa.value), dut.exponent.value.to_signed())
        assert observed == (wanted.total, wanted.mantissa, wanted.exponent), f"{observed}, expected {wanted}"
        HITS["equal" if not wanted.mantissa else "scales"] += 1
        HITS["least"] += wanted.exponent == -wanted.bits
        await FallingEdge(dut.clk)
    report()
