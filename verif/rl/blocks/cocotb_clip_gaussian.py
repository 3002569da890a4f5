"""rlc_rl_clip_gaussian against the model: wide and narrow deviations, samples near and far, ratios about the clip."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack, pulse
from cocotb.triggers import FallingEdge
from loss_bench import ONE, SAMPLES, Loss, clip_settings, field, mixed

from rlcores.cores.common.fixed import saturate
from rlcores.cores.policy import density
from rlcores.cores.ppo import head
from rlcores.cores.ppo.words import CLIP


def samples(rng: np.random.Generator, wide: density.Deviation) -> dict[str, np.ndarray]:
    """Most within some deviations of the mean, with old log-probabilities near to the new ones."""
    shape = SAMPLES, len(wide.c)
    means = mixed(rng, 27, shape, 2 << 16)
    near = means + wide.noise(rng.integers(-4 << 14, 4 << 14, shape))
    sample = saturate(np.where(rng.random(shape) < 0.9, near, mixed(rng, 27, shape, 1 << 16)), 27)
    log = density.gaussian(sample, means, wide).log
    changed = np.where(
        rng.random(SAMPLES) < 0.2, mixed(rng, 27, SAMPLES, 1 << 24), log + rng.integers(-500_000, 500_000, SAMPLES)
    )
    same = rng.random(SAMPLES) < 0.2
    return {
        "means": means, "sample": sample, "log": saturate(np.where(same, log, changed), 27),
        "scaled": mixed(rng, 18, SAMPLES, 3 << 12),
    }  # fmt: skip


def expected(batch: dict[str, np.ndarray], wide: density.Deviation, chosen: dict[str, int]) -> tuple:
    """Deltas of means and of log-deviations, and how many numbers were saturated."""
    seen = density.gaussian(batch["sample"], batch["means"], wide)
    ratio = head.ratio(seen.log, batch["log"], batch["scaled"], chosen["clip"])
    deltas, of_logs, saturated = head.gaussian_delta(seen, wide, ratio.slope, chosen["entropy"], chosen["fd"])
    HITS["cut"] += int(ratio.cut.sum())
    HITS["ratio is one"] += int((ratio.ratio == 1 << 20).sum())
    HITS["delta"] += int((deltas != 0).sum())
    HITS["delta saturated"] += int((np.abs(deltas) > ONE - 2).sum())
    HITS["far"] += seen.saturated
    return deltas, of_logs, ratio.saturated + saturated + seen.saturated


@cocotb.test()
async def every_delta_is_the_models(dut):
    actions, places = integers(dut, "ACTIONS", "PLACES")
    bench = Loss(dut)
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await bench.start(**{f"cfg_{name}": 0 for name in ("clip", "entropy", "delta_frac")}, clear=0, c=0)
    for number in range(12):
        chosen = clip_settings(bench.rng, number)
        bench.set(chosen | {"delta_frac": chosen["fd"]}, "clip", "entropy", "delta_frac")
        wide = density.deviation(
            mixed(rng, 27, actions, 2 << 22) if number % 3 else rng.integers(-(3 << 21), 1 << 22, actions)
        )
        dut.c.value = pack(wide.c, 24)
        await pulse(dut, dut.clear)
        await FallingEdge(dut.clk)
        batch = samples(rng, wide)
        deltas, of_logs, saturated = expected(batch, wide, chosen)
        beside = zip(batch["sample"], field(batch["log"], 27), field(batch["scaled"], 18), strict=True)
        infos = [pack(sample, 27) << CLIP.bits | CLIP.pack(log=log, scaled=scaled) for sample, log, scaled in beside]
        outputs = [pack(means, 27) for means in batch["means"]]
        await bench.compare(outputs, infos, [pack(d, 18) for d in deltas], saturated, stalls=number > 0)
        wanted = pack(of_logs.sum(axis=0), 48)
        assert int(dut.sums.value) == wanted, f"sums {int(dut.sums.value):x} instead of {wanted:x}"
        if number == 0:
            bench.timed(53 + 2 * actions, actions if places >= 64 else None)
    report()
