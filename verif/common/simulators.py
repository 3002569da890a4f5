"""Cases of a bench in both simulators: which of them `make test` runs, and what a run covered."""

from collections.abc import Container

import pytest

from rlcores.base import tools
from rlcores.eda import sim

Case = dict[str, int | str]
NO_ICARUS = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")


def both(*cases: Case, icarus: Container[int] = range(1, 3), verilator: Container[int] = range(1)) -> list:
    """Every case in both simulators; `make test` runs those of these numbers in each, and the long run the others."""
    params = []
    for number, case in enumerate(cases):
        name = " ".join(f"{parameter}{value}" for parameter, value in case.items())
        for simulator, quick, marks in (("icarus", icarus, [NO_ICARUS]), ("verilator", verilator, [])):
            later = [] if number in quick else [pytest.mark.slow]
            params.append(pytest.param(simulator, case, marks=[*marks, *later], id=f"{simulator} {name}"))
    return params


def in_icarus(*cases: Case) -> list:
    """Every case in both simulators; `make test` runs the first three, in Icarus."""
    return both(*cases, icarus=range(3), verilator=())


def covered(core: str, target: str, simulator: str, seed: int, parameters: Case, **env: str) -> dict[str, int]:
    """Simulate a target of a core, and hand over what it covered."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    return sim.run(core, name, parameters, seed=seed, env=env).coverage
