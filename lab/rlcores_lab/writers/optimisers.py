"""The optimisers as Verilog, from their declarations: two headers, and rlc_nn_optimiser.v, which chooses one."""

from pathlib import Path

from rlcores.cores.learner.format import OF_A_NETWORK, OPTIMISER_SETTINGS
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.optimisers.slot import StateWord
from rlcores_lab import shown

_FOLDER = Path("rtl/nn")


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    at, settings = 0, []
    for name, bits in OPTIMISER_SETTINGS.items():
        settings.append({"name": name, "at": at, "bits": bits, "own": name in OF_A_NETWORK})
        at += bits
    context = {"optimisers": ALL, "settings": settings, "bits": at, "state_bits": _state_bits, "widest": _widest}
    return {
        _FOLDER / name: shown.rendered(f"writers/{name}.j2", **context).rstrip() + "\n"
        for name in ("rlc_nn_optimisers.vh", "rlc_nn_state.vh", "rlc_nn_optimiser.v")
    }


def _state_bits(word: StateWord) -> str:
    if not word.beside_gradient:
        return str(word.bits)
    return f"GRAD_WIDTH + {word.bits}" if word.bits else "GRAD_WIDTH"


def _widest(state: tuple[StateWord, ...]) -> str:
    """Bits of the widest number of a state, as Verilog."""
    return _state_bits(max(state, key=lambda word: word.width)) if state else "0"
