"""The UVM tests of the GAE core, swept over its parameters. `rlcores regress` adds configurations and seeds."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.base import paths, tools
from rlcores.eda import sim
from rlcores.errors import RunFailed

VLNV = "rlcores:gae:gae"
NAMES = ("ROWS", "LANES", "DEPTH", "LOOKAHEAD", "INTERLEAVE", "SPAN", "QBITS", "OUT_BITS", "BEAT", "STACKS", "TRACE")
needs_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")

# Icarus builds in no time, so it takes the sweep: every LOOKAHEAD, INTERLEAVE and QBITS at least once, results in place
# and in the second bank, one row to sixteen, SPAN from 1 to all, DEPTH a power of two and not.
MORE = [
    # ROWS LANES DEPTH LOOK INTER SPAN QBITS OUT BEAT [STACKS [TRACE]]
    (1, 1, 16, 1, 1, 1, 8, 8, 1),
    (4, 16, 16, 2, 4, 2, 7, 7, 4),
    (2, 8, 24, 4, 1, 2, 5, 5, 1),
    (3, 18, 17, 3, 6, 3, 10, 16, 1),
    (2, 16, 16, 4, 8, 2, 8, 16, 2),
    (8, 8, 16, 2, 1, 8, 8, 8, 8),
    (1, 2, 2, 2, 1, 1, 8, 16, 2),
    (2, 8, 16, 3, 1, 1, 4, 16, 4),
    (2, 12, 20, 1, 3, 2, 6, 16, 2),
    (2, 10, 16, 2, 5, 1, 9, 9, 2),
    (1, 7, 16, 1, 7, 1, 10, 10, 1),
    (16, 32, 16, 1, 2, 4, 8, 8, 4),
    (2, 8, 20, 2, 1, 2, 16, 16, 2),
    (1, 2, 24, 1, 1, 1, 12, 12, 1),
    (2, 8, 16, 3, 1, 1, 11, 16, 2),
    (1, 4, 33, 1, 4, 1, 16, 24, 1),
    (2, 4, 16, 1, 1, 1, 8, 24, 2),
    (2, 4, 16, 2, 2, 1, 16, 24, 2),
    (4, 16, 17, 2, 2, 2, 8, 8, 4, 2),
    (2, 8, 16, 1, 1, 1, 6, 16, 2, 2),
    (1, 4, 20, 1, 4, 1, 16, 24, 1, 2),
    (2, 8, 24, 4, 1, 2, 5, 5, 1, 1, 1),
    (3, 18, 17, 3, 6, 3, 10, 16, 1, 1, 1),
    (1, 2, 24, 1, 1, 1, 12, 12, 1, 1, 1),
    (1, 2, 17, 1, 1, 1, 8, 8, 1, 1, 1),
    (4, 16, 17, 2, 2, 2, 8, 8, 4, 2, 1),
    (2, 8, 20, 3, 1, 2, 16, 24, 2, 1, 1),
]
# Verilator takes a while to build, so it takes shapes that are unlike each other; in `make test` the smallest, with
# fewer rollouts, and against Icarus clock by clock.
SMALLEST = (1, 4, 16, 1, 2, 1, 3, 3, 2)
TWO_STACKS = (1, 4, 16, 1, 2, 1, 3, 3, 2, 2)
TRACE = (1, 4, 16, 2, 1, 1, 8, 8, 2, 1, 1)
VERILATED = [
    TWO_STACKS,
    TRACE,
    (2, 12, 20, 1, 3, 2, 6, 16, 2),
    (3, 6, 16, 3, 1, 3, 10, 10, 1),
    (2, 4, 16, 2, 2, 1, 16, 24, 2),
]
SLOW = pytest.mark.slow


def of(shape: tuple[int, ...]) -> dict[str, int]:
    """Parameters by name; one stack and no TRACE where the shape does not say."""
    return dict(zip(NAMES, (*shape, *(1, 0)[len(shape) - 9 :]), strict=True))


def run(simulator: str, seed: int, shape: tuple[int, ...], rollouts: int, only: str = "") -> sim.SimResult:
    """All UVM tests of the core with these parameters; a failing one, or an unhit coverage bin, raises.

    only: a pattern of the names of the tests to run; the bins are the others' to hit as well.
    """
    env = {"GAE_ROLLOUTS": str(rollouts)}
    result = sim.run(VLNV, sim.TARGETS[simulator], of(shape), seed=seed, env=env, testcase=only or None)
    assert len(result.tests) == (only.count("|") + 1 if only else 7)
    assert result.coverage["rollout"] >= rollouts + (0 if only else 15)
    return result


def name(shape: tuple[int, ...]) -> str:
    return "-".join(map(str, shape))


@SLOW
@needs_icarus
@pytest.mark.parametrize("shape", [SMALLEST, TWO_STACKS, TRACE, *MORE], ids=name)
def test_results_registers_and_flags_equal_the_model(seed: int, shape: tuple[int, ...]) -> None:
    run("icarus", seed, shape, rollouts=5)


@SLOW
@pytest.mark.parametrize("shape", VERILATED, ids=name)
def test_results_registers_and_flags_equal_the_model_in_verilator(seed: int, shape: tuple[int, ...]) -> None:
    run("verilator", seed, shape, rollouts=20)


@pytest.mark.parametrize(
    "shape", [SMALLEST, *(pytest.param(s, marks=SLOW) for s in (TWO_STACKS, TRACE, *MORE, *VERILATED[2:]))], ids=name
)
def test_every_shape_lints_so_it_builds_in_verilator(tmp_path: Path, shape: tuple[int, ...]) -> None:
    command = [sys.executable, "-m", "fusesoc.main", "--config", str(paths.root() / "fusesoc.conf")]
    command += ["run", "--work-root", str(tmp_path / "work"), "--target", "lint", VLNV]
    command += [f"--{parameter}={value}" for parameter, value in of(shape).items()]
    done = subprocess.run(command, env=tools.env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# In `make test` both run the first test of two shapes, and Verilator the corner cases of one besides.
FIRST = "random_rollouts_equal_the_model"
BOTH = [
    (TWO_STACKS, f"{FIRST}|corner_cases_equal_the_model", FIRST),
    (TRACE, FIRST, FIRST),
    *(pytest.param(s, "", "", marks=SLOW) for s in (TWO_STACKS, TRACE, SMALLEST, VERILATED[2])),
]


# What is broken of a row with TRACE -> a few words of it, and what a copy says instead.
BROKEN = {
    "a coefficient above 1": ("above ? {(B_FRAC+1){1'b0}} : below", "below"),
    "a coefficient below 0": ("below ? {1'b1, {B_FRAC{1'b0}}} : s_v", "s_v"),
    "a limit that nobody hears": ("s_keep && (above || below)", "1'b0"),
    "a limit of what is no step": ("s_keep && (above || below)", "above || below"),
    "the last bit": (": s_v[B_FRAC:0];", ": {s_v[B_FRAC:1], 1'b0};"),
    "the end's reward": ("r_s1 & {ACC_WIDTH{kind_s1[0]}}", "r_s1"),
    "no product": ("= product[B_FRAC:0]", "= b_at[j]"),
    "another step's product": ("WIDTH(B_FRAC+1), .CLOCKS(INTERLEAVE)", "WIDTH(B_FRAC+1), .CLOCKS(INTERLEAVE + 1)"),
    "the loop's coefficient": ("b_span = product_at[LOOKAHEAD]", "b_span = b_at[1]"),
}


@SLOW
@needs_icarus
@pytest.mark.parametrize(("right", "wrong"), BROKEN.values(), ids=BROKEN)
def test_a_row_with_a_wrong_coefficient_is_seen(
    break_line: Callable[[str, str, str], Path], right: str, wrong: str, seed: int
) -> None:
    break_line("rtl/gae/rlc_gae_pe.v", right, wrong)
    with pytest.raises(RunFailed, match="tests failed"):
        # Results of 16 bits: those of 8 do not show the last bit of a coefficient.
        run("icarus", seed, (1, 4, 16, 2, 1, 1, 8, 16, 2, 1, 1), 6, f"{FIRST}|corner_cases_equal_the_model")


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for right, _ in BROKEN.values():
        file_with("rtl/gae/rlc_gae_pe.v", right)


@needs_icarus
@pytest.mark.parametrize(("shape", "first", "second"), BOTH, ids=lambda x: x if isinstance(x, str) else name(x))
def test_both_simulators_see_the_same_at_the_same_clocks(
    seed: int, shape: tuple[int, ...], first: str, second: str, same_transcripts: Callable[..., int]
) -> None:
    """first, second: of which tests Verilator and Icarus run only these."""
    # Seeds of its own, so that its runs do not share a folder with others.
    seed += 1 if second else 2
    runs = run("verilator", seed, shape, rollouts=6, only=first), run("icarus", seed, shape, rollouts=6, only=second)
    assert same_transcripts(*runs) == (1 if second else 6)
