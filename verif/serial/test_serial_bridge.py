"""The serial bridge and its place in front of the cores, in both simulators."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import configs, sim

SUFFIX = {"verilator": "", "icarus": "_icarus"}
SHORT = {"CLOCKS_PER_BIT": 4, "WORDS": 6, "PUTS": 2, "GETS": 3, "GAP_LOG2": 8, "WAIT_LOG2": 6, "CLOCK_HZ": 1234}


SLOW = pytest.mark.slow
MORE = {
    "one": {"CLOCKS_PER_BIT": 7, "WORDS": 5, "PUTS": 1, "GETS": 1},
    "many": {"WORDS": 17, "PUTS": 16, "GETS": 16, "WAIT_LOG2": 2},
}


# In `make test` the bridge is in Verilator where verif/backends speaks to the whole top over its pins.
@pytest.mark.parametrize(
    ("simulator", "more", "fewer"),
    [
        pytest.param("icarus", {}, 3, id="icarus-fewer", marks=NO_ICARUS),
        pytest.param("icarus", {}, 1, id="icarus-short", marks=[NO_ICARUS, SLOW]),
        pytest.param("verilator", {}, 1, id="verilator-short", marks=SLOW),
        *(pytest.param("icarus", more, 1, id=f"icarus-{name}", marks=[NO_ICARUS, SLOW]) for name, more in MORE.items()),
        *(pytest.param("verilator", more, 1, id=f"verilator-{name}", marks=SLOW) for name, more in MORE.items()),
    ],
)
def test_a_frame_is_done_once_or_not_at_all(simulator: str, seed: int, more: dict[str, int], fewer: int) -> None:
    env = {"BRIDGE_FEWER": str(fewer)}
    run = sim.run("rlcores:system:serial_blocks", "bridge" + SUFFIX[simulator], SHORT | more, seed=seed, env=env)
    assert len(run.tests) == 13 and run.coverage["damaged"] == 60 // fewer


@NO_ICARUS
@pytest.mark.parametrize("words", [2, 4, 5])
@pytest.mark.parametrize("way", ["widen", "narrow"])
def test_words_become_beats_and_beats_words(way: str, words: int, seed: int) -> None:
    assert sim.run("rlcores:system:serial_blocks", f"{way}_icarus", {"WORDS": words}, seed=seed).passed


# The simulated pins of verif/backends go through the same top in the default tests.
@pytest.mark.slow
def test_each_core_is_reached_at_its_addresses_and_streams(simulator: str, seed: int) -> None:
    target = {"verilator": "sim", "icarus": "sim_icarus"}[simulator]
    parameters = configs.load("serial", "tiny") | {"CLOCKS_PER_BIT": 4}
    run = sim.run("rlcores:system:serial", target, parameters, seed=seed)
    assert len(run.tests) == 5
    expected = {"refused": 4, "operations": 8, "irq": 1, "damaged": 11, "again": 1}
    assert run.coverage == expected | ({"rollouts": 1, "batches": 2} if simulator == "verilator" else {})
