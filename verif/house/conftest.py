"""A library of one tiny core, written as a user of rlcores would write it."""

from pathlib import Path

import pytest

CORE = """\
CAPI=2:
name: user:lib:adder
description: one registered adder, for the tests of the house

filesets:
  rtl:
    files: [adder.v, wire_through.v]
    file_type: verilogSource-2005
  tests:
    files: [tests/cocotb_adder.py, tests/cocotb_wrong.py, tests/cocotb_none.py, tests/cocotb_unimportable.py]
    file_type: user

parameters:
  WIDTH: {datatype: int, paramtype: vlogparam}

targets:
  default: &default
    filesets: [rtl]
  sim: &sim
    <<: *default
    filesets: [rtl, tests]
    flow: rlcsim
    flow_options: {tool: verilator, cocotb_module: cocotb_adder}
    toplevel: adder
    parameters: [WIDTH]
  sim_icarus:
    <<: *sim
    flow_options: {tool: icarus, cocotb_module: cocotb_adder}
  lint:
    <<: *default
    flow: rlclint
    flow_options: {tool: verilator}
    toplevel: [adder, wire_through]
"""

RTL = """\
module adder #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output reg  [WIDTH:0]   sum
);
    always @(posedge clk) sum <= {1'b0, a} + {1'b0, b};
endmodule
"""

OTHER_RTL = """\
module wire_through (
    input  wire a,
    input  wire b,
    output wire y
);
    assign y = a & b;
endmodule
"""

TEST = """\
import json, os, random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def adds(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    top = 2 ** int(dut.WIDTH.value) - 1
    a, b = random.randint(0, top), random.randint(1, top)
    dut.a.value, dut.b.value = a, b
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    report = {"width": int(dut.WIDTH.value), "a": a, "b": b}
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(report))
    assert int(dut.sum.value) == EXPECTED, "the sum is wrong"
"""


@pytest.fixture
def adder(tmp_path: Path) -> Path:
    """A folder with the core user:lib:adder and four cocotb modules: passing, failing, empty, not importable."""
    return written(tmp_path)


@pytest.fixture(scope="module")
def kept_adder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for tests that change none of its files: the later ones of a module find it built."""
    return written(tmp_path_factory.mktemp("adder"))


def written(place: Path) -> Path:
    folder = place / "lib"
    (folder / "tests").mkdir(parents=True)
    (folder / "adder.core").write_text(CORE)
    (folder / "adder.v").write_text(RTL)
    (folder / "wire_through.v").write_text(OTHER_RTL)
    (folder / "tests" / "cocotb_adder.py").write_text(TEST.replace("EXPECTED", "a + b"))
    (folder / "tests" / "cocotb_wrong.py").write_text(TEST.replace("EXPECTED", "a - b"))
    (folder / "tests" / "cocotb_none.py").write_text("import cocotb\n")
    (folder / "tests" / "cocotb_unimportable.py").write_text("import no_such_module_anywhere\n")
    return folder
