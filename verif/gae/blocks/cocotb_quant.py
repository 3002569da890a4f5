"""rlc_gae_quant against the model: random scales, extreme numbers, gaps; every beat 7 clocks later."""

import random
from collections import Counter

import cocotb
import numpy as np
from bench_hits import leave
from bench_pins import start_clock
from cocotb.triggers import FallingEdge, RisingEdge

from rlcores.cores.gae import scale as gs

LATENCY = 7
SETTINGS = 120
BEATS = 12


def fields(value: int, width: int, count: int, signed: bool = False) -> list[int]:
    """Element 0 from the lowest bits."""
    out = [(value >> (i * width)) & ((1 << width) - 1) for i in range(count)]
    return [x - (1 << width) if signed and x >> (width - 1) else x for x in out]


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
    beat, qbits = int(dut.BEAT.value), int(dut.QBITS.value)
    hits = Counter()
    dut.rst.value = 1
    for name in ("s_valid", "s_last", "s_data", "mean_r", "mant_r", "sh_r", "mean_v", "mant_v", "sh_v", "limit"):
        getattr(dut, name).value = 0
    start_clock(dut.clk)
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    for setting in range(SETTINGS):
        reward_scale, value_scale = draw_scale(rng), draw_scale(rng)
        limit = (1 << (int(rng.integers(3, qbits + 1)) - 1)) - 1
        count = BEATS * beat
        rewards, values = (draw_raw(rng, *scale, limit, count) for scale in (reward_scale, value_scale))
        kinds, lanes = rng.integers(4, size=count), rng.integers(2**14, size=count)
        codes_r, clipped_r = gs.quantise(rewards, *reward_scale, limit)
        codes_v, clipped_v = gs.quantise(values, *value_scale, limit)
        for side, (mean, mantissa, shift) in (("r", reward_scale), ("v", value_scale)):
            getattr(dut, f"mean_{side}").value = mean & (2**27 - 1)
            getattr(dut, f"mant_{side}").value = mantissa
            getattr(dut, f"sh_{side}").value = shift
        dut.limit.value = limit
        for _ in range(3):
            await RisingEdge(dut.clk)

        sent: dict[int, tuple[int, bool]] = {}
        beats_done = clock = 0
        while clock <= max(sent, default=0) + LATENCY + 1 or beats_done < BEATS:
            valid = beats_done < BEATS and rng.random() < 0.8
            dut.s_valid.value = int(valid)
            dut.s_last.value = int(beats_done == BEATS - 1)  # without valid it says nothing
            first = min(beats_done, BEATS - 1) * beat
            dut.s_data.value = sum(
                ((int(rewards[i]) & 0xFFFFFF) | (int(values[i]) & 0xFFFFFF) << 24 | int(kinds[i]) << 48)
                + (int(lanes[i]) << 50)
                << (64 * (i - first))
                for i in range(first, first + beat)
            )
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
            assert fields(int(dut.m_kind.value), 2, beat) == kinds[part].tolist(), where
            assert fields(int(dut.m_lane.value), 14, beat) == lanes[part].tolist(), where
            assert fields(int(dut.m_q_r.value), qbits, beat, signed=True) == codes_r[part].tolist(), where
            assert fields(int(dut.m_q_v.value), qbits, beat, signed=True) == codes_v[part].tolist(), where
            flags_r, flags_v = clipped_r[part] & (kinds[part] % 2 == 1), clipped_v[part] & (kinds[part] > 0)
            assert fields(int(dut.m_clip_r.value), 1, beat) == flags_r.astype(int).tolist(), where
            assert fields(int(dut.m_clip_v.value), 1, beat) == flags_v.astype(int).tolist(), where
            hits["elements"] += beat
            hits["clipped"] += int(flags_r.sum() + flags_v.sum())
            hits["unclipped, not zero"] += int((~clipped_v[part] & (codes_v[part] != 0)).sum())
            hits["at the limit, not clipped"] += int((~clipped_v[part] & (abs(codes_v[part]) == limit)).sum())
    leave(hits)
