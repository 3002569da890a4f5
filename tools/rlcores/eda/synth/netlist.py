"""Counting: yosys' JSON of a mapped netlist, module by module, to resources of a device."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import files
from rlcores.errors import RunFailed

# Cells that yosys keeps for its own bookkeeping.
_IGNORED = {"$scopeinfo", "$print", "$check"}


@dataclass(frozen=True)
class Netlist:
    """What each module holds itself, and which modules it instantiates how often."""

    top: str
    own: dict[str, Counter]  # module -> resource -> count, without sub-modules
    children: dict[str, Counter]  # module -> module -> instances
    named: dict[str, dict[str, str]]  # module -> instance name -> module

    def total(self, module: str | None = None) -> Counter:
        """Resources of a module (default: the top) with all it contains."""
        return self.summed(self.times(module))

    def times(self, module: str | None = None) -> Counter:
        """How often each module stands under one (default: the top), directly or not; that one itself once."""
        counts: Counter = Counter()

        def add(module: str, count: int) -> None:
            counts[module] += count
            for child, inside in self.children[module].items():
                add(child, count * inside)

        add(module or self.top, 1)
        return counts

    def total_of(self, name: str) -> Counter:
        """Resources of all instances of source module `name`; empty when it was flattened away."""
        result: Counter = Counter()
        for module, count in self.times().items():
            if source_name(module) == name:
                result.update(self.summed({m: n * count for m, n in self.times(module).items()}))
        return result

    def units(self, patterns: Mapping[str, str]) -> dict[str, Counter]:
        """Resources of the instances whose path matches a pattern, summed by name, in the order of the names.

        patterns: {name: regular expression of the whole path}; a path is instance names joined by dots, the top not
        among them. Digits that a group of the expression matches are put behind the name. What lies inside an
        instance that matched belongs to it alone.
        """
        sums: dict[str, Counter] = {}
        compiled = {name: re.compile(pattern) for name, pattern in patterns.items()}

        def walk(module: str, path: str) -> None:
            for instance, child in self.named[module].items():
                here = f"{path}.{instance}" if path else instance
                for name, pattern in compiled.items():
                    match = pattern.fullmatch(here)
                    if match:
                        sums.setdefault(name + "".join(match.groups()), Counter()).update(self.total(child))
                        break
                else:
                    walk(child, here)

        walk(self.top, "")
        order = list(patterns)
        return dict(sorted(sums.items(), key=lambda unit: (order.index(unit[0].rstrip("0123456789")), unit[0])))

    def summed(self, times: Mapping[str, int]) -> Counter:
        """Resources of modules, each as often as `times` says, without sub-modules."""
        result: Counter = Counter()
        for module, count in times.items():
            for resource, value in self.own[module].items():
                result[resource] += value * count
        return result


def source_name(module: str) -> str:
    r"""The name in the source: 'rlc_ram' for yosys' '$paramod\rlc_ram\WIDTH=…' or '$paramod$<hash>\rlc_ram'."""
    if not module.startswith("$paramod"):
        return module
    return module.split("\\")[1]


def read(path: Path, top: str, cells: Mapping[str, Mapping[str, float]]) -> Netlist:
    """Count the netlist that yosys' write_json left.

    cells says how many of each resource a cell type takes. Raises RunFailed for a cell type that it does not know:
    leaving it out would make the report smaller than the truth.
    """
    modules = files.read_json(path, "a netlist of yosys")["modules"]
    own, children, named = {}, {}, {}
    reachable, waiting = set(), [_find_top(modules, top)]
    while waiting:
        name = waiting.pop()
        if name in reachable:
            continue
        reachable.add(name)
        own[name], children[name], named[name] = Counter(), Counter(), {}
        for instance, cell in modules[name]["cells"].items():
            kind = cell["type"]
            if kind in cells:
                for resource, value in cells[kind].items():
                    own[name][resource] += value
            elif kind in modules and not _is_blackbox(modules[kind]):
                children[name][kind] += 1
                named[name][instance] = kind
                waiting.append(kind)
            elif kind not in _IGNORED:
                raise RunFailed(f"module '{name}' holds a cell '{kind}' that tables.yaml does not know how to count")
        own[name]["lut"] += _carry_feeds(modules[name]["cells"])
    return Netlist(_find_top(modules, top), own, children, named)


def _find_top(modules: dict, top: str) -> str:
    marked = [n for n, m in modules.items() if int(m["attributes"].get("top", "0"), 2)]
    for name in [*marked, *modules]:
        if source_name(name) == top:
            return name
    raise RunFailed(f"the netlist has no module '{top}'")


def _is_blackbox(module: dict) -> bool:
    return any(key in module["attributes"] for key in ("blackbox", "whitebox"))


def _carry_feeds(cells: dict) -> int:
    """LUTs that only pass a signal to a carry chain: in a slice the S input comes from a LUT and nowhere else.

    yosys leaves them out of the netlist; place and route would add them.
    """
    from_lut = set()
    for cell in cells.values():
        if cell["type"].startswith("LUT") or cell["type"] == "INV":
            from_lut.update(cell["connections"]["O"])
    needed = 0
    for cell in cells.values():
        if cell["type"] == "CARRY4":
            select = cell["connections"]["S"]
            needed += sum(1 for bit in select if isinstance(bit, int) and bit not in from_lut)
    return needed
