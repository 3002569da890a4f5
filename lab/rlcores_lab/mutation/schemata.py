"""All mutants in one text: which one is switched on is read as a simulation starts, so that they are compiled once.

Verilator's models read the environment variable RLC_MUTANT, other simulators the plusarg `mutant`; 0 is the core as it
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rlcores_lab.mutation.points import Change, Module, Site, one_line

VARIABLE = "RLC_MUTANT"
WITHOUT = "RLC_WITHOUT_MUTANTS"  # a macro for tests that read the text: the core as it is, in constants
_DECLARATION = f"""
`ifdef VERILATOR
    /* verilator lint_off LATCH */  // an assignment may be dropped
    /* verilator lint_off WIDTH */  // a sum in the place of a product has other widths
    integer rlc_mutant = $c32("(std::getenv(\\"{VARIABLE}\\") ? std::atoi(std::getenv(\\"{VARIABLE}\\")) : 0)");
`elsif {WITHOUT}
    localparam rlc_mutant = 0;
`else
    integer rlc_mutant;
    initial if (!$value$plusargs("mutant=%d", rlc_mutant)) rlc_mutant = 0;
`endif
"""


@dataclass(frozen=True)
class Mutant:
    """One change of one place, with the number that switches it on, from 1."""

    number: int
    site: Site
    change: Change

    @property
    def key(self) -> str:
        """Module, kind, and the words before and after: the same while the text around it changes.

        With a number where the module says the same several times.
        """
        which = f" ({self.site.nth})" if self.site.nth > 1 else ""
        return f"{self.site.module}: {self.change.kind}: {one_line(self.site.before)} -> {self.after}{which}"

    @property
    def after(self) -> str:
        """What stands there instead, on one line."""
        return one_line(self.change.after) or "nothing"


def alone(text: str, mutant: Mutant) -> str:
    """The file's text with this mutant and no other, and nothing to switch."""
    site, raw = mutant.site, text.encode()
    after = "begin end" if site.statement else f"({mutant.change.after})"
    return (raw[: site.start] + after.encode() + raw[site.end :]).decode()


def together(text: str, modules: Sequence[Module], mutants: Sequence[Mutant]) -> str:
    """The file's text with all of these mutants, each to be switched on by its number."""
    broken = {mutant.site.module for mutant in mutants}
    edits = [(m.body, 0, 0, _DECLARATION) for m in modules if m.name in broken]
    places: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault((mutant.site.start, mutant.site.end), []).append(mutant)
    for (start, end), those in places.items():
        # Where places meet, what ends comes before what starts, and the inner one ends first and starts last.
        before, after = _switched(those)
        edits += [(start, 1, -end, before), (end, 0, -start, after)]
    raw = text.encode()
    for place, *_, what in sorted(edits, reverse=True):
        raw = raw[:place] + what.encode() + raw[place:]
    return raw.decode()


def _switched(mutants: list[Mutant]) -> tuple[str, str]:
    """What comes before and behind a place that these mutants change."""
    if mutants[0].site.statement:
        return f"begin if ({' && '.join(f'rlc_mutant != {m.number}' for m in mutants)}) ", " end"
    chosen = "".join(f"rlc_mutant == {m.number} ? ({m.change.after}) : " for m in mutants)
    return f"({chosen}(", "))"
