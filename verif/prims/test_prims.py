"""The cocotb benches of the primitives, swept over their parameters on both simulators."""

import shutil
from itertools import product

import pytest

from rlcores import sim

VLNV = "rlcores:common:verif"
SUFFIX = {"verilator": "", "icarus": "_icarus"}
needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not on PATH")


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


@needs_icarus
@pytest.mark.parametrize("symmetric", [0, 1])
@pytest.mark.parametrize(("win", "frac", "wout"), ROUND_SAT)
def test_round_sat_equals_integer_arithmetic(seed: int, win: int, frac: int, wout: int, symmetric: int) -> None:
    # Icarus builds in no time, so it takes the sweep; the next test has Verilator agree.
    run("round_sat", "icarus", seed, WIN=win, FRAC=frac, WOUT=wout, SYMMETRIC=symmetric)


@pytest.mark.parametrize(("win", "frac", "wout", "symmetric"), [(8, 0, 4, 0), (12, 4, 8, 1), (8, 3, 12, 0)])
def test_round_sat_is_the_same_in_verilator(seed: int, win: int, frac: int, wout: int, symmetric: int) -> None:
    run("round_sat", "verilator", seed, WIN=win, FRAC=frac, WOUT=wout, SYMMETRIC=symmetric)


# The parameters, in order: widths of a, b, c and p; registers on a, b, c and the product.
DSP = (27, 18, 48, 48)
MAC = ["A_WIDTH", "B_WIDTH", "C_WIDTH", "P_WIDTH", "A_REG", "B_REG", "C_REG", "M_REG"]


@needs_icarus
@pytest.mark.parametrize("registers", list(product((0, 1), repeat=4)))
def test_mac_adds_the_product_at_the_promised_latency(seed: int, registers: tuple[int, ...]) -> None:
    run("mac", "icarus", seed, **dict(zip(MAC, DSP + registers, strict=True)))


@pytest.mark.parametrize("values", [(5, 4, 3, 10, 1, 1, 0, 1), (27, 18, 46, 48, 0, 1, 1, 0)])
def test_mac_sign_extends_what_is_narrower_than_the_sum(simulator: str, seed: int, values: tuple[int, ...]) -> None:
    run("mac", simulator, seed, **dict(zip(MAC, values, strict=True)))


@needs_icarus
@pytest.mark.parametrize("clocks", [0, 1, 2, 7])
def test_delay_takes_its_clocks(seed: int, clocks: int) -> None:
    run("delay", "icarus", seed, WIDTH=9, CLOCKS=clocks)


def test_delay_is_the_same_in_verilator(seed: int) -> None:
    run("delay", "verilator", seed, WIDTH=9, CLOCKS=7)


@needs_icarus
@pytest.mark.parametrize("width", [1, 5, 6, 7, 12, 13, 64, 100])
def test_popcount_counts_every_bit(seed: int, width: int) -> None:
    run("popcount", "icarus", seed, WIDTH=width)


def test_popcount_is_the_same_in_verilator(seed: int) -> None:
    run("popcount", "verilator", seed, WIDTH=64)


@pytest.mark.parametrize(("addr_width", "regs"), [(6, 11), (4, 4), (3, 1)])
def test_axil_regs_answer_every_request_once(simulator: str, seed: int, addr_width: int, regs: int) -> None:
    run("axil_regs", simulator, seed, ADDR_WIDTH=addr_width, REGS=regs)


@pytest.mark.parametrize("stages", [2, 4])
@pytest.mark.parametrize("module", ["sync_level", "sync_pulse", "reset_sync"])
def test_clock_crossing_loses_nothing(simulator: str, seed: int, module: str, stages: int) -> None:
    run(module, simulator, seed, STAGES=stages)
