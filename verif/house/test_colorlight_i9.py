"""The Colorlight i9: every pin of its top is placed, and one command gives a bitstream that meets timing."""

import json
import re
from pathlib import Path

import pytest
from as_user import fusesoc

from rlcores.base import paths, tools

FOLDER = paths.root() / "constraints" / "colorlight_i9"
LITEETH = pytest.mark.skipif(not tools.have_package("liteeth"), reason="LiteEth is not installed: rlcores[liteeth]")


def test_every_port_has_one_pin_and_every_pin_a_port() -> None:
    header = (FOLDER / "rlc_colorlight_i9.sv").read_text().partition(") (")[2].partition(");")[0]
    ports = set()
    for high, name in re.findall(r"(?:in|out)put +wire +(?:\[(\d+):0\] +)?(\w+)", header):
        ports |= {f"{name}[{i}]" for i in range(int(high) + 1)} if high else {name}
    text = re.sub(r"#.*", "", (FOLDER / "colorlight_i9.lpf").read_text())
    sites = dict(re.findall(r'LOCATE COMP "(\S+)" SITE "(\w+)"', text))
    levels = re.findall(r'IOBUF PORT "(\S+)" [^;]*IO_TYPE=LVCMOS33\b', text)
    assert len(ports) == 16 and set(sites) == ports and sorted(levels) == sorted(ports)
    assert len(set(sites.values())) == len(sites), "two ports share a pin"
    assert 'FREQUENCY PORT "clk_25mhz" 25 MHZ' in text and 'FREQUENCY PORT "rgmii_rx_clk" 125 MHZ' in text


@pytest.mark.slow
@LITEETH
def test_one_command_gives_a_bitstream_that_meets_timing(tmp_path: Path) -> None:
    core = "rlcores:constraints:colorlight_i9"
    done = fusesoc(tmp_path, "--cores-root", str(paths.root()), "run", "--target", "colorlight_i9", core)
    assert done.returncode == 0, done.stdout + done.stderr
    work = next((tmp_path / "build").rglob("report.json")).parent
    report = json.loads((work / "report.json").read_text())
    assert {50, 125} <= {round(clock["constraint"]) for clock in report["fmax"].values()}
    assert all(clock["achieved"] >= clock["constraint"] for clock in report["fmax"].values())
    used = {name: use["used"] for name, use in report["utilization"].items()}
    assert used["EHXPLLL"] == 1 and used["DP16KD"] >= 20 and used["TRELLIS_COMB"] > 5000
    assert (work / "rlc_colorlight_i9.bit").stat().st_size > 100_000
