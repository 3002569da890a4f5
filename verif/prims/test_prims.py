"""The cocotb benches of the primitives, swept over their parameters on both simulators."""

import shutil

import pytest

from rlcores import sim

VLNV = "rlcores:common:verif"
SUFFIX = {"verilator": "", "icarus": "_icarus"}


def run(module: str, simulator: str, seed: int, **parameters: int | str) -> sim.SimResult:
    """Run a module's bench with these parameters; a failing test raises."""
    result = sim.run(VLNV, module + SUFFIX[simulator], parameters, seed=seed)
    assert result.tests
    return result


@pytest.mark.parametrize("width", [1, 18])
def test_skid_loses_nothing(simulator: str, seed: int, width: int) -> None:
    run("skid", simulator, seed, WIDTH=width)


@pytest.mark.parametrize("style", ["block", "distributed"])
@pytest.mark.parametrize("depth", [2, 3, 8, 13])
def test_fifo_loses_nothing(simulator: str, seed: int, depth: int, style: str) -> None:
    run("fifo", simulator, seed, WIDTH=9, DEPTH=depth, STYLE=style)


@pytest.mark.parametrize("latency", [1, 2, 3])
def test_ram_1r1w_reads_what_was_written(simulator: str, seed: int, latency: int) -> None:
    run("ram_1r1w", simulator, seed, WIDTH=18, DEPTH=12 + latency, READ_LATENCY=latency, STYLE="block")


@pytest.mark.parametrize(("lanes", "lane_width", "latency"), [(4, 9, 1), (3, 5, 2), (1, 8, 3)])
def test_ram_1r1w_lane_changes_only_enabled_lanes(
    simulator: str, seed: int, lanes: int, lane_width: int, latency: int
) -> None:
    run("ram_1r1w_lane", simulator, seed, LANES=lanes, LANE_WIDTH=lane_width, DEPTH=10, READ_LATENCY=latency)


@pytest.mark.parametrize(("width", "depth", "latency"), [(18, 16, 1), (7, 11, 2)])
def test_ram_2rw_ports_see_one_memory(simulator: str, seed: int, width: int, depth: int, latency: int) -> None:
    run("ram_2rw", simulator, seed, WIDTH=width, DEPTH=depth, READ_LATENCY=latency)


# Dropping nothing, something, all but one bit; output narrower, as wide, wider than what is kept.
ROUND_SAT = [
    (8, 0, 4), (8, 0, 8), (8, 0, 9), (8, 1, 7), (8, 1, 8), (8, 3, 2), (8, 3, 5),
    (8, 3, 6), (8, 3, 12), (8, 7, 2), (9, 4, 4), (10, 5, 5), (1, 0, 2), (12, 4, 8),
]  # fmt: skip


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not on PATH")
@pytest.mark.parametrize("symmetric", [0, 1])
@pytest.mark.parametrize(("win", "frac", "wout"), ROUND_SAT)
def test_round_sat_equals_integer_arithmetic(seed: int, win: int, frac: int, wout: int, symmetric: int) -> None:
    # Icarus builds in no time, so it takes the sweep; the next test has Verilator agree.
    run("round_sat", "icarus", seed, WIN=win, FRAC=frac, WOUT=wout, SYMMETRIC=symmetric)


@pytest.mark.parametrize(("win", "frac", "wout", "symmetric"), [(8, 0, 4, 0), (12, 4, 8, 1), (8, 3, 12, 0)])
def test_round_sat_is_the_same_in_verilator(seed: int, win: int, frac: int, wout: int, symmetric: int) -> None:
    run("round_sat", "verilator", seed, WIN=win, FRAC=frac, WOUT=wout, SYMMETRIC=symmetric)


@pytest.mark.parametrize(("addr_width", "regs"), [(6, 11), (4, 4), (3, 1)])
def test_axil_regs_answer_every_request_once(simulator: str, seed: int, addr_width: int, regs: int) -> None:
    run("axil_regs", simulator, seed, ADDR_WIDTH=addr_width, REGS=regs)


@pytest.mark.parametrize("stages", [2, 4])
@pytest.mark.parametrize("module", ["sync_level", "sync_pulse", "reset_sync"])
def test_clock_crossing_loses_nothing(simulator: str, seed: int, module: str, stages: int) -> None:
    run(module, simulator, seed, STAGES=stages)
