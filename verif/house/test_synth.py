"""Synthesis reports: the technology maps say the truth, the counting leaves nothing out, the command is usable."""

import itertools
import json
import shutil
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.eda import configs, slang, sources
from rlcores.eda.synth import area, flow, netlist, pins, placed, tables
from rlcores.errors import RunFailed, UserError

MAC = paths.root() / "rtl" / "common" / "rlc_mac.v"
CHECK = MAC.with_name("rlc_check.vh")
MODELS = tables.HERE / "cells"

SLOW = pytest.mark.slow

# family -> the vendor cell that its map uses, and our model of it
CELL = {"xcup": ("DSP48E2", MODELS / "dsp48e2.v"), "ecp5": ("MULT18X18D", MODELS / "mult18x18d.v")}

REGISTERS = list(itertools.product((0, 1), repeat=5))  # A_REG, B_REG, C_REG, M_REG, and ACC
PARAMETERS = ("A_WIDTH", "B_WIDTH", "C_WIDTH", "P_WIDTH", "A_REG", "B_REG", "C_REG", "M_REG", "ACC")

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
    input m_clear, input c_clear, input acc, output signed [{p}-1:0] p
);
    rlc_mac #({parameters}) u (.clk(clk), .a(a), .b(b), .c(c), .m_clear(m_clear), .c_clear(c_clear), .acc(acc), .p(p));
endmodule
"""


def mapped(folder: Path, family: str, techmap: Path, case: tuple[int, ...]) -> list[str]:
    """yosys commands that leave module `gold`, the plain rlc_mac, and `gate`, the mapped one around our cell model.

    A case is the nine values of PARAMETERS.
    """
    cell, model = CELL[family]
    for file in (MAC, CHECK, model, techmap):
        shutil.copy(file, folder)
    values = dict(zip(PARAMETERS, case, strict=True))
    parameters = ", ".join(f".{name}({value})" for name, value in values.items())
    gate = folder / f"gate{'_'.join(map(str, case))}.v"
    gate.write_text(GATE.format(a=case[0], b=case[1], c=case[2], p=case[3], parameters=parameters))
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


def prove(folder: Path, family: str, techmap: Path, choices: list[tuple[int, ...]] = REGISTERS) -> None:
    """Prove gate equal to gold for these choices of registers, whatever the registers held before.

    Raises RunFailed when they differ or when the map did not use its vendor cell.
    """
    commands = []
    for registers in choices:
        if family == "ecp5" and registers[3] == 0:
            continue  # this is left to the plain Verilog
        commands += mapped(folder, family, techmap, (*PROVED, *registers))
        commands += [
            "miter -equiv -flatten gold gate miter",
            "hierarchy -top miter",
            "opt -full",
            # The pipeline forgets what is older than 3 clocks, and a sum at step 4 that starts anew forgets the one
            # before: so step 5, and step 6 on top of it, from any state are all there is to prove.
            "sat -verify -seq 6 -prove-skip 4 -prove trigger 0" + " -set-at 4 in_acc 0" * registers[4] + " miter",
        ]
    flow.yosys(commands, folder, "proving the map")


def compare(folder: Path, family: str, techmap: Path, shape: tuple[int, ...], registers: tuple[int, ...], seed: int):
    """Drive gold and gate with the same random operands. Raises RunFailed when they differ."""
    shutil.copy(Path(__file__).parent / "synth" / "compare.v", folder)
    names = ("A_BITS", "B_BITS", "C_BITS", "P_BITS", "ACC_USED")
    defines = " ".join(f"-D{name}={bits}" for name, bits in zip(names, (*shape, registers[4]), strict=True))
    commands = [
        *mapped(folder, family, techmap, (*shape, *registers)),
        f"read_verilog {defines} -DSEED={seed + 1:x} compare.v",
        "hierarchy -top compare",
        "proc",
        "flatten",
        "opt_clean",
        # This yosys has no `sim`. Nothing is free here but the first contents of registers: the solver only evaluates.
        "sat -verify -seq 16 -prove differ 0 compare",
    ]
    flow.yosys(commands, folder, "comparing the map")


# The accumulator may add nothing in any clock, and so has the plain sum in it.
ACCUMULATORS = [1, pytest.param(0, marks=SLOW)]


# Every register, and the accumulator, is there and is not; `make regress` takes every choice.
FEW = [(0, 0, 0, 1, 1), (1, 0, 0, 1, 0), (0, 1, 1, 0, 1), (1, 1, 1, 1, 1)]


@pytest.mark.parametrize("choices", [FEW, pytest.param(REGISTERS, marks=SLOW)], ids=["few", "all"])
@pytest.mark.parametrize("family", CELL)
def test_area_is_counted_on_hardware_that_computes_what_rlc_mac_does(
    family: str, choices: list[tuple[int, ...]], tmp_path: Path
) -> None:
    prove(tmp_path, family, tables.HERE / f"{family}_mac.v", choices)


@pytest.mark.parametrize("accumulator", ACCUMULATORS)
@pytest.mark.parametrize(
    ("family", "shape"),
    [pytest.param(f, s, marks=SLOW if n else []) for f in TRIED for n, s in enumerate(TRIED[f])],
)
def test_area_is_counted_on_hardware_wide_enough_for_the_cores(
    family: str, shape: tuple[int, ...], accumulator: int, seed: int, tmp_path: Path
) -> None:
    compare(tmp_path, family, tables.HERE / f"{family}_mac.v", shape, (0, 1, 1, 1, accumulator), seed)


@pytest.mark.parametrize(
    ("family", "right", "wrong"),
    [
        pytest.param("xcup", ".RSTM(M_REG != 0 && m_clear)", ".RSTM(1'b0)", marks=SLOW),
        pytest.param("xcup", ".BREG(SHORT_REG), .BCASCREG(SHORT_REG)", ".BREG(0), .BCASCREG(0)", marks=SLOW),
        ("xcup", ".ALUMODE(4'b0000)", ".ALUMODE(4'b0011)"),
        pytest.param("xcup", "(ACC != 0 && acc)", "(ACC != 0)", marks=SLOW),
        pytest.param("xcup", "(ACC != 0 && acc)", "acc", marks=SLOW),
        pytest.param("ecp5", ".RST0(clear)", ".RST0(1'b0)", marks=SLOW),
        ("ecp5", ".SIGNEDB(1'b1)", ".SIGNEDB(1'b0)"),
        ("ecp5", "acc ? p_q", "1'b0 ? p_q"),
        ("ecp5", "{P_WIDTH{1'b0}};\n    wire signed", "$signed({P_WIDTH{1'b1}});\n    wire signed"),
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


@pytest.mark.parametrize("family", CELL)
def test_a_product_that_yosys_maps_by_itself_is_one_in_our_model_of_the_cell(family: str, tmp_path: Path) -> None:
    cell, model = CELL[family]
    shutil.copy(model, tmp_path)
    (tmp_path / "product.v").write_text(
        "module product (input signed [5:0] a, input signed [4:0] b, output signed [10:0] y);\n"
        "    assign y = a * b;\nendmodule\n"
    )
    synth = {
        "xcup": "synth_xilinx -family xcup -noiopad -noclkbuf -run :map_cells",
        "ecp5": "synth_ecp5 -run :map_cells",
    }
    commands = [
        "read_verilog product.v",
        "rename product gold",
        "design -save gold",
        f"{synth[family]} -top gold",
        f"select -assert-count 1 t:{cell}",
        "rename gold gate",
        "select gate",
        "write_rtlil -selected gate.il",
        "design -reset",
        f"read_verilog {model.name}",
        "read_rtlil gate.il",
        "hierarchy -top gate",
        "proc",
        "flatten",
        "design -copy-from gold gold",
        "miter -equiv -flatten gold gate miter",
        "hierarchy -top miter",
        "sat -verify -prove trigger 0 miter",
    ]
    flow.yosys(commands, tmp_path, "proving the product")


def lut_network(*cells: tuple[str, dict]) -> dict:
    """A netlist of one module `top` in the form of yosys' write_json."""
    named = {f"c{i}": {"type": kind, "connections": pins} for i, (kind, pins) in enumerate(cells)}
    return {"modules": {"top": {"attributes": {"top": "1"}, "ports": {}, "cells": named}}}


def counted(folder: Path, content: dict) -> netlist.Netlist:
    """That netlist, counted for UltraScale+."""
    (folder / "netlist.json").write_text(json.dumps(content))
    return netlist.read(folder / "netlist.json", "top", tables.cells("xcup"))


def test_a_cell_that_nobody_counts_stops_the_report(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match="GTYE4_CHANNEL"):
        counted(tmp_path, lut_network(("FDRE", {}), ("GTYE4_CHANNEL", {})))


def test_luts_hidden_in_ram_and_in_front_of_carries_are_counted(tmp_path: Path) -> None:
    carry = {"S": [10, 11, "0", "0"]}  # 10 comes from a LUT, 11 straight from a flip-flop, the rest is constant
    content = lut_network(
        ("LUT2", {"O": [10]}), ("FDRE", {"Q": [11]}), ("CARRY4", carry), ("RAM32M16", {}), ("RAMB18E2", {})
    )
    total = counted(tmp_path, content).total()
    assert total == {"lut": 1 + 1 + 8, "ff": 1, "carry4": 1, "bram36": 0.5}


def test_a_module_counts_as_often_as_it_is_used(tmp_path: Path) -> None:
    row = r"$paramod\row\WIDTH=8"
    content = lut_network((row, {}), (row, {}), ("DSP48E2", {}))
    content["modules"][row] = {"attributes": {}, "ports": {}, "cells": {"f": {"type": "FDRE", "connections": {}}}}
    cells = counted(tmp_path, content)
    assert cells.total() == {"ff": 2, "dsp": 1, "lut": 0}
    assert cells.total_of("row") == {"ff": 2, "lut": 0}
    assert cells.times()[row] == 2


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what synthesis keeps, so that nothing comes from an earlier run."""
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    return tmp_path


def gae_sources() -> sources.Sources:
    return sources.of_core(configs.core("gae").vlnv)


@SLOW
def test_the_figures_of_a_row_do_not_hang_on_keeping_modules_apart(results: Path) -> None:
    parameters = configs.load("gae", "tiny")
    kept, flat = (
        netlist.read(
            area.netlist_folder("tiny", gae_sources(), "xcup", "rlc_gae_array", parameters, flat=flat) / "netlist.json",
            "rlc_gae_array",
            tables.cells("xcup"),
        ).total()
        for flat in (False, True)
    )
    rows, lanes = parameters["ROWS"], parameters["LANES"]
    assert kept["dsp"] == flat["dsp"] == rows * (2 + parameters["LOOKAHEAD"])
    assert kept["bram36"] == flat["bram36"] == lanes / 2
    assert kept["lut"] == pytest.approx(flat["lut"], rel=0.1)
    assert kept["ff"] == pytest.approx(flat["ff"], rel=0.05)


def test_a_report_is_kept_until_a_source_changes(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = results / "blink.v"
    module.write_text("module blink (input clk, output reg q); always @(posedge clk) q <= !q; endmodule\n")
    runs = []
    monkeypatch.setattr(flow, "run", lambda *arguments: runs.append(arguments))
    read = sources.Sources((module,), ())
    for _ in range(2):
        area.netlist_folder("blink", read, "xcup", "blink", {})
    assert len(runs) == 1
    module.write_text(module.read_text() + "// changed\n")
    area.netlist_folder("blink", read, "xcup", "blink", {})
    assert len(runs) == 2


def test_verilog_that_yosys_refuses_is_reported_in_its_words(results: Path) -> None:
    module = results / "broken.v"
    module.write_text("module broken (input clk);\n    missing u (.clk(clk));\nendmodule\n")
    with pytest.raises(RunFailed, match=r"yosys .*failed while synthesising broken: .*missing.*not part of the design"):
        area.netlist_folder("broken", sources.Sources((module,), ()), "xcup", "broken", {})


def test_a_netlist_with_holes_is_no_report(results: Path) -> None:
    module = results / "later.v"
    module.write_text(
        "module later (input clk, input d, output reg q);\n    generate\n"
        "        if (1) begin : g_use always @(posedge clk) q <= g_scope.inner; end\n"
        "        if (1) begin : g_scope wire inner = !d; end\n    endgenerate\nendmodule\n"
    )
    with pytest.raises(RunFailed, match=r"g_scope\.inner.*implicitly declared"):
        area.netlist_folder("later", sources.Sources((module,), ()), "xcup", "later", {})


def test_place_and_route_reaches_a_bitstream_and_a_frequency(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = flow.run, {}

    def noted(tool: str, arguments: list[str], folder: Path, log: Path, task: str) -> None:
        asked[tool] = [*arguments, *(folder / "yosys.ys").read_text().splitlines()] if tool == "yosys" else arguments
        run(tool, arguments, folder, log, task)

    monkeypatch.setattr(flow, "run", noted)
    read = gae_sources()
    device = tables.device("ecp5")
    effort = {"wire": 800, "placer": ["--placer-heap-timingweight", "100"]}
    routed = placed.place("test", "dadd", read, "rlc_gae_dadd", {"STAGES": 2}, device, [1], effort)
    assert "abc9 -W 800" in asked["yosys"] and set(effort["placer"]) <= set(asked["nextpnr-ecp5"])
    best = routed.best
    assert best.used["dsp"] == 2
    # With the product registers in the multipliers this is 200 MHz and more; without them it is 110 to 140.
    assert best.fmax_mhz > 170
    assert best.used["ff"] - routed.pin_registers < 100
    assert best.bitstream_bytes > 1_000_000
    assert best.slowest


@SLOW
def test_report_says_what_a_row_takes(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert cli.run(["synth", "gae", "--config", "tiny", "--device", "u200", "--json", "-"]) == 0
    written = json.loads(capsys.readouterr().out)
    figures = {f["name"]: f for f in written["figures"]}
    assert written["device"] == "u200"
    assert figures["gae.dsp_per_row"]["value"] == 4
    assert figures["gae.bram36_per_row"]["value"] == 1
    for resource in ("lut", "ff"):
        whole, array, outside = (figures[f"gae.{n}{resource}"]["value"] for n in ("", "array.", "outside_array."))
        assert whole == array + outside
        assert figures[f"gae.{resource}_per_row"]["value"] == pytest.approx(array / 4)
    assert {f["how"] for f in written["figures"]} == {"synthesised"}
    assert written["paper"]["array"]["lut"] == 12864


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["gae", "--config", "tiny", "--device", "zcu999"], "no device 'zcu999'; devices: u200, zcu106, ulx3s, ecp5"),
        (["gae", "--config", "huge", "--device", "zcu106"], "no configuration 'huge'"),
        (["common", "--config", "tiny", "--device", "zcu106"], "'common'"),
        (["gae", "--config", "tiny", "--device", "zcu106", "--seeds", "3"], "--seeds is for place and route"),
    ],
)
def test_a_wrong_argument_gets_one_line(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.run(["synth", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_ports_that_cannot_be_registered_are_refused() -> None:
    with pytest.raises(UserError, match="no clock port"):
        pins.wrapper("top", "m", {}, [slang.Port("a", False, 1), slang.Port("q", True, 1)])
    with pytest.raises(UserError, match="no inout"):
        pins.wrapper("top", "m", {}, [slang.Port("clk", False, 1), slang.Port("a", None, 1)])
