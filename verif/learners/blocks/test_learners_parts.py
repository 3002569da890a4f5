"""What joins several learners, part by part, in both simulators and as netlists of two families."""

import pytest

from rlcores.base import tools
from rlcores.eda import sim

CORE = "rlcores:learners:learners_blocks"
PARTS = {
    "average": [
        dict(zip(("LEARNERS", "LANES", "WIDTH", "CROSS"), shape, strict=True))
        for shape in ((2, 3, 27, 1), (3, 2, 27, 2), (4, 1, 19, 1), (6, 1, 27, 3), (16, 1, 27, 1))
    ],
    "weights": [{"LEARNERS": learners, "CROSS": cross} for learners, cross in ((2, 1), (3, 2), (4, 1), (5, 3))],
    "rounds": [{}],
    "planes": [{"LEARNERS": 3}],
}
NEEDED = {
    "average": ("averages", "negative"),
    "weights": ("exact", "own", "at once", "waited"),
    "rounds": ("last",),
    "planes": ("words",),
}


def run(part: str, simulator: str, seed: int, parameters: dict[str, int], netlist: str | None = None) -> None:
    target = part if simulator == "verilator" else f"{part}_{simulator}"
    outcome = sim.run(CORE, target, parameters, seed=seed, env={"RLCORES_PART": part}, netlist=netlist)
    assert all(outcome.coverage.get(name, 0) > 10 for name in NEEDED[part]), outcome.coverage


def cases() -> list:
    """Every part in every shape, in both simulators; in `make test` a part's first in Icarus, and one in Verilator."""
    absent = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
    numbered = [(part, number) for part, shapes in PARTS.items() for number in range(len(shapes))]
    params = [pytest.param("icarus", *c, marks=[absent, *[pytest.mark.slow] * (c[1] > 0)]) for c in numbered]
    return params + [pytest.param("verilator", *c, marks=[pytest.mark.slow] * (c[0] != "rounds")) for c in numbered]


@pytest.mark.parametrize(("simulator", "part", "number"), cases())
def test_a_part_is_its_model(simulator: str, part: str, number: int, seed: int) -> None:
    run(part, simulator, seed, PARTS[part][number])


@pytest.mark.slow
@pytest.mark.parametrize("family", ["xcup", "ecp5"])
@pytest.mark.parametrize("part", ["average", "weights"])
def test_a_netlist_of_a_part_is_its_model(part: str, family: str, seed: int) -> None:
    run(part, "verilator", seed, PARTS[part][1], family)
