"""What the benchmarks of all cores show alike: an outcome, its tables, and ratios in words."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rich.table import Table

from rlcores.base.report import Figure
from rlcores_lab import shown

Step = Callable[[str], None]  # called with the name of the next row
Parameters = Mapping[str, int | str]
Bench = TypeVar("Bench")


@dataclass(frozen=True)
class Outcome:
    """What a benchmark found: figures for --json, and tables and sentences for a person, in order."""

    figures: list[Figure]
    shown: list[Table | str]


def measured(chosen: Mapping[str, Parameters], step: Step, measure: Callable[[Parameters], Bench]) -> dict[str, Bench]:
    """What `measure` finds of each of these configurations, name -> parameters."""
    benches = {}
    for name, parameters in chosen.items():
        step(f"{name}: building and running")
        benches[name] = measure(parameters)
    return benches


def prefixes(core: str, chosen: Collection[str]) -> dict[str, str]:
    """What the figures' names of each configuration begin with; one that is alone is not named."""
    return {name: core if len(chosen) == 1 else f"{core}.{name}" for name in chosen}


def notes(core: str, **context: object) -> list[str]:
    """The sentences below the tables: CORE_notes.j2, a line a paragraph."""
    return shown.rendered(f"bench/{core}_notes.j2", **context).splitlines()


def times(ratio: float) -> str:
    """A ratio with three digits."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def against(ratio: float) -> str:
    """How much time something takes that is `ratio` times faster: '1/8 of the' or '2 times the'."""
    return f"1/{ratio:.3g} of the" if ratio >= 1 else f"{1 / ratio:.3g} times the"
