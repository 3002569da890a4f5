"""The cocotb benches of the primitives, swept over their parameters on both simulators."""

from itertools import product

import pytest

from rlcores.base import tools
from rlcores.eda import sim
from rlcores.errors import RunFailed

VLNV = "rlcores:common:verif"
SUFFIX = {"verilator": "", "icarus": "_icarus"}


def run(module: str, simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    """Run a module's bench with these parameters; a failing test raises."""
    assert sim.run(VLNV, module + SUFFIX[simulator], parameters, seed=seed).tests


def sweep(*cases: dict[str, int | str], quick: int = 2, both: int = 0) -> pytest.MarkDecorator:
    """Every case in both simulators; in `make test` the first `quick` in Icarus, and the first `both` in Verilator.

    Icarus builds in no time. What has none in Verilator there is in the Verilated cores of other tests.
    """
    no_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
    params = []
    for number, case in enumerate(cases):
        name = "-".join(f"{key}={value}" for key, value in case.items())
        for simulator, count, marks in (("icarus", quick, [no_icarus]), ("verilator", both, [])):
            later = [pytest.mark.slow] if number >= count else []
            params.append(pytest.param(simulator, case, id=f"{simulator}-{name}", marks=[*marks, *later]))
    return pytest.mark.parametrize(("simulator", "parameters"), params)


@sweep(dict(WIDTH=18), dict(WIDTH=1))
def test_skid_loses_nothing(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("skid", simulator, seed, parameters)


@sweep(
    dict(WIDTH=9, DEPTH=13, STYLE="block"),
    dict(WIDTH=9, DEPTH=3, STYLE="distributed"),
    dict(WIDTH=9, DEPTH=2, STYLE="block"),
    dict(WIDTH=9, DEPTH=3, STYLE="block"),
    dict(WIDTH=9, DEPTH=8, STYLE="block"),
    dict(WIDTH=9, DEPTH=2, STYLE="distributed"),
    dict(WIDTH=9, DEPTH=8, STYLE="distributed"),
    dict(WIDTH=9, DEPTH=13, STYLE="distributed"),
    both=1,
)
def test_fifo_loses_nothing(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("fifo", simulator, seed, parameters)


@sweep(dict(WIDTH=9, DEPTH=5, STYLE="distributed"), dict(WIDTH=4, DEPTH=6, STYLE="block"))
def test_a_queue_of_counted_places_keeps_every_word_and_stops_at_one_too_many(simulator, seed, parameters) -> None:
    assert sim.run(
        VLNV, "queue" + SUFFIX[simulator], parameters, testcase="every_word_comes_out_in_order", seed=seed
    ).tests
    with pytest.raises(RunFailed) as said:
        sim.run(VLNV, "queue" + SUFFIX[simulator], parameters, testcase="a_word_too_many", seed=seed)
    assert "this must never happen" in str(said.value)


@sweep(
    dict(WIDTH=9, PUSHES=4, DEPTH=5),
    dict(WIDTH=1, PUSHES=1, DEPTH=2),
    dict(WIDTH=5, PUSHES=2, DEPTH=2),
    dict(WIDTH=7, PUSHES=3, DEPTH=16),
    dict(WIDTH=6, PUSHES=8, DEPTH=4),
)
def test_mfifo_loses_nothing(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("mfifo", simulator, seed, parameters)


@sweep(
    *(dict(WIDTH=18, DEPTH=12 + latency, READ_LATENCY=latency, STYLE="block") for latency in (2, 1, 3)),
    dict(WIDTH=18, DEPTH=13, READ_LATENCY=2, STYLE="block", BYPASS=1),
)
def test_ram_1r1w_reads_what_was_written(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("ram_1r1w", simulator, seed, parameters)


# With BYPASS the same bench must pass: it changes nothing that can be seen at the ports.
@sweep(
    dict(LANES=3, LANE_WIDTH=5, DEPTH=10, READ_LATENCY=3, BYPASS=1),
    dict(LANES=3, LANE_WIDTH=5, DEPTH=10, READ_LATENCY=2, BYPASS=0),
    dict(LANES=3, LANE_WIDTH=5, DEPTH=3, READ_LATENCY=2, BYPASS=1),
    dict(LANES=4, LANE_WIDTH=9, DEPTH=10, READ_LATENCY=1, BYPASS=0),
    dict(LANES=1, LANE_WIDTH=8, DEPTH=10, READ_LATENCY=4, BYPASS=0),
    dict(LANES=1, LANE_WIDTH=8, DEPTH=10, READ_LATENCY=5, BYPASS=1),
    dict(LANES=3, LANE_WIDTH=5, DEPTH=1, READ_LATENCY=1, BYPASS=0),
    dict(LANES=3, LANE_WIDTH=5, DEPTH=1, READ_LATENCY=3, BYPASS=1),
    dict(LANES=3, LANE_WIDTH=5, DEPTH=2, READ_LATENCY=2, BYPASS=1),
    quick=3,
)
def test_ram_1r1w_lane_changes_only_enabled_lanes(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("ram_1r1w_lane", simulator, seed, parameters)


@sweep(dict(WIDTH=7, DEPTH=11, READ_LATENCY=2), dict(WIDTH=18, DEPTH=16, READ_LATENCY=1))
def test_ram_2rw_ports_see_one_memory(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    outcome = sim.run(VLNV, "ram_2rw" + SUFFIX[simulator], parameters, seed=seed)
    assert outcome.tests and (outcome.folder / "log.txt").read_text().count("both ports write address 3 at") == 1


# Dropping nothing, something, all but one bit; output narrower, as wide, wider than what is kept.
ROUND_SAT = [
    (12, 4, 8), (8, 7, 2), (8, 0, 9), (8, 3, 5), (8, 0, 4), (8, 0, 8), (8, 1, 7), (8, 1, 8), (8, 3, 2),
    (8, 3, 6), (8, 3, 12), (9, 4, 4), (10, 5, 5), (1, 0, 2),
]  # fmt: skip


@sweep(
    *(
        dict(WIN=win, FRAC=frac, WOUT=wout, SYMMETRIC=symmetric)
        for (win, frac, wout), symmetric in product(ROUND_SAT, (1, 0))
    ),
    quick=3,
)
def test_round_sat_equals_integer_arithmetic(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("round_sat", simulator, seed, parameters)


@sweep(
    # The sizes of the learner, then one bit in, the narrowest out, and few shifts.
    dict(WIN=48, WOUT=18, SHIFT_WIDTH=6, SYMMETRIC=0),
    dict(WIN=48, WOUT=27, SHIFT_WIDTH=6, SYMMETRIC=1),
    dict(WIN=44, WOUT=27, SHIFT_WIDTH=6, SYMMETRIC=0),
    dict(WIN=9, WOUT=4, SHIFT_WIDTH=4, SYMMETRIC=1),
    dict(WIN=9, WOUT=8, SHIFT_WIDTH=3, SYMMETRIC=0),
    dict(WIN=9, WOUT=9, SHIFT_WIDTH=2, SYMMETRIC=1),
    dict(WIN=6, WOUT=9, SHIFT_WIDTH=5, SYMMETRIC=1),
    dict(WIN=1, WOUT=2, SHIFT_WIDTH=1, SYMMETRIC=0),
    dict(WIN=60, WOUT=2, SHIFT_WIDTH=6, SYMMETRIC=1),
    quick=3,
)
def test_shift_sat_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("shift_sat", simulator, seed, parameters)


def mac(widths: tuple[int, ...], registers: tuple[int, ...]) -> dict[str, int | str]:
    """Parameters of rlc_mac: widths of a, b, c and p; registers on a, b, c and the product."""
    names = [name + kind for kind in ("_WIDTH", "_REG") for name in "ABCP"]
    names[-1] = "M_REG"
    return dict(zip(names, widths + registers, strict=True))


@sweep(
    # Narrow enough that the ends of the ranges meet often; c narrower than the product.
    mac((5, 4, 3, 10), (1, 1, 0, 1)),
    mac((27, 18, 46, 48), (0, 1, 1, 0)),
    mac((27, 18, 48, 48), (1, 1, 0, 1)) | dict(ACC=1),
    mac((5, 4, 3, 10), (0, 0, 1, 0)) | dict(ACC=1),
    *(mac((27, 18, 48, 48), registers) for registers in product((0, 1), repeat=4)),
    quick=4,
    both=1,
)
def test_mac_adds_the_product_at_the_promised_latency(
    simulator: str, seed: int, parameters: dict[str, int | str]
) -> None:
    run("mac", simulator, seed, parameters)


@sweep(
    *(
        dict(A_WIDTH=a, B_WIDTH=b, C_REG=c_reg)
        for (a, b), c_reg in [
            ((38, 32), 1), ((38, 32), 0), ((52, 34), 1), ((52, 34), 0), ((26, 17), 0), ((27, 17), 1), ((27, 17), 0),
            ((26, 18), 1), ((26, 18), 0), ((30, 20), 0), ((1, 1), 0), ((2, 34), 0), ((52, 1), 1),
        ]
    )
)  # fmt: skip
def test_umul_is_the_whole_product_at_the_promised_latency(
    simulator: str, seed: int, parameters: dict[str, int | str]
) -> None:
    run("umul", simulator, seed, parameters)


@sweep(
    *(
        dict(A_WIDTH=a, B_WIDTH=b, DROP=drop)
        for a, b, drop in [(27, 35, 20), (18, 18, 0), (27, 19, 1), (5, 22, 17), (27, 35, 44), (2, 2, 2), (27, 35, 0)]
    ),
    quick=2,
)
def test_smul_is_the_rounded_product_at_the_promised_latency(
    simulator: str, seed: int, parameters: dict[str, int | str]
) -> None:
    run("smul", simulator, seed, parameters)


@sweep(*(dict(PLACES=places) for places in (5, 1, 2, 8, 20)))
def test_credit_gives_every_place_once(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("credit", simulator, seed, parameters)


@sweep(*(dict(WIDTH=9, CLOCKS=clocks) for clocks in (7, 0, 1, 2)))
def test_delay_takes_its_clocks(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("delay", simulator, seed, parameters)


@sweep(*(dict(WIDTH=9, CLOCKS=clocks) for clocks in (3, 4, 5, 33)))
def test_delay_ram_takes_its_clocks(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("delay_ram", simulator, seed, parameters)


@sweep(*(dict(WIDTH=width) for width in (64, 1, 5, 6, 7, 12, 13, 100)))
def test_popcount_counts_every_bit(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("popcount", simulator, seed, parameters)


@sweep(*(dict(IN_WIDTH=width) for width in (33, 64, 1, 4, 5, 16, 17, 26, 27)))
def test_log2_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("log2", simulator, seed, parameters)


@sweep(
    dict(IN_WIDTH=35, OUT_WIDTH=18, OUT_FRAC=0),
    dict(IN_WIDTH=33, OUT_WIDTH=32, OUT_FRAC=31),
    dict(IN_WIDTH=35, OUT_WIDTH=32, OUT_FRAC=0),
    dict(IN_WIDTH=48, OUT_WIDTH=39, OUT_FRAC=20),
    dict(IN_WIDTH=28, OUT_WIDTH=1, OUT_FRAC=0),
    dict(IN_WIDTH=30, OUT_WIDTH=6, OUT_FRAC=6),
)
def test_exp2_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("exp2", simulator, seed, parameters)


@sweep(dict(STYLE="block"), dict(STYLE="distributed"))
def test_tanh_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("tanh", simulator, seed, parameters)


@sweep(dict(STYLE="block"), dict(STYLE="distributed"), quick=1)
def test_sincos_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("sincos", simulator, seed, parameters)


@sweep(dict(STYLE="block"), dict(STYLE="distributed"), quick=1)
def test_reciprocal_equals_its_model(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("reciprocal", simulator, seed, parameters)


@sweep(
    # Every pair of the narrow ones; a quotient that cannot overflow; a denominator wider than all else.
    dict(N_WIDTH=6, D_WIDTH=6, FRACTION=0, Q_WIDTH=5, PER_CLOCK=1),
    dict(N_WIDTH=6, D_WIDTH=5, FRACTION=3, Q_WIDTH=12, PER_CLOCK=2),
    dict(N_WIDTH=24, D_WIDTH=24, FRACTION=8, Q_WIDTH=24, PER_CLOCK=3),
    dict(N_WIDTH=4, D_WIDTH=7, FRACTION=1, Q_WIDTH=2, PER_CLOCK=1),
    dict(N_WIDTH=3, D_WIDTH=30, FRACTION=0, Q_WIDTH=9, PER_CLOCK=20),
    dict(N_WIDTH=40, D_WIDTH=3, FRACTION=20, Q_WIDTH=64, PER_CLOCK=5),
    dict(N_WIDTH=1, D_WIDTH=1, FRACTION=0, Q_WIDTH=2, PER_CLOCK=1),
    quick=3,
)
def test_divide_is_exact(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("divide", simulator, seed, parameters)


@sweep({})
def test_xoshiro_makes_the_published_words(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("xoshiro128pp", simulator, seed, parameters)


@sweep(dict(WIDTH=5), dict(WIDTH=1))
def test_sticky_bits_keep_events(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("sticky", simulator, seed, parameters)


@sweep(dict(WIDTH=4, SATURATE=0), dict(WIDTH=4, SATURATE=1), dict(WIDTH=2, SATURATE=1))
def test_counter_counts_every_event(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("counter", simulator, seed, parameters)


@sweep(dict(COUNT=5, WIDTH=10), dict(COUNT=8, WIDTH=3), dict(COUNT=1, WIDTH=1), dict(COUNT=2, WIDTH=1))
def test_turn_gives_every_place_its_turn(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("turn", simulator, seed, parameters)


@sweep(dict(ADDR_WIDTH=6, REGS=11), dict(ADDR_WIDTH=4, REGS=4), dict(ADDR_WIDTH=3, REGS=1))
def test_axil_regs_answer_every_request_once(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("axil_regs", simulator, seed, parameters)


@sweep(
    dict(ID_WIDTH=3, ADDR_WIDTH=9, DATA_WIDTH=32, DEPTH=52, READ_LATENCY=2, STYLE="block", BYPASS=0),
    dict(ID_WIDTH=1, ADDR_WIDTH=8, DATA_WIDTH=64, DEPTH=32, READ_LATENCY=3, STYLE="distributed", BYPASS=1),
    dict(ID_WIDTH=4, ADDR_WIDTH=6, DATA_WIDTH=8, DEPTH=33, READ_LATENCY=5, STYLE="auto", BYPASS=0),
    dict(ID_WIDTH=6, ADDR_WIDTH=12, DATA_WIDTH=512, DEPTH=20, READ_LATENCY=4, STYLE="ultra", BYPASS=0),
)
def test_axi_ram_is_a_memory_of_words_at_a_beat_a_clock(
    simulator: str, seed: int, parameters: dict[str, int | str]
) -> None:
    run("axi_ram", simulator, seed, parameters)


@sweep(dict(STAGES=2, SOURCES=1), dict(STAGES=3, SOURCES=2))
def test_no_reset_of_any_origin_is_missed(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("reset_sync", simulator, seed, parameters)


@pytest.mark.parametrize("module", ["sync_level", "sync_pulse"])
@sweep(dict(STAGES=2), dict(STAGES=4))
def test_clock_crossing_loses_nothing(simulator: str, seed: int, module: str, parameters: dict[str, int | str]) -> None:
    run(module, simulator, seed, parameters)


@sweep(dict(WIDTH=9, DEPTH_LOG2=2, STAGES=2), dict(WIDTH=1, DEPTH_LOG2=4, STAGES=4))
def test_fifo_between_two_clocks_loses_nothing(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("fifo_async", simulator, seed, parameters)


# Down to the shortest bit; the line's drift and spikes need 16 clocks.
@sweep(dict(CLOCKS_PER_BIT=16), dict(CLOCKS_PER_BIT=4), dict(CLOCKS_PER_BIT=21))
def test_bytes_of_a_serial_line_arrive(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("uart_rx", simulator, seed, parameters)


@sweep(dict(CLOCKS_PER_BIT=5), dict(CLOCKS_PER_BIT=4), dict(CLOCKS_PER_BIT=16))
def test_bytes_go_out_on_a_serial_line(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("uart_tx", simulator, seed, parameters)


@sweep({})
def test_crc32_is_that_of_ethernet(simulator: str, seed: int, parameters: dict[str, int | str]) -> None:
    run("crc32", simulator, seed, parameters)
