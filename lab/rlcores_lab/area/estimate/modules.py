"""Models of Verilog modules: what is known of one from its parameters, and what is learnt from its measurements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rlcores.eda.synth import tables
from rlcores_lab.area.estimate import fit, measure
from rlcores_lab.area.estimate.part import Part

Parameters = Mapping[str, int]


@dataclass(frozen=True)
class Module:
    """A module of the source, wherever it stands.

    known: what its Verilog says. lut, ff: features of what is fitted beside it; None where nothing is.
    """

    name: str
    known: Callable[[Parameters], Part]
    lut: fit.Features | None = None
    ff: fit.Features | None = None

    def __call__(self, parameters: Parameters) -> Part:
        """Its resources with these parameters. Raises ValueError when nothing that it is fitted to was measured."""
        return _part(self, tuple(parameters.items()), measure.left_out())


@lru_cache(maxsize=200_000)
def _part(module: Module, items: tuple[tuple[str, int], ...], left_out: measure.LeftOut) -> Part:
    parameters = dict(items)
    known = module.known(parameters)
    lut, ff = (model(parameters) if model else 0.0 for model in fits(module, left_out))
    return known + Part(lut=lut, ff=ff)


@lru_cache
def _named(left_out: measure.LeftOut) -> dict[str, list[measure.Measurement]]:
    """The measurements in force by the module, or the top, that was measured."""
    by_module: dict[str, list[measure.Measurement]] = {}
    for m in measure.table():
        by_module.setdefault(m.module or tables.core(m.core)["top"], []).append(m)
    return by_module


@lru_cache(maxsize=10_000)
def fits(module: Module, left_out: measure.LeftOut) -> tuple[fit.Fit | None, fit.Fit | None]:
    """The fitted LUTs and flip-flops of a module, beside what is known of it."""
    measured = _named(left_out).get(module.name, [])

    def one(resource: str, features: fit.Features | None) -> fit.Fit | None:
        if features is None:
            return None
        counted = [(m.parameters, m.counts[resource], getattr(module.known(m.parameters), resource)) for m in measured]
        return fit.fit(features, counted)

    return one("lut", module.lut), one("ff", module.ff)
