"""A board is one file beside its constraints: whoever needs a part, a clock or a memory reads it there."""

import re
import shutil

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.eda import boards, configs, declared
from rlcores.eda.synth import tables
from rlcores.errors import RunFailed, UserError
from rlcores_lab.writers import parts

ANOTHER = """
title: Another
part: xcaa1-fine-1-e
family: xcup
resources: {lut: 500000, ff: 1000000, dsp: 2000, bram36: 600, uram: 200}
dies: 2
clock_mhz: 160
bus: xdma
board_part: "somebody:another:part0:1.0"
stream_bits: 512
learner_dsp: 900
memory_gib: 8
designs:
  heppo:
    {core: gae, config: u200, top: t, cell: rlc_heppo, base: 0, window: 4096, sources: {s_axis: 0}, sinks: {m_axis: 0}}
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A copy of the tree's constraints and cores; everything else is the tree's own."""
    own = paths.root()
    for item in own.iterdir():
        if item.name in ("constraints", "rtl"):
            shutil.copytree(item, tmp_path / item.name)
        elif item.name in ("configs.yaml", "cores", "verif", "fusesoc.conf"):
            (tmp_path / item.name).symlink_to(item)
    kept = (configs.cores, configs.systems, configs._entries, declared.of)
    with monkeypatch.context() as patch:
        patch.setattr(paths, "root", lambda: tmp_path)
        for each in kept:
            each.cache_clear()
        yield tmp_path
    for each in kept:
        each.cache_clear()


def write(root, text: str) -> None:
    (root / "constraints" / "another").mkdir()
    (root / "constraints" / "another" / "board.yaml").write_text(text)


def test_one_file_makes_a_board_known_to_every_tool(root, capsys) -> None:
    from rlcores.buses import backends, designs
    from rlcores_lab.dse import board as dse
    from rlcores_lab.mapping import fpga
    from rlcores_lab.qor import page

    write(root, ANOTHER)
    device = tables.device("another")
    assert (device.part, device.resources["dsp"]) == ("xcaa1-fine-1-e", 2000)
    assert dse.board("another").die["dsp"] == 1000 and str(dse.board("another").clock) == "160 MHz (Another)"
    assert fpga.board("another").learner_dsp == 900 and fpga.board("another").clock.mhz == 160
    assert "another" in page._boards()
    assert designs.options("heppo", "another")["sources"] == {"s_axis": 0}
    with pytest.raises(RunFailed, match="xdma0_user cannot be opened"):
        backends.open("another", "gae", "tiny", **designs.options("heppo", "another"))
    # FuseSoC's target and the core's fileset are written from it.
    core = parts.outputs()[(root / "rtl/heppo/heppo.core").relative_to(root)]
    assert "part: xcaa1-fine-1-e" in core and "- gen/rlc_heppo_another.v" in core
    assert cli.run(["bench", "gae", "--board", "nothing"]) == 2
    assert "there is no board 'nothing'; boards: another, u200, zcu106, ulx3s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("clock_mhz: 160", "clock_mhz: 0", "clock_mhz and dies must be above 0"),
        ("clock_mhz: 160\n", "", "clock_mhz"),
        ("bus: xdma", "bus: usb", "its bus is 'usb'; it must be pynq, xdma, serial"),
        ("dies: 2", "dice: 2", "dice"),
        ("part: xcaa1-fine-1-e", "part: 7", "its 'part' is int"),
        ("base: 0", "base: zero", "its 'base' is str"),
        ("resources: {lut: 500000", "resources: {lut: many", "its 'resources' holds more than int"),
    ],
)
def test_a_wrong_declaration_is_one_sentence(root, old: str, new: str, said: str) -> None:
    assert ANOTHER.count(old) == 1
    write(root, ANOTHER.replace(old, new))
    with pytest.raises(UserError) as caught:
        boards.of("another")
    assert "is not the declaration of a board" in str(caught.value) and said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parts_are_said_nowhere_else() -> None:
    own = {boards.of(name).part for name in boards.with_designs()} | {
        boards.of(name).board_part for name in boards.with_designs()
    }
    written = set(parts.outputs())
    for folder in ("tools/rlcores", "lab", "rtl", "constraints", "cores"):
        for path in (paths.root() / folder).rglob("*"):
            if (
                path.suffix in (".py", ".yaml", ".core", ".tcl", ".xdc", ".v", ".sv", ".vh")
                and path.name != "board.yaml"
            ):
                text = path.read_text()
                if path.relative_to(paths.root()) in written:
                    text = parts._PART.sub("", text)
                assert not [part for part in own if part in text], path


@pytest.mark.parametrize("name", boards.names())
def test_the_page_of_a_board_says_its_part_and_clock(name: str) -> None:
    page = (paths.root() / "constraints" / name / "README.md").read_text()
    board = boards.of(name)
    assert board.part.split(",")[0] in page and f"{board.clock_mhz:g} MHz" in page


def test_the_clock_of_the_ulx3s_is_its_plls() -> None:
    text = (paths.root() / "rtl/serial/rlc_serial_ulx3s.sv").read_text()
    multiply, divide = (int(re.search(rf"{n} += (\d+)", text)[1]) for n in ("MULTIPLY", "DIVIDE"))
    assert 25 * multiply / divide == boards.of("ulx3s").clock_mhz
