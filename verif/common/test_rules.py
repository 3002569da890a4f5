"""In simulation a core that breaks a rule of its bus ends the run, and the rule is named."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import sim

# The benches: core, target, parameters.
REGS = ("rlcores:common:verif", "axil_regs", {"ADDR_WIDTH": 6, "REGS": 11})
READER = ("rlcores:system:replay_blocks", "reader", {"DATA_WIDTH": 64, "BEATS": 4, "READS": 4})
WRITER = (
    "rlcores:system:replay_blocks",
    "write",
    {"LANES": 1, "WORDS": 11, "DATA_WIDTH": 256, "BEATS": 2, "WRITES": 4},
)

# Bench, file, a line, that line broken, and the rule. For each bus: a valid that falls, a payload that moves while
# it waits, an answer without a request or a burst that may not be, a wrong framing.
BROKEN = {
    "axil-valid": (
        REGS,
        "rtl/common/rlc_axil_regs.v",
        "bvalid_d    = wr_go || (s_axil_bvalid && !s_axil_bready);",
        "bvalid_d    = wr_go;",
        "b.valid_stays",
    ),
    "axil-payload": (REGS, "rtl/common/rlc_axil_regs.v", "if (rd_take_q) begin", "if (1'b1) begin", "r.holds"),
    "axil-answer": (
        REGS,
        "rtl/common/rlc_axil_regs.v",
        "wr_here     = aw_held_q && w_held_q;",
        "wr_here     = aw_held_q;",
        "b_answers",
    ),
    "axil-framing": (REGS, "rtl/common/rlc_axil_regs.v", "SLVERR = 2'b10;", "SLVERR = 2'b01;", "[br]_legal"),
    "axi-read-valid": (
        READER,
        "rtl/replay_learner/rlc_replay_reader.sv",
        "(arvalid_q && !m_axi_arready)",
        "1'b0",
        "ar.channel.valid_stays",
    ),
    "axi-read-burst": (
        READER,
        "rtl/replay_learner/rlc_replay_reader.sv",
        "m_axi_arcache = 4'b0011;",
        "m_axi_arcache = 4'b1100;",
        "ar.cache_bits",
    ),
    "axi-write-payload": (
        WRITER,
        "rtl/replay_learner/rlc_replay_writer.sv",
        "if (launch) awaddr_q",
        "if (settled_q) awaddr_q",
        "aw.channel.holds",
    ),
    "stream-valid": (
        READER,
        "rtl/common/rlc_fifo.v",
        "!(m_ready && count_q == ONE)",
        "!(count_q == ONE)",
        "t.valid_stays",
    ),
    "stream-payload": (
        READER,
        "rtl/common/rlc_skid.v",
        "if (advance) m_data_q <=",
        "m_data_q <=",
        "t.holds",
    ),
    "stream-framing": (
        WRITER,
        "verif/replay_learner/blocks/rlc_replay_write_bench.v",
        ".s_beat_last(beat_last)",
        ".s_beat_last(1'b1)",
        "t_last",
    ),
}
# A model takes a quarter of a minute to build.
QUICK = {"axil-valid"}


@pytest.mark.parametrize(
    ("bench", "file", "line", "broken", "rule"),
    [pytest.param(*c, id=n, marks=[] if n in QUICK else [pytest.mark.slow]) for n, c in BROKEN.items()],
)
def test_a_broken_bus_ends_the_simulation_and_the_rule_is_named(
    break_line: Callable[[str, str, str], Path], bench: tuple, file: str, line: str, broken: str, rule: str
) -> None:
    break_line(file, line, broken)
    vlnv, target, parameters = bench
    run = sim.run(vlnv, target, parameters, seed=5, check=False)
    assert not run.passed
    named = re.findall(r"Assertion failed in (\S+):", (run.folder / "log.txt").read_text())
    assert named and re.search(rf"\.({rule})$", named[0]), f"{named} instead of {rule}"


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for _, file, line, *_ in BROKEN.values():
        file_with(file, line)
