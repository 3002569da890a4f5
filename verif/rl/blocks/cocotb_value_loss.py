"""rlc_rl_value_loss against the model: with and without a limit, errors that saturate, roundings below a half."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers
from cocotb.triggers import FallingEdge
from loss_bench import ONE, SAMPLES, Loss, field, mixed

from rlcores.cores.common.fixed import saturate
from rlcores.cores.ppo import head
from rlcores.cores.ppo.words import VALUE


def samples(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        name: mixed(rng, 27, SAMPLES, usual << 16) for name, usual in (("value", 5), ("before", 5), ("advantage", 2))
    }


def settings(rng, number: int) -> dict[str, int]:
    """The registers; the fraction of the deltas in place of the shift."""
    if number % 2:
        return {"value": ONE // 2, "value_clip": rng.choice((0, 13107)), "fd": 12}
    if number == 2:  # of an odd coefficient, products end in any bits
        return {"value": rng.randrange(ONE) | 1, "value_clip": 0, "fd": rng.randrange(8, 26)}
    return {
        "value": rng.choice((ONE // 2, ONE, 0, rng.randrange(ONE))),
        "value_clip": rng.choice((0, 13107, rng.randrange(1, 1 << 26), (1 << 26) - 1)),
        "fd": rng.choice((12, 14, 25, rng.randrange(26))),
    }


def below_half(batch: dict[str, np.ndarray], chosen: dict[str, int]) -> None:
    """Where it can be, the first sample's value has a delta whose product is one below a half of the last bit."""
    shift = 33 - chosen["fd"]
    if chosen["value"] % 2 and shift <= 26:
        error = ((1 << shift - 1) - 1) * pow(chosen["value"], -1, 1 << shift) % (1 << shift)
        batch["value"][0] = batch["before"][0] = 0
        batch["advantage"][0] = (1 << shift) - error if error >> shift - 1 else -error
        HITS["below a half"] += 1


def expected(batch: dict[str, np.ndarray], chosen: dict[str, int]) -> tuple[np.ndarray, int]:
    """Deltas (SAMPLES,), and how many numbers were saturated."""
    arguments = batch["value"], batch["before"], batch["advantage"]
    deltas, saturated = head.value_delta(*arguments, chosen["value"], chosen["fd"], chosen["value_clip"])
    returns = saturate(batch["advantage"] + batch["before"], 27)
    HITS["delta saturated"] += int((np.abs(deltas) > ONE - 2).sum())
    HITS["held"] += int(((deltas == 0) & (batch["value"] != returns) & (chosen["value"] > 0)).sum())
    return deltas, saturated


@cocotb.test()
async def every_delta_is_the_models(dut):
    (places,) = integers(dut, "PLACES")
    bench = Loss(dut)
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await bench.start(**{f"cfg_{name}": 0 for name in ("value", "value_clip", "shift")})
    for number in range(14):
        chosen = settings(bench.rng, number)
        bench.set(chosen | {"shift": 33 - chosen["fd"]}, "value", "value_clip", "shift")
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        batch = samples(rng)
        below_half(batch, chosen)
        deltas, saturated = expected(batch, chosen)
        beside = zip(field(batch["before"], 27), field(batch["advantage"], 27), strict=True)
        infos = [VALUE.pack(before=before, advantage=advantage) for before, advantage in beside]
        await bench.compare(field(batch["value"], 27), infos, field(deltas, 18), saturated, stalls=number > 0)
        if number == 0:
            bench.timed(12, 1 if places >= 16 else None)
    report()
