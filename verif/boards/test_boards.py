"""The boards' Vivado projects without Vivado: their Tcl runs to its end against the recorder, and mistakes fail."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from vivado import drivers, project, recorder, tcl, top, verilog

from rlcores.base import paths, tools
from rlcores.buses import backends, designs
from rlcores.eda import boards, configs, sources
from rlcores.eda.synth import tables
from rlcores.errors import RunFailed, UserError

pytestmark = pytest.mark.skipif(not tcl.available(), reason="tclsh is not on PATH")

PROJECTS = designs.projects()


@pytest.fixture
def folder(request: pytest.FixtureRequest):
    """build/boards/<test>: what a project leaves stays there, its transcript above all."""
    path = paths.build() / "boards" / re.sub(r"\W+", "-", request.node.name).strip("-")
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def cell(core: str, board: str) -> Path:
    """The file of the core's cell on a board."""
    [file] = (paths.root() / "rtl").glob(f"*/gen/rlc_{core}_{board}.v")
    return file


# The card's largest designs take a minute each until every register of theirs has its name.
LARGE = {(core, "u200") for core in ("agent", "learners", "learners_ppo", "ppo_env", "replay_learner", "tensor")}


@pytest.mark.parametrize(
    ("core", "board"), [pytest.param(*p, marks=[pytest.mark.slow] * (p in LARGE)) for p in PROJECTS]
)
def test_a_project_is_complete_and_what_the_drivers_believe(core: str, board: str, folder: Path) -> None:
    done = project.check(core, board, folder)
    told = done.project
    assert told.part == boards.of(board).part and told.top == boards.of(board).designs[core].top
    (design,) = told.designs.values()
    assert design.valid and told.generated == {"rlc_bd"} and told.launched == ["synth_1", "impl_1"]
    # led and, on the card, PERST# and both halves of the reference clock.
    assert len(told.pins) == {"zcu106": 4, "u200": 6}[board]
    # The host, each direction of each DMA, the core's own master, and XDMA's bypass.
    masters = {"heppo zcu106": 3, "heppo u200": 1, "replay_learner zcu106": 5, "replay_learner u200": 3}
    masters |= {"ppo_env zcu106": 3, "ppo_env u200": 1, "agent zcu106": 4, "agent u200": 3}
    masters |= {"learners_ppo zcu106": 3, "learners_ppo u200": 1, "learners zcu106": 6, "learners u200": 5}
    masters |= {"tensor zcu106": 3, "tensor u200": 1}
    assert len({m.space for m in design.mapped}) == masters[f"{core} {board}"]
    assert drivers.check(told, core, board) >= 8
    text = done.transcript.read_text().splitlines()
    assert len(text) > 200 and text[0].startswith("create_project")
    assert sum(line.startswith("set_bus_skew") for line in text) == (14 if core == "heppo" else 0)
    assert not list(folder.glob("*.bit")), "a recorder's bitstream must not be taken for a real one"


@pytest.mark.parametrize("core", ["heppo", "replay_learner"])
def test_area_without_a_board_is_reported(core: str, folder: Path) -> None:
    done = project.check(core, "synth_ooc", folder)
    text = done.transcript.read_text()
    assert "{-mode out_of_context}" in text and done.project.launched == ["synth_1"]
    assert "report_utilization" in text and "report_timing_summary" in text
    assert len(done.project.clocks) == (2 if core == "heppo" else 1)


@pytest.mark.parametrize(("core", "board"), PROJECTS)
def test_the_module_on_a_board_is_the_configuration_of_that_name(core: str, board: str) -> None:
    text, (top, *_) = cell(core, board).read_text(), sources.of_core(configs.core(core).vlnv).tops
    parameters = dict(
        re.findall(r"\.([A-Z][A-Z0-9_]*)\(([^()]*)\)", text[: text.index("u_core (")].split(f"{top} #(")[1])
    )
    own = dict(re.findall(r"parameter (\w+)\s*= (\d+)", text))
    parameters = {name: own.get(value, value).strip('"') for name, value in parameters.items()}
    wanted = {name: str(value) for name, value in configs.load(core, designs.design(core, board).config).items()}
    assert parameters == wanted and len(parameters) >= 11


@pytest.mark.parametrize(("core", "board"), PROJECTS)
def test_streams_have_the_widths_that_the_drivers_use(core: str, board: str) -> None:
    design = designs.design(core, board)
    described = backends.describe(design.core, configs.load(core, design.config))
    module = verilog.read(cell(core, board))
    assert {n: b.signals["tdata"].width for n, b in module.buses.items() if b.type == "axis"} == described.beat_bits
    options = designs.options(core, board)
    assert (tuple(options["sources"]), tuple(options["sinks"])) == (described.sources, described.sinks)


def test_a_project_that_does_not_exist_is_one_sentence() -> None:
    with pytest.raises(UserError, match=r"no project of 'gae' for 'zcu106'; projects: .*heppo on u200"):
        designs.options("gae", "zcu106")
    with pytest.raises(UserError, match="core 'gae' has no target 'zcu106'"):
        project.set_up("gae", "zcu106", Path("nowhere"))


HEPPO = "constraints/zcu106/heppo_bd.tcl"
SHELL = "constraints/zcu106/board.tcl"
SHARED = "constraints/vivado/block_design.tcl"
LEDS = "constraints/zcu106/leds.xdc"
CROSSING = "rtl/heppo/heppo_crossing.tcl"
CARD = "constraints/u200/board.tcl"
SLR = "constraints/u200/replay_learner_slr.xdc"
PINS = "constraints/u200/pins.xdc"
WRONG = [
    # pins
    (LEDS, "AL11", "AL12", r"the pin AL12 is not among those of the board"),
    (LEDS, "AL13", "AL11", r"the pin AL11 has two ports"),
    (
        LEDS,
        "AL13 IOSTANDARD LVCMOS12",
        "AL13 IOSTANDARD LVCMOS18",
        r"LVCMOS18; its pin AL13 \(GPIO_LED_1_LS\) has LVCMOS12",
    ),
    (LEDS, "{led[3]}", "{led[4]}", r"has no port 'led\[4\]'"),
    (
        LEDS,
        "set_property -dict {PACKAGE_PIN AE15 IOSTANDARD LVCMOS12} [get_ports {led[3]}]",
        "",
        r"port 'led\[3\]' .* no pin",
    ),
    (LEDS, "set_false_path", "foreach x {1} {}; set_false_path", r"leds.xdc: there is no command 'foreach'"),
    (PINS, "PACKAGE_PIN AM11", "PACKAGE_PIN BB21", r"the pin BB21 has two ports"),
    (
        PINS,
        "[get_ports pcie_perstn]\nset_false",
        "[get_ports {led[2]}]\nset_false",
        r"'PACKAGE_PIN' of 'led\[2\]' is set twice",
    ),
    # addresses
    (HEPPO, "0xA0000000 4K", "0xA0010000 4K", r"'dma/S_AXI_LITE/Reg' at 0xA0010000 overlaps 'rlc_heppo/s_axil/reg0'"),
    (HEPPO, "0xA0000000 4K", "0xB0000000 4K", r"outside 0xA0000000 \.\. 0xAFFFFFFF of 'ps/Data'"),
    (HEPPO, "0xA0000000 4K", "0xA0000000 64K", r"the range 0x10000 .* more than the 0x1000 bytes"),
    (HEPPO, "0xA0010000 64K", "0xA0011000 64K", r"no multiple of its range"),
    (
        HEPPO,
        "0xA0000000 4K",
        "0xA0003000 4K",
        r"the address of the registers is 0xa0003000 .* 0xa0000000 for the drivers",
    ),
    (HEPPO, "rlc::memory dma/Data_S2MM 0 1\n", "", r"has no address in 'dma/Data_S2MM' and is not excluded"),
    (
        CARD,
        "reg0 0x0 $window\n    foreach",
        "reg0 0x200000 $window\n    foreach",
        r"outside 0x0 \.\. 0x1FFFFF of 'xdma/M_AXI_LITE'",
    ),
    (CARD, "0x0 128M", "0x0 64M", r"the memory in the bypass BAR is \[\(0, 67108864\)\]"),
    # names
    (HEPPO, "rlc::link memory", "connect_bd_intf memory", r"there is no command 'connect_bd_intf'"),
    (SHARED, "update_compile_order -fileset", "update_compile_order -files", r"no option '-files'"),
    (HEPPO, "CONFIG.NUM_MI 3", "CONFIG.NUM_MASTERS 3", r"smartconnect has no parameter CONFIG.NUM_MASTERS"),
    (HEPPO, "CONFIG.NUM_MI 3", "CONFIG.NUM_MI 17", r"CONFIG.NUM_MI is 17; it may be 1 to 16"),
    (HEPPO, "reset/slowest_sync_clk", "reset/slowest_clk", r"'reset' \(proc_sys_reset\) has no pin 'slowest_clk'"),
    (
        HEPPO,
        "rlc::link control/M02_AXI",
        "rlc::link control/M03_AXI",
        r"'control' \(smartconnect\) has no interface 'M03_AXI'",
    ),
    (
        HEPPO,
        "-reference rlc_heppo_zcu106",
        "-reference rlc_heppo_zcu102",
        r"no source has the module 'rlc_heppo_zcu102'",
    ),
    (SHELL, "axi_intc [", "axi_interrupt [", r"the block 'axi_interrupt' is not in the recorder's catalogue"),
    (SHELL, '{apply_board_preset "1"}', '{apply_preset "1"}', r"the rule has no 'apply_preset'"),
    (SHARED, "[get_files rlc_bd.bd]\n    generate", "[get_files rlc.bd]\n    generate", r"no file is 'rlc.bd'"),
    (CROSSING, "gray_q_reg\\\\", "grey_q_reg\\\\", r"nothing in the design is .*grey_q_reg"),
    (SLR, "u_core/u_tree", "u_core/u_trees", r"nothing in the design is 'u_bd/rlc_replay_learner/inst/u_core/u_trees'"),
    (SLR, "{SLR2}", "{SLR3}", r"the part has no region 'SLR3'"),
    (
        CARD,
        "diff_clock_rtl:1.0 default_300mhz_clk1",
        "diff_clock_rtl:1.0 default_300mhz_clk4",
        r"no interface 'default_300mhz_clk4'",
    ),
    # what does not fit together
    (HEPPO, "rlc::dma dma 256 256", "rlc::dma dma 256 128", r"has 256 bits of TDATA and 'dma/S_AXIS_S2MM' has 128"),
    (
        HEPPO,
        "rlc::net ps_clk",
        "set_property CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 200 [get_bd_cells ps]\n"
        "    set_property CONFIG.PRIM_IN_FREQ 200 [get_bd_cells clocks]\n    rlc::net ps_clk",
        r"'clocks/clk_in1' was told 200 MHz, and 'ps/pl_clk0' gives 187\.5",
    ),
    (SHARED, "{*.v *.sv}", "{*.vhd}", r"no file is '\*.vhd'"),
    (
        SHARED,
        "{*.v *.sv}",
        "{*.sv}",
        r"includes 'rlc_\w+\.vh', which no folder of include_dirs has so far",
    ),
    (SHELL, "set rlc::mhz 200", "set rlc::mhz 190", r"the clock of the core, in MHz, is 190.0 .*, and 200.0 for"),
    (HEPPO, "clocks/clk_out2 rlc_heppo/core_clk", "clocks/clk_out2", r"nothing drives 'rlc_heppo/core_clk'"),
    (HEPPO, "control/aclk memory/aclk", "control/aclk", r"nothing drives 'memory/aclk'"),
    (HEPPO, "{clocks/locked", "{clocks/locked ps/pl_resetn0", r"has two drivers: clocks/locked and ps/pl_resetn0"),
    (HEPPO, "dma/axi_resetn intc/", "intc/", r"nothing drives 'dma/axi_resetn'"),
    (
        HEPPO,
        "rlc::link control/M02_AXI intc/s_axi\n",
        "",
        r"interface 'control/M02_AXI' \(master\) is not connected|does not reach",
    ),
    (
        CARD,
        "exp_fifo/m_axis_aclk load_fifo/m_axis_aclk",
        "exp_fifo/m_axis_aclk",
        r"nothing drives 'load_fifo/m_axis_aclk'",
    ),
    (
        CARD,
        "xdma/M_AXIS_H2C_1 load_fifo",
        "xdma/M_AXIS_H2C_2 load_fifo",
        r"'xdma' \(xdma\) has no interface 'M_AXIS_H2C_2'",
    ),
    (
        CARD,
        "exp 16\n    rlc::stream_in load 8",
        "exp 16\n    rlc::stream_in load 16",
        r"has 128 bits of TDATA and .* has 64",
    ),
    (CARD, "CONFIG.NUM_CLKS 3", "CONFIG.NUM_CLKS 2", r"has no pin 'aclk2'"),
    (
        CARD,
        "{host_reset/peripheral_reset dram",
        "{host_reset/peripheral_aresetn dram",
        r"is a rstn and 'dram/sys_rst' a rst",
    ),
]


def _replaced(name: str, folder: Path, file: str, old: str, new: str) -> None:
    """The project in `folder` with one file changed in one place."""
    source = paths.root() / file
    text = source.read_text()
    assert text.count(old) >= 1, f"{file} does not have what this case changes"
    copy = folder / source.name
    copy.write_text(text.replace(old, new, 1))
    script = folder / f"{name}.tcl"
    path = os.path.relpath(source, folder)
    assert script.read_text().count(f"{{{path}}}") == 1
    script.write_text(script.read_text().replace(f"{{{path}}}", f"{{{copy.name}}}"))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"), WRONG, ids=[f"{Path(c[0]).stem}-{i}" for i, c in enumerate(WRONG)]
)
def test_a_mistake_is_found(file: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    core, board = ("replay_learner", "u200") if "u200" in file else ("heppo", "zcu106")
    name = project.set_up(core, board, tmp_path)
    _replaced(name, tmp_path, file, old, new)
    with pytest.raises(RunFailed, match=said):
        done = project.replay(name, tmp_path)
        drivers.check(done.project, core, board)
    assert (tmp_path / "transcript.tcl").stat().st_size > 0


def test_the_top_and_its_block_design_have_the_same_ports(tmp_path: Path) -> None:
    name = project.set_up("heppo", "zcu106", tmp_path)
    _replaced(
        name, tmp_path, SHELL, "create_bd_port -dir O -type intr irq", "create_bd_port -dir O -type intr interrupt"
    )
    text = (tmp_path / "board.tcl").read_text().replace("[get_bd_ports irq]", "[get_bd_ports interrupt]")
    (tmp_path / "board.tcl").write_text(text)
    with pytest.raises(RunFailed, match="port 'interrupt' is on one side only of rlc_zcu106_top"):
        project.replay(name, tmp_path)


def test_a_script_reaches_nothing_but_the_recorder(tmp_path: Path) -> None:
    for line in ("exec true", "open x w", "socket localhost 1", "no_such_command"):
        (tmp_path / "x.tcl").write_text(f"{line}\n")
        with pytest.raises(RunFailed, match=r"x\.tcl: there is no command"):
            recorder.Recorder(tmp_path).run("x.tcl")


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("", []),
        ("a  b\n c", ["a", "b", "c"]),
        ("{a b} {} {c {d e}}", ["a b", "", "c {d e}"]),
        ('apply "1" x', ["apply", "1", "x"]),
        (r"led\[0\] x", ["led[0]", "x"]),
    ],
)
def test_tcl_lists_are_read_as_tcl_writes_them(text: str, elements: list[str]) -> None:
    assert tcl.words(text) == elements
    assert tcl.words(tcl.listed(elements)) == elements


@pytest.mark.parametrize(
    ("vlnv", "target", "module"),
    [
        ("rlcores:board:leds", "default", "rlc_board_leds"),
        ("rlcores:system:heppo", "zcu106", "rlc_heppo_zcu106"),
        pytest.param("rlcores:system:heppo", "u200", "rlc_heppo_u200", marks=pytest.mark.slow),
        pytest.param("rlcores:system:ppo_env", "zcu106", "rlc_ppo_env_zcu106", marks=pytest.mark.slow),
        pytest.param("rlcores:system:ppo_env", "u200", "rlc_ppo_env_u200", marks=pytest.mark.slow),
        pytest.param("rlcores:system:replay_learner", "zcu106", "rlc_replay_learner_zcu106", marks=pytest.mark.slow),
        pytest.param("rlcores:system:replay_learner", "u200", "rlc_replay_learner_u200", marks=pytest.mark.slow),
        pytest.param("rlcores:system:agent", "zcu106", "rlc_agent_zcu106", marks=pytest.mark.slow),
        pytest.param("rlcores:system:agent", "u200", "rlc_agent_u200", marks=pytest.mark.slow),
        pytest.param("rlcores:tensor:tensor", "zcu106", "rlc_tensor_zcu106", marks=pytest.mark.slow),
        pytest.param("rlcores:tensor:tensor", "u200", "rlc_tensor_u200", marks=pytest.mark.slow),
    ],
)
def test_a_module_for_a_board_has_no_warnings(vlnv: str, target: str, module: str) -> None:
    read = sources.of_core(vlnv, target)
    waivers = sorted((paths.root() / "rtl").glob("*/*.vlt"))
    files = [*waivers, *(f for f in read.files if not f.name.endswith("_top.v"))]  # its block design is not there
    assert any(f.stem == module for f in files)
    folders = sorted({f"-I{f.parent}" for f in read.includes})
    command = ["verilator", "--lint-only", "-Wall", "--quiet-stats", *folders, *map(str, files), "--top-module", module]
    done = subprocess.run(command, env=tools.env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _fits(core: str, board: str, folder: Path, parameters: dict[str, int] | None = None) -> dict[str, float]:
    done = project.check(core, board, folder)
    used = top.synthesise(done.project, parameters)
    has = tables.device(board).resources
    over = {name: (used[name], has[name]) for name in used if used[name] > has[name]}
    assert not over, f"more than the part has: {over}"
    return used


@pytest.mark.slow
def test_a_small_array_goes_through_synthesis_with_its_top(folder: Path) -> None:
    used = _fits("heppo", "zcu106", folder, {"ROWS": 4, "LANES": 8, "DEPTH": 16})
    # Four rows of 4 DSPs, the quantiser's, and the LEDs' counters.
    assert used["dsp"] >= 16 and used["ff"] > 2 * 27 and used["bram36"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("core", "board"), PROJECTS)
def test_a_project_fits_its_part(core: str, board: str, folder: Path) -> None:
    used = _fits(core, board, folder)
    # Four DSPs a row of the array, one a multiplier of the learner: the core is in it, whole.
    least = {"heppo zcu106": 4 * 64, "heppo u200": 4 * 128, "replay_learner zcu106": 1435, "replay_learner u200": 2253}
    least |= {"ppo_env zcu106": 1236, "ppo_env u200": 2060, "agent zcu106": 1435, "agent u200": 2253}
    least |= {"learners_ppo zcu106": 2 * 412, "learners_ppo u200": 3 * 5 * 412, "learners zcu106": 1200}
    least |= {"learners u200": 5000, "tensor zcu106": 512, "tensor u200": 2048}
    assert used["dsp"] >= least[f"{core} {board}"] and used["bram36"] >= 32
