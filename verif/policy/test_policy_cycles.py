"""Clocks of the policy core from its shape: 64 at most in `u200`, 200 in `ecp5`; its area beside Yosys' counts."""

import pytest

from rlcores.eda import configs
from rlcores_lab.area import policy as area
from rlcores_lab.cycles.policy import PolicyShape

# LUT, FF, DSP and RAMB36 by `rlcores synth policy --device u200`, 23 November 2026.
COUNTED = {
    "odd": (5482, 4775, 32, 2),
    "values": (2113, 1510, 5, 1),
    "gauss": (5577, 5932, 31, 3),
    "tiny": (3741, 3521, 14, 2),
    "u200": (14309, 16253, 308, 2),
    "pendulum": (16047, 14939, 221, 3),
}


def test_an_action_takes_64_clocks_on_the_large_board_and_200_on_the_small_one() -> None:
    assert PolicyShape.of(configs.load("policy", "u200")).act_clocks == 59 <= 64
    assert PolicyShape.of(configs.load("policy", "ecp5")).act_clocks == 175 <= 200
    assert PolicyShape.of(configs.load("policy", "pendulum")).act_clocks == 91


@pytest.mark.parametrize("config", COUNTED)
def test_the_area_is_predicted(config: str) -> None:
    cells = area.total(configs.load("policy", config))
    lut, ff, dsp, bram36 = COUNTED[config]
    assert (cells["dsp"], cells["bram36"]) == (dsp, bram36)
    assert cells["lut"] == pytest.approx(lut, rel=0.05) and cells["ff"] == pytest.approx(ff, rel=0.05)
