"""Place and route on an ECP5: how fast a module is between registers, and what it takes."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from rlcores.base import files
from rlcores.base.report import Figure
from rlcores.eda import slang, sources
from rlcores.eda.synth import flow, pins, tables
from rlcores.errors import RunFailed

# What nextpnr calls a resource, and our name for it.
_USED = {"TRELLIS_COMB": "lut", "TRELLIS_FF": "ff", "MULT18X18D": "dsp", "DP16KD": "bram18"}
_UNITS = {"lut": "LUT4", "ff": "FF", "dsp": "MULT18X18D", "bram18": "DP16KD"}
# Asked of the placer, so that it keeps trying; no result is a failure against it.
_WISH_MHZ = 200
# Runs of place and route. One netlist differs by 10 % and more from seed to seed, so a bound of 3 % is for their mean.
SEEDS = 4


@dataclass(frozen=True)
class Seed:
    """One run of place and route."""

    seed: int
    fmax_mhz: float
    used: dict[str, int]
    slowest: str  # the critical path: where it starts and ends
    bitstream_bytes: int


@dataclass(frozen=True)
class Placed:
    """What place and route said about a configuration of a core."""

    core: str
    config: str
    device: tables.Device
    module: str
    pin_registers: int  # flip-flops that stand in for pins, part of `used`
    seeds: list[Seed]

    @property
    def fmax_mhz(self) -> float:
        """The mean of the seeds."""
        return round(mean(s.fmax_mhz for s in self.seeds), 2)

    @property
    def best(self) -> Seed:
        """The fastest of the seeds."""
        return max(self.seeds, key=lambda s: s.fmax_mhz)

    def figures(self) -> list[Figure]:
        """The report in the common form: the seeds' mean frequency, every seed's, resources of the best."""
        used = dict(self.best.used)
        used["ff"] -= self.pin_registers
        result = [Figure(f"{self.core}.fmax_mhz", self.fmax_mhz, "MHz", "placed")]
        result += [Figure(f"{self.core}.{r}", used[r], _UNITS[r], "placed") for r in _USED.values()]
        result += [Figure(f"{self.core}.fmax_mhz.seed{s.seed}", s.fmax_mhz, "MHz", "placed") for s in self.seeds]
        result.append(Figure(f"{self.core}.bitstream_bytes", self.best.bitstream_bytes, "bytes", "placed"))
        return result


def place(
    core: str,
    config: str,
    read: sources.Sources,
    module: str,
    parameters: Mapping[str, int | str],
    device: tables.Device,
    seeds: Sequence[int],
    effort: Mapping | None = None,
) -> Placed:
    """Synthesise, place, route and pack a module of these sources, for a core's report, once for each seed.

    effort: `effort` of the core's declaration (rlcores.eda.declared). Raises RunFailed when a tool fails, which
    includes a design that does not fit the device.
    """
    files = [*read.files, *read.includes, *flow.maps()]
    name = f"{core}-{config}-{device.name}"
    ports = slang.ports(read.design(module, parameters))
    top = f"{module}_pins"
    text = pins.wrapper(top, module, parameters, ports)
    effort = effort or {}
    wire, placer = effort.get("wire"), effort.get("placer", [])

    def synthesise(folder: Path) -> None:
        (folder / "src" / "pins.v").write_text(text)
        whole = sources.Sources((*read.files, folder / "src" / "pins.v"), read.includes)
        flow.yosys(flow.ecp5(whole, top, {}, wire), folder, f"synthesising {module}")

    netlist = (
        flow.kept(f"{name}-netlist", {"c": flow.ecp5(read, top, {}, wire), "wrapper": text}, files, synthesise)
        / "netlist.json"
    )
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda seed: _route(name, netlist, device, placer, seed), seeds))
    return Placed(core, config, device, module, pins.registers(ports), results)


def _route(name: str, netlist: Path, device: tables.Device, placer: Sequence[str], seed: int) -> Seed:
    options = [
        *device.nextpnr, *placer, "--freq", str(_WISH_MHZ), "--timing-allow-fail", "--lpf-allow-unconstrained"
    ]  # fmt: skip
    folder = flow.routed(name, options, seed, [netlist])
    report = files.read_json(folder / "report.json", "a report of nextpnr")
    clocks = list(report["fmax"].values())
    if len(clocks) != 1:
        raise RunFailed(f"nextpnr timed {len(clocks)} clocks of {name}, not one")
    used = {ours: report["utilization"].get(theirs, {"used": 0})["used"] for theirs, ours in _USED.items()}
    size = (folder / "out.bit").stat().st_size
    return Seed(seed, round(clocks[0]["achieved"], 2), used, _slowest(report), size)


def _slowest(report: dict) -> str:
    """'from -> to' of the slowest path between registers."""
    for path in report.get("critical_paths", []):
        if path["from"] == path["to"] and path["path"]:
            start, end = path["path"][0]["from"], path["path"][-1]["to"]
            return f"{start['cell']}.{start['port']} -> {end['cell']}.{end['port']}"
    return ""
