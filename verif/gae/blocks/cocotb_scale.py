"""rlc_gae_scale against the model: registers, constants and flags of random and of extreme statistics."""

import os
import random
from collections import Counter
from dataclasses import replace

import cocotb
from bench_hits import leave
from bench_pins import integers, start
from cocotb.triggers import FallingEdge, RisingEdge

from rlcores.cores.gae import scale as gs

CASES = int(os.environ.get("RLCORES_CASES", "250"))
COUNT_MAX = 2**40 - 1
WORDS = {
    17: "reward_mean",
    18: "reward_inv",
    19: "reward_inv_shift",
    20: "value_mean",
    21: "value_inv",
    22: "value_inv_shift",
    23: "value_scale",
}


def draw_sums(rng: random.Random) -> gs.Sums:
    """Sums that some numbers could have: few, very many, constant, all but one equal, none."""
    style = rng.randrange(8)
    if style == 0:
        return gs.Sums()
    if style == 1:  # constant
        n = rng.choice([1, 2, 3, rng.randrange(1, 2**40), COUNT_MAX])
        x = rng.choice([-(2**23), 2**23 - 1, 0, -1, rng.randrange(-(2**23), 2**23)])
        return gs.Sums(n, n * x, n * x * x)
    if style == 2:  # one odd number
        n = rng.choice([2, 2 ** rng.randrange(1, 40), rng.randrange(2, 2**40)])
        return gs.Sums(n, rng.choice([-1, 1]), 1)
    if style == 3:  # as far apart as can be
        half = rng.choice([1, 2 ** rng.randrange(39), 2**39 - 1])
        return gs.Sums(2 * half, -half, half * (2**46 + (2**23 - 1) ** 2))
    if style == 4:  # real numbers, few: means with exact halves
        x = [rng.randrange(-20, 20) for _ in range(rng.choice([2, 4, 8, 16]))]
    elif style == 5:
        spread = 2 ** rng.randrange(1, 23)
        centre = rng.randrange(-(2**23) + spread, 2**23 - spread)
        x = [centre + rng.randrange(-spread, spread) for _ in range(rng.randrange(2, 300))]
    else:  # any mean and sigma over a huge count
        n = rng.randrange(1, 2 ** rng.randrange(2, 41))
        total = n * rng.randrange(-(2**22), 2**22) + rng.randrange(n)
        least = -(-total * total // n)
        return gs.Sums(n, total, least + rng.randrange(2 ** rng.randrange(1, 46)) * rng.choice([1, n]))
    return gs.Sums(len(x), sum(x), sum(v * v for v in x))


def draw_case(rng: random.Random, number: int, depth: int, qbits: int, lookahead: int):
    """Statistics, configuration and registers of one SCALE; the first and about one in ten are to be refused."""
    statistics = gs.Statistics()
    statistics.rewards, statistics.values = draw_sums(rng), draw_sums(rng)
    gammas = [0, 1, 2**30, 2**31 - 1, 2**31, rng.randrange(2**31)]
    plain = rng.random() < 0.6
    config = gs.ScaleConfig(
        depth=depth,
        storage_qbits=qbits,
        lookahead=lookahead,
        qbits=rng.randrange(3, qbits + 1),
        clip=rng.choice([640, 1024]) if plain else rng.choice([1, 65535, rng.randrange(1, 65536)]),
        shift=rng.randrange(gs.formats(depth, qbits).shift_max + 1),
        value_point=rng.randrange(4, 23) if plain else rng.randrange(-128, 128),
        gamma=rng.choice(gammas),
        gamma_lambda=rng.choice(gammas),
        reward_auto=rng.random() < 0.7,
        value_auto=rng.random() < 0.7,
    )
    known = gs.formats(depth, qbits)
    offset, top, mean = known.reward_offset_max, known.scale_max, 1 << (known.value_offset_bits - 1)
    scales = gs.Scales(
        value_scale=rng.choice([top, -top, rng.randrange(-top, top + 1)]),
        value_offset=rng.randrange(-mean, mean),
        reward_offset=rng.choice([-offset, offset, 0, rng.randrange(-offset, offset + 1)]),
    )
    special = rng.randrange(11)
    if special == 0:  # the division is exact and only the shift before it drops something
        config = replace(config, clip=rng.choice([1, 2, 4]), value_auto=True)
        config = replace(config, value_point=config.shift + known.fraction + rng.randrange(8, 27))
    elif special == 1:  # a scale of a quarter less than what no longer fits: rounding takes it over
        bits = top.bit_length()
        statistics.values = gs.Sums(2**38, 0, 2 ** (38 - 2 * (bits - 22) - 4) * (2 ** (bits + 2) - 1) ** 2)
        config = replace(config, value_point=config.shift + known.fraction - (bits - 22), value_auto=True)
    elif special == 2:  # a mean at the limit of its register, or beyond all that the division takes
        config = replace(config, value_point=config.shift - rng.randrange(1, 40), value_auto=True)
    elif special == 3:  # the greatest scale that fits, of a division with a remainder: all of its numerator counts
        count = rng.randrange(2**37, 2**38) | 1
        statistics.values = gs.Sums(count, 0, rng.randrange(count * 2**10, count * 2**40))
        points = (replace(config, value_point=point, value_auto=True) for point in range(-128, 128))
        config = next(c for c in points if not gs.compute(statistics, c, scales)[2].scale_sat)
    wrong = number if number < 8 else rng.randrange(80)
    if wrong < 5:
        change = [
            {"qbits": rng.choice([0, 1, 2, *range(qbits + 1, 32)])},
            {"clip": 0},
            {"shift": rng.randrange(gs.formats(depth, qbits).shift_max + 1, 32)},
            {"gamma": rng.randrange(2**31 + 1, 2**32)},
            {"gamma_lambda": 2**31 + 1},
        ][wrong]
        config = replace(config, **change)
    elif wrong == 5:
        scales = replace(scales, reward_offset=rng.choice([-(2 ** (known.reward_offset_bits - 1)), -offset - 1]))
    elif wrong == 6:
        config = replace(config, value_auto=False)
        scales = replace(scales, value_scale=rng.choice([-(2 ** (known.scale_bits - 1)), -top - 1]))
    elif wrong == 7:  # two bits above the greatest, where there are two
        config = replace(config, value_auto=False)
        scales = replace(scales, value_scale=-min(3 * (top + 1), 2 ** (known.scale_bits - 1)))
    return statistics, config, scales


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


@cocotb.test()
async def scales_equal_the_model(dut) -> None:
    rng = random.Random(random.getrandbits(32))
    depth, qbits, lookahead = integers(dut, "DEPTH", "QBITS", "LOOKAHEAD")
    known = gs.formats(depth, qbits)
    scale_mask, mean_mask = (1 << known.scale_bits) - 1, (1 << known.value_offset_bits) - 1
    words: dict[int, int] = {}
    pulses = Counter()
    hits = Counter()
    derived = None
    most = 0

    async def register_file() -> None:
        """Words 17 to 25, shown to the unit a clock after they are written."""
        while True:
            await RisingEdge(dut.hw_we)
            await FallingEdge(dut.clk)
            while dut.hw_we.value:
                words[int(dut.hw_addr.value)] = int(dut.hw_data.value)
                await RisingEdge(dut.clk)
                dut.s_v.value = words.get(23, 0) & scale_mask
                dut.m_v.value = (words.get(25, 0) << 32 | words.get(24, 0)) & mean_mask
                await FallingEdge(dut.clk)

    async def count_pulses(name: str) -> None:
        while True:
            await RisingEdge(getattr(dut, name))
            pulses[name] += 1

    clocks = {"now": 0}

    async def count_clocks() -> None:
        while True:
            await RisingEdge(dut.busy)
            start = cocotb.utils.get_sim_time("ns")
            await FallingEdge(dut.busy)
            clocks["now"] = round((cocotb.utils.get_sim_time("ns") - start) / 10)

    inputs = "start reward_auto value_auto qbits clip shift value_point gamma gamma_lambda s_v m_v reward_offset"
    await start(dut, *f"{inputs} n_r sum_r sqr_r n_v sum_v sqr_v".split())
    cocotb.start_soon(register_file())
    cocotb.start_soon(count_clocks())
    for name in ("sigma_zero_r", "sigma_zero_v", "scale_sat", "config_error"):
        cocotb.start_soon(count_pulses(name))

    for number in range(CASES):
        statistics, config, scales = draw_case(rng, number, depth, qbits, lookahead)
        where = f"case {number}: {statistics.rewards} {statistics.values} {config} {scales}"
        want, want_derived, want_flags = gs.compute(statistics, config, scales)
        await RisingEdge(dut.clk)
        for name in ("reward_auto", "value_auto", "qbits", "clip", "shift", "gamma", "gamma_lambda"):
            getattr(dut, name).value = int(getattr(config, name))
        dut.value_point.value = config.value_point & 0xFF
        dut.reward_offset.value = scales.reward_offset & ((1 << known.reward_offset_bits) - 1)
        words.clear()
        words[23] = scales.value_scale & (2**32 - 1)
        words[24] = scales.value_offset & (2**32 - 1)
        words[25] = (scales.value_offset >> 32) & (2**32 - 1)
        dut.s_v.value = scales.value_scale & scale_mask
        dut.m_v.value = scales.value_offset & mean_mask
        for side, sums in (("r", statistics.rewards), ("v", statistics.values)):
            getattr(dut, f"n_{side}").value = sums.n
            getattr(dut, f"sum_{side}").value = sums.total & (2**64 - 1)
            getattr(dut, f"sqr_{side}").value = sums.squares
        pulses.clear()
        dut.start.value = 1
        await RisingEdge(dut.clk)
        dut.start.value = 0
        if not dut.done.value:
            await RisingEdge(dut.done)
        await FallingEdge(dut.clk)
        assert not dut.busy.value, where

        if want_flags.config:
            assert len(words) == 3, f"a refused SCALE wrote a register; {where}"
        else:
            derived = want_derived
            computed = {n for w, n in WORDS.items() if n.startswith("reward") and config.reward_auto}
            computed |= {n for w, n in WORDS.items() if n.startswith("value") and config.value_auto}
            written = {n for w, n in WORDS.items() if w in words}
            assert written == computed | {"value_scale"}, where
            got = {n: words[w] for w, n in WORDS.items() if w in words}
            for name in got:
                width = 32 if name in ("reward_mean", "value_mean", "value_scale") else 33
                assert signed(got[name], width) == getattr(want, name), f"{name} differs; {where}"
            assert signed(words[25] << 32 | words[24], 64) == want.value_offset, f"value_offset differs; {where}"
            most = max(most, clocks["now"])
        flags = gs.ScaleFlags(*(bool(pulses[n]) for n in ("sigma_zero_r", "sigma_zero_v", "scale_sat", "config_error")))
        assert flags == want_flags, f"flags differ: {flags}, not {want_flags}; {where}"
        if derived:
            constant, discount = known.value_offset_bits + 2, known.coefficient + 1
            for name, width in (
                *(("s_vn", known.scale_bits), ("k_cut", constant), ("k_keep", constant)),
                *(("b_step", discount), ("b_loop", discount)),
            ):
                got_value = signed(int(getattr(dut, name).value), width)
                assert got_value == getattr(derived, name), f"{name} differs: {got_value}, not {derived}; {where}"

        hits["refused"] += want_flags.config
        hits["sigma zero"] += want_flags.sigma_zero_r + want_flags.sigma_zero_v
        hits["saturated"] += want_flags.scale_sat
        if not want_flags.config:
            hits["inverse at its end"] += config.reward_auto and want.reward_inv == 2**17 - 1
            hits["plain"] += config.value_auto and want.value_inv > 0 and 0 < want.value_scale < known.scale_max
            hits["software"] += not config.reward_auto and not config.value_auto
            hits["negative offset"] += config.value_auto and -known.value_offset_max < want.value_offset < 0
    hits["most clocks"] = most
    leave(hits)
