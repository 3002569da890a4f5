"""The cores as modules of LiteX: every port is connected at its width, in a SoC whose Verilog slang accepts."""

import re
import subprocess
from pathlib import Path

import pytest
from simulators import NO_ICARUS

from rlcores.base import tools
from rlcores.buses import described
from rlcores.eda import configs, declared, headers, registers, slang, sources
from rlcores.errors import RunFailed, UserError
from rlcores.integrations import litex as wrapper

# Every core that the wrapper can name, in its smallest configuration; and two with other widths.
NAMED = [core for core in described.cores() if not declared.fact(core, "instance").get("memory")]
CASES = [*((core, configs.names(core)[0]) for core in NAMED), ("gae", "ecp5_8"), ("sumtree", "ecp5")]


def test_without_litex_it_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr(wrapper, "_missing", ImportError("No module named 'litex'"))
    with pytest.raises(RunFailed, match="this needs the package 'litex'"):
        wrapper.Core(None, "gae", "tiny")


class Platform:
    """What a core asks of a platform of LiteX."""

    def __init__(self) -> None:
        self.files, self.folders = [], []

    def add_source(self, path: str) -> None:
        self.files.append(Path(path))

    def add_verilog_include_path(self, path: str) -> None:
        self.folders.append(Path(path))


@pytest.fixture
def litex():
    return pytest.importorskip("litex", reason="litex is not installed: uv sync --extra litex")


def ends(made, streams: list[str]) -> list:
    """The channels of a core's bus, and its streams."""
    return [*(getattr(made.bus, channel) for channel in wrapper._CHANNELS), *(getattr(made, name) for name in streams)]


def test_the_page_names_every_core_that_it_can_make() -> None:
    said = re.search(r"core        (.*)", wrapper.Core.__doc__)[1]
    assert sorted(re.findall(r'"(\w+)"', said)) == sorted(NAMED)


BENCH = """
`timescale 1ns/1ps
module bench;
    reg  clk = 1'b0, rst = 1'b1, asks = 1'b0;
    wire taken, valid;
    wire [31:0] data;
    reg  [ADDRESS_LEFT:0] address = 0;
    integer turn;
    always #5 clk = !clk;
    top u_top (.sys_clk(clk), .sys_rst(rst), CONNECTED);
    initial begin
        repeat (8) @(negedge clk);
        rst = 1'b0;
        for (turn = 0; turn < 2; turn = turn + 1) begin
            address = 4 * turn;
            asks = 1'b1;
            while (!taken) @(negedge clk);
            @(negedge clk) asks = 1'b0;
            while (!valid) @(negedge clk);
            $display("read %0d", data);
            @(negedge clk);
        end
        $finish;
    end
    initial #1000000 $display("nothing is answered");
    initial #1000000 $finish;
endmodule
"""


@NO_ICARUS
@pytest.mark.parametrize(
    "core", [pytest.param(core, marks=[pytest.mark.slow] * (core == "learners_ppo")) for core in NAMED]
)
def test_a_core_answers_at_litexs_bus_in_simulation(litex, core: str, tmp_path: Path) -> None:
    from litex.gen.fhdl.verilog import convert
    from migen import ClockDomain, Module

    platform = Platform()
    made = wrapper.Core(platform, core, configs.names(core)[0])
    top = Module()
    top.clock_domains.cd_sys = ClockDomain("sys")
    top.submodules.core = made
    request, answer = made.bus.ar, made.bus.r
    wires = {"address": request.addr, "asks": request.valid, "taken": request.ready, "valid": answer.valid,
             "1'b1": answer.ready, "data": answer.data}  # fmt: skip
    written = convert(top, ios={*wires.values(), top.cd_sys.clk, top.cd_sys.rst}, name="top", platform=None)
    connected = ", ".join(f".{written.ns.get_name(signal)}({wire})" for wire, signal in wires.items())
    text = BENCH.replace("CONNECTED", connected).replace("ADDRESS_LEFT", str(len(request.addr) - 1))
    (tmp_path / "bench.v").write_text(text + str(written))
    folders = [part for folder in platform.folders for part in ("-I", str(folder))]
    command = ["iverilog", "-g2005", "-s", "bench", "-o", "bench", *folders, "bench.v", *map(str, platform.files)]
    how = {"cwd": tmp_path, "env": tools.env(), "capture_output": True, "text": True}
    built = subprocess.run(command, **how)
    assert built.returncode == 0, built.stderr
    said = subprocess.run(["vvp", "-n", "bench"], **how).stdout
    known = registers.load(declared.fact(core, "instance").get("interrupt", core))
    assert re.findall(r"^read (\d+)$", said, re.M) == [str(known[name].reset) for name in ("ID", "VERSION")], said


@pytest.mark.parametrize(("core", "config"), CASES)
def test_a_core_is_whole_in_verilog_of_litex(litex, core: str, config: str, tmp_path: Path) -> None:
    from litex.gen.fhdl.verilog import convert
    from migen import ClockDomain, Module

    platform, name = Platform(), described.describe(core, config).top
    made = wrapper.Core(platform, core, config)
    assert name in {file.stem for file in platform.files} and made.size >= 256
    streams = [name for name in vars(made) if name.startswith(("s_axis", "m_axis"))]
    signals = {signal for end in ends(made, streams) for signal in end.flatten()}
    top = Module()
    top.clock_domains.cd_sys = ClockDomain("sys")
    top.submodules.core = made
    text = str(convert(top, ios=signals | {top.cd_sys.clk, top.cd_sys.rst}, name="top", platform=None))
    (instance,) = re.findall(rf"{name} #\((.*?)\);", text, re.S)
    connections = dict(re.findall(r"\.(\w+)\s*\((.*?)\)(?=,|\s*$)", instance, re.S | re.M))
    design = sources.of_core(configs.core(core).vlnv).design(name)
    ports = {port.name for port in headers.read(design).ports}
    assert ports <= set(connections) and all(connections[name].strip() for name in ports), ports - set(connections)
    for name, value in configs.load(core, config).items():
        wanted = f'"{value}"' if isinstance(value, str) else str(value)
        assert connections[name].strip() == wanted, name  # a width of LiteX's would be that of every sum in the core
    # slang finds a port that is not there, and one of another width.
    (tmp_path / "top.v").write_text(re.sub(r"`timescale.*", "", text))
    said = slang.lint(slang.Design([*platform.files, tmp_path / "top.v"], platform.folders, "top", {}))
    assert not [line for line in said.splitlines() if re.search(r"error:|-Wport-width|-Wunconnected|-Wwidth", line)], (
        said
    )


def test_a_soc_reaches_its_registers_and_hears_it(litex, tmp_path: Path) -> None:
    from litex.build.generic_platform import Pins
    from litex.build.sim import SimPlatform
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCMini
    from litex.soc.interconnect import wishbone
    from migen import ClockDomain

    platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1))])
    soc = SoCMini(platform, clk_freq=int(100e6), cpu_type=None)
    soc.clock_domains.cd_sys = ClockDomain("sys")
    soc.gae = wrapper.Core(platform, "gae", "tiny")
    soc.bus.add_master("host", wishbone.Interface())
    soc.bus.add_slave("gae", soc.gae.bus, SoCRegion(origin=0x3000_0000, size=soc.gae.size, cached=False))
    soc.finalize()
    text = str(platform.get_verilog(soc, name="soc"))
    assert text.count("rlc_gae_axi") >= 1 and "s_axil_awaddr" in text
    assert soc.bus.regions["gae"].origin == 0x3000_0000


@pytest.mark.parametrize(
    ("core", "parameters", "said"),
    [
        ("replay_learner", "tiny", "has a memory port of its own"),
        ("gae", "huge", "no configuration 'huge'"),
        ("gae", {"BEAT": 2, "COLUMNS": 3}, "no Verilog parameter 'COLUMNS'"),
        ("gae", {"BEAT": 0}, "BEAT is 0; it must be"),
        ("sumtree", {"CAPACITY": 5000}, "CAPACITY must be at most 2 to the LEAVES_LOG2"),
        ("prims", "tiny", "no back end for core 'prims'"),
    ],
)
def test_what_it_cannot_wrap_is_one_sentence(litex, core: str, parameters, said: str) -> None:
    with pytest.raises(UserError, match=said):
        wrapper.Core(Platform(), core, parameters)
