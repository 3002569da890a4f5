"""Synthesis reports: the technology maps say the truth, the counting leaves nothing out, the command is usable."""

import itertools
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from rlcores import cli, configs, paths
from rlcores.errors import RunFailed, UserError
from rlcores.synth import area, flow, netlist, pins, sources, tables

MAC = paths.root() / "rtl" / "common" / "rlc_mac.v"
MODELS = Path(__file__).parent / "synth"

# family -> the vendor cell that its map uses, and our model of it
CELL = {"xcup": ("DSP48E2", MODELS / "dsp48e2.v"), "ecp5": ("MULT18X18D", MODELS / "mult18x18d.v")}

REGISTERS = list(itertools.product((0, 1), repeat=4))  # A_REG, B_REG, C_REG, M_REG
PARAMETERS = ("A_WIDTH", "B_WIDTH", "C_WIDTH", "P_WIDTH", "A_REG", "B_REG", "C_REG", "M_REG")

# Widths (a, b, c, p): one that a solver decides in no time, and those of the cores, the swap of operands and the
# largest that fit, which random numbers try.
PROVED = (4, 3, 8, 9)
TRIED = {
    "xcup": [(27, 18, 48, 48), (27, 8, 37, 37), (8, 27, 35, 36)],
    "ecp5": [(27, 18, 45, 45), (27, 8, 37, 37), (35, 18, 54, 54)],
}

GATE = """\
module gate (
    input clk, input signed [{a}-1:0] a, input signed [{b}-1:0] b, input signed [{c}-1:0] c,
    input m_clear, input c_clear, output signed [{p}-1:0] p
);
    rlc_mac #({given}) u (.clk(clk), .a(a), .b(b), .c(c), .m_clear(m_clear), .c_clear(c_clear), .p(p));
endmodule
"""


def mapped(folder: Path, family: str, techmap: Path, case: tuple[int, ...]) -> list[str]:
    """yosys commands that leave module `gold`, the plain rlc_mac, and `gate`, the mapped one around our cell model.

    A case is the eight values of PARAMETERS.
    """
    cell, model = CELL[family]
    for file in (MAC, model, techmap):
        shutil.copy(file, folder)
    values = dict(zip(PARAMETERS, case, strict=True))
    given = ", ".join(f".{name}({value})" for name, value in values.items())
    gate = folder / f"gate{'_'.join(map(str, case))}.v"
    gate.write_text(GATE.format(a=case[0], b=case[1], c=case[2], p=case[3], given=given))
    return [
        f"log case {values}",
        "design -reset",
        "read_verilog rlc_mac.v",
        "hierarchy -top rlc_mac " + " ".join(f"-chparam {n} {v}" for n, v in values.items()),
        "rename -top gold",
        "proc",
        "design -stash gold",
        f"read_verilog -lib {model.name}",
        "read_verilog -lib rlc_mac.v",
        f"read_verilog {gate.name}",
        "hierarchy -top gate",
        "proc",
        f"techmap -autoproc -map {techmap.name}",
        "select -assert-none t:rlc_mac",
        f"select -assert-min 1 t:{cell}",
        "select gate",
        "write_rtlil -selected gate.il",
        "design -reset",
        f"read_verilog {model.name}",
        "read_rtlil gate.il",
        "hierarchy -top gate",
        "proc",
        "flatten",
        "design -copy-from gold gold",
    ]


def prove(folder: Path, family: str, techmap: Path) -> None:
    """Prove gate equal to gold for every choice of registers, whatever the registers held before.

    Raises RunFailed when they differ or when the map did not use its vendor cell.
    """
    commands = []
    for registers in REGISTERS:
        if family == "ecp5" and registers[3] == 0:
            continue  # left to the plain Verilog
        commands += mapped(folder, family, techmap, (*PROVED, *registers))
        commands += [
            "miter -equiv -flatten gold gate miter",
            "hierarchy -top miter",
            "opt -full",
            # The pipeline forgets what is older than 3 clocks, so step 5 from any state is all there is to prove.
            "sat -verify -seq 5 -prove-skip 4 -prove trigger 0 miter",
        ]
    flow.yosys(commands, folder, "proving the map")


def compare(folder: Path, family: str, techmap: Path, shape: tuple[int, ...], registers: tuple[int, ...], seed: int):
    """Drive gold and gate with the same random operands. Raises RunFailed when they differ."""
    shutil.copy(MODELS / "compare.v", folder)
    names = ("A_BITS", "B_BITS", "C_BITS", "P_BITS")
    defines = " ".join(f"-D{name}={bits}" for name, bits in zip(names, shape, strict=True))
    commands = [
        *mapped(folder, family, techmap, (*shape, *registers)),
        f"read_verilog {defines} -DSEED={seed + 1:x} compare.v",
        "hierarchy -top compare",
        "proc",
        "flatten",
        "opt_clean",
        # Nothing is free here but what the registers held at first: the solver only evaluates. (No `sim` in this yosys.)
        "sat -verify -seq 16 -prove differ 0 compare",
    ]
    flow.yosys(commands, folder, "comparing the map")


@pytest.mark.parametrize("family", CELL)
def test_area_is_counted_on_hardware_that_computes_what_rlc_mac_does(family: str, tmp_path: Path) -> None:
    prove(tmp_path, family, tables.HERE / f"{family}_mac.v")


@pytest.mark.parametrize(("family", "shape"), [(f, s) for f in TRIED for s in TRIED[f]])
def test_area_is_counted_on_hardware_wide_enough_for_the_cores(
    family: str, shape: tuple[int, ...], seed: int, tmp_path: Path
) -> None:
    compare(tmp_path, family, tables.HERE / f"{family}_mac.v", shape, (0, 1, 1, 1), seed)


@pytest.mark.parametrize(
    ("family", "right", "wrong"),
    [
        ("xcup", ".RSTM(M_REG != 0 && m_clear)", ".RSTM(1'b0)"),
        ("xcup", ".BREG(SHORT_REG), .BCASCREG(SHORT_REG)", ".BREG(0), .BCASCREG(0)"),
        ("xcup", ".ALUMODE(4'b0000)", ".ALUMODE(4'b0011)"),
        ("ecp5", ".RST0(clear)", ".RST0(1'b0)"),
        ("ecp5", ".SIGNEDB(1'b1)", ".SIGNEDB(1'b0)"),
    ],
)
def test_a_wrong_map_does_not_get_past_the_proof(family: str, right: str, wrong: str, tmp_path: Path) -> None:
    text = (tables.HERE / f"{family}_mac.v").read_text()
    assert right in text
    broken = tmp_path / "broken" / f"{family}_mac.v"
    broken.parent.mkdir()
    broken.write_text(text.replace(right, wrong))
    with pytest.raises(RunFailed, match="proof did fail"):
        prove(tmp_path, family, broken)
