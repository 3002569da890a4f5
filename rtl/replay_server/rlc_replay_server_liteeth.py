"""FuseSoC generator: an Ethernet MAC with ARP, IP, ICMP and UDP, the module rlc_liteeth, made by LiteEth.

LiteEth (BSD-2-Clause) comes from its package, https://pypi.org/project/liteeth/: `pip install rlcores[liteeth]`. A core
asks for the module by

    generate:
      mac:
        generator: liteeth
        parameters: {phy: ecp5rgmii, width: 32, clk_mhz: 50}

phy       "gmii": 8 bits at 125 MHz, of the same clock as the rest; "ecp5rgmii": RGMII on an ECP5, with its own clocks
width     bits of the user's port: 32, or 8 (then the rest's clock must be as fast as the line)
clk_mhz   the rest's clock, from which LiteEth makes its times

The module has the ports clk, rst, mac_address, ip_address, udp_port, those of the PHY, and udp_sink_* and udp_source_*,
the user's port of LiteEth, which rlc_replay_server_liteeth takes. It asks and answers ARP by itself.
"""

import sys
from pathlib import Path

import yaml

PHYS = {
    "gmii": {"rx_dv": 1, "rx_data": 8, "tx_en": 1, "tx_data": 8},
    "ecp5rgmii": {"rst_n": 1, "rx_clk": 1, "rx_ctl": 1, "rx_data": 4, "tx_clk": 1, "tx_ctl": 1, "tx_data": 4},
}
ARP_ENTRIES = 16  # addresses that LiteEth remembers
CDC_DEPTH = 8  # words of 32 bits between the clocks: one LUT memory deep, which shortens the line's longest path
HEAD = """// rlc_liteeth.v — Ethernet MAC, ARP, IP, ICMP and UDP, made by LiteEth (https://github.com/enjoy-digital/liteeth).
// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_save */ /* verilator lint_off UNOPTFLAT */ /* verilator lint_off COMBDLY */
/* verilator lint_off WIDTHEXPAND */ /* verilator lint_off WIDTHTRUNC */ /* verilator lint_off CMPCONST */
"""


def verilog(phy: str, width: int, clk_mhz: float) -> str:
    """The module's Verilog. Raises ValueError for what is not in the table above."""
    if phy not in PHYS or width not in (8, 32):
        raise ValueError(f"phy is '{phy}', width {width}; phy must be one of {', '.join(PHYS)}, width 8 or 32")
    from liteeth.core import LiteEthUDPIPCore
    from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
    from liteeth.phy.gmii import LiteEthPHYGMII
    from litex.build.lattice import LatticePlatform
    from litex.gen import ClockDomain, LiteXModule
    from migen import Signal

    class Ports:
        pass

    def ports(prefix: str, bits: dict[str, int]) -> Ports:
        made = Ports()
        for name, count in bits.items():
            setattr(made, name, Signal(count, name=f"{prefix}_{name}"))
        return made

    class Mac(LiteXModule):
        def __init__(self) -> None:
            self.cd_sys = ClockDomain()
            clk, rst = Signal(name="clk"), Signal(name="rst")
            self.comb += [self.cd_sys.clk.eq(clk), self.cd_sys.rst.eq(rst)]
            address = Ports()
            address.mac, address.ip = Signal(48, name="mac_address"), Signal(32, name="ip_address")
            address.port = Signal(16, name="udp_port")
            if phy == "gmii":
                line = ports("gmii", PHYS[phy])
                self.phy = LiteEthPHYGMII(None, line, model=True)
                self.comb += [cd.rst.eq(rst) for cd in (self.phy.crg.cd_eth_rx, self.phy.crg.cd_eth_tx)]
            else:
                line = ports("rgmii", PHYS[phy])
                clocks = Ports()
                clocks.rx, clocks.tx = line.rx_clk, line.tx_clk
                self.phy = LiteEthPHYRGMII(clocks, line, with_inband_status=False)
            self.core = LiteEthUDPIPCore(
                self.phy,
                address.mac,
                address.ip,
                clk_freq=int(clk_mhz * 1e6),
                dw=width,
                arp_entries=ARP_ENTRIES,
                with_sys_datapath=width == 32,
                tx_cdc_depth=CDC_DEPTH,
                rx_cdc_depth=CDC_DEPTH,
            )
            port = self.core.udp.crossbar.get_port(address.port, dw=width)
            head = {"ip_address": 32, "src_port": 16, "dst_port": 16, "length": 16}
            beat = {"valid": 1, "ready": 1, "last": 1, "data": width, "last_be": width // 8}
            sink = ports("udp_sink", head | beat)
            source = ports("udp_source", head | beat | {"error": width // 8})
            self.comb += [getattr(port.sink, name).eq(getattr(sink, name)) for name in vars(sink) if name != "ready"]
            self.comb += [
                getattr(source, name).eq(getattr(port.source, name)) for name in vars(source) if name != "ready"
            ]
            self.comb += [sink.ready.eq(port.sink.ready), port.source.ready.eq(source.ready)]
            self.ios = {clk, rst, *(s for group in (address, line, sink, source) for s in vars(group).values())}

    platform = LatticePlatform("LFE5U-25F-6BG256C", io=[], toolchain="trellis")
    mac = Mac()
    text = str(platform.get_verilog(mac, ios=mac.ios, name="rlc_liteeth"))
    # The same text each time, which begins with LiteX's date and a timescale.
    return HEAD + text[text.index("module rlc_liteeth") :] + "/* verilator lint_restore */\n"


def main() -> None:
    """FuseSoC's call: one argument, the file that says what is wanted."""
    asked = yaml.safe_load(Path(sys.argv[1]).read_text())
    wanted = {"phy": "gmii", "width": 32, "clk_mhz": 125} | asked.get("parameters", {})
    try:
        text = verilog(wanted["phy"], int(wanted["width"]), float(wanted["clk_mhz"]))
    except ImportError as error:
        sys.exit(f"LiteEth is not installed ({error}): pip install 'rlcores[liteeth]'")
    except ValueError as error:
        sys.exit(str(error))
    Path("rlc_liteeth.v").write_text(text)
    core = {
        "name": asked["vlnv"],
        "filesets": {"rtl": {"files": ["rlc_liteeth.v"], "file_type": "verilogSource"}},
        "targets": {"default": {"filesets": ["rtl"]}},
    }
    Path(asked["vlnv"].split(":")[2] + ".core").write_text("CAPI=2:\n" + yaml.safe_dump(core))


if __name__ == "__main__":
    main()
