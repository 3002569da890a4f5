"""What the recorder knows of AMD's blocks, boards and commands: catalogue.yaml."""

import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rlcores.base import files
from vivado.tcl import Refused

_FILE = Path(__file__).with_name("catalogue.yaml")


@dataclass
class Pin:
    """A single pin of a block."""

    dir: str  # I or O
    kind: str  # clk, rst (active high), rstn (active low), reset (either), intr or data
    optional: bool = False
    mhz: float | None = None  # what comes out of a clock pin, where the block says
    must_mhz: float | None = None  # what the block was told to expect there
    clock: str | None = None  # the clock pin that an output belongs to
    width: int = 1


@dataclass
class Interface:
    """An interface of a block."""

    mode: str  # master or slave
    type: str  # aximm, axis, or a board's: diff_clock, ddr4, pcie_7x_mgt
    clock: str | None = None  # the pin; "any" for a switch
    bits: int | None = None  # of TDATA
    space: str | None = None  # a master's address space
    address_bits: int | None = None
    window: tuple[int, int] | None = None  # where a master's addresses must lie
    segments: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)  # a slave's: fixed offset, size
    signals: dict[str, Any] | None = None  # a module's ports
    keep: bool | None = None  # whether an AXI4-Stream has TKEEP
    optional: bool = False
    board: str | None = None  # the interface of the board's files that it was told to be


@dataclass
class BlockShape:
    """Pins and interfaces of a block in a configuration."""

    pins: dict[str, Pin]
    interfaces: dict[str, Interface]
    switch: bool = False


@cache
def load() -> dict:
    """The file's content."""
    return files.read_yaml(_FILE, "a catalogue of blocks")


def ip(name: str) -> dict:
    """The entry of a block of AMD's catalogue. Raises Refused when there is none."""
    known = load()["ip"]
    if name not in known:
        raise Refused(f"the block '{name}' is not in the recorder's catalogue: {', '.join(known)}")
    return known[name]


def legal(block: str, name: str, value: str) -> Any:
    """A parameter's value in its type. Raises Refused for an unknown parameter or an illegal value."""
    entry = ip(block)["config"].get(name)
    if entry is None:
        raise Refused(f"{block} has no parameter CONFIG.{name}")
    if "in" in entry:
        for item in entry["in"]:
            if str(item) == value:
                return item
        raise Refused(f"{block}: CONFIG.{name} is {value}; it may be {', '.join(map(str, entry['in']))}")
    if entry.get("text"):
        return value
    try:
        number = float(value) if "." in value else int(value, 0)
    except ValueError:
        raise Refused(f"{block}: CONFIG.{name} is '{value}', which is no number") from None
    if not entry["min"] <= number <= entry["max"]:
        raise Refused(f"{block}: CONFIG.{name} is {value}; it may be {entry['min']} to {entry['max']}")
    return number


def shape(block: str, config: dict[str, Any]) -> BlockShape:
    """What a block looks like from outside; config: what was set, the rest is as it comes."""
    entry = ip(block)
    values = {name: entry["default"] for name, entry in entry["config"].items()} | config

    def there(item: dict) -> bool:
        return all(values[name] == value for name, value in item.get("when", {}).items())

    def names(name: str, item: dict) -> list[str]:
        if "repeat" not in item:
            return [name]
        return [name % i for i in range(item.get("from", 0), values[item["repeat"]])]

    def number(value: Any) -> Any:
        return values[value] if isinstance(value, str) else value

    pins, interfaces = {}, {}
    for name, item in entry.get("pins", {}).items():
        for each in names(name, item) if there(item) else []:
            pins[each] = Pin(
                item["dir"],
                item["kind"],
                item.get("optional", False),
                _divided(number(item.get("mhz")), item.get("pll")),
                number(item.get("must_mhz")),
                item.get("clock"),
                number(item.get("width", 1)),
            )
    for name, item in entry.get("interfaces", {}).items():
        for each in names(name, item) if there(item) else []:
            window = _bar(item["bar"], values) if "bar" in item else item.get("window")
            bits = 8 * values[item["bytes"]] if "bytes" in item else _bits(number(item.get("bits")))
            interfaces[each] = Interface(
                item["mode"],
                item["type"],
                item.get("clock"),
                bits,
                item.get("space"),
                number(item.get("address_bits")),
                tuple(window) if window else None,
                {key: (offset, number(size)) for key, (offset, size) in item.get("segments", {}).items()},
                None,
                (values.get("HAS_TKEEP", 1) == 1) if item["type"] == "axis" else None,
                item.get("optional", False),
                values[item["board"]] if "board" in item else None,
            )
    return BlockShape(pins, interfaces, entry.get("switch", False))


def _divided(mhz: float | None, pll: float | None) -> float | None:
    """What a PLL of `pll` MHz gives by whole dividers when `mhz` is asked for."""
    return mhz if pll is None or mhz is None else pll / math.ceil(pll / mhz)


def _bits(value: Any) -> int | None:
    """A width, from a number or from what XDMA calls it: 512_bit."""
    return int(value.removesuffix("_bit")) if isinstance(value, str) else value


def _bar(name: str, values: dict[str, Any]) -> tuple[int, int]:
    """Where a BAR of XDMA leads: the address it is translated to, and its size."""
    shift = {"Kilobytes": 10, "Megabytes": 20, "Gigabytes": 30}[values[f"{name}_scale"]]
    to = {"axilite_master": "axil_master", "axist_bypass": "axist_bypass"}[name]
    return values[f"pciebar2axibar_{to}"], values[f"{name}_size"] << shift


def board(name: str) -> dict:
    """The entry of a board by its board_part. Raises Refused when it or its version is unknown."""
    base, _, version = name.rpartition(":")
    known = load()["boards"]
    if base not in known:
        raise Refused(f"there is no board '{name}'; boards: {', '.join(known)}")
    if version not in known[base]["versions"]:
        raise Refused(f"the board files of '{base}' have no version {version}: {', '.join(known[base]['versions'])}")
    return known[base]
