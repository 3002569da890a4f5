"""How far the integers are from float64 GAE of the inputs before any quantisation: the bounds of docs/gae.md.

The critic is good: its values are the discounted returns of the rollout and a tenth of their spread of noise, so the
advantages are much smaller than the values.
"""

from dataclasses import dataclass

import gae_records
import numpy as np
import pytest

from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae.scale import BOOT, STEP, GaeFormats, ScaleConfig, Scales, config_valid, derive, formats

NOISE = 0.1
LANES = 4
# Steps, gamma, lambda.
CASES = [(2048, 0.999, 1.0), (2048, 0.99, 0.95), (1024, 0.999, 0.95), (256, 1.0, 1.0), (2048, 0.9, 0.9)]


@dataclass(frozen=True)
class Outcome:
    """Advantages in the unit of the rewards; what docs/gae.md says about their error."""

    error: np.ndarray
    exact: np.ndarray
    saturated: int
    code: float  # an output code
    inputs: float  # bound of what the input codes cost
    sums: float  # bound of what the array's roundings cost

    @property
    def bound(self) -> float:
        """The bound of docs/gae.md, as a share of the largest advantage."""
        return float((self.inputs + self.sums + self.code / 2) / np.abs(self.exact).max())

    @property
    def worst(self) -> float:
        """The largest error, as a share of the largest advantage."""
        return float(np.abs(self.error).max() / np.abs(self.exact).max())

    @property
    def rms(self) -> float:
        """The root mean square error, as a share of that of the advantages."""
        return float(np.sqrt((self.error**2).mean() / (self.exact**2).mean()))


def rollout(seed: int, kind: str, steps: int, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Rewards (LANES, steps) and a good critic's values (LANES, steps + 1)."""
    rng = np.random.default_rng(seed)
    rewards = {
        "normal": rng.normal(0.3, 1, (LANES, steps)),
        "sparse": 1.0 * (rng.random((LANES, steps)) < 0.01),
    }[kind]
    values = np.zeros((LANES, steps + 1))
    values[:, -1] = rng.normal(0, 1, LANES)
    for t in range(steps - 1, -1, -1):
        values[:, t] = rewards[:, t] + gamma * values[:, t + 1]
    return rewards, values + rng.normal(0, NOISE * values.std(), values.shape)


def compute(seed: int, kind: str, case: tuple, depth: int, qbits: int, out_bits: int, lookahead: int = 1) -> Outcome:
    """A rollout through the integer model, scales by software: the whole range of rewards and values, no clipping."""
    steps, gamma, gae_lambda = case
    rewards, values = rollout(seed, kind, steps, gamma)
    kinds = np.full((LANES, steps + 1), STEP)
    kinds[:, -1] = BOOT
    all_rewards = np.concatenate([rewards, np.zeros((LANES, 1))], axis=1)
    exact, _ = gae_records.records(kinds, all_rewards, values, gamma, gae_lambda)
    known, limit = formats(depth, qbits), (1 << (qbits - 1)) - 1
    middle_r, middle_v = ((x.max() + x.min()) / 2 for x in (rewards, values))
    step_r, step_v = ((x.max() - x.min()) / 2 / limit for x in (rewards, values))
    u, shift, scales, config = choose(
        known, depth, qbits, gamma, gae_lambda, lookahead, (middle_r, step_r), (middle_v, step_v)
    )
    reward_codes = np.clip(np.rint((all_rewards - middle_r) / (u * 2.0**shift)), -limit, limit).astype(np.int64)
    value_codes = np.rint((values - middle_v) / (scales.value_scale * u / 2**known.fraction)).astype(np.int64)
    reach = np.abs(exact).max() / u * 1.01
    drop = gae_array.out_drop(depth, qbits, out_bits)
    if known.wide:
        drop = max(0, int(np.ceil(np.log2(reach / 2 ** (out_bits - 1)))))
    result = gae_array.run(
        kinds, reward_codes, value_codes, shift, drop, scales, derive(config, scales), lookahead, out_bits, known
    )
    horizon = steps if gamma * gae_lambda == 1 else (1 - (gamma * gae_lambda) ** steps) / (1 - gamma * gae_lambda)
    code = u * 2.0**drop
    roundings = 1.5 + (lookahead - 1) / 2 + limit * 2.0 ** -(known.fraction + 1)
    return Outcome(
        error=(result.advantages * code - exact)[:, :-1],
        exact=exact[:, :-1],
        saturated=int((np.abs(result.advantages) >= (1 << (out_bits - 1)) - 1).sum()),
        code=code,
        inputs=horizon * u * 2.0**shift / 2 + step_v,
        sums=horizon * (roundings * u + 2.0 ** -(known.coefficient + 1) * np.abs(exact).max()),
    )


def choose(
    known: GaeFormats,
    depth: int,
    qbits: int,
    gamma: float,
    gae_lambda: float,
    lookahead: int,
    reward: tuple[float, float],
    value: tuple[float, float],
) -> tuple[float, int, Scales, ScaleConfig]:
    """The least u with which everything fits, and the registers: what software does. reward, value: middle and step."""
    shift = known.shift_max
    u = reward[1] * 2.0**-shift
    while True:
        scales = Scales(
            value_scale=-int(-value[1] / u * 2**known.fraction // 1),
            value_offset=round(value[0] / u * 2**known.fraction),
            reward_offset=round(reward[0] / u * 2**known.offset_fraction),
        )
        config = ScaleConfig(
            **{"depth": depth, "storage_qbits": qbits, "qbits": qbits, "lookahead": lookahead, "shift": shift},
            **{"gamma": round(gamma * 2**31), "gamma_lambda": round(gamma * gae_lambda * 2**31)},
            **{"reward_auto": False, "value_auto": False},
        )
        if config_valid(config, scales) and abs(scales.value_offset) <= known.value_offset_max:
            return u, shift, scales, config
        u *= 2


@pytest.mark.parametrize("kind", ["normal", "sparse"])
@pytest.mark.parametrize("case", CASES)
def test_records_of_16_bits_are_within_a_thousandth_of_the_largest_advantage(seed: int, kind: str, case: tuple) -> None:
    accuracy = compute(seed, kind, case, 4096, 16, 24)
    assert not accuracy.saturated
    assert accuracy.worst <= 1e-3 and accuracy.rms <= 2e-3
    assert accuracy.worst <= accuracy.bound
    # What the array adds to the codes is far less than what the codes cost.
    assert accuracy.sums <= 0.2 * accuracy.inputs


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("qbits", "out_bits", "lookahead"), [(8, 16, 1), (8, 8, 2), (10, 16, 4), (12, 16, 2), (16, 16, 1)]
)
def test_no_error_is_beyond_the_documented_bound(
    seed: int, case: tuple, qbits: int, out_bits: int, lookahead: int
) -> None:
    accuracy = compute(seed, "normal", case, 2048, qbits, out_bits, lookahead)
    inside = np.abs(accuracy.exact) < accuracy.code * ((1 << (out_bits - 1)) - 2) - accuracy.inputs - accuracy.sums
    assert np.abs(accuracy.error[inside]).max(initial=0) <= accuracy.inputs + accuracy.sums + accuracy.code / 2


if __name__ == "__main__":
    for bits, out in ((8, 16), (12, 16), (16, 16), (16, 24)):
        for chosen in CASES:
            outcomes = [compute(s, k, chosen, 2048, bits, out) for s in range(4) for k in ("normal", "sparse")]
            rms, worst, bound = (max(getattr(o, n) for o in outcomes) for n in ("rms", "worst", "bound"))
            print(f"| {bits}, {out} | {', '.join(map(str, chosen))} | {rms:.2%} | {worst:.2%} | {bound:.2%} |")
