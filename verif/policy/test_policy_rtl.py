"""The policy core in both simulators: every answer the model's and to the clock, while weights stream in."""

import shutil

import pytest

from rlcores.engine import configs, sim

VLNV = "rlcores:agent:policy"
SLOW = pytest.mark.slow
NO_ICARUS = pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not on PATH")
CASES = [
    pytest.param("icarus", "odd", marks=NO_ICARUS),
    pytest.param("verilator", "tiny"),
    pytest.param("verilator", "odd", marks=SLOW),
    pytest.param("icarus", "tiny", marks=[NO_ICARUS, SLOW]),
    pytest.param("icarus", "values", marks=[NO_ICARUS]),
    pytest.param("verilator", "values", marks=SLOW),
    pytest.param("icarus", "gauss", marks=[NO_ICARUS]),
    pytest.param("verilator", "gauss", marks=SLOW),
    pytest.param("verilator", "pendulum", marks=SLOW),
    pytest.param("verilator", "u200", marks=SLOW),
    pytest.param("verilator", "ecp5", marks=SLOW),
]


@pytest.mark.parametrize(("simulator", "config"), CASES)
def test_answers_are_the_models_to_the_clock_while_weights_stream_in(simulator: str, config: str, seed: int) -> None:
    result = sim.run(VLNV, sim.TARGETS[simulator], configs.load("policy", config), seed=seed)
    hits = result.coverage
    assert len(result.tests) == 3
    bins = ["act", "act stalled", "waiting", "to the clock", "set taken", "beside weights", "back to back"]
    bins += ["log", "log stalled"] if config not in ("values", "ecp5", "pendulum") else []
    missed = [name for name in bins if not hits.get(name)]
    assert not missed, f"never seen: {missed}"
