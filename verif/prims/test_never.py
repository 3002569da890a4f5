"""rlc_assert_never: a simulation stops where it is high, a proof has an assertion, and hardware has nothing."""

import re
import shutil
import subprocess

import pytest

from rlcores.base import paths, tools

RTL = paths.root() / "rtl" / "common" / "rlc_assert_never.v"
BENCH = """module bench;
    reg clk = 0, rst = 1, bad = 1;
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(bad));
    initial begin
        #1 clk = 1; #1 clk = 0; $display("a reset passes");
        rst = 0; bad = 0; #1 clk = 1; #1 clk = 0; $display("nothing happened");
        bad = 1; #1 clk = 1; #1 $display("it went on");
    end
endmodule
"""


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
def test_a_simulation_ends_where_what_must_never_happen_happens(tmp_path):
    (tmp_path / "bench.v").write_text(BENCH)
    how = {"cwd": tmp_path, "env": tools.env()}
    subprocess.run(["iverilog", "-g2005", "-o", "bench", "bench.v", str(RTL)], **how, check=True)
    done = subprocess.run(["vvp", "bench"], **how, capture_output=True, text=True)
    assert done.returncode != 0 and "bench.u_never: this must never happen" in done.stdout
    assert "nothing happened" in done.stdout and "it went on" not in done.stdout


@pytest.mark.parametrize(("option", "asserts"), [("-formal", 1), ("", 0)])
def test_a_proof_has_an_assertion_and_hardware_has_no_gate(option: str, asserts: int, tmp_path):
    shutil.copy(RTL, tmp_path)
    script = f"read_verilog {option} rlc_assert_never.v; prep -top rlc_assert_never; opt_clean; write_rtlil never.il"
    subprocess.run(["yosys", "-q", "-p", script], cwd=tmp_path, env=tools.env(), check=True)
    cells = re.findall(r"^ *cell (\S+)", (tmp_path / "never.il").read_text(), re.MULTILINE)
    assert cells.count("$check") == asserts and bool(cells) == bool(asserts)
