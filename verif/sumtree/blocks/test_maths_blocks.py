"""The priority maths in hardware, bit for bit as the integer model, in both simulators."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:sumtree:maths_blocks"


def both(*cases: tuple[int, ...]) -> list:
    """Every case in both simulators; in `make test` the first, in Icarus."""
    params = []
    for number, case in enumerate(cases):
        params.append(pytest.param("icarus", *case, marks=[NO_ICARUS, *[pytest.mark.slow] * (number > 0)]))
        params.append(pytest.param("verilator", *case, marks=pytest.mark.slow))
    return params


def run(target: str, simulator: str, seed: int, **parameters: int) -> dict[str, int]:
    """Simulate a target of maths_blocks.core and hand over what it covered."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    return sim.run(CORE, name, parameters, seed=seed).coverage


@pytest.mark.parametrize(("simulator", "width", "payload"), both((18, 40), (32, 1), (5, 3)))
def test_priorities_are_those_of_the_model(simulator: str, seed: int, width: int, payload: int) -> None:
    hits = run("priority", simulator, seed, PRIORITY_WIDTH=width, PAYLOAD_WIDTH=payload)
    needed = ["saturated", "inside", "nothing", "nothing, alpha 0", "rounded up to 1", "most negative", "stalled"]
    needed += ["number saturated"] if width < 32 else []
    assert all(hits.get(name, 0) > 0 for name in needed), hits


@pytest.mark.parametrize(("simulator", "width", "total", "batch_max"), both((18, 30, 64), (32, 56, 7), (6, 12, 1)))
def test_weights_are_those_of_the_model(simulator: str, seed: int, width: int, total: int, batch_max: int) -> None:
    hits = run(
        "weight", simulator, seed, PRIORITY_WIDTH=width, TOTAL_WIDTH=total, PAYLOAD_WIDTH=17, BATCH_MAX=batch_max
    )
    needed = ["empty", "all empty", "one", "batch max", "stalled", "turns"]
    needed += ["between", "restarts", "refused"] if batch_max > 1 else []
    assert all(hits.get(name, 0) > 0 for name in needed), hits


@pytest.mark.parametrize(("simulator", "width", "total", "batch_max"), both((18, 30, 20), (32, 56, 7)))
def test_weights_over_several_banks_are_those_of_the_model(
    simulator: str, seed: int, width: int, total: int, batch_max: int
) -> None:
    shape = {"PRIORITY_WIDTH": width, "TOTAL_WIDTH": total, "PAYLOAD_WIDTH": 17, "BATCH_MAX": batch_max, "JOINT": 1}
    hits = run("joint", simulator, seed, **shape)
    assert all(hits.get(name, 0) > 10 for name in ("exact", "own", "another's", "stalled")), hits


ILLEGAL = [
    ("priority", {"PRIORITY_WIDTH": 33}, "rlc_sumtree_priority: PRIORITY_WIDTH must be 1 to 32"),
    ("priority", {"PAYLOAD_WIDTH": 0}, "rlc_sumtree_priority: PAYLOAD_WIDTH must be 1 to 1024"),
    ("weight", {"PRIORITY_WIDTH": 0}, "rlc_sumtree_weight: PRIORITY_WIDTH must be 1 to 32"),
    ("weight", {"TOTAL_WIDTH": 17}, "rlc_sumtree_weight: TOTAL_WIDTH must be PRIORITY_WIDTH to 56"),
    ("weight", {"TOTAL_WIDTH": 57}, "rlc_sumtree_weight: TOTAL_WIDTH must be PRIORITY_WIDTH to 56"),
    ("weight", {"PAYLOAD_WIDTH": 0}, "rlc_sumtree_weight: PAYLOAD_WIDTH must be 1 to 1024"),
    ("weight", {"BATCH_MAX": 0}, "rlc_sumtree_weight: BATCH_MAX must be 1 to 32768"),
]


@NO_ICARUS
@pytest.mark.parametrize(("target", "parameters", "message"), ILLEGAL)
def test_an_illegal_parameter_is_refused_in_words(target: str, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(RunFailed, match=message):
        sim.run(CORE, f"{target}_icarus", parameters)
