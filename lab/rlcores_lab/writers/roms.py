"""The tables of the cores' models as Verilog: a module rlc_NAME_rom of each, in gen/ of its core's folder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from rlcores.cores.common import divide, log2exp2, sincos, tanh
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.learner.optimisers import adam
from rlcores.cores.mlp import activations, norm
from rlcores.cores.policy import noise
from rlcores_lab import shown

_LINE = 113  # columns of a line of words
_SMALL = 4096  # bits of a table that takes LUTs


@dataclass(frozen=True)
class Rom:
    """A table: the module's name without rlc_ and _rom, its core's folder below rtl/, and what it has in a word."""

    name: str
    folder: str
    what: str
    words: Callable[[], np.ndarray]
    bits: int
    data: Sequence[str]

    @property
    def path(self) -> Path:
        """The file, from the root."""
        return Path("rtl", self.folder, "gen", f"rlc_{self.name}_rom.v")

    def verilog(self) -> str:
        """The text of the module."""
        words = [int(word) for word in self.words()]
        assert all(0 <= word < 1 << self.bits for word in words), f"{self.name} has words of more than {self.bits} bits"
        size = len(words) * self.bits
        kind = "luts" if size <= _SMALL else "block"
        digits = -(-self.bits // 4)
        written = [f"rom[{at}] = {self.bits}'h{word:0{digits}x};" for at, word in enumerate(words)]
        context = {"rom": self, "depth": len(words), "kind": kind, "lines": list(_wrapped(written))}
        context |= {"address": (len(words) - 1).bit_length(), "large": size > 18432}
        return shown.rendered("writers/rom.v.j2", **context)


def _wrapped(words: Sequence[str]) -> list[str]:
    lines = [""]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return lines


_STEPS = "of the segment addr; units of"
# The module of each leaf of the environments.
LEAVES = {physics.leaf: import_module(type(physics).__module__) for physics in ENVIRONMENTS.values()}
ROMS = (
    Rom("log2", "common", "table of rlc_log2", log2exp2.log2_words, 36,
        [f"{{node + 2 in 22 bits, step in 14}}, {_STEPS} 2^-22"]),
    Rom("exp2", "common", "table of rlc_exp2", log2exp2.exp2_words, 36,
        [f"{{node - 1.0 in 22 bits, step in 14}}, {_STEPS} 2^-22"]),
    Rom("tanh", "common", "table of rlc_tanh", tanh.words, 36,
        [f"{{0, node + 8 in 21 bits, step in 14}}, {_STEPS} 2^-20"]),
    Rom("sincos", "common", "table of rlc_sincos", sincos.words, 60,
        ["{cosine + 16 in 30 bits, sine + 16 in 30}, of the centre of segment addr; units of 2^-30"]),
    Rom("reciprocal", "common", "table of rlc_reciprocal", divide.words, 36,
        [f"{{node of 1 - 1/x in 22 bits, step in 14}}, {_STEPS} 2^-23"]),
    Rom("nn_exp", "nn", "2^x over an octave", lambda: adam.exp_words() - 1024, 10,
        ["1024 * 2^x in the middle of segment addr, without its leading one"]),
    Rom("nn_log", "nn", "log2 over an octave", adam.log_words, 10,
        ["1024 * log2 of the middle of segment addr of the octave"]),
    Rom("nn_elu", "nn", "table of rlc_nn_elu", activations.words, 36,
        [f"{{node in 21 bits, step in 15}}, {_STEPS} 2^-20"]),
    Rom("nn_rsqrt", "nn", "table of rlc_nn_rsqrt", norm.words, 36,
        [f"{{node in 21 bits, step in 15}}, {_STEPS} 2^-20"]),
    Rom("rl_normal", "rl", "table of rlc_rl_quantile", noise.normal_words, 36,
        ["quantiles of the normal distribution: {node + 8 in 22 bits, step in 14} of the segment addr,",
         "units of 2^-18. The step goes towards 0"]),
    Rom("rl_gumbel", "rl", "table of rlc_rl_quantile", noise.gumbel_words, 36,
        ["quantiles of the Gumbel distribution: {node in 22 bits, signed, step in 14} of the segment",
         "addr, units of 2^-16; from 512 on for u above 1/2, where the step goes down"]),
    *(Rom(f"env_{leaf}", "env", module.ROM[0], module.words, 36, module.ROM[1:])
      for leaf, module in LEAVES.items() if hasattr(module, "ROM")),
)  # fmt: skip


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    return {rom.path: rom.verilog() for rom in ROMS}
