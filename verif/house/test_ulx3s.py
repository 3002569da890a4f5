"""The ULX3S: every pin of its tops is placed, and `fusesoc run --target ulx3s` gives a bitstream that meets timing."""

import json
import re
from pathlib import Path

import pytest
from as_user import fusesoc

from rlcores.base import paths

LPF = paths.root() / "constraints" / "ulx3s" / "ulx3s.lpf"
TOPS = {
    name: paths.root() / "rtl" / name.split("_")[1] / f"{name}.sv" for name in ("rlc_serial_ulx3s", "rlc_learns_ulx3s")
}


def ports(top: str) -> set[str]:
    """Bits of the ports of a top, as an LPF names them."""
    pins = set()
    header = TOPS[top].read_text().partition(") (")[2].partition(");")[0]
    for high, name in re.findall(r"(?:in|out)put +(?:wire|reg) +(?:\[(\d+):0\] +)?(\w+)", header):
        pins |= {f"{name}[{i}]" for i in range(int(high) + 1)} if high else {name}
    return pins


def number(top: str, parameter: str) -> int:
    """A parameter's default."""
    return int(re.search(rf"{parameter} += (\d+)", TOPS[top].read_text())[1])


@pytest.mark.parametrize("top", TOPS)
def test_every_port_has_one_pin_and_every_pin_a_port(top: str) -> None:
    text = re.sub(r"#.*", "", LPF.read_text())
    sites = dict(re.findall(r'LOCATE COMP "(\S+)" SITE "(\w+)"', text))
    levels = re.findall(r'IOBUF PORT "(\S+)" [^;]*IO_TYPE=LVCMOS33\b', text)
    assert len(ports(top)) == 13 and set(sites) == ports(top)
    assert len(set(sites.values())) == len(sites), "two ports share a pin"
    assert sorted(levels) == sorted(ports(top))
    assert 'FREQUENCY PORT "clk_25mhz" 25 MHZ' in text


@pytest.mark.parametrize("top", TOPS)
def test_the_clock_and_the_baud_rate_are_what_the_host_expects(top: str) -> None:
    from rlcores.buses.serial import SerialPort
    from rlcores.eda import boards, configs

    hertz = 25_000_000 * number(top, "MULTIPLY") / number(top, "DIVIDE")
    assert hertz == boards.of("ulx3s").clock_mhz * 1e6
    assert 400e6 <= hertz * number(top, "OUTPUT") <= 800e6, "the PLL's oscillator is out of its range"
    serial = hertz / configs.load("serial", "ulx3s")["CLOCKS_PER_BIT"]
    assert (serial if top == "rlc_serial_ulx3s" else number(top, "BAUD")) == SerialPort.__init__.__defaults__[0]


SMALL = """CAPI=2:
name: user:lib:small
filesets:
  all:
    depend: [rlcores:common:prims, rlcores:periphery:periphery]
    files: [small.v: {file_type: verilogSource-2005}, small.lpf: {file_type: LPF}]
parameters:
  WIDTH: {datatype: int, paramtype: vlogparam}
targets:
  bits:
    filesets: [all]
    flow: rlcecp5
    flow_options: {nextpnr_options: [--25k, --package, CABGA381]}
    toplevel: small
    parameters: [WIDTH]
"""
SMALL_TOP = """
module small #(parameter WIDTH = 8) (input wire clk_in, output reg carry, output wire crossed);
    wire clk, locked;
    rlc_ecp5_pll #(.MULTIPLY(2), .DIVIDE(1), .OUTPUT(12)) u_pll (.clk_in(clk_in), .clk_out(clk), .locked(locked));
    reg [WIDTH-1:0] count;
    always @(posedge clk) {carry, count} <= {1'b0, count} + 1'b1;
    rlc_sync_level u_level (.clk(clk), .level_in(locked), .level_out(crossed));
endmodule
"""


@pytest.mark.slow
def test_the_flow_makes_a_bitstream_and_fails_when_timing_is_not_met(tmp_path: Path) -> None:
    (tmp_path / "small.core").write_text(SMALL)
    (tmp_path / "small.v").write_text(SMALL_TOP)
    for clock, good in ((25, True), (200, False)):
        (tmp_path / "small.lpf").write_text(
            f'FREQUENCY PORT "clk_in" {clock} MHZ;\n'
            + "".join(
                f'LOCATE COMP "{p}" SITE "{s}";\n' for p, s in (("clk_in", "G2"), ("carry", "B2"), ("crossed", "C2"))
            )
        )
        roots = ("--cores-root", str(paths.root()), "--cores-root", str(tmp_path))
        done = fusesoc(tmp_path, *roots, "run", "--target", "bits", "user:lib:small", "--WIDTH=40")
        said = done.stdout + done.stderr
        assert (done.returncode == 0) == good, said
        if good:
            work = next((tmp_path / "build").rglob("small.bit")).parent
            report = json.loads((work / "report.json").read_text())
            assert {round(clock["constraint"]) for clock in report["fmax"].values()} == {50}
            # 40 bits of a counter, its carry and two of a synchroniser: the parameter arrived.
            assert report["utilization"]["TRELLIS_FF"]["used"] == 43 and "MHz reached" in said
        else:
            assert "failed while placing small" in said


# What of a design must be in it: the array's multipliers and the tree's memories; the networks' and the rollout's.
BITSTREAMS = [
    pytest.param("serial", "rlc_serial_ulx3s", {"MULT18X18D": 32, "DP16KD": 17}, id="serial"),
    pytest.param("learns", "rlc_learns_ulx3s", {"MULT18X18D": 64, "DP16KD": 20}, id="learns"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("core", "top", "least"), BITSTREAMS)
def test_one_command_gives_a_bitstream_that_meets_timing(core: str, top: str, least: dict, tmp_path: Path) -> None:
    library = str(paths.root())
    done = fusesoc(tmp_path, "--cores-root", library, "run", "--target", "ulx3s", f"rlcores:system:{core}")
    assert done.returncode == 0, done.stdout + done.stderr
    work = next((tmp_path / "build").rglob("report.json")).parent
    report = json.loads((work / "report.json").read_text())
    asked = {round(clock["constraint"]) for clock in report["fmax"].values()}
    assert 60 in asked and all(clock["achieved"] >= clock["constraint"] for clock in report["fmax"].values())
    used = {name: use["used"] for name, use in report["utilization"].items()}
    assert used["EHXPLLL"] == 1 and all(used[name] >= count for name, count in least.items())
    assert (work / f"{top}.bit").stat().st_size > 100_000
    figures = {f["name"]: f["value"] for f in json.loads((work / "figures.json").read_text())["figures"]}
    assert figures[f"{top}.fmax_mhz"] >= 60 and figures[f"{top}.dp16kd"] == used["DP16KD"]
