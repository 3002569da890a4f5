"""The optimisers as Verilog, from their declarations: two headers, and rlc_nn_optimiser.v, which chooses one.

PARTS: the parameter OPTIMISER in learner.yaml, and files and tops in nn.core, which parts.py puts there.
"""

from collections.abc import Callable
from pathlib import Path

from rlcores.base import paths
from rlcores.cores.learner.format import OF_A_NETWORK, OPTIMISER_SETTINGS
from rlcores.cores.learner.optimisers import ADAM, ALL, OPTIMISERS
from rlcores.cores.learner.optimisers.slot import StateWord
from rlcores.eda import declared
from rlcores_lab import shown

_FOLDER = Path("rtl/nn")


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text. What was read of declarations before is read again."""
    from rlcores_lab.writers import parts

    at, settings = 0, []
    for name, bits in OPTIMISER_SETTINGS.items():
        settings.append({"name": name, "at": at, "bits": bits, "own": name in OF_A_NETWORK})
        at += bits
    context = {"optimisers": ALL, "settings": settings, "bits": at, "state_bits": _state_bits, "widest": _widest}
    declaration = Path("rtl/learner/learner.yaml")
    texts = {declaration: parts.refreshed(paths.root() / declaration)}
    declared.of.cache_clear()
    declared._read.cache_clear()
    return texts | {
        _FOLDER / "gen" / name: shown.rendered(f"writers/{name}.j2", **context).rstrip() + "\n"
        for name in ("rlc_nn_optimisers.vh", "rlc_nn_state.vh", "rlc_nn_optimiser.v")
    }


def choice() -> str:
    """The line of parameter OPTIMISER in learner.yaml."""
    return f"OPTIMISER:         {{choice: [{', '.join(OPTIMISERS)}], default: {ADAM}, doc: optimiser}}\n"


def files() -> str:
    """The files of the optimisers in nn.core, what one is made of before it."""
    found = []
    for name in OPTIMISERS:
        parts = sorted(file.name for file in (paths.root() / _FOLDER).glob(f"rlc_nn_{name}_*.v"))
        found += [*parts, f"rlc_nn_{name}.v"]
    return "".join(f"- {name}\n" for name in found)


def tops() -> str:
    """Each optimiser alone, for lint."""
    return "".join(f"- rlc_nn_{name}\n" for name in OPTIMISERS)


PARTS: dict[str, Callable[[], str]] = {"optimiser": choice, "optimisers": files, "optimiser_tops": tops}


def _state_bits(word: StateWord) -> str:
    if not word.beside_gradient:
        return str(word.bits)
    return f"GRAD_WIDTH + {word.bits}" if word.bits else "GRAD_WIDTH"


def _widest(state: tuple[StateWord, ...]) -> str:
    """Bits of the widest number of a state, as Verilog."""
    return _state_bits(max(state, key=lambda word: word.width)) if state else "0"
