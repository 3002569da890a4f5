"""The policy core in both simulators: every answer the model's and to the clock, while weights stream in."""

from collections.abc import Callable

import pytest
from simulators import NO_ICARUS

from rlcores.eda import configs, sim

VLNV = "rlcores:agent:policy"
SLOW = pytest.mark.slow
CASES = [
    pytest.param("icarus", "odd", marks=[NO_ICARUS, SLOW]),
    pytest.param("verilator", "tiny"),
    pytest.param("verilator", "odd", marks=SLOW),
    pytest.param("icarus", "tiny", marks=[NO_ICARUS, SLOW]),
    pytest.param("icarus", "values", marks=[NO_ICARUS]),
    pytest.param("verilator", "values", marks=SLOW),
    pytest.param("icarus", "gauss", marks=[NO_ICARUS, SLOW]),
    pytest.param("verilator", "gauss", marks=SLOW),
    pytest.param("verilator", "pendulum", marks=SLOW),
    pytest.param("verilator", "u200", marks=SLOW),
    pytest.param("verilator", "ecp5", marks=SLOW),
]


AXI = {"icarus": "sim_axi_icarus", "verilator": "sim_axi"}


@NO_ICARUS
@pytest.mark.parametrize("config", ["tiny", pytest.param("odd", marks=SLOW), pytest.param("gauss", marks=SLOW)])
def test_behind_axi_answers_registers_and_aborts_are_the_models(config: str, seed: int) -> None:
    result = sim.run(VLNV, AXI["icarus"], configs.load("policy", config), seed=seed)
    assert len(result.tests) == 6


@SLOW
@NO_ICARUS
@pytest.mark.parametrize("config", ["tiny", "gauss"])
def test_both_simulators_see_the_same_at_the_same_clocks(
    config: str, seed: int, same_transcripts: Callable[..., int]
) -> None:
    results = [sim.run(VLNV, target, configs.load("policy", config), seed=seed) for target in AXI.values()]
    assert same_transcripts(*results) == 5


@pytest.mark.parametrize("simulator", [pytest.param("icarus", marks=NO_ICARUS), pytest.param("verilator", marks=SLOW)])
def test_large_sums_of_many_words_are_counted_once_a_vector(simulator: str, seed: int) -> None:
    # The last words of layers 2 and 3 come in one clock, of different vectors.
    shape = {"SIZES": "2-24-24-2", "LANES": "2-3-3-2", "FORWARD": "1-8-1"}
    shape |= {"UPDATE_ROWS": "3-3-2", "UPDATE_COLS": "2-3-3"}
    test = "vectors_with_a_large_sum_are_counted_once_in_each_layer"
    assert sim.run(VLNV, sim.TARGETS[simulator], shape, testcase=test, seed=seed).passed


@SLOW
@NO_ICARUS
@pytest.mark.parametrize("config", ["odd", "gauss"])
@pytest.mark.parametrize("simulator", sim.TARGETS)
def test_registers_at_the_operands_with_several_row_groups(simulator: str, config: str, seed: int) -> None:
    result = sim.run(VLNV, sim.TARGETS[simulator], {**configs.load("policy", config), "OPERANDS": 1}, seed=seed)
    assert len(result.tests) == 5 and result.coverage["to the clock"]


@pytest.mark.parametrize(("simulator", "config"), CASES)
def test_answers_are_the_models_to_the_clock_while_weights_stream_in(simulator: str, config: str, seed: int) -> None:
    result = sim.run(VLNV, sim.TARGETS[simulator], configs.load("policy", config), seed=seed)
    hits = result.coverage
    assert len(result.tests) == 5
    bins = ["act", "act stalled", "waiting", "to the clock", "set taken", "beside weights", "back to back"]
    bins += ["log", "log stalled"] if config not in ("values", "ecp5") else []
    bins += ["squash 0", "squash 1", "squash 2", "inside", "density"] if config in ("gauss", "pendulum") else []
    missed = [name for name in bins if not hits.get(name)]
    assert not missed, f"never seen: {missed}"
