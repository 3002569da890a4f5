"""A wrong argument to `rlcores` gets one clear line and exit code 2; --json has one form."""

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import paths, report, tools
from rlcores.eda import configs
from rlcores.errors import UserError


def test_help_has_every_command_in_a_section_with_its_whole_first_sentence() -> None:
    said = rlcores("--help").stdout
    assert all(f"\n{section}:\n" in said for section in cli.SECTIONS)
    listed = {
        line.split()[0]
        for line in said.partition(cli.SECTIONS[0])[2].splitlines()
        if line[:3].strip() and line[:2] == "  "
    }
    assert listed == set(cli._commands)
    assert "..." not in said.partition("Options:")[2] and max(map(len, said.splitlines())) <= 80


def test_the_version_is_the_packages() -> None:
    done = rlcores("--version")
    assert (done.returncode, done.stdout) == (0, f"rlcores {version('rlcores')}\n")


def rlcores(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(tools.scripts() / "rlcores"), *arguments], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nonsense"], "commands: "),
        (["trian"], "rlcores: No such command 'trian'; did you mean 'train'; commands: "),
        (["docs"], "No such command 'docs'; did you mean 'generate'; commands: "),
        (["list", "--nonsense"], "--nonsense"),
        (["list", "--config", "nonsense"], "configurations: "),
        (["list", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["sim"], "CORE"),
        (["sim", "gea"], "there is no core 'gea'; did you mean 'gae'; cores: "),
        (["sim", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["lint", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["formal", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["formal", "common", "nonsense"], "proofs: "),
        (["regress", "--seeds", "0"], "--seeds"),
        (["regress", "--simulator", "nonsense"], "simulators: verilator, icarus"),
        (["regress", "--config", "nonsense"], "configurations: "),
        # Before the work is done that would be lost.
        (["bench", "gae", "--json", "/dev/null/x/y.json"], "cannot write '/dev/null/x/y.json': Not a directory"),
        (["bench", "gae", "--json", "/"], "cannot write '/': Is a directory"),
    ],
)
def test_a_wrong_argument_gets_one_line_that_says_what_is_allowed(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture
) -> None:
    assert cli.run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("rlcores: ")
    assert len(said.err.splitlines()) == 1
    assert expected in said.err


def test_a_refused_command_line_ends_with_2_and_one_line_of_stderr() -> None:
    done = rlcores("trian")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("rlcores: No such command 'trian'") and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [["generate"], ["generate", "--check"], ["mutate", "gae", "--accept"], ["qor", "--accept"]]
)
def test_what_changes_the_repository_is_refused_in_an_installation(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    # As in a wheel, where the cores are in rlcores/data.
    shutil.copytree(paths.root() / "rtl", tmp_path / "data" / "rtl")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(paths, "root", lambda: tmp_path / "data")
    monkeypatch.setattr(sys, "argv", ["rlcores", *arguments])
    assert cli.run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "in a clone" in line
    assert sorted(tmp_path.rglob("*")) == before


def test_rlcores_alone_shows_its_commands() -> None:
    done = rlcores()
    assert done.returncode == 0
    assert "list" in done.stdout and "regress" in done.stdout


def test_help_shows_whole_sentences(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["--help"], ["study", "--help"]):
        assert cli.run(arguments) == 0
        shown = capsys.readouterr().out
        assert "..." not in shown.replace("[ARGS]...", "") and len(shown.splitlines()) > 20


def test_help_loads_no_heavy_package() -> None:
    heavy = "{'matplotlib', 'gymnasium', 'cocotb', 'torch'}"
    code = f"import sys, rlcores.cli; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_list_is_whole_in_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run(["list"]) == 0
    shown = capsys.readouterr().out
    assert all(f" {core.vlnv} " in shown for core in configs.cores().values())
    for core in ("gae", "sumtree"):
        assert cli.run(["list", core]) == 0
        now = capsys.readouterr().out
        parameters = set(re.findall(r"\b([A-Z0-9_]+)\s+\d", now))
        assert set(configs.load(core, "tiny")) <= parameters and "targets: default, lint, sim" in now
        shown += now
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown and max(map(len, shown.splitlines())) <= 130


def test_list_json_names_every_core_and_configuration() -> None:
    done = rlcores("list", "--json", "-")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert {"command", "commit", "core", "config", "device", "figures"} <= set(document)
    assert [c["name"] for c in document["cores"]] == list(configs.cores())


def test_json_figures_have_the_one_form(capsys: pytest.CaptureFixture) -> None:
    figures = [report.Figure("gae.cycles", 1088, "clocks", "measured")]
    report.write("-", "bench", "gae", "tiny", None, figures)
    document = json.loads(capsys.readouterr().out)
    assert document["figures"] == [{"name": "gae.cycles", "value": 1088, "unit": "clocks", "how": "measured"}]
    assert (document["command"], document["core"], document["config"], document["device"]) == (
        "bench",
        "gae",
        "tiny",
        None,
    )
    with pytest.raises(UserError, match="allowed: measured, placed"):
        report.Figure("gae.cycles", 1088, "clocks", "guessed")
    with pytest.raises(UserError, match="cannot write"):
        report.write("/proc/no/file", "bench", "gae", None, None, figures)


def test_every_configuration_gives_the_same_parameters_of_its_core() -> None:
    for core in configs._entries():
        names = configs.names(core)
        assert names
        first = set(configs.load(core, names[0]))
        for name in names:
            entry = configs.get(core, name)
            assert set(entry.parameters) == first, name
            assert entry.doc, name
    with pytest.raises(UserError, match="configurations: tiny"):
        configs.load("gae", "nonsense")
