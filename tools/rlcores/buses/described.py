"""What a bus must know of a core, from the core's declaration: its top, its streams, its interrupt."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.buses.board import Interrupt
from rlcores.eda import configs, declared, registers
from rlcores.errors import UserError


@dataclass(frozen=True)
class Core:
    """What a back end must know of a core with given Verilog parameters."""

    name: str  # as configs.yaml and the register map call it
    vlnv: str
    top: str
    parameters: Mapping[str, int | str]
    beat_bits: Mapping[str, int]  # bits of a beat, by stream
    interrupt: Interrupt
    framed: tuple[str, ...]  # sources whose TLAST the core uses
    memory: str | None  # its AXI4 master, if it has one
    masters: Mapping[str, int] | None  # count, and bits of addr and id, where the ports are those of several

    @property
    def sources(self) -> tuple[str, ...]:
        """Streams into the core."""
        return tuple(name for name in self.beat_bits if name.startswith("s"))

    @property
    def sinks(self) -> tuple[str, ...]:
        """Streams out of it."""
        return tuple(name for name in self.beat_bits if name.startswith("m"))


def cores() -> list[str]:
    """Those whose declaration has streams."""
    return [core for core in declared.having("instance") if "streams" in declared.fact(core, "instance")]


def describe(core: str, parameters: str | Mapping[str, int | str]) -> Core:
    """The streams, memory and interrupt registers of a core.

    parameters: the name of a configuration, or Verilog parameters. Raises UserError for another core.
    """
    if core not in cores():
        raise UserError(f"there is no back end for core '{core}'; cores: {', '.join(cores())}")
    values = configs.load(core, parameters) if isinstance(parameters, str) else parameters
    fact = declared.fact(core, "instance")
    register_map = registers.load(fact.get("interrupt", core))
    return Core(
        core,
        configs.core(core).vlnv,
        fact["top"],
        values,
        {name: _bits(bits, values) for name, bits in fact["streams"].items()},
        Interrupt(register_map["IRQ_STATUS"].address, register_map["IRQ_ENABLE"].address),
        tuple(fact.get("framed", ())),
        fact.get("memory"),
        {name: _value(each, values) for name, each in fact["masters"].items()} if "masters" in fact else None,
    )


def _bits(bits: int | str | dict[str, int], parameters: Mapping[str, int | str]) -> int:
    if isinstance(bits, int | str):
        return _value(bits, parameters)
    ((name, each),) = bits.items()
    return each * _first(str(parameters[name]))


def _value(expression: int | str, parameters: Mapping[str, int | str]) -> int:
    known = {"beat": _beat, "first": _first, "last": _last, "log2": _log2, "of": lambda number, *each: each[number]}
    return eval(
        str(expression), {"__builtins__": {}} | known, dict(parameters)
    )  # a declaration's, which is ours to write


def _log2(count: int) -> int:
    return (count - 1).bit_length()


def _beat(bits: int, least: int) -> int:
    """The power of two from `least` on that holds `bits` bits."""
    return max(least, 1 << (bits - 1).bit_length())


def _first(sizes: str) -> int:
    return int(str(sizes).partition("-")[0])


def _last(sizes: str) -> int:
    """The last number, of several networks that of the last one."""
    return int(str(sizes).replace(":", "-").rpartition("-")[2])
