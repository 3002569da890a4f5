"""A deployed folder on a board: bytes on its serial line, its pins, and what Vivado would read."""

import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from deploy.test_deployed import random_observations, random_policy

from rlcores.base import paths, tools
from rlcores.cores.mlp.model import MlpModel
from rlcores.deploy import board, folder, formats, serial_line, sizing, verilog
from rlcores.errors import RunFailed, UserError

icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")

BENCH = """\
`timescale 1ns / 1ps
module tb;
    localparam BIT = 8;
    reg clk = 1'b0, rxd = 1'b1, button = {idle};
    wire txd, led;
    reg [7:0] given [0:{count}-1];
    reg [7:0] byte_in;
    integer i, k, n, file, got;
    policy_{name} #(.CLOCKS_PER_BIT(BIT), .BIAS_INIT("{mem}/biases.hex"), .NORM_INIT({norms}),
        .WEIGHT_INIT("{mem}/weights.hex")) dut (.clk_25mhz(clk), .button(button), .rxd(rxd), .txd(txd), .led(led));
    always #5 clk = !clk;
    initial begin
        $readmemh("given.hex", given);
        #2000;
        for (i = 0; i < {count}; i = i + 1) begin
            rxd = 1'b0;
            repeat (BIT) @(negedge clk);
            for (k = 0; k < 8; k = k + 1) begin
                rxd = given[i][k];
                repeat (BIT) @(negedge clk);
            end
            rxd = 1'b1;
            repeat (BIT + {pause}) @(negedge clk);
        end
        #2000000;
        $display("no end");
        $finish;
    end
    initial begin
        file = $fopen("got.txt", "w");
        got = 0;
        while (got < {expected}) begin
            @(negedge txd);
            repeat (BIT / 2) @(negedge clk);
            for (n = 0; n < 8; n = n + 1) begin
                repeat (BIT) @(negedge clk);
                byte_in[n] = txd;
            end
            repeat (BIT) @(negedge clk);
            $fdisplay(file, "%0d", byte_in);
            got = got + 1;
        end
        $fdisplay(file, "%0d", led);
        $fclose(file);
        $finish;
    end
endmodule
"""


def made(there: Path, kinds: str, head: str, sizes: tuple[int, ...] = (5, 9, 3)) -> formats.Quantised:
    policy, x = random_policy(sizes, kinds, 3, head), random_observations(sizes[0])
    quantised = formats.quantise(policy, x, rows=4, cols=4, acts=2, act_width=9)
    folder.write(quantised, sizing.Sized(quantised.shape, sizing.size(quantised.shape).clock), x, there)
    return quantised


@icarus
@pytest.mark.parametrize(("name", "kinds", "head"), [
    pytest.param("ulx3s", "norm+relu identity", "continuous", marks=pytest.mark.slow),
    ("colorlight_i9", "relu identity", "argmax"),
])  # fmt: skip
def test_bytes_on_the_line_are_observations_answers_and_new_weights(
    name: str, kinds: str, head: str, tmp_path: Path
) -> None:
    quantised = made(tmp_path / "p", kinds, head, (5, 3, 2))  # each weight takes its time on the line
    shape, other = quantised.shape, verilog.mirrored(quantised.weights)
    x = quantised.observations.integers(random_observations(5, 6, 9))
    size = -(-verilog.answer_bits(shape) // 8)

    def answers(weights, rows):
        parts = []
        for row in MlpModel(weights).act(rows).tolist():
            bits = 10 if shape.argmax else 18
            parts.append(
                b"A" + sum((n & ((1 << bits) - 1)) << bits * k for k, n in enumerate(row)).to_bytes(size, "little")
            )
        return b"".join(parts)

    asks = [serial_line.request(shape, row) for row in x]
    load = other.words().astype("<u4").tobytes()
    wrong = struct.pack("<I", shape.identity ^ 1) + load[4:]
    framed = [b"W" + struct.pack("<I", len(part) // 4) + part for part in (wrong, load)]
    sent = b"".join([b"?", *asks[:3], framed[0], asks[3], framed[1], b"W\0\0\0\0", *asks[4:]])
    expected = (
        answers(quantised.weights, x[:3]) + b"R" + answers(quantised.weights, x[3:4]) + b"T" + answers(other, x[4:])
    )
    (tmp_path / "given.hex").write_text("".join(f"{byte:02x}\n" for byte in sent))
    (tmp_path / "top.v").write_text(board.top(name, shape))
    mem = tmp_path / "p" / "mem"
    (tmp_path / "tb.v").write_text(BENCH.format(
        name=name, count=len(sent), expected=len(expected), mem=mem, idle="1'b0" if name == "ulx3s" else "1'b1",
        pause=8 * 10 * (size + 2), norms=f'"{mem}/norms.hex"' if (mem / "norms.hex").exists() else '""',
    ))  # fmt: skip
    rtl = sorted((tmp_path / "p" / "rtl").glob("*.v"))
    names = {file.name for file in rtl}
    around = verilog.sources(board.AROUND)
    rtl += [file for file in around if file.name not in names and file.suffix == ".v"]
    folders = ["-I", tmp_path / "p" / "rtl", "-I", paths.root() / "rtl" / "common"]
    subprocess.run(
        ["iverilog", "-g2005", "-s", "tb", "-o", "tb", *folders, "tb.v", "top.v", *rtl], cwd=tmp_path, check=True
    )
    subprocess.run(["vvp", "-n", "tb"], cwd=tmp_path, check=True, capture_output=True)
    *got, led = map(int, (tmp_path / "got.txt").read_text().split())
    assert bytes(got) == expected
    assert led == (1 if name == "ulx3s" else 0)


class Line:
    """A board that is played by the model."""

    def __init__(self, weights) -> None:
        self.model, self.out, self.loaded = MlpModel(weights), b"", b""

    def write(self, sent: bytes) -> None:
        if sent[:1] == b"W":
            self.loaded = sent[5:]
            self.out = b"T" if sent[5:9] == struct.pack("<I", self.model.shape.identity) else b"R"
            return
        shape = self.model.shape
        words = [sent[1 + n * 5 : 6 + n * 5] for n in range(shape.pieces(shape.sizes[0], shape.cols))]
        numbers = [int.from_bytes(word, "little") >> 9 * c & 511 for word in words for c in range(shape.cols)]
        x = np.array([n - 512 if n > 255 else n for n in numbers])[: shape.sizes[0]]
        whole = sum((n & 0x3FFFF) << 18 * k for k, n in enumerate(self.model.act(x[None])[0].tolist()))
        self.out = b"A" + whole.to_bytes(-(-verilog.answer_bits(shape) // 8), "little")

    def read(self, count: int) -> bytes:
        taken, self.out = self.out[:count], self.out[count:]
        return taken


def test_the_port_gives_the_models_answers_and_says_what_the_board_refused(tmp_path: Path) -> None:
    quantised = made(tmp_path, "relu identity", "continuous")
    line = Line(quantised.weights)
    port = serial_line.PolicyPort(line.write, line.read, quantised.shape, quantised.observations)
    x = random_observations(5, 4, 9)
    for row in x:
        expected = MlpModel(quantised.weights).act(quantised.observations.integers(row))[0]
        assert port.answer(row).tolist() == expected.tolist()
    port.load(tmp_path / "weights.bin")
    assert line.loaded == (tmp_path / "weights.bin").read_bytes()
    with pytest.raises(UserError, match="refused the weights"):
        port.load(bytes(64))
    line.write = lambda sent: None
    port = serial_line.PolicyPort(line.write, line.read, quantised.shape, quantised.observations)
    with pytest.raises(RunFailed, match="0 bytes of 1"):
        port.answer(x[0])


def test_a_vivado_project_names_files_that_are_there(tmp_path: Path) -> None:
    made(tmp_path, "norm+relu identity", "continuous")
    assert board.build(tmp_path, "zcu106") == []
    text = (tmp_path / "board" / "vivado.tcl").read_text()
    assert "xczu7ev" in text and "rlc_mlp_norm.v" in text and board.missing(tmp_path) == []
    assert "5.000" in (tmp_path / "board" / "policy.xdc").read_text()
    if shutil.which("tclsh"):  # read by Tcl, every command of Vivado a stub
        commands = set(text.split()) & {
            "create_project",
            "add_files",
            "set_property",
            "launch_runs",
            "wait_on_run",
            "open_run",
        }
        stubs = "".join(
            f"proc {name} args {{}}\n" for name in [*commands, "report_timing_summary", "report_utilization"]
        )
        stubs += "proc get_runs args {}\nproc current_fileset args {}\n"
        (tmp_path / "try.tcl").write_text(stubs + f"source {tmp_path / 'board' / 'vivado.tcl'}\n")
        done = subprocess.run(["tclsh", "try.tcl"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    (tmp_path / "rtl" / "rlc_mlp.v").unlink()
    assert board.missing(tmp_path) == ["../rtl/rlc_mlp.v"]
    with pytest.raises(UserError, match="makes nothing for 'up5k'"):
        board.build(tmp_path, "up5k")
