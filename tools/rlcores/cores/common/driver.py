"""Registers of a core by the names of its SystemRDL: what the drivers of all cores read, write and wait for."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from rlcores.buses.backends import simulated
from rlcores.buses.bus import Bus
from rlcores.buses.dram import Dram
from rlcores.eda import registers
from rlcores.errors import RunFailed

_NOBODY = 0xFFFFFFFF  # what a bus reads where a card has gone
_POLLS = 10_000_000  # looks at STATUS before a core counts as stuck; the longest step needs fewer
_LOOKS = 100  # from one look at the clock to the next


def register(name: str, doc: str = "") -> Any:
    """A register of a CoreDriver as an attribute."""
    return property(lambda driver: driver.read_register(name), doc=doc or f"Register {name}.")


class CoreDriver:
    """One core behind a bus. A core's own driver says which: CORE of the map, WHAT in messages, the ERROR it raises.

    REFUSALS are the flags with which the core says that it ignored a write.
    """

    CORE = WHAT = ""
    ERROR: type[RunFailed] = RunFailed
    REFUSALS: tuple[str, ...] = ()

    def __init__(self, bus: Bus) -> None:
        """Find the core; its state stays. Raises ERROR when another one answers, or one of another major version."""
        self.bus = bus
        self._map = registers.load(self.CORE)
        known, answer = self._map["ID"].reset, self.bus.read(self._map["ID"].address)
        if answer != known:
            raise self.ERROR(f"no {self.WHAT} answers: its ID register reads 0x{answer:08X} instead of 0x{known:08X}")
        mine, (major, self.minor) = self._map["VERSION"].reset >> 16, divmod(self.read_register("VERSION"), 1 << 16)
        if major != mine:
            raise self.ERROR(f"the core has register map version {major}; this driver knows version {mine}")

    @classmethod
    def verilated(
        cls,
        parameters: str | Mapping[str, int | str],
        *arguments: Any,
        limit: int = 50_000_000,
        dram: Dram | None = None,
        **named: Any,
    ) -> Self:
        """The RTL with these Verilog parameters, or of a configuration, built by Verilator when needed.

        arguments, named: as the constructor takes them behind the bus. limit: see VerilatedBus. dram: the timing of the
        memory behind it, where it has one.
        """
        return cls(simulated(cls.CORE, parameters, limit=limit, dram=dram), *arguments, **named)

    def read_register(self, name: str) -> int:
        """A register by its name in the core's .rdl. Raises ERROR when the core is gone."""
        word = self.bus.read(self._map[name].address)
        if word == _NOBODY and (answer := self.bus.read(self._map["ID"].address)) != self._map["ID"].reset:
            raise self.ERROR(f"the {self.WHAT} no longer answers: its registers read 0x{answer:08X}")
        return word

    @contextmanager
    def _shape_of_core(self) -> Iterator[None]:
        """Around what is made of the registers that say how the core was built. Raises ERROR where none can be so."""
        try:
            yield
        except ValueError as error:
            raise self.ERROR(f"the {self.WHAT}'s parameter registers are those of no core: {error}") from error

    def write_register(self, name: str, value: int) -> None:
        """Write a register. Raises ERROR when the core ignores the write."""
        self._put(name, value)
        flags = self._map["FLAGS"].by_name
        raised = self.read_register("FLAGS") & sum(flags[flag].mask for flag in self.REFUSALS)
        if raised:
            self._put("FLAGS", raised)
            reasons = "; ".join(f"{f.doc} ({n})" for n, f in flags.items() if raised & f.mask)
            raise self.ERROR(f"the {self.WHAT} answers to {name} = {value}: {reasons}")

    def flags(self) -> frozenset[str]:
        """Names of the sticky flags that are raised."""
        word = self.read_register("FLAGS")
        return frozenset(name for name, field in self._map["FLAGS"].by_name.items() if word & field.mask)

    def clear_flags(self) -> None:
        """Forget all flags."""
        self._put("FLAGS", self._map["FLAGS"].mask("w1c"))

    def status(self, name: str) -> int:
        """A field of STATUS."""
        return self._field("STATUS", name)

    def _put(self, name: str, value: int) -> None:
        # Past the check: of registers whose write is never refused.
        self.bus.write(self._map[name].address, value)

    def _joined(self, low: str, high: str, bits: int = 0) -> int:
        """A number in two registers, read in this order; with `bits` it has that many, and a sign."""
        word = self.read_register(low)
        word |= self.read_register(high) << 32
        return word - (word >> bits - 1 << bits) if bits else word

    def _forget_irq(self) -> None:
        self._put("IRQ_STATUS", self._map["IRQ_STATUS"].mask("w1c"))

    def _field(self, register: str, field: str) -> int:
        entry = self._map[register].by_name[field]
        return (self.read_register(register) & entry.mask) >> entry.low

    def _mask(self, register: str, *fields: str) -> int:
        return sum(self._map[register].by_name[field].mask for field in fields)

    def _command(self, name: str) -> None:
        self.write_register("COMMAND", self._mask("COMMAND", name))

    def _until_idle(self, *fields: str) -> None:
        mask = self._mask("STATUS", *fields)
        self._until(lambda status: not status & mask)

    def _until(self, over: Callable[[int], bool], moving: str = "STATUS") -> None:
        """Look at STATUS until this is so of it.

        moving: a register that changes while the core is at work. Raises ERROR when STATUS and this register stand
        still for as long as the timeout of the bus, or after very many looks.
        """
        timeout, seen = getattr(self.bus, "timeout", math.inf), None
        deadline = math.inf
        for look in range(_POLLS):
            status = self.read_register("STATUS")
            if over(status):
                return
            if timeout < math.inf and look % _LOOKS == 0:
                now, old = time.monotonic(), seen
                seen = status, self.read_register(moving)
                if seen != old:
                    deadline = now + timeout
                elif now > deadline:
                    raise self.ERROR(f"the {self.WHAT} is still busy, and nothing has changed in it for {timeout:g} s")
        raise self.ERROR(f"the {self.WHAT} is still busy after {_POLLS:,} looks at STATUS")

    def _take_left(self, *streams: str) -> None:
        """Take what an abort left standing at the streams out of the core."""
        for name in streams:
            while self.status(f"stale_{name}"):
                self.bus.transfer({}, {f"m_axis_{name}": 1})
