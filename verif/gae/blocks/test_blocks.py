"""Single modules of the GAE core's front, bit for bit as the integer model, in both simulators."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import sim

CORE = "rlcores:gae:blocks"


def both(*cases: tuple[int, ...]) -> list:
    """Every case in both simulators; in `make test` the first, in Icarus."""
    params = []
    for number, case in enumerate(cases):
        params.append(pytest.param("icarus", *case, marks=[NO_ICARUS, *[pytest.mark.slow] * (number > 0)]))
        params.append(pytest.param("verilator", *case, marks=pytest.mark.slow))
    return params


def run(target: str, simulator: str, seed: int, **parameters: int) -> dict[str, int]:
    """Simulate a target of blocks.core and hand over what it covered."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    return sim.run(CORE, name, parameters, seed=seed).coverage


@pytest.mark.parametrize(("simulator", "beat", "count_bits"), both((4, 7), (1, 40), (2, 40), (8, 40)))
def test_statistics_are_exact(simulator: str, seed: int, beat: int, count_bits: int) -> None:
    hits = run("stats", simulator, seed, BEAT=beat, CNT_WIDTH=count_bits)
    assert hits["beats"] > 300 and hits["gaps"] > 50 and hits["rewards"] > 100
    assert hits["undone"] > 5 and hits["resets"] > 5
    assert (hits["full"] > 0) == (count_bits < 40)


@pytest.mark.parametrize(("simulator", "beat", "qbits"), both((2, 8), (1, 3), (4, 5), (2, 10), (1, 16)))
def test_codes_are_those_of_the_model(simulator: str, seed: int, beat: int, qbits: int) -> None:
    hits = run("quant", simulator, seed, BEAT=beat, QBITS=qbits)
    assert hits["elements"] == 120 * 12 * beat
    assert min(hits["clipped"], hits["unclipped, not zero"], hits["at the limit, not clipped"]) > 0


@pytest.mark.parametrize(
    ("simulator", "qbits", "depth", "lookahead"),
    both((8, 1024, 2), (3, 256, 4), (10, 16, 1), (16, 4096, 1), (8, 1280, 3), (11, 2, 4), (16, 40, 2)),
)
def test_scales_are_those_of_the_model(simulator: str, seed: int, qbits: int, depth: int, lookahead: int) -> None:
    hits = run("scale", simulator, seed, QBITS=qbits, DEPTH=depth, LOOKAHEAD=lookahead)
    assert min(hits[name] for name in hits) > 0, f"the cases missed something: {hits}"
    # What the header of rlc_gae_scale promises.
    assert hits["most clocks"] <= 2017 + 36 * lookahead


@pytest.mark.parametrize(("simulator", "qbits", "out_bits", "lookahead"), both((16, 24, 4), (8, 8, 1), (16, 16, 4)))
def test_a_row_writes_no_record_from_before_a_reset(
    simulator: str, seed: int, qbits: int, out_bits: int, lookahead: int
) -> None:
    hits = run("row", simulator, seed, QBITS=qbits, OUT_BITS=out_bits, LOOKAHEAD=lookahead)
    assert hits["written"] > 100 and hits["lost in a reset"] > 100
