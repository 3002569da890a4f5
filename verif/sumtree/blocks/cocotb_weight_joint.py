"""rlc_sumtree_weight with JOINT: weights relative to the largest of several banks, which come back at any time."""

import random
from collections import deque

import cocotb
import numpy as np
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_weight import FIELDS, answers, configure
from stream_bench import Stream

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.log2exp2 import FRACTION, LOG2_FRACTION, exp2_fixed, log2_fixed
from rlcores.cores.sumtree.maths import POWER_FRACTION, WEIGHT_FRACTION
from rlcores.cores.sumtree.words import ALL, LOG, OWN

ABOVE = 1 << LOG - 1  # what is above the logarithm


def logarithms(words: list[dict[str, int]], beta: int, exact: bool) -> np.ndarray:
    """log2 of the weights of answers, 35 fraction bits; one with another status is below all."""
    priority, total = (log2_fixed(np.array([w[name] for w in words], np.int64)) for name in ("priority", "total"))
    logarithm = (total << POWER_FRACTION) - beta * priority if exact else beta * (total - priority)
    return np.where([w["status"] == 0 for w in words], logarithm, -ABOVE)


async def centre(dut, others: list[int], own: list[int]) -> None:
    """Answers the unit's batches in order, some clocks later: with the larger one of its own and another bank's."""
    waiting: deque[list[int]] = deque()
    exact = ALL.unpack(int(dut.joint_in.value))["exact"]
    while True:
        valid = bool(waiting) and waiting[0][0] <= 0 and random.random() < 0.5
        log = waiting.popleft()[1] if valid else random.getrandbits(LOG)
        dut.joint_in.value = ALL.pack(exact=exact, valid=valid, log=log)
        await ReadOnly()
        if int(dut.joint_out.value[LOG]):
            own.append(OWN.unpack(int(dut.joint_out.value))["log"])
            waiting.append([random.randrange(20), max(own[-1], others[len(own) - 1])])
        for one in waiting:
            one[0] -= 1
        await FallingEdge(dut.clk)


@cocotb.test()
async def weights_over_several_banks_equal_the_model(dut) -> None:
    bench, batch_max = Stream(dut, FIELDS, [*FIELDS, "weight", "last"]), int(dut.BATCH_MAX.value)
    await bench.start(cfg_enable=1, cfg_batch=1, cfg_restart=0, cfg_beta=0, joint_in=0)
    for number in range(16):
        exact = number % 2 == 0
        batch = random.choice([1, 2, 3, batch_max, random.randint(1, batch_max)])
        batch = min(batch, batch_max)
        beta = random.choice([0, 13107, 32768, random.randrange(2**15)])
        words = answers(dut, batch * max(2, 60 // batch), [0.0, 0.2, 1.0][number % 3])
        logs = logarithms(words, beta, exact).reshape(-1, batch)
        # The other bank's largest: none, less, or more.
        others = [max(0, int(row.max()) + ABOVE + random.choice((-(1 << 42), -5, 0, 7, 1 << 35))) for row in logs]
        others = [random.choice((0, one)) for one in others]
        largest = np.maximum(logs.max(axis=1) + ABOVE, others)[:, None]
        power = round_shift(logs + ABOVE - largest, LOG2_FRACTION + POWER_FRACTION - FRACTION)
        weights = exp2_fixed(power, WEIGHT_FRACTION + 1, WEIGHT_FRACTION)[0].reshape(-1)
        expected = [
            dict(word, weight=int(weight) if word["status"] == 0 else 0, last=int(place % batch == batch - 1))
            for place, (word, weight) in enumerate(zip(words, weights, strict=True))
        ]
        dut.joint_in.value = ALL.pack(exact=exact, valid=0, log=0)
        await configure(bench, batch, beta)
        own: list[int] = []
        task = cocotb.start_soon(centre(dut, others, own))
        await bench.run(words, expected, random.choice([0.3, 1.0]), random.choice([0.3, 1.0]))
        task.cancel()
        assert own == (logs.max(axis=1) + ABOVE).tolist()
        bench.hits["exact" if exact else "own"] += len(words)
        bench.hits["another's"] += int((largest[:, 0] > logs.max(axis=1) + ABOVE).sum())
    bench.report()
