"""How good the models are: every configuration of configs.yaml, resources against yosys, clocks against the RTL."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from rlcores.eda import configs, declared
from rlcores.eda.synth.area import RESOURCES
from rlcores.errors import UserError
from rlcores_lab.area.estimate import measure
from rlcores_lab.area.estimate.part import Counts
from rlcores_lab.dse import clocks
from rlcores_lab.dse.clocks import Count

WITHIN, CLOCKS_WITHIN = 0.10, 0.05


@dataclass(frozen=True)
class Row:
    """One configuration. measured is None when yosys has not counted it as it now is."""

    core: str
    config: str
    model: Counts
    measured: Counts | None
    left_out: Counts | None  # of the model without this configuration's measurements; None: it has none
    clocks: tuple[Count, ...]

    def error(self, resource: str, model: Counts | None = None) -> float | None:
        """(model - measured) / measured; None where nothing is measured, or both say that there is none."""
        if self.measured is None:
            return None
        said, counted = (model or self.model)[resource], self.measured[resource]
        if not counted:
            return None if not said else float("inf")
        return said / counted - 1

    @property
    def prediction(self) -> float | None:
        """The largest error of LUT and FF, with this configuration left out of what the models are fitted to."""
        if self.left_out is None:
            return None
        return max((self.error(r, self.left_out) or 0.0 for r in ("lut", "ff")), key=abs)

    @property
    def faults(self) -> list[str]:
        """What keeps the row from being proved: a missing count, or a bound that is broken."""
        broken = [] if self.measured is not None else ["not synthesised"]
        broken += [r for r in RESOURCES if abs(self.error(r) or 0.0) > WITHIN]
        for c in self.clocks:
            if c.error is None:
                broken.append(f"{c.what} not counted")
            elif abs(c.error) > CLOCKS_WITHIN:
                broken.append(c.what)
        return broken


def rows(rtl: bool = False, only: str | None = None, config: str | None = None) -> Iterator[Row]:
    """A row for each configuration, or for those of this core, or of this name.

    rtl: count the clocks now, else they are the table's. Raises UserError for an unknown name and, with rtl, RunFailed
    when a simulation gives a wrong result.
    """
    cores = [configs.core(only).name] if only else list(configs.cores())
    known = sorted({name for core in cores for name in configs.names(core)})
    if config is not None and config not in known:
        raise UserError(f"there is no configuration '{config}'; configurations: {', '.join(known)}")
    for core in cores:
        for name in configs.names(core):
            if config not in (None, name):
                continue
            parameters = configs.load(core, name)
            known = measured(core, name)
            missed = None
            if known is not None:
                with measure.without(core, name):
                    missed = _or_none(_total(core), parameters)
            counted = tuple((clocks.count if rtl else clocks.counts)(core, name))
            yield Row(core, name, _total(core)(parameters), known and known.counts, missed, counted)


def measured(core: str, config: str) -> measure.Measurement | None:
    """What yosys counted of a configuration with the parameters that it has now."""
    for m in measure.table():
        if (m.core, m.config, m.module) == (core, config, "") and m.parameters == configs.load(core, config):
            return m
    return None


def _total(core: str) -> Callable[[Mapping[str, int | str]], Counts]:
    """The model of a core's resources."""
    return import_module(f"rlcores_lab.area.{declared.fact(core, 'area', core)}").total


def _or_none(total: Callable[[Mapping[str, int | str]], Counts], parameters: Mapping[str, int | str]) -> Counts | None:
    try:
        return total(parameters)
    except ValueError:  # a module that only this configuration has
        return None


def worst(compared: Sequence[Row]) -> dict[str, float]:
    """The largest error of each resource and of the clocks, over the rows that were counted."""
    result = {r: max((abs(row.error(r) or 0.0) for row in compared), default=0.0) for r in RESOURCES}
    result["clocks"] = max((abs(c.error or 0.0) for row in compared for c in row.clocks), default=0.0)
    return result
