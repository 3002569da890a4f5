"""Which inputs of a top reach which of its outputs without a register, read from Yosys' netlist.

One pass a module, from the leaves upwards: of each bit of an output port, the set of input bits that reach it, as a
number with a bit for each of them. Cells of several bits are taken bit by bit where they work so, so that words which
are only carried together do not count as one.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from rlcores.eda.sources import Sources
from rlcores.eda.synth import flow

_HANDSHAKE = re.compile(r"(\w+?)_(?:t|aw|ar|[wbr])?(?:valid|ready)")
_BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$pos", "$mux", "$pmux", "$bwmux", "$buf"}
_CARRY = {"$add", "$sub", "$neg"}
_REGISTERS = re.compile(r"\$(a|s|al)?d?l?(dff|ff|sr|latch)\w*|\$mem(wr|init)\w*|\$(assert|assume|cover|check|print)\w*")


def netlist(read: Sources, top: str, parameters: Mapping[str, int | str]) -> dict:
    """The modules of a top with these parameters, as Yosys elaborates them."""
    chparams = "".join(f" -chparam {name} {flow.literal(value)}" for name, value in parameters.items())
    commands = [
        *flow.reads([f"src/{file.name}" for file in read.files]),
        f"hierarchy -check -top {top}{chparams}",
        "proc",
        "opt_expr",
        "opt_clean",
        "write_json netlist.json",
    ]
    folder = flow.made(f"{top}-cones", commands, [*read.files, *read.includes], f"elaborating {top}")
    return json.loads(Path(folder, "netlist.json").read_text())["modules"]


def ways(modules: dict) -> list[tuple[str, str]]:
    """(input, output) of one interface of the top, between which no register stands, by name."""
    (top,) = (module for module in modules.values() if int(module["attributes"].get("top", "0"), 2))
    names = top["ports"]
    prefixes = {match[1] for name in names if (match := _HANDSHAKE.fullmatch(name))}
    # A port belongs to the longest prefix that it has.
    owner = {name: max((p for p in prefixes if name.startswith(f"{p}_")), key=len, default=None) for name in names}
    reached, inputs = _Arcs(modules).of(top), _inputs(top)
    pairs = set()
    for output, masks in reached.items():
        for mask in masks:
            for place in _places(mask):
                if owner[output] and owner[inputs[place]] == owner[output]:
                    pairs.add((inputs[place], output))
    return sorted(pairs)


def interfaces(modules: dict) -> set[str]:
    """The prefixes of the top's ports that have a handshake."""
    (top,) = (module for module in modules.values() if int(module["attributes"].get("top", "0"), 2))
    return {match[1] for name in top["ports"] if (match := _HANDSHAKE.fullmatch(name))}


def _inputs(module: dict) -> list[str]:
    """The input port of each bit of a mask."""
    ports = module["ports"].items()
    return [name for name, port in ports if port["direction"] == "input" for _ in port["bits"]]


def _places(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Arcs:
    """What reaches the outputs of modules; each is looked at once."""

    def __init__(self, modules: dict) -> None:
        self.modules = modules
        self.known: dict[int, dict[str, list[int]]] = {}

    def of(self, module: dict) -> dict[str, list[int]]:
        """Output port -> a mask for each of its bits."""
        if id(module) not in self.known:
            self.known[id(module)] = self._look(module)
        return self.known[id(module)]

    def _look(self, module: dict) -> dict[str, list[int]]:
        masks: dict[int, int] = {}
        for place, bit in enumerate(
            bit for port in module["ports"].values() if port["direction"] == "input" for bit in port["bits"]
        ):
            masks[bit] = 1 << place
        driven = {}  # bit -> the bits that it follows from
        for cell in module["cells"].values():
            driven.update(self._cell(cell))
        for start in driven:
            _settle(start, driven, masks)
        return {
            name: [masks.get(bit, 0) for bit in port["bits"]]
            for name, port in module["ports"].items()
            if port["direction"] == "output"
        }

    def _cell(self, cell: dict) -> Iterator[tuple[int, list[int]]]:
        kind, bits = cell["type"], cell["connections"]
        ways = cell.get("port_directions", {})
        if _REGISTERS.fullmatch(kind):
            return
        if kind in self.modules:
            below = self.modules[kind]
            if below["attributes"].get("blackbox"):
                return
            joined = [bit for name, port in below["ports"].items() if port["direction"] == "input"
                      for bit in (bits.get(name) or ["x"] * len(port["bits"]))]  # fmt: skip
            for name, arcs in self.of(below).items():
                for bit, mask in zip(bits.get(name, []), arcs, strict=False):
                    if isinstance(bit, int):
                        yield bit, [joined[p] for p in _places(mask) if isinstance(joined[p], int)]
            return
        inputs = {name: those for name, those in bits.items() if ways.get(name) != "output"}
        for name in (name for name in bits if ways.get(name) == "output"):
            for place, bit in enumerate(bits[name]):
                if isinstance(bit, int):
                    yield bit, [b for b in _from(kind, inputs, place, len(bits[name])) if isinstance(b, int)]


def _from(kind: str, inputs: dict[str, list], place: int, width: int) -> Iterator:
    """The bits of a cell's inputs that bit `place` of its output follows from."""
    for name, bits in inputs.items():
        if kind in _BITWISE and name in ("A", "B") and kind != "$pmux":
            yield bits[min(place, len(bits) - 1)]
        elif kind == "$pmux" and name in ("A", "B"):
            yield from bits[place::width]
        elif kind == "$bwmux":
            yield bits[place]
        elif kind in _CARRY:
            yield from bits[: place + 1]
        elif kind.startswith("$memrd") and name != "ADDR":
            continue
        else:
            yield from bits


def _settle(start: int, driven: dict[int, list[int]], masks: dict[int, int]) -> None:
    """Find the mask of a bit and of all on the way. What turns in a circle is followed once around."""
    if start in masks:
        return
    order, stack, seen = [], [(start, iter(driven.get(start, ())))], {start}
    while stack:
        bit, rest = stack[-1]
        for other in rest:
            if other not in masks and other not in seen:
                seen.add(other)
                stack.append((other, iter(driven.get(other, ()))))
                break
        else:
            order.append(bit)
            stack.pop()
    mask_of = defaultdict(int)
    for _ in range(2):
        for bit in order:
            for other in driven.get(bit, ()):
                mask_of[bit] |= masks[other] if other in masks else mask_of[other]
    masks.update((bit, mask_of[bit]) for bit in order)
