"""What joins several learners, part by part, in both simulators and as netlists of two families."""

import pytest

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
    found = sim.run(CORE, target, parameters, seed=seed, env={"RLCORES_PART": part}, netlist=netlist)
    assert all(found.coverage.get(name, 0) > 10 for name in NEEDED[part]), found.coverage


@pytest.mark.parametrize(("part", "number"), [(part, n) for part, cases in PARTS.items() for n in range(len(cases))])
def test_a_part_is_its_model(part: str, number: int, simulator: str, seed: int) -> None:
    run(part, simulator, seed, PARTS[part][number])


@pytest.mark.slow
@pytest.mark.parametrize("family", ["xcup", "ecp5"])
@pytest.mark.parametrize("part", ["average", "weights"])
def test_a_netlist_of_a_part_is_its_model(part: str, family: str, seed: int) -> None:
    run(part, "verilator", seed, PARTS[part][1], family)
