"""All mutants in one text: which one is switched on is read as a simulation starts, so that they are compiled once.

Verilator's models read the environment variable RLC_MUTANT, other simulators the plusarg `mutant`; 0 is the core as it
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rlcores_lab.mutation.points import Change, Module, Site, one_line

VARIABLE = "RLC_MUTANT"
_DECLARATION = f"""
`ifdef VERILATOR
    /* verilator lint_off LATCH */  // an assignment may be dropped
    integer rlc_mutant = $c32("(std::getenv(\\"{VARIABLE}\\") ? std::atoi(std::getenv(\\"{VARIABLE}\\")) : 0)");
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
    return _replace(text.encode(), 0, [(mutant.site.start, mutant.site.end, _only(mutant))]).decode()


def together(text: str, modules: Sequence[Module], mutants: Sequence[Mutant]) -> str:
    """The file's text with all of these mutants, each to be switched on by its number."""
    if not mutants:
        return text
    broken = {mutant.site.module for mutant in mutants}
    changes = [(m.body, m.body, _DECLARATION) for m in modules if m.name in broken]
    places: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault((mutant.site.start, mutant.site.end), []).append(mutant)
    # From the inside out: what a place contains is already switched when its own turn comes.
    raw = text.encode()
    ordered = sorted(places, key=lambda place: (place[0], -place[1]))
    changes += _nested(raw, ordered, places)
    return _replace(raw, 0, sorted(changes)).decode()


def _nested(raw: bytes, ordered: list[tuple[int, int]], places: dict) -> list[tuple[int, int, str]]:
    """The outermost places with their new text."""
    found = []
    rest = list(ordered)
    while rest:
        start, end = rest.pop(0)
        inside = []
        while rest and rest[0][1] <= end:
            inside.append(rest.pop(0))
        inner = _replace(raw[start:end], start, _nested(raw, inside, places)).decode()
        found.append((start, end, _switched(inner, places[start, end])))
    return found


def _switched(inner: str, mutants: list[Mutant]) -> str:
    if mutants[0].site.statement:
        return f"begin if ({' && '.join(f'rlc_mutant != {m.number}' for m in mutants)}) {inner} end"
    chosen = "".join(f"rlc_mutant == {m.number} ? ({m.change.after}) : " for m in mutants)
    return f"({chosen}({inner}))"


def _only(mutant: Mutant) -> str:
    return "begin end" if mutant.site.statement else f"({mutant.change.after})"


def _replace(raw: bytes, offset: int, changes: Sequence[tuple[int, int, str]]) -> bytes:
    parts, at = [], 0
    for start, end, text in changes:
        parts += [raw[at : start - offset], text.encode()]
        at = end - offset
    return b"".join([*parts, raw[at:]])
