"""The table of measurements that the resource models are fitted to: `python -m rlcores_lab.area.estimate.measure`.

    python -m rlcores_lab.area.estimate.measure CORE CONFIG …            configurations, counted as `rlcores synth` does
    python -m rlcores_lab.area.estimate.measure CORE:MODULE NAME=VALUE … one module of a core

Either synthesises with yosys for UltraScale+ what build/synth does not hold yet, and writes what it counted into
measurements.json: of a configuration the whole core and every module whose boundary was kept, with its parameters.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlcores.base import files
from rlcores.eda import configs, sources
from rlcores.eda.synth import area, netlist, tables
from rlcores.errors import RunFailed, UserError

TABLE = Path(__file__).with_name("measurements.json")
_FAMILY = "xcup"
LeftOut = tuple[str, str] | None  # core and configuration


@dataclass(frozen=True)
class Measurement:
    """Resources that yosys counted: of a module with its parameters, or of a configuration of a core."""

    core: str
    module: str  # '' of a whole configuration
    config: str  # '' of a module that was synthesised alone
    parameters: dict[str, int | str]
    counts: dict[str, float]  # lut, ff, dsp, bram36, uram

    @property
    def key(self) -> tuple:
        """Same key: the same thing was measured."""
        what = "" if not self.module else json.dumps(self.parameters, sort_keys=True)
        return self.core, self.module, what or self.config


_left_out: list[LeftOut] = [None]


def table() -> tuple[Measurement, ...]:
    """The committed measurements, but for what is left out. Raises RunFailed when the file is damaged."""
    return _table(left_out())


@cache
def _table(left_out: LeftOut) -> tuple[Measurement, ...]:
    return tuple(m for m in _measured() if (m.core, m.config) != left_out)


def left_out() -> LeftOut:
    """The configuration whose measurements no fit may see; fits are kept apart by it."""
    return _left_out[-1]


@contextmanager
def without(core: str, config: str) -> Iterator[None]:
    """As if this configuration, and what of its modules no other configuration has, had never been measured."""
    _left_out.append((core, config))
    try:
        yield
    finally:
        _left_out.pop()


def _measured() -> list[Measurement]:
    return _read(TABLE)


@cache
def _read(file: Path) -> list[Measurement]:
    if not file.exists():
        return []
    what = "a table of `rlcores dse`"
    return files.read_as(file, what, lambda table: [files.entry(Measurement, e) for e in table], list)


def configuration(core: str, config: str) -> list[Measurement]:
    """Synthesise a configuration: the whole, and its modules that kept their boundaries.

    Raises UserError when there is no such configuration or no report for the core, RunFailed when yosys fails.
    """
    core_file = configs.core(core)
    parameters, entry = configs.load(core_file.name, config), tables.core(core_file.name)
    kept = entry.get("kept", ())
    counted, given_parameters = _synthesised(
        f"{core_file.name}-{config}-{_FAMILY}", core_file.vlnv, entry["top"], parameters, kept
    )
    result = [Measurement(core_file.name, "", config, dict(parameters), _counts(counted.total()))]
    for module in counted.own:
        name = netlist.source_name(module)
        if module != counted.top and (not kept or name in kept) and given_parameters[module]:
            result.append(
                Measurement(core_file.name, name, config, given_parameters[module], _counts(counted.total(module)))
            )
    return result


def single(core: str, module: str, parameters: Mapping[str, int]) -> list[Measurement]:
    """Synthesise one module of a core with these parameters, as it is synthesised there. Raises as configuration()."""
    core_file = configs.core(core)
    kept = tables.core(core_file.name).get("kept", ())
    counted, given_parameters = _synthesised(f"{module}-{_FAMILY}", core_file.vlnv, module, parameters, kept)
    own_parameters = given_parameters[counted.top] or dict(parameters)
    return [Measurement(core_file.name, module, "", own_parameters, _counts(counted.total()))]


def _synthesised(name: str, vlnv: str, top: str, parameters: Mapping[str, int | str], kept: Sequence[str]):
    """The netlist, counted, and the parameters of its modules."""
    folder = area.netlist_folder(name, sources.of_core(vlnv), _FAMILY, top, parameters, kept=kept)
    file = folder / "netlist.json"
    return netlist.read(file, top, tables.cells(_FAMILY)), _defaults(file)


def store(measurements: list[Measurement]) -> None:
    """Put measurements into the table, in place of earlier ones of the same things."""
    kept = {m.key: m for m in _measured()}
    kept |= {m.key: m for m in measurements}
    ordered = sorted(
        kept.values(), key=lambda m: (m.core, m.module, m.config, json.dumps(m.parameters, sort_keys=True))
    )
    lines = (json.dumps(m.__dict__, sort_keys=True) for m in ordered)
    files.replace(TABLE, "[\n" + ",\n".join(lines) + "\n]\n")
    _read.cache_clear()
    _table.cache_clear()


def _counts(counter: Mapping[str, float]) -> dict[str, float]:
    return {r: counter[r] for r in area.RESOURCES}


def _defaults(file: Path) -> dict[str, dict[str, int]]:
    """Module -> its parameters that are numbers, as yosys wrote them. Long ones are strings, which no model needs."""
    defaults = {}
    for name, module in files.read_json(file, "a netlist of yosys")["modules"].items():
        values = module.get("parameter_default_values", {})
        defaults[name] = {k: int(v, 2) for k, v in values.items() if set(v) <= {"0", "1"} and len(v) <= 64}
    return defaults


def main(arguments: list[str]) -> int:
    """The command line; returns the exit code."""
    try:
        if len(arguments) < 2:
            raise UserError("give CORE CONFIG …, or CORE:MODULE NAME=VALUE …")
        core, _, module = arguments[0].partition(":")
        if module:
            pairs = (pair.partition("=") for pair in arguments[1:])
            measurements = single(core, module, {name: int(value) for name, _, value in pairs})
        else:
            measurements = [m for config in arguments[1:] for m in configuration(core, config)]
    except (UserError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except RunFailed as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    store(measurements)
    for m in measurements:
        print(m.core, m.module or m.config, m.counts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
