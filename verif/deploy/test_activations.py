"""Activation units: the models stay in their stated bounds for every argument, and the RTL gives the models' bits."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths, tools
from rlcores.cores.mlp import activations
from rlcores.cores.mlp.activations import UNITS, out_fraction, unit
from rlcores.deploy.network import activate

EVERY_X = np.arange(-(1 << 17), 1 << 17)
SLOPE = 6553


def error(kind: str, frac: int) -> np.ndarray:
    """Distance from float64 beyond half a unit of the result, for every argument."""
    exact = activate(kind, EVERY_X / 2.0**frac, SLOPE / 65536 if kind == "leaky_relu" else 1.0)
    unit_of = 2.0 ** -out_fraction(kind, frac)
    return np.abs(unit(kind, EVERY_X, frac, SLOPE) * unit_of - exact) - unit_of / 2


@pytest.mark.parametrize("frac", [0, 3, 8, 12, 13, 14])
def test_every_unit_stays_within_its_bound_for_every_number(frac: int) -> None:
    assert error("elu", frac).max() < activations.ELU_ERROR
    assert error("sigmoid", frac).max() + 2.0**-17 < activations.SIGMOID_ERROR
    assert error("tanh", frac).max() < 2.0**-15.6
    assert error("leaky_relu", frac).max() < 1e-9
    assert (error("silu", frac) < np.abs(EVERY_X / 2.0**frac) * 2.0**-15.5 + 2.0**-16).all()


def test_the_bound_of_elu_is_not_idle() -> None:
    assert error("elu", 14).max() > activations.ELU_ERROR / 1.2


@pytest.mark.parametrize("kind", [kind for kind in UNITS if kind != "silu"])
def test_units_never_fall_and_keep_zero(kind: str) -> None:
    found = unit(kind, EVERY_X, 12, SLOPE)
    assert (np.diff(found) >= 0).all()
    assert found[1 << 17] == (1 << 15 if kind == "sigmoid" else 0)


def test_the_table_in_the_rtl_is_that_of_the_model() -> None:
    file = paths.root() / "rtl" / "nn" / "rlc_nn_elu_rom.v"
    command = [sys.executable, "-m", "rlcores.cores.mlp.activations"]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert file.read_text() == made, f"python -m rlcores.cores.mlp.activations > {file}"


BENCH = """\
module tb;
    reg clk = 1'b0;
    reg signed [17:0] x;
    wire signed [17:0] y;
    integer i, file;
    {module} #({parameters}) dut (.clk(clk), .x(x), .y(y));
    initial begin
        file = $fopen("y.txt", "w");
        for (i = 0; i < 262144 / {step} + {latency}; i = i + 1) begin
            x = i * {step} - 131072;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (i >= {latency} - 1) $fdisplay(file, "%0d", y);
        end
        $fclose(file);
        $finish;
    end
endmodule
"""


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
@pytest.mark.parametrize("frac", [14, pytest.param(9, marks=pytest.mark.slow), pytest.param(0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", UNITS)
def test_the_rtl_gives_the_models_bits_at_its_latency(kind: str, frac: int, tmp_path: Path) -> None:
    module = {"leaky_relu": "rlc_nn_leaky"}.get(kind, f"rlc_nn_{kind}")
    parameters = f".WIDTH(18), .SLOPE({SLOPE})" if kind == "leaky_relu" else f".FRAC({frac})"
    step, latency = 7, activations.CLOCKS[kind]
    (tmp_path / "tb.v").write_text(BENCH.format(module=module, parameters=parameters, step=step, latency=latency))
    rtl = paths.root() / "rtl"
    files = [rtl / "common" / f"rlc_{n}.v" for n in ("tanh", "tanh_rom", "mac", "delay", "round_sat")]
    files += sorted((rtl / "nn").glob(f"{module}*.v"))
    files += [rtl / "nn" / "rlc_nn_tanh.v"] if kind in ("sigmoid", "silu") else []
    subprocess.run(["iverilog", "-g2005", "-o", "tb", "-I", rtl / "common", "tb.v", *files], cwd=tmp_path, check=True)
    subprocess.run(["vvp", "-n", "tb"], cwd=tmp_path, check=True, capture_output=True)
    found = np.loadtxt(tmp_path / "y.txt", dtype=np.int64)
    given = np.arange(262144 // step + 1) * step - 131072
    expected = unit(kind, given, frac, SLOPE)
    assert len(found) == len(given)
    assert np.array_equal(found, expected)
