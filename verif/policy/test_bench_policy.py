"""`rlcores bench agent`: its measurement is the model's answers and the shape's clocks."""

import pytest

from rlcores.eda import configs
from rlcores_lab.bench import agent


@pytest.mark.slow
@pytest.mark.parametrize("config", ["tiny", "odd", "gauss"])
def test_the_bench_measures_the_clocks_of_the_shape_and_compares_every_answer(config: str, seed: int) -> None:
    measured = agent.measure(configs.load("policy", config), seed, observations=200)
    shape = measured.shape
    for name in ("act_clocks", "log_clocks", "interval"):
        assert getattr(measured, name) == getattr(shape, name), name
    assert measured.observations == 200 and measured.sets > 1
