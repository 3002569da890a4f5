"""README and the pages of docs/: snippets run, commands exist, links lead somewhere, and the README stays short."""

import doctest
import importlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
import yaml

import rlcores
from rlcores import cli, errors
from rlcores.base import paths
from rlcores.eda import configs, declared, headers, slang, sources
from rlcores_lab.writers import instances

ROOT = paths.root()
pytestmark = pytest.mark.skipif(not (ROOT / "mkdocs.yml").exists(), reason="needs a checkout")

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "constraints").glob("*/README.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")

# Pages whose Python runs from top to bottom.
PROGRAMS = [
    "README.md",
    "docs/tutorial.md",
    "docs/gae.md",
    "docs/replay_buffer.md",
    "docs/returns.md",
    "docs/reproducibility.md",
    "docs/learner_api.md",
]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The anchors of a page, as GitHub and mkdocs make them of its headings."""
    text = FENCE.sub("", page.read_text())
    names = set(re.findall(r'<a id="([^"]+)"', text)) | set(re.findall(r"^::: (\S+)", text, re.M))
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", words).strip()))
    return names


def test_the_readme_is_read_in_three_minutes() -> None:
    assert len((ROOT / "README.md").read_text().split()) <= 900


def printed(page: str, folder: Path) -> Path:
    """A file with the Python of a page."""
    blocks = [text for info, text in FENCE.findall((ROOT / page).read_text()) if info == "python"]
    assert blocks
    program = folder / f"{Path(page).stem}_page.py"
    program.write_text("\n".join(blocks))
    return program


def test_type_checkers_take_what_is_printed(tmp_path: Path) -> None:
    """mypy and pyright on the pages' programs, whose own functions need no types."""
    programs = [printed(page, tmp_path) for page in PROGRAMS]
    for program in programs:
        # In the file: options on the command line are of all modules, so that mypy would know none that lint has read.
        program.write_text(f"# mypy: allow-untyped-defs, allow-untyped-calls\n{program.read_text()}")
    tools = Path(sys.executable).parent
    pyright = {"typeCheckingMode": "standard", "venvPath": str(tools.parent.parent), "venv": tools.parent.name}
    pyright |= {"extraPaths": [str(ROOT / "tools")], "include": ["."]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(pyright))
    checks = (
        [tools / "mypy", "--config-file", ROOT / "pyproject.toml", *programs],
        [tools / "pyright", "-p", tmp_path],
    )
    for check in checks:
        done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert not done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("page", PROGRAMS)
def test_python_runs_as_it_is_printed(page: str, tmp_path: Path) -> None:
    """Blocks with a title need more than an installation: a board, a build, another library."""
    program = printed(page, tmp_path)
    done = subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not done.stderr


def command_lines(page: Path) -> list[str]:
    """Calls of rlcores in a page's code blocks and in its text."""
    text = page.read_text()
    lines = "\n".join(block for info, block in FENCE.findall(text) if info in ("", "bash", "sh"))
    commands = re.findall(r"^(rlcores [a-z].*)$", lines.replace("\\\n", " "), re.M)
    commands += re.findall(r"`(rlcores [a-z][^`]*)`", FENCE.sub("", text).replace("\n", " "))
    return [line.partition(" #")[0].strip() for line in commands]


@pytest.mark.parametrize("page", [p for p in PAGES if command_lines(p)], ids=name)
def test_rlcores_takes_every_command_line_that_is_printed(page: Path) -> None:
    root = typer.main.get_command(cli.application())
    for line in command_lines(page):
        # Words that stand for others: <core>, [--option N]; a command's name alone is only its name.
        words = [re.sub(r"^[A-Z]$", "1", w.replace("<core>", "gae").strip("[]")) for w in shlex.split(line)[1:]]
        command, context = root, None
        while words and hasattr(command, "commands"):
            assert words[0] in command.commands, line
            context = typer.Context(command, info_name=words[0], parent=context)
            command, words = command.commands[words[0]], words[1:]
        if not words:
            continue
        try:
            command.make_context(line, words, parent=context)
        except Exception as error:
            pytest.fail(f"{line}: {error}")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), target


def test_every_page_is_in_the_menu() -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)
    menu = yaml.load((ROOT / "mkdocs.yml").read_text(), Loader)["nav"]
    named = re.findall(r'"([\w/]+\.md)"', json.dumps(menu))
    boards = [f"boards/{f.parent.name}.md" for f in (ROOT / "constraints").glob("*/README.md")]
    assert sorted(named) == sorted([*(f.name for f in (ROOT / "docs").glob("*.md")), *boards])


def test_every_message_of_the_troubleshooting_page_is_one_that_is_printed() -> None:
    page = (ROOT / "docs" / "troubleshooting.md").read_text()
    messages = re.findall(r"^### `(.*)`$", page, re.M)
    files = [*(ROOT / "tools" / "rlcores").rglob("*.py"), *(ROOT / "tools" / "rlcores").rglob("CMakeLists.txt")]
    # Long messages are written in pieces.
    source = re.sub(r'"\s*\n\s*f?"', "", "\n".join(file.read_text() for file in files))
    assert len(messages) > 10
    assert not [text for text in messages if text not in source]


def test_papers_are_cited_by_author_and_year() -> None:
    for page in PAGES:
        internal = re.findall(r"[Pp]apers? 00\d|DESIGN\b", page.read_text())
        assert not internal, f"{name(page)}: {internal}"


API = [
    *(f"cores.{core}.api" for core in ("gae", "learner", "replay_learner")),
    "cores.gae.returns",
    *(f"cores.sumtree.{module}" for module in ("tree", "sampler", "settings", "ranks", "loss_adjusted")),
    *(f"replay.{module}" for module in ("buffer", "goals", "slices", "spaces")),
    "integrations.gymnasium",
]


@pytest.mark.parametrize("module", API)
def test_examples_of_the_api_run(module: str) -> None:
    done = doctest.testmod(importlib.import_module(f"rlcores.{module}"))
    assert done.attempted and not done.failed


def test_the_api_page_has_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    shown = {f"rlcores.errors.{n}" if hasattr(errors, n) else f"rlcores.{n}" for n in rlcores.__all__}
    assert shown <= set(re.findall(r"^::: (\S+)$", page, re.M))


@pytest.mark.parametrize(("core", "top"), [(core, top) for core, (top, _) in instances.tops().items()])
def test_an_instance_to_copy_names_every_port_and_every_parameter(core: str, top: str) -> None:
    vlnv = configs.core(core).vlnv
    design = sources.of_core(vlnv).design(top, {})
    header = headers.read(design)
    derived = set(declared.derived(core))
    names = set(header.parameters) - derived | {port.name for port in header.ports}
    pages = "".join((ROOT / "docs" / page).read_text() for page in ("instances.md", "heppo.md"))
    examples = re.findall(rf"^{top} #\(\n(.*?)^\);", pages, re.M | re.S)
    assert examples
    for text in examples:
        assert set(re.findall(r"\.(\w+)\(", text)) == names


@pytest.mark.parametrize(("core", "top"), [(core, top) for core, (top, _) in instances.tops().items()])
def test_an_instance_to_copy_has_a_wire_of_the_ports_width_at_every_port(core: str, top: str) -> None:
    page = (ROOT / "docs" / "instances.md").read_text()
    (text,) = re.findall(rf"^## {top}\n.*?^```verilog\n(.*?)^{top} #\(", page, re.M | re.S)
    wires = {
        name: int(high or 0) + 1
        for high, names in re.findall(r"^wire (?:\[(\d+):0\] )?([^;]+);", text, re.M)
        for name in re.split(r",\s*", names)
    }
    ports = slang.ports(sources.of_core(configs.core(core).vlnv).design(top, {}))
    assert wires == {port.name: port.bits for port in ports if port.name not in ("clk", "rst")}


@pytest.mark.parametrize(("core", "top"), [(core, top) for core, (top, _) in instances.tops().items()])
def test_a_vhdl_component_has_every_port_at_its_width_under_names_that_vhdl_takes(core: str, top: str) -> None:
    page = (ROOT / "docs" / "instances.md").read_text()
    (text,) = re.findall(rf"^component {top} is\n(.*?)^end component;", page, re.M | re.S)
    generics, ports = text.split("    port (\n")
    declared_names = re.findall(r"^        (\S+) : ", text, re.M)
    assert len({name.lower() for name in declared_names}) == len(declared_names)
    assert not {name.lower() for name in declared_names} & {"shared", "range", "next", "select", "signal"}
    wide = re.findall(r"(\w+)\\? : (in|out) std_logic(?:_vector\((\d+) downto 0\))?;?\n", ports)
    component_ports = [(name, way == "out", int(high or 0) + 1) for name, way, high in wide]
    design = sources.of_core(configs.core(core).vlnv).design(top, {})
    assert component_ports == [(port.name, port.output, port.bits) for port in slang.ports(design)]
    names = {name.strip("\\") for name in re.findall(r"^        (\S+) : (?:integer|string)", generics, re.M)}
    assert names == set(headers.read(design).parameters) - set(declared.derived(core))


def test_the_page_of_instances_names_every_core_that_it_has_and_has_not() -> None:
    head = (ROOT / "docs" / "instances.md").read_text().partition("\n## ")[0]
    for core in declared.cores():
        top = instances.tops().get(core, (core,))[0]
        assert re.search(rf"\b{top}\b", head), core


def test_fusesoc_has_every_target_that_is_printed() -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    commands = set(re.findall(r"fusesoc run (?:--setup )?--target (\w+) (rlcores:\w+:\w+)", text))
    assert len(commands) > 8
    read = [configs.read_core(path) for folder in ("rtl", "constraints") for path in (ROOT / folder).rglob("*.core")]
    targets = {core["name"].rpartition(":")[0]: core["targets"] for core in read}
    for target, vlnv in commands:
        assert target in targets[vlnv], f"{vlnv} {target}"
