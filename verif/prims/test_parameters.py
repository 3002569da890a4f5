"""An illegal parameter stops every tool with a sentence, instead of building something that half works."""

import shutil
import subprocess
from pathlib import Path

import pytest
from prims_files import headers, sources
from simulators import NO_ICARUS

from rlcores.base import tools
from rlcores.eda import slang

BYPASS = "rlc_ram_1r1w_lane: BYPASS must be 0 or 1 with READ_LATENCY at least 2 and READ_ANY 0"
PORTS = "rlc_axil_split: PORTS must be at least 1 and fit the address bits above WINDOW_WIDTH"
ILLEGAL = [
    ("rlc_skid", {"WIDTH": 0}, "rlc_skid: WIDTH must be at least 1"),
    ("rlc_fifo", {"WIDTH": 0}, "rlc_fifo: WIDTH must be at least 1"),
    ("rlc_fifo", {"DEPTH": 1}, "rlc_fifo: DEPTH must be at least 2"),
    ("rlc_fifo", {"STYLE": "ultra"}, "rlc_fifo: STYLE must be auto or block or distributed"),
    ("rlc_mfifo", {"WIDTH": 0}, "rlc_mfifo: WIDTH must be at least 1"),
    ("rlc_mfifo", {"PUSHES": 0}, "rlc_mfifo: PUSHES must be at least 1"),
    ("rlc_mfifo", {"DEPTH": 1}, "rlc_mfifo: DEPTH must be at least 2"),
    ("rlc_ram_1r1w", {"WIDTH": 0}, "rlc_ram_1r1w: WIDTH must be at least 1"),
    ("rlc_ram_1r1w", {"DEPTH": 0}, "rlc_ram_1r1w_lane: DEPTH must be at least 1"),
    ("rlc_ram_1r1w", {"STYLE": "bram"}, "rlc_ram_1r1w_lane: STYLE must be auto or block or ultra or distributed"),
    ("rlc_ram_1r1w_lane", {"LANES": 0}, "rlc_ram_1r1w_lane: LANES must be at least 1"),
    ("rlc_ram_1r1w_lane", {"LANE_WIDTH": 0}, "rlc_ram_1r1w_lane: LANE_WIDTH must be at least 1"),
    ("rlc_ram_1r1w_lane", {"DEPTH": 0}, "rlc_ram_1r1w_lane: DEPTH must be at least 1"),
    ("rlc_ram_1r1w_lane", {"READ_LATENCY": 0}, "rlc_ram_1r1w_lane: READ_LATENCY must be 1 to 5"),
    ("rlc_ram_1r1w_lane", {"READ_LATENCY": 6}, "rlc_ram_1r1w_lane: READ_LATENCY must be 1 to 5"),
    ("rlc_ram_1r1w_lane", {"STYLE": "bram"}, "rlc_ram_1r1w_lane: STYLE must be auto or block or ultra or distributed"),
    ("rlc_ram_1r1w_lane", {"READ_ANY": 2}, "rlc_ram_1r1w_lane: READ_ANY must be 0 or 1"),
    ("rlc_ram_1r1w_lane", {"BYPASS": 1, "READ_LATENCY": 1}, BYPASS),
    ("rlc_ram_1r1w_lane", {"BYPASS": 1, "READ_LATENCY": 2, "READ_ANY": 1}, BYPASS),
    ("rlc_ram_1r1w_lane", {"BYPASS": 2, "READ_LATENCY": 2}, BYPASS),
    ("rlc_ram_2rw", {"WIDTH": 0}, "rlc_ram_2rw: WIDTH must be at least 1"),
    ("rlc_ram_2rw", {"DEPTH": 1}, "rlc_ram_2rw: DEPTH must be at least 2"),
    ("rlc_ram_2rw", {"READ_LATENCY": 3}, "rlc_ram_2rw: READ_LATENCY must be 1 or 2"),
    ("rlc_ram_2rw", {"STYLE": "distributed"}, "rlc_ram_2rw: STYLE must be auto or block or ultra"),
    ("rlc_round_sat", {"FRAC": 16}, "rlc_round_sat: FRAC must be 0 or more and less than WIN"),
    ("rlc_round_sat", {"WOUT": 1}, "rlc_round_sat: WOUT must be at least 2"),
    ("rlc_round_sat", {"SYMMETRIC": 2}, "rlc_round_sat: SYMMETRIC must be 0 or 1"),
    ("rlc_mac", {"C_WIDTH": 0}, "rlc_mac: A_WIDTH and B_WIDTH and C_WIDTH and P_WIDTH must be at least 1"),
    ("rlc_mac", {"M_REG": 2}, "rlc_mac: A_REG and B_REG and C_REG and M_REG must be 0 or 1"),
    ("rlc_mac", {"ACC": 2}, "rlc_mac: ACC must be 0 or 1"),
    ("rlc_shift_sat", {"WIN": 0}, "rlc_shift_sat: WIN must be at least 1"),
    ("rlc_shift_sat", {"WOUT": 1}, "rlc_shift_sat: WOUT must be at least 2"),
    ("rlc_shift_sat", {"SHIFT_WIDTH": 7}, "rlc_shift_sat: SHIFT_WIDTH must be 1 to 6"),
    ("rlc_shift_sat", {"SYMMETRIC": 2}, "rlc_shift_sat: SYMMETRIC must be 0 or 1"),
    ("rlc_umul", {"A_WIDTH": 0}, "rlc_umul: A_WIDTH must be 1 to 52"),
    ("rlc_umul", {"A_WIDTH": 53}, "rlc_umul: A_WIDTH must be 1 to 52"),
    ("rlc_umul", {"B_WIDTH": 35}, "rlc_umul: B_WIDTH must be 1 to 34"),
    ("rlc_umul", {"B_WIDTH": 0}, "rlc_umul: B_WIDTH must be 1 to 34"),
    ("rlc_umul", {"C_REG": 2}, "rlc_umul: C_REG must be 0 or 1"),
    ("rlc_axi_burst", {"ID_WIDTH": 0}, "rlc_axi_burst: ID_WIDTH must be at least 1"),
    ("rlc_axi_burst", {"LANES": 3}, "rlc_axi_burst: LANES must be a power of two up to 128"),
    ("rlc_axi_burst", {"ADDR_WIDTH": 2}, "rlc_axi_burst: ADDR_WIDTH must be more than the log2 of LANES"),
    ("rlc_axi_burst", {"DEPTH": 1025}, "rlc_axi_burst: DEPTH must be at least 1 and within ADDR_WIDTH"),
    ("rlc_axi_ram", {"DATA_WIDTH": 24}, "rlc_axi_ram: DATA_WIDTH must be 8 to 1024 and a power of two"),
    ("rlc_axi_ram", {"READ_LATENCY": 1}, "rlc_axi_ram: READ_LATENCY must be 2 to 5"),
    ("rlc_smul", {"A_WIDTH": 28}, "rlc_smul: A_WIDTH must be 2 to 27"),
    ("rlc_smul", {"A_WIDTH": 1}, "rlc_smul: A_WIDTH must be 2 to 27"),
    ("rlc_smul", {"B_WIDTH": 36}, "rlc_smul: B_WIDTH must be 2 to 35"),
    ("rlc_smul", {"B_WIDTH": 1}, "rlc_smul: B_WIDTH must be 2 to 35"),
    ("rlc_smul", {"DROP": 45}, "rlc_smul: DROP must be 0 to 44 and less than A_WIDTH plus B_WIDTH minus 1"),
    ("rlc_smul", {"DROP": -1}, "rlc_smul: DROP must be 0 to 44 and less than A_WIDTH plus B_WIDTH minus 1"),
    ("rlc_fifo_async", {"WIDTH": 0}, "rlc_fifo_async: WIDTH must be at least 1"),
    ("rlc_fifo_async", {"DEPTH_LOG2": 1}, "rlc_fifo_async: DEPTH_LOG2 must be 2 to 10"),
    ("rlc_fifo_async", {"STAGES": 5}, "rlc_fifo_async: STAGES must be 2 or 3 or 4"),
    ("rlc_abort_out", {"WIDTH": 0}, "rlc_abort_out: WIDTH must be at least 1"),
    ("rlc_credit", {"PLACES": 0}, "rlc_credit: PLACES must be at least 1"),
    ("rlc_mod_counter", {"COUNT": 0}, "rlc_mod_counter: COUNT must be at least 1"),
    ("rlc_delay", {"WIDTH": 0}, "rlc_delay: WIDTH must be at least 1"),
    ("rlc_delay", {"CLOCKS": -1}, "rlc_delay: CLOCKS must be 0 or more"),
    ("rlc_delay_ram", {"CLOCKS": -1}, "rlc_delay: CLOCKS must be 0 or more"),
    ("rlc_popcount", {"WIDTH": 0}, "rlc_popcount: WIDTH must be at least 1"),
    ("rlc_popcount", {"COUNT_WIDTH": 3}, "rlc_popcount: COUNT_WIDTH must hold the number WIDTH"),
    ("rlc_log2", {"IN_WIDTH": 65}, "rlc_log2: IN_WIDTH must be 1 to 64"),
    ("rlc_log2", {"IN_WIDTH": 0}, "rlc_log2: IN_WIDTH must be 1 to 64"),
    ("rlc_log2", {"STYLE": "ultra"}, "rlc_log2_rom: STYLE must be block or distributed or auto"),
    ("rlc_exp2", {"IN_WIDTH": 27}, "rlc_exp2: IN_WIDTH must be 28 to 48"),
    ("rlc_exp2", {"OUT_WIDTH": 40}, "rlc_exp2: OUT_WIDTH must be 1 to 39"),
    ("rlc_exp2", {"OUT_FRAC": 19}, "rlc_exp2: OUT_FRAC must be 0 to OUT_WIDTH"),
    ("rlc_exp2", {"STYLE": "ultra"}, "rlc_exp2_rom: STYLE must be block or distributed or auto"),
    ("rlc_tanh", {"STYLE": "ultra"}, "rlc_tanh_rom: STYLE must be block or distributed or auto"),
    ("rlc_sincos", {"STYLE": "ultra"}, "rlc_sincos_rom: STYLE must be block or distributed or auto"),
    ("rlc_reciprocal", {"STYLE": "ultra"}, "rlc_reciprocal_rom: STYLE must be block or distributed or auto"),
    ("rlc_divide", {"N_WIDTH": 0}, "rlc_divide: N_WIDTH and D_WIDTH must be at least 1"),
    ("rlc_divide", {"D_WIDTH": 0}, "rlc_divide: N_WIDTH and D_WIDTH must be at least 1"),
    ("rlc_divide", {"FRACTION": -1}, "rlc_divide: FRACTION must be 0 or more"),
    ("rlc_divide", {"Q_WIDTH": 1}, "rlc_divide: Q_WIDTH must be at least 2"),
    ("rlc_divide", {"PER_CLOCK": 0}, "rlc_divide: PER_CLOCK must be at least 1"),
    ("rlc_sticky", {"WIDTH": 0}, "rlc_sticky: WIDTH must be at least 1"),
    ("rlc_counter", {"WIDTH": 1}, "rlc_counter: WIDTH must be at least 2"),
    ("rlc_counter", {"SATURATE": 2}, "rlc_counter: SATURATE must be 0 or 1"),
    ("rlc_axil_regs", {"ADDR_WIDTH": 33}, "rlc_axil_regs: ADDR_WIDTH must be 3 to 32"),
    ("rlc_axil_regs", {"REGS": 0}, "rlc_axil_regs: REGS must be at least 1 and fit into ADDR_WIDTH"),
    ("rlc_axil_regs", {"REGS": 65}, "rlc_axil_regs: REGS must be at least 1 and fit into ADDR_WIDTH"),
    ("rlc_axil_split", {"PORTS": 0}, PORTS),
    ("rlc_axil_split", {"PORTS": 17}, PORTS),
    (
        "rlc_axil_split",
        {"ADDR_WIDTH": 33},
        "rlc_axil_split: WINDOW_WIDTH must be at least 1 and ADDR_WIDTH more and at most 32",
    ),
    ("rlc_sync_level", {"STAGES": 1}, "rlc_sync_level: STAGES must be 2 or 3 or 4"),
    ("rlc_sync_level", {"INITIAL": 2}, "rlc_sync_level: INITIAL must be 0 or 1"),
    ("rlc_sync_pulse", {"STAGES": 5}, "rlc_sync_pulse: STAGES must be 2 or 3 or 4"),
    ("rlc_reset_sync", {"STAGES": 0}, "rlc_reset_sync: STAGES must be 2 or 3 or 4"),
    ("rlc_reset_sync", {"SOURCES": 0}, "rlc_reset_sync: SOURCES must be at least 1"),
    ("rlc_uart_rx", {"CLOCKS_PER_BIT": 3}, "rlc_uart_rx: CLOCKS_PER_BIT must be 4 to 65535"),
    ("rlc_uart_tx", {"CLOCKS_PER_BIT": 65536}, "rlc_uart_tx: CLOCKS_PER_BIT must be 4 to 65535"),
    ("rlc_ecp5_pll", {"OUTPUT": 1}, "rlc_ecp5_pll: MULTIPLY and DIVIDE must be 1 to 128 and OUTPUT 2 to 128"),
]
# Verilator with its warnings not fatal, as many a flow runs it: an illegal parameter still stops it.
TOOLS = ["icarus", "verilator", "yosys", "slang"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources in one folder: yosys sees only that in which it runs."""
    made = tmp_path_factory.mktemp("prims")
    for file in [*headers(), *sources()]:
        shutil.copy(file, made)
    return made


def elaborate(tool: str, module: str, parameters: dict[str, int | str], folder: Path) -> tuple[int, str]:
    """Elaborate a module in the folder of the sources; returns the exit code and everything the tool said."""
    names = [file.name for file in sources()]
    values = {k: f'"{v}"' if isinstance(v, str) else str(v) for k, v in parameters.items()}
    if tool == "icarus":
        settings = [f"-P{module}.{k}={v}" for k, v in values.items()]
        command = ["iverilog", "-g2005", "-o", "out.vvp", "-s", module, *settings, *names]
    elif tool == "verilator":
        settings = [f"-G{k}={v}" for k, v in values.items()]
        command = ["verilator", "--lint-only", "-Wno-fatal", "--top-module", module, *settings, *names]
    elif tool == "slang":
        text = slang.lint(slang.Design([folder / name for name in names], [], module, parameters))
        return int("error:" in text), text
    else:
        settings = "".join(f"chparam -set {k} {v} {module}; " for k, v in values.items())
        cells = "read_verilog -lib +/lattice/cells_bb_ecp5.v; " if "ecp5" in module else ""
        script = f"{cells}read_verilog {' '.join(names)}; {settings}hierarchy -check -top {module}"
        command = ["yosys", "-q", "-p", script]
    done = subprocess.run(
        command, cwd=folder, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode, done.stdout


# Yosys starts in two seconds: a number, a string, a rule of a module inside, and a module that is a vendor's cell.
IN_YOSYS = [("rlc_fifo", "DEPTH"), ("rlc_fifo", "STYLE"), ("rlc_ram_1r1w", "DEPTH"), ("rlc_ecp5_pll", "OUTPUT")]


def rules() -> list:
    """Each illegal case in each tool: all of them in Icarus and slang; in Verilator a module's first and its strings.

    What is left, and most of Yosys', is `slow`: a rule is one line for all tools, of rlc_check.vh.
    """
    params = []
    for tool in TOOLS:
        modules = set()
        for module, parameters, message in ILLEGAL:
            if tool == "yosys" and -1 in parameters.values():
                continue  # its chparam reads no minus sign
            quick = tool in ("icarus", "slang") or module not in modules or "STYLE" in parameters
            if tool == "yosys":
                quick = any((module, name) in IN_YOSYS for name in parameters)
            modules.add(module)
            marks = [*([NO_ICARUS] if tool == "icarus" else []), *([] if quick else [pytest.mark.slow])]
            name = "-".join([tool, module, *(f"{key}={value}" for key, value in parameters.items())])
            params.append(pytest.param(tool, module, parameters, message, id=name, marks=marks))
    return params


def test_legal_parameters_pass_in_yosys(folder: Path) -> None:
    # Yosys elaborates every module it reads, not only the top. The benches show the same for Icarus and Verilator.
    code, said = elaborate("yosys", "rlc_fifo", {}, folder)
    assert code == 0 and not slang.sentences(said), said


@pytest.mark.parametrize(("tool", "module", "parameters", "message"), rules())
def test_an_illegal_parameter_is_refused_in_words(
    tool: str, module: str, parameters: dict[str, int | str], message: str, folder: Path
) -> None:
    code, said = elaborate(tool, module, parameters, folder)
    assert code != 0, said
    assert message in slang.sentences(said), said
