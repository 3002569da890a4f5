"""A deployed folder on a board: a bitstream by the open flow for ECP5, a project for Vivado for the others.

The policy stands behind the board's serial line: `rlc_mlp_serial` says what its bytes mean, and `port` speaks to it.
"""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import files, report, tools
from rlcores.cores.mlp.shape import MlpShape
from rlcores.deploy import contract, verilog
from rlcores.eda import boards
from rlcores.eda.sources import Sources
from rlcores.eda.synth import flow
from rlcores.errors import RunFailed, UserError

BAUD = 1_000_000
AROUND = ("rlc_ecp5_pll", "rlc_uart_rx", "rlc_uart_tx", "rlc_reset_sync", "rlc_mlp_serial")  # what a top has beside it


@dataclass(frozen=True)
class Ecp5:
    """An ECP5 board: what nextpnr is told, its pins, and the PLL's numbers for 25 MHz in."""

    title: str
    nextpnr: tuple[str, ...]
    pins: dict[str, str]  # port of the top: site
    reset_high: bool
    leds_high: bool
    multiply: int
    divide: int
    output: int

    @property
    def mhz(self) -> float:
        """The clock of the core."""
        return 25.0 * self.multiply / self.divide


# Sites: of the ULX3S, constraints/ulx3s/ulx3s.lpf; of the Colorlight i9, constraints/colorlight_i9, and for its serial
# line, which is on the extension board, litex-boards, platforms/colorlight_i5.py.
ECP5 = {
    "ulx3s": Ecp5(
        "ULX3S", ("--85k", "--package", "CABGA381", "--speed", "6"),
        {"clk_25mhz": "G2", "rxd": "M1", "txd": "L4", "button": "R1", "led": "B2"}, True, True, 12, 5, 10,
    ),
    "colorlight_i9": Ecp5(
        "Colorlight i9", ("--45k", "--package", "CABGA381", "--speed", "6"),
        {"clk_25mhz": "P3", "rxd": "H18", "txd": "J17", "button": "K18", "led": "L2"}, False, False, 2, 1, 12,
    ),
}  # fmt: skip

_TOP = """\
// policy_{name}.v — top for the {title}: a trained policy behind a serial line. Written by `rlcores deploy`.
// SPDX-License-Identifier: Apache-2.0
//
// clk_25mhz   the board's oscillator; the core's clock is {mhz:g} MHz
// rxd, txd    the serial line, {baud} bits a second, 8 bits, no parity: rlc_mlp_serial says what the bytes mean
// button      resets; led: a set of weights is there
`default_nettype none
module policy_{name} #(
    parameter BIAS_INIT      = "{bias_init}",
    parameter NORM_INIT      = "{norm_init}",
    parameter WEIGHT_INIT    = "{weight_init}",
    parameter CLOCKS_PER_BIT = {clocks_per_bit}
) (
    input  wire clk_25mhz,
    input  wire button,
    input  wire rxd,
    output wire txd,
    output wire led
);
    wire clk, locked, rst;
    rlc_ecp5_pll #(.MULTIPLY({multiply}), .DIVIDE({divide}), .OUTPUT({output})) u_pll (
        .clk_in(clk_25mhz), .clk_out(clk), .locked(locked)
    );
    rlc_reset_sync #(.STAGES(3), .SOURCES(2)) u_reset (.clk(clk), .rst_in({{{button}, !locked}}), .rst_out(rst));

    wire       in_valid, in_ready, out_valid, out_ready;
    wire [7:0] in_data, out_data;
    wire       unused_overrun, unused_bad, unused_brk;
    rlc_uart_rx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_rx (
        .clk(clk), .rst(rst), .rxd(rxd), .m_valid(in_valid), .m_ready(in_ready), .m_data(in_data),
        .overrun(unused_overrun), .bad(unused_bad), .brk(unused_brk)
    );
    rlc_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_tx (
        .clk(clk), .rst(rst), .s_valid(out_valid), .s_ready(out_ready), .s_data(out_data), .txd(txd)
    );

    wire        obs_valid, obs_ready, act_valid, act_ready, load_valid, load_ready, load_last, taken, refused, loaded;
    wire [{obs_top}:0] obs_data;
    wire [{act_top}:0] act_data;
    wire [31:0] load_data;
    rlc_mlp_serial #(.OBS_BITS({obs_bits}), .WORDS({words}), .ACT_BITS({act_bits})) u_serial (
        .clk(clk), .rst(rst), .s_valid(in_valid), .s_ready(in_ready), .s_data(in_data), .m_valid(out_valid),
        .m_ready(out_ready), .m_data(out_data), .m_obs_valid(obs_valid), .m_obs_ready(obs_ready),
        .m_obs_data(obs_data), .s_act_valid(act_valid), .s_act_ready(act_ready), .s_act_data(act_data),
        .m_load_valid(load_valid), .m_load_ready(load_ready), .m_load_data(load_data), .m_load_last(load_last),
        .taken(taken), .refused(refused)
    );
    policy_core #(.BIAS_INIT(BIAS_INIT), .NORM_INIT(NORM_INIT), .WEIGHT_INIT(WEIGHT_INIT)) u_core (
        .clk(clk), .rst(rst), .s_obs_valid(obs_valid), .s_obs_ready(obs_ready), .s_obs_data(obs_data),
        .m_act_valid(act_valid), .m_act_ready(act_ready), .m_act_data(act_data), .s_load_valid(load_valid),
        .s_load_ready(load_ready), .s_load_data(load_data), .s_load_last(load_last), .taken(taken), .refused(refused),
        .loaded(loaded)
    );
    assign led = {led};
endmodule
`default_nettype wire
"""

_TCL = """\
# Vivado project of the deployed policy for the {title}: policy_core out of context at {mhz:g} MHz, routed.
# Written by `rlcores deploy`. It has been read by a Tcl interpreter, and never run in Vivado.
# SPDX-License-Identifier: Apache-2.0
#
# vivado -mode batch -source vivado.tcl
set here [file dirname [file normalize [info script]]]
create_project policy [file join $here project] -part {part} -force
add_files -norecurse [list {sources}]
set_property include_dirs [file join $here ../rtl] [current_fileset]
add_files -fileset constrs_1 -norecurse [file join $here policy.xdc]
set_property top policy_core [current_fileset]
set_property generic [list {generics}] [current_fileset]
set_property -name {{STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS}} -value {{-mode out_of_context}} -objects [get_runs synth_1]
launch_runs impl_1 -jobs 4
wait_on_run impl_1
open_run impl_1
report_timing_summary -file [file join $here timing.rpt]
report_utilization -file [file join $here utilization.rpt]
"""

_XDC = "create_clock -name clk -period {period:.3f} [get_ports clk]\n"
_RESOURCES = {"TRELLIS_COMB": "lut", "TRELLIS_FF": "ff", "MULT18X18D": "dsp", "DP16KD": "bram18"}


def top(name: str, shape: MlpShape, folder: str = "src/") -> str:
    """The board's top around policy_core. folder: of the memory images."""
    board = ECP5[name]
    return _TOP.format(
        name=name, title=board.title, mhz=board.mhz, baud=f"{BAUD:,}", multiply=board.multiply, divide=board.divide,
        output=board.output, button="button" if board.reset_high else "!button",
        led="loaded" if board.leds_high else "!loaded", clocks_per_bit=round(board.mhz * 1e6 / BAUD),
        obs_bits=shape.cols * shape.act_width, obs_top=shape.cols * shape.act_width - 1,
        words=shape.pieces(shape.sizes[0], shape.cols), act_bits=verilog.answer_bits(shape),
        act_top=verilog.answer_bits(shape) - 1, **verilog.inits(shape, folder),
    )  # fmt: skip


def pins(name: str) -> str:
    """The board's LPF."""
    board, lines = ECP5[name], ["SYSCONFIG CONFIG_IOVOLTAGE=3.3 COMPRESS_CONFIG=ON;"]
    for port, site in board.pins.items():
        pull = "DOWN" if port == "button" and board.reset_high else "UP" if port in ("button", "rxd") else "NONE"
        lines.append(f'LOCATE COMP "{port}" SITE "{site}";')
        lines.append(f'IOBUF PORT "{port}" PULLMODE={pull} IO_TYPE=LVCMOS33;')
    return "\n".join([*lines, 'FREQUENCY PORT "clk_25mhz" 25 MHZ;', ""])


def build(there: str | Path, name: str, seed: int = 1) -> list[report.Figure]:
    """Bitstream or project of a deployed folder for a board, in its folder `board`; the figures of place and route.

    Raises UserError for a board without either, RunFailed if a tool fails or the board's clock is not met.
    """
    there = Path(there)
    shape, _ = contract.read(files.read_json(there / "policy.json", "the contract of the deployed policy"))
    if name not in ECP5 and (name not in boards.names() or boards.of(name).family != "xcup"):
        known = ", ".join([*ECP5, *(n for n in boards.names() if boards.of(n).family == "xcup")])
        raise UserError(f"--bitstream makes nothing for '{name}'; boards: {known}")
    (there / "board").mkdir(exist_ok=True)
    return _ecp5(there, name, shape, seed) if name in ECP5 else _vivado(there, name, shape)


def _ecp5(there: Path, name: str, shape: MlpShape, seed: int) -> list[report.Figure]:
    tools.require_commands("yosys", "nextpnr-ecp5", "ecppack")
    module = f"policy_{name}"
    written = {f"{module}.v": top(name, shape), f"{name}.lpf": pins(name)}
    for file, text in written.items():
        (there / "board" / file).write_text(text)
    rtl = sorted((there / "rtl").glob("*.v"))
    around = verilog.sources(AROUND)
    had = {file.name for file in (there / "rtl").iterdir()}
    extra = [file for file in around if file.name not in had]
    all_of = [*rtl, *(f for f in extra if f.suffix == ".v"), there / "board" / f"{module}.v"]
    includes = [*sorted((there / "rtl").glob("*.vh")), *(f for f in extra if f.suffix == ".vh")]
    images = sorted((there / "mem").glob("*.hex"))
    script = flow.ecp5(Sources(tuple(all_of), tuple(includes)), module, {})
    netlist = flow.made(module, script, [*all_of, *includes, *images, *flow.maps()], f"synthesising {module}")
    board, lpf = ECP5[name], there / "board" / f"{name}.lpf"
    options = [*board.nextpnr, "--lpf", f"src/{lpf.name}", "--timing-allow-fail"]
    routed = flow.routed(module, options, seed, [netlist / "netlist.json", lpf], ["--compress"])
    nextpnr_report = files.read_json(routed / "report.json", "a report of nextpnr")
    reached = min(clock["achieved"] for clock in nextpnr_report["fmax"].values())
    figures = [report.Figure("deploy.policy.fmax_mhz", round(reached, 2), "MHz", "placed")]
    for theirs, ours in _RESOURCES.items():
        used = nextpnr_report["utilization"].get(theirs, {"used": 0})["used"]
        figures.append(report.Figure(f"deploy.policy.{ours}", used, theirs, "placed"))
    if reached < board.mhz:
        raise RunFailed(
            f"{board.title}'s clock is {board.mhz:g} MHz, this placement reaches {reached:.1f}; try a --place-seed"
        )
    for file, kept in (("out.bit", f"{module}.bit"), ("nextpnr.log", "nextpnr.log")):
        shutil.copyfile(routed / file, there / "board" / kept)
    plain = {figure.name: figure.value for figure in figures} | {"board": name, "clock_mhz": board.mhz, "seed": seed}
    (there / "board" / "figures.json").write_text(json.dumps(plain, indent=2) + "\n")
    return figures


def _vivado(there: Path, name: str, shape: MlpShape) -> list[report.Figure]:
    board = boards.of(name)
    names = sorted(file.name for file in (there / "rtl").glob("*.v") if file.name != "policy_guarded.v")
    inits = verilog.inits(shape, "../mem/")
    generics = " ".join(f'{key.upper()}=\\"[file join $here {value}]\\"' for key, value in inits.items() if value)
    text = _TCL.format(
        title=board.title, mhz=board.clock.mhz, part=board.part,
        sources=" ".join(f"[file join $here ../rtl/{file}]" for file in names), generics=generics,
    )  # fmt: skip
    (there / "board" / "vivado.tcl").write_text(text)
    (there / "board" / "policy.xdc").write_text(_XDC.format(period=1000 / board.clock.mhz))
    return []


def missing(there: str | Path) -> list[str]:
    """Files that board/vivado.tcl names and that are not there: a check without Vivado."""
    folder = Path(there) / "board"
    named = re.findall(r"\[file join \$here ([^\]\s]+)\]", (folder / "vivado.tcl").read_text())
    made = {"project", "timing.rpt", "utilization.rpt"}
    return [name for name in named if name not in made and not (folder / name).exists()]
