"""rlc_gae_quant against the model: random scales, extreme numbers, gaps; every beat 7 clocks later."""

import random

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack, start, write
from cocotb.triggers import FallingEdge, RisingEdge

from rlcores.cores.gae import scale as gs

LATENCY = 7
SETTINGS = 120
BEATS = 12


def draw_scale(rng: np.random.Generator) -> tuple[int, int, int]:
    """Mean, mantissa, shift: as SCALE would make them, or anything that fits the registers."""
    if rng.random() < 0.2:
        return int(rng.integers(-(2**26), 2**26)), int(rng.integers(2**17)), int(rng.integers(64))
    shift = int(rng.integers(64))
    return int(rng.integers(-(2**25), 2**25)), int(rng.integers(2**15, 2**17)), shift


def draw_raw(rng: np.random.Generator, mean: int, mantissa: int, shift: int, limit: int, count: int) -> np.ndarray:
    """Raw numbers whose codes are all over the range, at its ends, or anywhere."""
    if rng.random() < 0.3:
        return rng.choice([-(2**23), 2**23 - 1, 0, 1, -1], count)
    step = 2.0**shift / max(mantissa, 1) / 4
    codes = rng.uniform(-1.5, 1.5, count) * limit
    ends = rng.choice([-limit, limit], count) + rng.uniform(-1, 1, count)
    x = mean / 4 + np.where(rng.random(count) < 0.3, ends, codes) * step
    return np.clip(np.rint(x), -(2**23), 2**23 - 1).astype(np.int64)


@cocotb.test()
async def codes_equal_the_model(dut) -> None:
    rng = np.random.default_rng(random.getrandbits(32))
    beat, qbits = integers(dut, "BEAT", "QBITS")
    await start(dut, "s_valid", "s_last", "s_data", "mean_r", "mant_r", "sh_r", "mean_v", "mant_v", "sh_v", "limit")
    for setting in range(SETTINGS):
        reward_scale, value_scale = draw_scale(rng), draw_scale(rng)
        limit = (1 << (int(rng.integers(3, qbits + 1)) - 1)) - 1
        count = BEATS * beat
        rewards, values = (draw_raw(rng, *scale, limit, count) for scale in (reward_scale, value_scale))
        kinds, lanes = rng.integers(4, size=count), rng.integers(2**14, size=count)
        codes_r, clipped_r = gs.quantise(rewards, *reward_scale, limit)
        codes_v, clipped_v = gs.quantise(values, *value_scale, limit)
        for side, (mean, mantissa, shift) in (("r", reward_scale), ("v", value_scale)):
            write(dut, **{f"mean_{side}": mean & 2**27 - 1, f"mant_{side}": mantissa, f"sh_{side}": shift})
        dut.limit.value = limit
        for _ in range(3):
            await RisingEdge(dut.clk)

        sent: dict[int, tuple[int, bool]] = {}
        beats_done = clock = 0
        while clock <= max(sent, default=0) + LATENCY + 1 or beats_done < BEATS:
            valid = beats_done < BEATS and rng.random() < 0.8
            first = min(beats_done, BEATS - 1) * beat
            places = range(first, first + beat)
            records = (pack([rewards[i], values[i], kinds[i] | lanes[i] << 2], 24) for i in places)
            # Without valid, last says nothing.
            write(dut, s_valid=int(valid), s_last=int(beats_done == BEATS - 1), s_data=pack(records, 64))
            if valid:
                sent[clock] = (beats_done, beats_done == BEATS - 1)
                beats_done += 1
            await RisingEdge(dut.clk)
            await FallingEdge(dut.clk)
            clock += 1
            came = sent.get(clock - LATENCY)
            assert bool(dut.m_valid.value) == (came is not None), f"setting {setting}: a beat at the wrong clock"
            if came is None:
                assert not dut.m_last.value and not dut.m_clip_r.value and not dut.m_clip_v.value
                continue
            part = slice(came[0] * beat, (came[0] + 1) * beat)
            where = f"setting {setting}: rewards {reward_scale}, values {value_scale}, limit {limit}, beat {came[0]}"
            assert bool(dut.m_last.value) == came[1], where
            flags_r, flags_v = clipped_r[part] & (kinds[part] % 2 == 1), clipped_v[part] & (kinds[part] > 0)
            for name, numbers, width in (
                ("kind", kinds[part], 2), ("lane", lanes[part], 14), ("q_r", codes_r[part], qbits),
                ("q_v", codes_v[part], qbits), ("clip_r", flags_r, 1), ("clip_v", flags_v, 1),
            ):  # fmt: skip
                assert int(getattr(dut, f"m_{name}").value) == pack(numbers, width), f"{name}: {where}"
            HITS["elements"] += beat
            HITS["clipped"] += int(flags_r.sum() + flags_v.sum())
            HITS["unclipped, not zero"] += int((~clipped_v[part] & (codes_v[part] != 0)).sum())
            HITS["at the limit, not clipped"] += int((~clipped_v[part] & (abs(codes_v[part]) == limit)).sum())
    report()
