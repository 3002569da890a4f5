"""Activation units: the models stay in their stated bounds for every argument, and the RTL gives the models' bits."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths, tools
from rlcores.cores.mlp import activations, norm
from rlcores.cores.mlp.activations import UNITS, out_fraction, unit
from rlcores.cores.mlp.shape import MULTIPLIERS
from rlcores.deploy.network import activate

EVERY_X = np.arange(-(1 << 17), 1 << 17)
SLOPE = 6553


def error(kind: str, frac: int) -> np.ndarray:
    """Distance from float64 beyond half a unit of the result, for every argument."""
    slope = SLOPE / 65536 if kind in activations.SLOPED else 1.0
    exact = activate("elu" if kind == "scaled_elu" else kind, EVERY_X / 2.0**frac, slope)
    unit_of = 2.0 ** -out_fraction(kind, frac)
    return np.abs(unit(kind, EVERY_X, frac, SLOPE) * unit_of - exact) - unit_of / 2


@pytest.mark.parametrize("frac", [0, 3, 8, 12, 13, 14])
def test_every_unit_stays_within_its_bound_for_every_number(frac: int) -> None:
    assert error("elu", frac).max() < activations.ELU_ERROR
    assert error("sigmoid", frac).max() + 2.0**-17 < activations.SIGMOID_ERROR
    assert error("tanh", frac).max() < 2.0**-15.6
    assert error("leaky_relu", frac).max() < 1e-9
    assert error("scaled_elu", frac).max() < SLOPE / 65536 * (activations.ELU_ERROR + 2.0**-frac / 2)
    assert (error("silu", frac) < np.abs(EVERY_X / 2.0**frac) * 2.0**-15.5 + 2.0**-16).all()


def test_one_over_a_root_stays_within_its_bound_and_its_range() -> None:
    rng = np.random.default_rng(1)
    powers = 1 << np.arange(47)
    x = np.unique(np.concatenate([np.arange(1, 1 << 18), rng.integers(1, 1 << 46, 200000), powers, powers + 1]))
    mantissa, shift = norm.rsqrt(x)
    error = np.abs(np.ldexp(mantissa.astype(np.float64), -17 - shift) * np.sqrt(x) - 1)
    assert norm.ROOT_ERROR / 1.2 < error.max() < norm.ROOT_ERROR
    assert mantissa.min() >= 1 << 16 and mantissa.max() == (1 << 17) - 1


@pytest.mark.parametrize("count", [2, 16, 256, 1024])
def test_normalised_sums_stay_within_the_bound_that_the_page_states(count: int) -> None:
    rng = np.random.default_rng(count)
    gain, offset = rng.uniform(0.2, 2, count), rng.normal(size=count)
    z = rng.normal(size=(2000, count)) * 2.0 ** rng.uniform(4, 14, (2000, 1))
    z = np.floor(z - z.mean(axis=1, keepdims=True) + 0.5).astype(np.int64)
    z = np.clip(z, -(1 << 17), (1 << 17) - 1)
    gain_frac = 15 - int(np.ceil(np.log2(2 * np.sqrt(count))))
    of = norm.Norm(max(1, count // 8), 10, gain_frac, 12)
    factors = np.stack([np.rint(gain * np.sqrt(count) * 2**gain_frac), np.rint(offset * 2**12)], axis=1).astype(
        np.int64
    )
    normalised = norm.normalise(z, of, factors) * 2.0**-of.out_frac
    exact = z / np.sqrt((z**2).mean(axis=1, keepdims=True) + of.epsilon / count)
    of_gain, of_offset = factors[:, 0] / 2**gain_frac / np.sqrt(count), factors[:, 1] / 2.0**12
    error = np.abs(normalised - (exact * of_gain + of_offset))
    bound = of_gain * (np.abs(exact) * norm.ROOT_ERROR + np.sqrt(count) * 2.0**-18)
    assert (error <= bound + 1e-12).all() and (error > bound / 2).any()


def test_the_bound_of_elu_is_not_idle() -> None:
    assert error("elu", 14).max() > activations.ELU_ERROR / 1.2


@pytest.mark.parametrize("kind", [kind for kind in UNITS if kind != "silu"])
def test_units_never_fall_and_keep_zero(kind: str) -> None:
    values = unit(kind, EVERY_X, 12, SLOPE)
    assert (np.diff(values) >= 0).all()
    assert values[1 << 17] == (1 << 15 if kind == "sigmoid" else 0)


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
@pytest.mark.parametrize("kind", [kind for kind in UNITS if kind != "scaled_elu"])  # it is ELU and leaky ReLU
def test_the_rtl_gives_the_models_bits_at_its_latency(kind: str, frac: int, tmp_path: Path) -> None:
    module = {"leaky_relu": "rlc_nn_leaky"}.get(kind, f"rlc_nn_{kind}")
    parameters = f".WIDTH(18), .SLOPE({SLOPE})" if kind == "leaky_relu" else f".FRAC({frac})"
    step, latency = 7, activations.CLOCKS[kind]
    (tmp_path / "tb.v").write_text(BENCH.format(module=module, parameters=parameters, step=step, latency=latency))
    rtl = paths.root() / "rtl"
    files = [rtl / "common" / f"rlc_{n}.v" for n in ("tanh", "mac", "delay", "round_sat")]
    files += [rtl / "common" / "gen" / "rlc_tanh_rom.v"]
    files += sorted((rtl / "nn").rglob(f"{module}*.v"))
    files += [rtl / "nn" / "rlc_nn_tanh.v"] if kind in ("sigmoid", "silu") else []
    subprocess.run(["iverilog", "-g2005", "-o", "tb", "-I", rtl / "common", "tb.v", *files], cwd=tmp_path, check=True)
    subprocess.run(["vvp", "-n", "tb"], cwd=tmp_path, check=True, capture_output=True)
    outputs = np.loadtxt(tmp_path / "y.txt", dtype=np.int64)
    inputs = np.arange(262144 // step + 1) * step - 131072
    expected = unit(kind, inputs, frac, SLOPE)
    assert len(outputs) == len(inputs)
    assert np.array_equal(outputs, expected)


PRODUCTS_BENCH = """\
module tb;
    localparam W = {w}, X = {x};
    reg                     clk = 1'b0;
    reg  signed [W-1:0]     a, b;
    reg  signed [X-1:0]     e;
    wire signed [W+X-1:0]   low, high;
    reg  signed [W+X-1:0]   low_known, high_known;
    integer                 i, wrong, tried;
    rlc_mlp_products #(.W_WIDTH(W), .X_WIDTH(X), .MULTIPLIER({kind})) dut (
        .clk(clk), .weight_low(a), .weight_high(b), .element(e), .low(low), .high(high)
    );
    initial begin
        wrong = 0;
        tried = 0;
        for (i = 0; i < (1 << (2*W + X)); i = i + 1) begin
            {{b, a, e}} = i;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            low_known = a * e;
            high_known = b * e;
            if (low !== low_known || high !== high_known) wrong = wrong + 1;
            tried = tried + 1;
        end
        $display("%0d tried, %0d wrong", tried, wrong);
        $finish;
    end
endmodule
"""
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "w", "x"),
    [
        ("pair", 4, 4), ("lut", 3, 8), ("one", 4, 4), pytest.param("lut", 4, 4, marks=SLOW),
        pytest.param("pair", 3, 8, marks=SLOW), pytest.param("pair", 8, 8, marks=SLOW),
        pytest.param("lut", 8, 8, marks=SLOW), pytest.param("pair", 4, 9, marks=SLOW),
    ],
)  # fmt: skip
@pytest.mark.parametrize("simulator", [pytest.param("verilator", marks=SLOW), "icarus"])
def test_two_products_are_right_for_every_pair_of_weights_and_every_element(
    simulator: str, kind: str, w: int, x: int, tmp_path: Path
) -> None:
    rtl = paths.root() / "rtl"
    (tmp_path / "tb.v").write_text(PRODUCTS_BENCH.format(kind=MULTIPLIERS.index(kind), w=w, x=x))
    files = [f"-I{rtl / 'common'}", "tb.v", rtl / "mlp" / "rlc_mlp_products.v"]
    if simulator == "icarus" and not tools.have("iverilog"):
        pytest.skip("iverilog is not on PATH")
    build, run = {
        "verilator": (
            ["verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "tb"],
            [tmp_path / "obj_dir" / "Vtb"],
        ),
        "icarus": (["iverilog", "-g2005", "-o", "tb"], ["vvp", "-n", "tb"]),
    }[simulator]
    done = subprocess.run(
        [*build, *files], cwd=tmp_path, env=tools.env() | {"CXXFLAGS": "-std=c++20"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said = subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert f"{1 << (2 * w + x)} tried, 0 wrong" in said
