"""rlc_rl_clip_categorical against the model: ratios at both ends of the clip, sure and hopeless actions."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from cocotb.triggers import FallingEdge
from loss_bench import ONE, SAMPLES, Loss, clip_settings, field, mixed

from rlcores.cores.common.fixed import saturate
from rlcores.cores.policy import density
from rlcores.cores.ppo import head
from rlcores.cores.ppo.words import CLIP


def samples(rng: np.random.Generator, actions: int) -> dict[str, np.ndarray]:
    """Any samples; the old log-probabilities of most are near to the new ones, so that ratios are."""
    logits = mixed(rng, 27, (SAMPLES, actions), 3 << 16)
    tie = rng.random(SAMPLES) < 0.1
    logits[tie] = logits[tie, :1]
    action = rng.integers(0, actions, SAMPLES)
    log = density.categorical(logits).log_probability(action)
    near = log + rng.integers(-500_000, 500_000, SAMPLES)
    before = np.where(rng.random(SAMPLES) < 0.2, mixed(rng, 27, SAMPLES, 1 << 24), saturate(near, 27))
    same = rng.random(SAMPLES) < 0.2
    return {
        "logits": logits, "action": action, "log": np.where(same, log, before),
        "scaled": mixed(rng, 18, SAMPLES, 3 << 12),
    }  # fmt: skip


def expected(batch: dict[str, np.ndarray], chosen: dict[str, int]) -> tuple[np.ndarray, int]:
    """Deltas (SAMPLES, actions), and how many numbers were saturated."""
    seen = density.categorical(batch["logits"])
    ratio = head.ratio(seen.log_probability(batch["action"]), batch["log"], batch["scaled"], chosen["clip"])
    deltas, saturated = head.categorical_delta(seen, batch["action"], ratio.slope, chosen["entropy"], chosen["fd"])
    HITS["cut"] += int(ratio.cut.sum())
    HITS["not cut"] += int((~ratio.cut & (batch["scaled"] != 0)).sum())
    HITS["ratio is one"] += int((ratio.ratio == 1 << 20).sum())
    HITS["slope saturated"] += int((np.abs(ratio.slope) > ONE - 2).sum())
    HITS["delta saturated"] += int((np.abs(deltas) > ONE - 2).sum())
    HITS["sure"] += int((seen.probabilities == ONE).any(axis=1).sum())
    return deltas, ratio.saturated + saturated


@cocotb.test()
async def every_delta_is_the_models(dut):
    actions, places = integers(dut, "ACTIONS", "PLACES")
    bench = Loss(dut)
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await bench.start(**{f"cfg_{name}": 0 for name in ("clip", "entropy", "delta_shift")})
    for number in range(14):
        chosen = clip_settings(bench.rng, number)
        bench.set(chosen | {"delta_shift": 36 - chosen["fd"]}, "clip", "entropy", "delta_shift")
        await FallingEdge(dut.clk)
        batch = samples(rng, actions)
        deltas, saturated = expected(batch, chosen)
        beside = zip(batch["action"], field(batch["log"], 27), field(batch["scaled"], 18), strict=True)
        infos = [int(action) << CLIP.bits | CLIP.pack(log=log, scaled=scaled) for action, log, scaled in beside]
        outputs = [pack(logits, 27) for logits in batch["logits"]]
        await bench.compare(outputs, infos, [pack(d, 18) for d in deltas], saturated, stalls=number > 0)
        if number == 0:
            bench.timed(46 + 4 * actions, actions + 1 if places >= 32 else None)
    report()
