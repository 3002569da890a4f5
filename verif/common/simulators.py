"""Cases of a bench in both simulators: which of them `make test` runs, and what a run covered."""

from collections.abc import Container

import pytest

from rlcores.base import tools
from rlcores.eda import sim

Case = dict[str, int | str]
NO_ICARUS = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
# Both simulators of the fixture of that name, where others of the core's tests are quick in Verilator, or in Icarus.
IN_ICARUS = [pytest.param("icarus", marks=NO_ICARUS), pytest.param("verilator", marks=pytest.mark.slow)]
IN_VERILATOR = [pytest.param("icarus", marks=[NO_ICARUS, pytest.mark.slow]), "verilator"]


def both(*cases: Case, icarus: Container[int] = range(1), verilator: Container[int] = ()) -> list:
    """Every case in both simulators; `make test` runs those of these numbers in each, and the long run the others.

    A block's model in Verilator takes longer to build than its bench to run, and the whole core is simulated in both.
    """
    params = []
    for number, case in enumerate(cases):
        name = " ".join(f"{parameter}{value}" for parameter, value in case.items())
        for simulator, quick, marks in (("icarus", icarus, [NO_ICARUS]), ("verilator", verilator, [])):
            later = [] if number in quick else [pytest.mark.slow]
            params.append(pytest.param(simulator, case, marks=[*marks, *later], id=f"{simulator} {name}"))
    return params


def covered(core: str, target: str, simulator: str, seed: int, parameters: Case, **env: str) -> dict[str, int]:
    """Simulate a target of a core, and hand over what it covered."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    return sim.run(core, name, parameters, seed=seed, env=env).coverage
