"""Area on an UltraScale+ part: yosys' netlist of a core, counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlcores.base.report import Figure
from rlcores.eda import sources
from rlcores.eda.synth import flow, netlist, tables

RESOURCES = ("lut", "ff", "dsp", "bram36", "uram")
_UNITS = {"lut": "LUT", "ff": "FF", "dsp": "DSP48E2", "bram36": "RAMB36", "uram": "URAM"}


@dataclass(frozen=True)
class Area:
    """What a configuration of a core takes on a device."""

    core: str
    config: str
    device: tables.Device
    netlist: netlist.Netlist
    units: int  # rows of the array; 1 when the core has none
    unit_name: str  # 'row'; '' when the core has none
    array: Counter | None  # resources of the array alone
    parts: dict[str, Counter]  # resources of the named units; empty when the core names none

    @property
    def total(self) -> Counter:
        """Resources of the whole core."""
        return self.netlist.total()

    def per_unit(self) -> dict[str, float]:
        """The array's resources divided by its rows; empty when the core has no array."""
        if self.array is None:
            return {}
        return {r: self.array[r] / self.units for r in RESOURCES}

    def by_module(self) -> list[tuple[str, int, Counter]]:
        """(source module, instances, resources without sub-modules), most LUTs first."""
        instances: Counter = Counter()
        own: dict[str, Counter] = {}
        for module, count in self.netlist.times().items():
            name = netlist.source_name(module)
            instances[name] += count
            own.setdefault(name, Counter()).update(self.netlist.summed({module: count}))
        rows = [(name, instances[name], sums) for name, sums in own.items()]
        return sorted(rows, key=lambda row: (-row[2]["lut"], -row[2]["ff"], row[0]))

    def figures(self) -> list[Figure]:
        """The report in the common form: totals, the array, a row, what is outside the array, and the units."""

        def those(prefix: str, counts: Mapping[str, float], suffix: str = "") -> list[Figure]:
            return [Figure(f"{prefix}.{r}{suffix}", _number(counts[r]), _UNITS[r], "synthesised") for r in RESOURCES]

        result = those(self.core, self.total)
        if self.array is not None:
            outside = Counter(self.total)
            outside.subtract(self.array)
            result += those(self.core, self.per_unit(), f"_per_{self.unit_name}")
            result += those(f"{self.core}.array", self.array)
            result += those(f"{self.core}.outside_array", outside)
        for name, counts in self.parts.items():
            result += those(f"{self.core}.{name.lower()}", counts)
        result.append(Figure(f"{self.core}.carry4", self.total["carry4"], "CARRY4", "synthesised"))
        return result


def synthesise(core: str, vlnv: str, config: str, parameters: Mapping[str, int | str], device: tables.Device) -> Area:
    """Synthesise a configuration of a core for an UltraScale+ device with yosys and count the cells.

    Modules are synthesised one by one, each parameter set once, and counted as often as they are instantiated.
    Raises RunFailed when yosys fails or leaves a cell that tables.yaml does not know.
    """
    entry = tables.core(core)
    read = sources.of_core(vlnv)
    top = entry["top"]
    folder = netlist_folder(
        f"{core}-{config}-{device.family}", read, device.family, top, parameters, kept=entry.get("kept", ())
    )
    counted = netlist.read(folder / "netlist.json", top, tables.cells(device.family))
    parts = counted.units(entry.get("units", {}))
    if parts:
        rest = counted.total()
        for counts in parts.values():
            rest.subtract(counts)
        parts["rest"] = rest
    array = entry.get("array")
    if array is None:
        return Area(core, config, device, counted, 1, "", None, parts)
    units = int(parameters[array["per"]])
    return Area(core, config, device, counted, units, array["name"], counted.total_of(array["module"]), parts)


def netlist_folder(
    name: str,
    read: sources.Sources,
    family: str,
    top: str,
    parameters: Mapping[str, int | str],
    flat: bool = False,
    kept: Sequence[str] = (),
):
    """The folder with netlist.json of `top`, mapped to an UltraScale+ device (cached).

    flat dissolves the module boundaries, for checking that keeping them does not distort the counts. kept: the source
    modules whose boundaries alone are kept, of a core of so many small modules that mapping each takes hours.
    """
    # No SRLs: rlc_delay asks for flip-flops (shreg_extract), which Vivado obeys and yosys does not know.
    options = "-noiopad -noclkbuf -nosrl" + (" -flatten" if flat or kept else "")
    commands = [
        *flow.elaborate(read, family, top, parameters),
        *(f"setattr -mod -set keep_hierarchy 1 *{module}*" for module in kept if not flat),
        f"synth_xilinx -family {family} -top {top} {options}",
        "write_json netlist.json",
    ]
    files = [*read.files, *read.includes, *flow.maps()]
    return flow.made(f"{name}{'-flat' if flat else ''}", commands, files, f"synthesising {top}")


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 2)
