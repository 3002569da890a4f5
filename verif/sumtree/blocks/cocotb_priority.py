"""rlc_sumtree_priority against the model: TD errors and numbers mixed, settings at their ends, random stalls."""

import random

import cocotb
import numpy as np
from stream_bench import Stream

from rlcores.cores.sumtree import maths

ALPHAS = [0, 1, 13107, 19661, 22938, 32767, 32768]
ENDS = [-(2**31), 2**31 - 1, 1 - 2**31, 0, 1, -1, 2**20, -(2**20), 2**20 - 1, 2**20 + 1]
WORDS = 160
LATENCY = 21  # of PRIORITY_WIDTH 15 and more, as the header says


def settings(width: int) -> list[tuple[int, int, int]]:
    """alpha, eps, scale: the usual, the ends, and random ones whose priorities are all over the range."""
    cases = [(19661, 10486, 8 << 8), (0, 0, (width - 1) << 8), (32768, 0, 0), (32768, 2**32 - 1, -(2**15))]
    cases += [(32768, 1, 2**15 - 1), (22938, 0, -2560), (0, 5, -1), (0, 0, width << 8), (32768, 0, 20 << 8)]
    cases += [(1, 0, 2**15 - 1)]  # everything saturates but what is nothing
    for _ in range(14):
        alpha = random.choice([*ALPHAS, random.randrange(2**15)])
        eps = random.choice([0, 1, 10486, random.getrandbits(random.randrange(33))])
        cases.append((alpha, eps, random.randrange(-(2 << 8), (width + 2) << 8)))
    return cases


def words(width: int, payload: int) -> list[dict[str, int]]:
    """TD errors of every magnitude, ends often, and numbers around the largest priority."""
    stream = []
    for _ in range(WORDS):
        td = random.random() < 0.7
        if td:
            magnitude = random.getrandbits(random.randrange(1, 32))
            value = random.choice(ENDS) if random.random() < 0.2 else random.choice([magnitude, -magnitude])
        else:
            near = random.choice([0, 1, 2**width - 2, 2**width - 1, 2**width, 2**32 - 1])
            value = near if random.random() < 0.5 else random.getrandbits(random.randrange(1, 33))
        stream.append({"td": int(td), "value": value & (2**32 - 1), "payload": random.getrandbits(payload)})
    return stream


@cocotb.test()
async def every_word_equals_the_model(dut) -> None:
    width, payload = len(dut.m_priority), len(dut.m_payload)
    bench = Stream(dut, ["td", "value", "payload"], ["priority", "saturated", "payload"])
    await bench.start(cfg_alpha=0, cfg_eps=0, cfg_scale=0)
    for number, (alpha, eps, scale) in enumerate(settings(width)):
        for name, value in (("alpha", alpha), ("eps", eps), ("scale", scale & 0xFFFF)):
            getattr(dut, f"cfg_{name}").value = value
        await bench.run([], [])
        stream = words(width, payload)
        value = np.array([w["value"] for w in stream], dtype=np.int64)
        delta = value - ((value >> 31) << 32)
        priority, over = maths.priorities(delta, alpha, eps, scale, width)
        passed, passed_over = maths.direct(value, width)
        td = np.array([w["td"] for w in stream], dtype=bool)
        expected = [
            {"priority": int(p), "saturated": int(s), "payload": w["payload"]}
            for p, s, w in zip(np.where(td, priority, passed), np.where(td, over, passed_over), stream, strict=True)
        ]
        if number % 3 == 0:
            times = await bench.run(stream, expected)
            # One word a clock, and the header's latency.
            assert times[-1][1] - times[0][1] == len(stream) - 1, "a gap at full rate"
            assert times[0][1] - times[0][0] <= LATENCY
            assert times[0][1] - times[0][0] == LATENCY or width < 15
        else:
            await bench.run(stream, expected, random.choice([0.3, 0.9, 1.0]), random.choice([0.3, 0.9, 1.0]))
        magnitude = np.abs(delta) + eps
        bench.hits["saturated"] += int((td & over).sum())
        bench.hits["number saturated"] += int((~td & passed_over).sum())
        bench.hits["inside"] += int((td & ~over & (priority > 1)).sum())
        bench.hits["nothing"] += int((td & (magnitude == 0)).sum())
        bench.hits["nothing, alpha 0"] += int((td & (magnitude == 0)).sum()) if alpha == 0 else 0
        bench.hits["rounded up to 1"] += int((td & (magnitude > 0) & (priority == 1)).sum())
        bench.hits["most negative"] += int((td & (delta == -(2**31))).sum())
    bench.report()


@cocotb.test()
async def reset_forgets_what_is_inside(dut) -> None:
    bench = Stream(dut, ["td", "value", "payload"], ["priority", "saturated", "payload"])
    await bench.start(cfg_alpha=32768, cfg_eps=0, cfg_scale=0)
    one = {"td": 1, "value": 1 << 20, "payload": 1}
    answer = {"priority": 1, "saturated": 0, "payload": 1}
    await bench.run([one] * 10, [], patience=12, p_ready=0.0)
    await bench.reset()
    await bench.run([dict(one, payload=0)] * 40, [dict(answer, payload=0)] * 40)
