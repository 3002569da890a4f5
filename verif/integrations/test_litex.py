"""The cores as modules of LiteX: every port is connected at its width, in a SoC whose Verilog slang accepts."""

import re
from pathlib import Path

import pytest

from rlcores.engine import configs, headers, slang, sources
from rlcores.errors import RunFailed, UserError
from rlcores.integrations import litex as wrapper

CASES = [("gae", "tiny"), ("gae", "ecp5_8"), ("sumtree", "tiny"), ("sumtree", "ecp5")]


def test_without_litex_it_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr(wrapper, "_missing", ImportError("No module named 'litex'"))
    with pytest.raises(RunFailed, match="this needs the package 'litex'"):
        wrapper.Core(None, "gae", "tiny")


class Platform:
    """What a core asks of a platform of LiteX."""

    def __init__(self) -> None:
        self.files, self.folders = [], []

    def add_source(self, path: str) -> None:
        self.files.append(Path(path))

    def add_verilog_include_path(self, path: str) -> None:
        self.folders.append(Path(path))


@pytest.fixture
def litex():
    return pytest.importorskip("litex", reason="litex is not installed: uv sync --extra litex")


@pytest.mark.parametrize(("core", "config"), CASES)
def test_a_core_is_whole_in_verilog_of_litex(litex, core: str, config: str, tmp_path: Path) -> None:
    from litex.gen.fhdl.verilog import convert
    from migen import ClockDomain, Module

    platform = Platform()
    made = wrapper.Core(platform, core, config)
    assert f"rlc_{core}_axi" in {file.stem for file in platform.files} and made.size >= 256
    streams = [name for name in vars(made) if name.startswith(("s_axis", "m_axis"))]
    signals = {s for end in (*(getattr(made.bus, c) for c in wrapper._CHANNELS), *(getattr(made, n) for n in streams))
               for s in end.flatten()}  # fmt: skip
    top = Module()
    top.clock_domains.cd_sys = ClockDomain("sys")
    top.submodules.core = made
    text = str(convert(top, ios=signals | {top.cd_sys.clk, top.cd_sys.rst}, name="top", platform=None))
    (instance,) = re.findall(rf"rlc_{core}_axi #\((.*?)\);", text, re.S)
    given = dict(re.findall(r"\.(\w+)\s*\((.*?)\)(?=,|\s*$)", instance, re.S | re.M))
    design = sources.of_core(configs.core(core).vlnv).design(f"rlc_{core}_axi")
    ports = {port.name for port in headers.read(design).ports}
    assert ports <= set(given) and all(given[name].strip() for name in ports), ports - set(given)
    for name, value in configs.load(core, config).items():
        assert given[name].strip() == str(value), name  # a width of LiteX's would be that of every sum in the core
    # slang finds a port that is not there, and one of another width.
    (tmp_path / "top.v").write_text(re.sub(r"`timescale.*", "", text))
    said = slang.lint(slang.Design([*platform.files, tmp_path / "top.v"], platform.folders, "top", {}))
    assert not [line for line in said.splitlines() if re.search(r"error:|-Wport-width|-Wunconnected|-Wwidth", line)], (
        said
    )


def test_a_soc_reaches_its_registers_and_hears_it(litex, tmp_path: Path) -> None:
    from litex.build.generic_platform import Pins
    from litex.build.sim import SimPlatform
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCMini
    from litex.soc.interconnect import wishbone
    from migen import ClockDomain

    platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1))])
    soc = SoCMini(platform, clk_freq=int(100e6), cpu_type=None)
    soc.clock_domains.cd_sys = ClockDomain("sys")
    soc.gae = wrapper.Core(platform, "gae", "tiny")
    soc.bus.add_master("host", wishbone.Interface())
    soc.bus.add_slave("gae", soc.gae.bus, SoCRegion(origin=0x3000_0000, size=soc.gae.size, cached=False))
    soc.finalize()
    text = str(platform.get_verilog(soc, name="soc"))
    assert text.count("rlc_gae_axi") >= 1 and "s_axil_awaddr" in text
    assert soc.bus.regions["gae"].origin == 0x3000_0000


@pytest.mark.parametrize(
    ("core", "parameters", "said"),
    [
        ("replay_learner", "tiny", "has a memory port of its own"),
        ("gae", "huge", "no configuration 'huge'"),
        ("gae", {"BEAT": 2, "COLUMNS": 3}, "no parameter 'COLUMNS'"),
        ("prims", "tiny", "no back end for core 'prims'"),
    ],
)
def test_what_it_cannot_wrap_is_one_sentence(litex, core: str, parameters, said: str) -> None:
    with pytest.raises(UserError, match=said):
        wrapper.Core(Platform(), core, parameters)
