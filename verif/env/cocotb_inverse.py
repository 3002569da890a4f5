"""rlc_env_acrobot_inverse against the model: random cosines, and those that a unit more would round otherwise."""

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline

from rlcores.cores.common.sincos import FRACTION
from rlcores.cores.env import acrobot

LATENCY = 10
DROP = acrobot.NODE_FRACTION + acrobot.REST_BITS - acrobot.F_FRACTION  # bits that the last rounding drops


def edges() -> np.ndarray:
    """Cosines whose interpolated value lies one unit below where it is rounded up."""
    rows = acrobot.words()
    steps = acrobot.STEP_BASE + (rows & (1 << acrobot.STEP_BITS) - 1)
    wanted, half = (1 << acrobot.REST_BITS) - 1, 1 << DROP - 1
    rests = [wanted * pow(int(step), -1, wanted + 1) % (wanted + 1) if step % 2 else 0 for step in steps]
    squares = (np.arange(len(rows)) << acrobot.REST_BITS) + np.array(rests)
    near = np.sqrt(squares * 2.0**FRACTION).astype(np.int64)
    cosines = (near[:, None] + np.arange(-3, 4)).ravel()
    cosines = cosines[(cosines >= 0) & (cosines <= 1 << FRACTION)]
    square = (cosines * cosines + (1 << FRACTION - 1)) >> FRACTION
    segment = np.minimum(square >> acrobot.REST_BITS, len(rows) - 1)
    value = ((rows[segment] >> acrobot.STEP_BITS) << acrobot.REST_BITS) + steps[segment] * (
        square - (segment << acrobot.REST_BITS)
    )
    return cosines[value % (2 * half) == half - 1]


@cocotb.test()
async def every_cosine_has_the_models_inverse(dut):
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    one, at_edges = 1 << FRACTION, edges()
    assert len(at_edges) >= 20, f"{len(at_edges)} cosines at an edge"
    cosines = np.concatenate([at_edges, -at_edges, [0, one, -one], rng.integers(-one, one, 500, endpoint=True)])
    wanted = acrobot.inverse(cosines)
    await start(dut)
    await pipeline(dut, {"cosine": cosines}, {"f": wanted}, LATENCY)
