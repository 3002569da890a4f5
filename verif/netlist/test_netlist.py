"""What yosys maps the cores to passes the cores' own test benches, on ECP5 and on UltraScale+."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import tools
from rlcores.eda import configs, sim, sources
from rlcores.eda.synth import area, simulated, tables
from rlcores.errors import RunFailed, UserError

FAMILIES = simulated.FAMILIES
PRIMS = "rlcores:common:verif"
# A family's block RAMs by the bits of their widest port.
BLOCK_RAMS = {"ecp5": {"DP16KD"}, "xcup": {"RAMB18E2", "RAMB36E2"}}


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    return request.param


def cells(family: str, top: str, parameters: dict) -> list[dict]:
    """The cells of a primitive's netlist."""
    folder = simulated.made(sources.of_core("rlcores:common:prims"), family, top, parameters)
    modules = json.loads((folder / "netlist.json").read_text())["modules"].values()
    return [c for m in modules if "blackbox" not in m["attributes"] for c in m["cells"].values()]


def widths(family: str, top: str, parameters: dict) -> set[int]:
    """Of the ports of its block RAMs."""
    names = ("DATA_WIDTH_A", "DATA_WIDTH_B", "READ_WIDTH_A", "READ_WIDTH_B", "WRITE_WIDTH_A", "WRITE_WIDTH_B")
    rams = [c["parameters"] for c in cells(family, top, parameters) if c["type"] in BLOCK_RAMS[family]]
    return {int(ram[name], 2) for ram in rams for name in names if name in ram} - {0}


# --- the models of block RAMs, each port in each width that they know ---

RAMS = [
    pytest.param("ram_2rw", {"WIDTH": 18, "DEPTH": 1000}, "ecp5", {18}, id="2rw-ecp5"),
    pytest.param("ram_2rw", {"WIDTH": 9, "DEPTH": 1500}, "ecp5", {9}, id="2rw-ecp5-9"),
    pytest.param("ram_2rw", {"WIDTH": 18, "DEPTH": 1000}, "xcup", {18}, id="2rw-xcup"),
    pytest.param("ram_2rw", {"WIDTH": 36, "DEPTH": 1000}, "xcup", {36}, id="2rw-xcup-36"),
    pytest.param("ram_1r1w", {"WIDTH": 36, "DEPTH": 300}, "ecp5", {36}, id="1r1w-ecp5"),
    pytest.param("ram_1r1w", {"WIDTH": 18, "DEPTH": 700}, "ecp5", {18}, id="1r1w-ecp5-18"),
    pytest.param("ram_1r1w", {"WIDTH": 36, "DEPTH": 300}, "xcup", {36}, id="1r1w-xcup"),
    pytest.param("ram_1r1w", {"WIDTH": 72, "DEPTH": 300}, "xcup", {72}, id="1r1w-xcup-72"),
    pytest.param("ram_1r1w_lane", {"LANES": 4, "LANE_WIDTH": 9, "DEPTH": 300}, "ecp5", {36}, id="lane-ecp5"),
    pytest.param("ram_1r1w_lane", {"LANES": 8, "LANE_WIDTH": 9, "DEPTH": 300}, "xcup", {72}, id="lane-xcup"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "shape", "family", "expected"), RAMS)
def test_a_ram_in_cells_does_what_its_text_says(target: str, shape: dict, family: str, expected: set, seed: int):
    shape = {**shape, "READ_LATENCY": 1}
    if target != "ram_2rw":
        shape["STYLE"] = "block"
    assert widths(family, f"rlc_{target}", shape) == expected
    assert sim.run(PRIMS, target, shape, seed=seed, netlist=family).passed


@pytest.mark.slow
def test_tables_that_yosys_maps_by_itself_keep_their_values(family: str, seed: int) -> None:
    assert sim.run(PRIMS, "sincos", {"STYLE": "block"}, seed=seed, netlist=family).passed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "cell"), [("ecp5", 'REG_OUTPUT_CLK("NONE")'), ("xcup", "DSP48E2")], ids=["ecp5", "xcup"]
)
def test_products_that_yosys_maps_by_itself_keep_their_values(family: str, cell: str, seed: int) -> None:
    run = sim.run("rlcores:env:leaves", "cartpole", seed=seed, env={"LEAF": "cartpole"}, netlist=family)
    assert run.passed and cell in (run.build / simulated.NETLIST).read_text()


BENCH = """\
`timescale 1ns/1ps
module bench;
    reg clk = 1'b0, other = 1'b0, en = 1'b1;
    reg [7:0] we_a = 8'd0, we_b = 8'd0;
    wire [71:0] q_a, q_b;
    cell_block_ram #(.BYTES(16), .A_OLD({old})) u_ram (
        .known({known}), .a_clk(clk), .a_en(en), .b_clk({clock}), .b_en({enable}), .a_we(we_a), .b_we(we_b),
        .a_byte(12'd4), .b_byte(12'd4), .a_data(72'h0{a}), .b_data(72'h0{b}), .a_q(q_a), .b_q(q_b)
    );
    always #5 clk = ~clk;
    always #3 other = ~other;
    initial begin
        @(negedge clk) we_a = 8'd3;
        @(negedge clk) we_a = 8'd0;
        @(negedge clk) we_a = 8'd{first};
        we_b = 8'd{second};
        @(negedge clk) $display("%h", {port}[17:0]);
        we_a = 8'd0;
        we_b = 8'd0;
        @(negedge clk) $display("%h", {port}[17:0]);
        $finish;
    end
endmodule
"""


@pytest.mark.parametrize(
    ("what", "first", "read", "after"),
    [
        pytest.param({}, 0, 0x12345, 0x12345, id="nothing at once"),
        pytest.param({}, 3, ~0x12345, 0x12345, id="read while the other port writes"),
        pytest.param({}, 1, 0x12345 ^ 0x1FF, 0x12345, id="one byte of it"),
        pytest.param({"old": 1}, 3, 0x12345, 0x12345, id="the old word where the device promises it"),
        pytest.param({"second": 3}, 3, 0x12345, ~0x12345, id="both ports write"),
        pytest.param({"known": "1'b0"}, 0, ~0x12345, ~0x12345, id="a mode outside the model"),
        pytest.param({"clock": "other"}, 0, None, None, id="two clocks"),
        pytest.param(
            {"clock": "1'b0", "enable": "1'b0", "port": "q_a"}, 0, 0x12345, 0x12345, id="a port that is not there"
        ),
    ],
)
@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
def test_what_a_block_ram_leaves_undefined_is_wrong(what, first, read, after, tmp_path: Path):
    values = {"old": 0, "known": "1'b1", "clock": "clk", "second": 0, "a": "12345", "b": "12345", "first": first}
    values |= {"enable": "en", "port": "q_b"}
    text = BENCH
    for name, value in (values | what).items():
        text = text.replace(f"{{{name}}}", str(value))
    (tmp_path / "bench.v").write_text(text)
    model = next(path for path in simulated.cell_models("ecp5") if path.name == "block_ram.v")
    how = {"cwd": tmp_path, "env": tools.env(), "check": True}
    subprocess.run(["iverilog", "-g2005", "-o", "bench", "bench.v", str(model)], **how)
    said = subprocess.run(["vvp", "-n", "bench"], **how, capture_output=True, text=True).stdout
    got = said.split()[:2]
    if read is None:
        assert "12345" not in got
    else:
        assert got == [f"{value & 0x3FFFF:05x}" for value in (read, after)]


# --- the shell and the flow ---


def test_a_netlist_takes_the_place_of_a_small_core_in_its_bench(seed: int):
    run = sim.run(PRIMS, "fifo", {"WIDTH": 5, "DEPTH": 6, "STYLE": "distributed"}, seed=seed, netlist="ecp5")
    assert run.passed and run.tests and "--netlist=ecp5" in run.repeat
    text = (run.build / simulated.NETLIST).read_text()
    assert "TRELLIS_FF" in text and "LUT4" in text and "rlc_fifo_netlist u_netlist" in text


def flipped(text: str) -> str:
    """One look-up table says the opposite."""
    return re.sub(r"\.INIT\(16'h([0-9a-f]{4})\)", lambda m: f".INIT(16'h{int(m[1], 16) ^ 0xFFFF:04x})", text, count=1)


def woken(text: str) -> str:
    """Registers that a reset clears are set by it."""
    return text.replace('.REGSET("RESET")', '.REGSET("SET")')


@pytest.mark.parametrize("broken", [flipped, woken])
def test_a_netlist_that_is_wrong_fails_the_bench(broken, seed: int, tmp_path: Path, monkeypatch):
    right = simulated.verilog

    def wrong(*arguments) -> str:
        text = right(*arguments)
        assert broken(text) != text
        return broken(text)

    monkeypatch.setattr(simulated, "verilog", wrong)
    shape = {"WIDTH": 5, "DEPTH": 6, "STYLE": "distributed"}
    with pytest.raises(RunFailed, match=r"tests failed|stopped before"):
        sim.run(PRIMS, "fifo", shape, seed=seed, netlist="ecp5", build_root=tmp_path)


def test_a_netlist_is_that_of_the_reports(monkeypatch):
    names = []
    monkeypatch.setattr(area, "netlist_folder", lambda name, *a, **k: names.append((name, a[2], a[3], k)) or Path("x"))
    parameters = configs.load("learner", "tiny")
    shuffled = dict(sorted(parameters.items(), reverse=True))
    simulated.made(sources.of_core("rlcores:learner:learner"), "xcup", "rlc_learner_axi", shuffled)
    ((name, top, values, kept),) = names
    assert (name, top, list(values.items())) == ("learner-tiny-xcup", "rlc_learner_axi", list(parameters.items()))
    assert list(kept["kept"]) == tables.core("learner")["kept"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sim", "sumtree", "--netlist", "ice40"], "there is no netlist for 'ice40'; families: xcup, ecp5"),
        (["sim", "sumtree", "--netlist", "ecp5", "--simulator", "icarus"], "netlists are simulated by verilator"),
        (["regress", "--netlist", "xcup", "--simulator", "icarus"], "netlists are simulated by verilator"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str], sentence: str, capsys):
    assert cli.run(words) == 2
    said = capsys.readouterr().err
    assert sentence in said.replace("\n", " ") and "Traceback" not in said


def test_a_top_without_a_file_of_its_own_is_refused():
    with pytest.raises(UserError, match=r"no file rlc_nothing\.v"):
        simulated.shell(sources.of_core("rlcores:common:prims"), "rlc_nothing", ["clk"])


# --- whole benches of the small configurations ---

# Core and target of the bench.
WHOLE = {
    "sumtree": ("rlcores:sumtree:sumtree", "sim"),
    "gae": ("rlcores:gae:gae", "sim"),
    "learner": ("rlcores:learner:learner", "sim"),
    "learner_axi": ("rlcores:learner:foreign_bench", "axi"),
    "env": ("rlcores:env:env", "sim"),
    "policy": ("rlcores:agent:policy", "sim"),
    "heppo": ("rlcores:system:heppo", "sim"),
    "serial": ("rlcores:system:serial", "sim"),
    "replay_learner": ("rlcores:system:replay_learner", "sim"),
}


@pytest.mark.slow
@pytest.mark.parametrize("core", WHOLE)
def test_a_netlist_passes_the_whole_bench_of_its_core(core: str, family: str, seed: int):
    parameters = configs.load(core.removesuffix("_axi"), "tiny")
    run = sim.run(*WHOLE[core], parameters, seed=seed, netlist=family)
    assert run.passed and not [t.name for t in run.tests if t.skipped]
