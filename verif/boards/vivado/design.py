"""A block design as Vivado's IP integrator keeps it, with the rules that make it a working one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from vivado import catalogue
from vivado.catalogue import BlockShape, Interface, Pin
from vivado.tcl import Refused
from vivado.verilog import Module


@dataclass
class Cell:
    """A cell: a block of AMD's catalogue, or one of our modules."""

    name: str
    block: str
    config: dict[str, Any] = field(default_factory=dict)
    module: Module | None = None
    automated: bool = False  # whether the board's preset was applied

    def shape(self) -> BlockShape:
        """Its pins and interfaces as it is configured."""
        if self.module is None:
            return catalogue.shape(self.block, self.config)
        module = self.module
        taken = {port.name for bus in module.buses.values() for port in bus.signals.values()}
        pins = {
            name: Pin(port.dir, module.kinds.get(name, "data"), width=port.width)
            for name, port in module.ports.items()
            if name not in taken
        }
        interfaces = {}
        for name, bus in module.buses.items():
            interface = Interface(bus.mode, bus.type, module.clocked.get(name), signals=bus.signals)
            if bus.type == "axis":
                interface.bits, interface.keep = bus.signals["tdata"].width, "tkeep" in bus.signals
            elif bus.mode == "master":
                interface.space, interface.address_bits = name, bus.signals["araddr"].width
            else:
                interface.segments = {f"{name}/reg0": (None, 1 << bus.signals["araddr"].width)}
            interfaces[name] = interface
        return BlockShape(pins, interfaces)


@dataclass(frozen=True)
class Mapped:
    """Where an address space has a segment."""

    space: str
    segment: str
    offset: int
    range: int


class Design:
    """Cells, ports, nets, links of interfaces, addresses. Every method raises Refused in Vivado's place."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cells: dict[str, Cell] = {}
        self.ports: dict[str, Pin] = {}
        self.intf_ports: dict[str, Interface] = {}
        self.nets: dict[str, set[str]] = {}  # name -> "cell/pin" and ports
        self.links: list[tuple[str, str]] = []
        self.mapped: list[Mapped] = []
        self.excluded: set[tuple[str, str]] = set()
        self.valid = False

    # --- names

    def pin(self, name: str) -> Pin:
        """A pin "cell/pin", or a port of the design."""
        if "/" not in name:
            if name not in self.ports:
                raise Refused(f"there is no port '{name}'")
            return self.ports[name]
        cell, _, pin = name.lstrip("/").rpartition("/")
        pins = self.cell(cell).shape().pins
        if pin not in pins:
            raise Refused(f"'{cell}' ({self.cell(cell).block}) has no pin '{pin}'; it has {', '.join(pins)}")
        return pins[pin]

    def interface(self, name: str) -> Interface:
        """An interface "cell/interface", or an interface port."""
        if "/" not in name:
            if name not in self.intf_ports:
                raise Refused(f"there is no interface port '{name}'")
            return self.intf_ports[name]
        cell, _, interface = name.lstrip("/").rpartition("/")
        known = self.cell(cell).shape().interfaces
        if interface not in known:
            raise Refused(
                f"'{cell}' ({self.cell(cell).block}) has no interface '{interface}'; it has {', '.join(known)}"
            )
        return known[interface]

    def cell(self, name: str) -> Cell:
        """A cell by name."""
        name = name.lstrip("/")
        if name not in self.cells:
            raise Refused(f"there is no cell '{name}'")
        return self.cells[name]

    def space(self, name: str) -> tuple[str, list[str]]:
        """An address space "cell/space": the name, and the interfaces that are its way out."""
        cell, _, space = name.lstrip("/").partition("/")
        ends = [f"{cell}/{n}" for n, i in self.cell(cell).shape().interfaces.items() if i.space == space]
        if not ends:
            raise Refused(f"'{cell}' ({self.cell(cell).block}) has no address space '{space}'")
        return f"{cell}/{space}", ends

    def segment(self, name: str) -> tuple[str, str, int | None, int]:
        """A slave segment "cell/…": its name, its interface, its own offset where it has one, its size."""
        cell, _, rest = name.lstrip("/").partition("/")
        for interface, shape in self.cell(cell).shape().interfaces.items():
            if rest in shape.segments:
                offset, size = shape.segments[rest]
                return f"{cell}/{rest}", f"{cell}/{interface}", offset, size
        raise Refused(f"'{cell}' ({self.cell(cell).block}) has no address segment '{rest}'")

    # --- building

    def add(self, cell: Cell) -> None:
        if cell.name in self.cells:
            raise Refused(f"there is a cell '{cell.name}' already")
        self.cells[cell.name] = cell

    def net_of(self, pin: str) -> str | None:
        """The net that a pin or port is on."""
        return next((name for name, ends in self.nets.items() if pin in ends), None)

    def connect(self, ends: Iterable[str], name: str | None) -> str:
        """Put pins and ports on one net; nets that meet become one."""
        ends = list(ends)
        for end in ends:
            self.pin(end)
        there = list(dict.fromkeys(n for n in map(self.net_of, ends) if n is not None))
        if name is not None and name in self.nets and name not in there:
            there.append(name)
        name = name or (there[0] if there else ends[0].replace("/", "_"))
        merged = set(ends).union(*(self.nets.pop(n) for n in there))
        self.nets[name] = merged
        drivers = [end for end in merged if self.drives(end)]
        if len(drivers) > 1:
            raise Refused(f"net '{name}' has two drivers: {' and '.join(sorted(drivers))}")
        return name

    def drives(self, end: str) -> bool:
        return self.pin(end).dir == ("I" if "/" not in end else "O")

    def link(self, first: str, second: str) -> None:
        """Connect two interfaces."""
        a, b = self.interface(first), self.interface(second)
        for end in (first, second):
            if any(end in link for link in self.links):
                raise Refused(f"interface '{end}' is connected already")
        if a.type != b.type:
            raise Refused(f"'{first}' is {a.type} and '{second}' is {b.type}")
        outside = "/" not in first or "/" not in second
        if (a.mode == b.mode) is not outside:
            raise Refused(f"'{first}' and '{second}' do not fit: {a.mode} and {b.mode}")
        if a.type == "axis":
            if a.bits != b.bits:
                raise Refused(f"'{first}' has {a.bits} bits of TDATA and '{second}' has {b.bits}")
            if a.keep != b.keep:
                raise Refused(f"only one of '{first}' and '{second}' has TKEEP")
        if outside:
            port, inner = (first, b) if "/" not in first else (second, a)
            if inner.board not in (None, port):
                raise Refused(f"port '{port}' is on an interface that was told to be '{inner.board}' of the board")
        self.links.append((first, second))

    # --- addresses

    def reach(self, ends: Iterable[str]) -> set[str]:
        """The slave interfaces that some master interfaces lead to, through switches."""
        reached: set[str] = set()
        waiting, seen = list(ends), set()
        while waiting:
            end = waiting.pop()
            if end in seen:
                continue
            seen.add(end)
            other = next((b if a == end else a for a, b in self.links if end in (a, b)), None)
            if other is None or "/" not in other:
                continue
            cell = other.split("/")[0]
            shape = self.cell(cell).shape()
            if shape.switch:
                waiting += [f"{cell}/{n}" for n, i in shape.interfaces.items() if i.mode == "master"]
            else:
                reached.add(other)
        return reached

    def assign(self, space: str, segment: str, offset: int, size: int) -> None:
        """Give a segment its place in an address space."""
        space, ends = self.space(space)
        segment, interface, fixed, whole = self.segment(segment)
        if interface not in self.reach(ends):
            raise Refused(f"'{space}' does not reach '{segment}'")
        if size < 4096 or size & (size - 1):
            raise Refused(f"the range 0x{size:X} of '{segment}' is no power of two from 4K on")
        if size > whole:
            raise Refused(f"the range 0x{size:X} of '{segment}' is more than the 0x{whole:X} bytes that it has")
        if offset % size:
            raise Refused(f"the offset 0x{offset:X} of '{segment}' is no multiple of its range 0x{size:X}")
        if fixed is not None and not fixed <= offset <= fixed + whole - size:
            raise Refused(f"'{segment}' lies at 0x{fixed:X} .. 0x{fixed + whole - 1:X}, not at 0x{offset:X}")
        bits = min(self.interface(end).address_bits for end in ends)
        if offset + size > 1 << bits:
            raise Refused(f"'{segment}' at 0x{offset:X} is beyond the {bits} address bits of '{space}'")
        windows = [self.interface(end).window for end in ends if interface in self.reach([end])]
        if windows[0] and not windows[0][0] <= offset <= offset + size <= sum(windows[0]):
            low, length = windows[0]
            raise Refused(f"'{segment}' at 0x{offset:X} is outside 0x{low:X} .. 0x{low + length - 1:X} of '{space}'")
        for other in self.mapped:
            if other.space == space and offset < other.offset + other.range and other.offset < offset + size:
                raise Refused(f"'{segment}' at 0x{offset:X} overlaps '{other.segment}' at 0x{other.offset:X}")
            if (other.space, other.segment) == (space, segment):
                raise Refused(f"'{segment}' has an address in '{space}' already")
        self.mapped.append(Mapped(space, segment, offset, size))

    def exclude(self, space: str, segment: str) -> None:
        """Leave a segment out of an address space."""
        space, ends = self.space(space)
        segment, interface, _, _ = self.segment(segment)
        if interface not in self.reach(ends):
            raise Refused(f"'{space}' does not reach '{segment}'")
        self.excluded.add((space, segment))

    # --- the rules of a whole design

    def validate(self) -> None:
        """Refused with the first thing that is missing or wrong."""
        on_net = {end for ends in self.nets.values() for end in ends}
        linked = {end for link in self.links for end in link}
        for cell in self.cells.values():
            shape = cell.shape()
            for name, pin in shape.pins.items():
                if pin.dir == "I" and not pin.optional and f"{cell.name}/{name}" not in on_net:
                    raise Refused(f"nothing drives '{cell.name}/{name}'")
            for name, interface in shape.interfaces.items():
                if f"{cell.name}/{name}" not in linked and not interface.optional:
                    raise Refused(f"interface '{cell.name}/{name}' ({interface.mode}) is not connected")
        for name, pin in self.ports.items():
            if name not in on_net:
                raise Refused(f"port '{name}' ({pin.dir}) is not connected")
        for name in self.intf_ports:
            if name not in linked:
                raise Refused(f"interface port '{name}' is not connected")
        for name, ends in self.nets.items():
            self._net(name, ends)
        for first, second in self.links:
            self._clocks(first, second)
        self._every_segment()
        self.valid = True

    def _net(self, name: str, ends: set[str]) -> None:
        drivers = [end for end in ends if self.drives(end)]
        if not drivers:
            raise Refused(f"net '{name}' has no driver")
        driver = self.pin(drivers[0])
        for end in ends:
            pin = self.pin(end)
            fits = pin.kind == driver.kind or (pin.kind == "reset" and driver.kind in ("rst", "rstn"))
            if not fits and "data" not in (pin.kind, driver.kind):
                raise Refused(f"net '{name}': '{drivers[0]}' is a {driver.kind} and '{end}' a {pin.kind}")
            if pin.width != driver.width:
                raise Refused(f"net '{name}': '{drivers[0]}' has {driver.width} bits and '{end}' {pin.width}")
            if pin.must_mhz is not None and driver.mhz is not None and float(pin.must_mhz) != float(driver.mhz):
                raise Refused(f"'{end}' was told {pin.must_mhz} MHz, and '{drivers[0]}' gives {driver.mhz}")
            if pin.kind == "rstn" and driver.clock and "/" in end and pin.dir == "I":
                cell, source = end.split("/")[0], drivers[0].split("/")[0]
                theirs = {
                    self.net_of(f"{cell}/{n}") for n, p in self.cell(cell).shape().pins.items() if p.kind == "clk"
                }
                if self.net_of(f"{source}/{driver.clock}") not in theirs:
                    raise Refused(f"'{drivers[0]}' is no reset of the clocks of '{cell}'")

    def clock_nets(self, end: str) -> set[str | None]:
        """The nets of the clocks that an interface is on; of a switch, all that it has."""
        interface, cell = self.interface(end), end.split("/")[0]
        if interface.clock == "any":
            pins = self.cell(cell).shape().pins
            return {self.net_of(f"{cell}/{n}") for n, p in pins.items() if p.kind == "clk"}
        return {self.net_of(f"{cell}/{interface.clock}")}

    def _clocks(self, first: str, second: str) -> None:
        if "/" not in first or "/" not in second or self.interface(first).type not in ("aximm", "axis"):
            return
        if not self.clock_nets(first) & self.clock_nets(second):
            raise Refused(f"'{first}' and '{second}' are on different clocks")

    def _every_segment(self) -> None:
        known = {(m.space, m.segment) for m in self.mapped} | self.excluded
        for cell in self.cells.values():
            for name, interface in cell.shape().interfaces.items():
                if interface.space is None:
                    continue
                space = f"{cell.name}/{interface.space}"
                for slave in self.reach([f"{cell.name}/{name}"]):
                    owner = slave.split("/")[0]
                    for segment in self.interface(slave).segments:
                        if (space, f"{owner}/{segment}") not in known:
                            raise Refused(f"'{owner}/{segment}' has no address in '{space}' and is not excluded")
