"""rlcores as somebody else's dependency: `fusesoc library add`, then a core of one's own."""

from pathlib import Path

import pytest
from as_user import fusesoc
from simulators import IN_ICARUS, NO_ICARUS

from rlcores.base import paths
from rlcores.eda import configs, sim

# A user's top around one of our cores; {ports} of it are what the test needs to see it work.
CORE = """\
CAPI=2:
name: me:soc:top
filesets:
  rtl:
    files: [top.v]
    file_type: verilogSource-2005
    depend: [{depend}]
  tests:
    files: [cocotb_top.py]
    file_type: user
targets:
  default: &default
    filesets: [rtl]
    toplevel: top
  lint:
    <<: *default
    flow: rlclint
    flow_options: {{tool: verilator}}
  sim: &sim
    <<: *default
    filesets: [rtl, tests]
    flow: rlcsim
    flow_options: {{tool: verilator, cocotb_module: cocotb_top, public_depth: 1, make_options: [OPT_FAST=-O1]}}
  sim_icarus:
    <<: *sim
    flow_options: {{tool: icarus, cocotb_module: cocotb_top}}
"""

SKID_TOP = """\
module top (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_valid,
    output wire       s_ready,
    input  wire [7:0] s_data,
    output wire       m_valid,
    input  wire       m_ready,
    output wire [7:0] m_data
);
    rlc_skid #(.WIDTH(8)) u_skid (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );
endmodule
"""

SKID_TEST = """\
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge


@cocotb.test()
async def passes_data_through(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.s_valid.value, dut.s_data.value, dut.m_ready.value = 1, 0, 0, 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value, dut.s_valid.value, dut.s_data.value = 0, 1, 0xA5
    for _ in range(10):
        await FallingEdge(dut.clk)
        if dut.m_valid.value == 1:
            break
    assert int(dut.m_data.value) == 0xA5
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty folder elsewhere, with rlcores added as a library."""
    (tmp_path / "fusesoc.conf").touch()
    done = fusesoc(tmp_path, "library", "add", "rlcores", str(paths.root()))
    assert done.returncode == 0, done.stderr
    return tmp_path


def write_top(project: Path, depend: str, rtl: str, test: str) -> None:
    (project / "top.core").write_text(CORE.format(depend=depend))
    (project / "top.v").write_text(rtl)
    (project / "cocotb_top.py").write_text(test)
    done = fusesoc(project, "library", "add", "me", str(project))
    assert done.returncode == 0, done.stderr


def run(project: Path, target: str, core: str = "me:soc:top") -> str:
    done = fusesoc(project, "run", "--target", target, core)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_a_core_of_ones_own_on_the_primitives_lints_and_simulates(project: Path, simulator: str) -> None:
    write_top(project, "rlcores:common:prims", SKID_TOP, SKID_TEST)
    run(project, "lint")
    assert "PASS=1" in run(project, sim.TARGETS[simulator])


GAE_TOP = """\
module top (
    input  wire        clk,
    input  wire        rst,
    input  wire [11:0] araddr,
    input  wire        arvalid,
    output wire        arready,
    output wire [31:0] rdata,
    output wire        rvalid
);
    wire         awready, wready, bvalid, s_tready, m_tvalid, m_tlast, irq;
    wire [1:0]   bresp, rresp;
    wire [127:0] m_tdata;

    rlc_gae_axi #(
        .ROWS(2), .LANES(4), .DEPTH(8), .LOOKAHEAD(2), .INTERLEAVE(1), .SPAN(2), .QBITS(8), .OUT_BITS(8), .BEAT(2)
    ) u_gae (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(12'd0), .s_axil_awprot(3'd0), .s_axil_awvalid(1'b0), .s_axil_awready(awready),
        .s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_wvalid(1'b0), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
        .s_axis_tdata(128'd0), .s_axis_tvalid(1'b0), .s_axis_tready(s_tready), .s_axis_tlast(1'b0),
        .m_axis_tdata(m_tdata), .m_axis_tvalid(m_tvalid), .m_axis_tready(1'b1), .m_axis_tlast(m_tlast),
        .irq(irq)
    );

    wire unused = &{1'b0, awready, wready, bvalid, s_tready, m_tvalid, m_tlast, irq, bresp, rresp, m_tdata};
endmodule
"""

GAE_TEST = """\
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge


async def read(dut, address):
    dut.araddr.value, dut.arvalid.value = address, 1
    for _ in range(20):
        await FallingEdge(dut.clk)
        if dut.rvalid.value == 1:
            dut.arvalid.value = 0
            return int(dut.rdata.value)
    raise AssertionError("no answer")


@cocotb.test()
async def answers_with_its_name_and_size(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.araddr.value, dut.arvalid.value = 1, 0, 0
    await ClockCycles(dut.clk, 3)
    await FallingEdge(dut.clk)
    dut.rst.value = 0
    assert (await read(dut, 0x00)).to_bytes(4, "big") == b"RGAE"
    await ClockCycles(dut.clk, 4)
    await FallingEdge(dut.clk)
    assert await read(dut, 0x08) == 4 << 16 | 2
"""


@pytest.mark.skipif("gae" not in configs.cores(), reason="the GAE core is not in this checkout")
@pytest.mark.slow
@pytest.mark.parametrize("target", [pytest.param("sim_icarus", marks=NO_ICARUS), "sim"])
def test_a_core_of_ones_own_on_the_gae_core_lints_and_simulates(project: Path, target: str) -> None:
    write_top(project, "rlcores:gae:gae", GAE_TOP, GAE_TEST)
    run(project, "lint")
    assert "PASS=1" in run(project, target)
