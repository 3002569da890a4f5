"""The GAE core's design space: rows, look-ahead, interleave and beat, for rollouts of environments and steps."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rlcores_lab.area import gae as gae_area
from rlcores_lab.cycles import gae as gae_cycles
from rlcores_lab.dse.board import Board, short

_LANES_MAX, _DEPTH_MAX = 16384, 4096
_ELEMENT = 64  # bits of an element of a stream


@dataclass(frozen=True)
class Array:
    """A GAE core and what the models say of it."""

    parameters: dict[str, int]
    run: int  # clocks of the array
    passes: int  # clocks of the two passes in and the one out
    counts: dict[str, float]
    fits: bool

    @property
    def clocks(self) -> int:
        """Clocks of a rollout; passes and run follow one another."""
        return self.run + self.passes


def arrays(board: Board, dies: int, envs: int, steps: int, out_bits: int = 8) -> Iterator[Array]:
    """Every array for these environments, each of `steps` steps and one BOOT; with SPAN 1, as all are of equal length.

    Raises nothing: shapes that the core refuses are left out. k·I = 1, a loop without a product register, is left out
    too, as its clock is slow.
    """
    have = {r: dies * n for r, n in board.die.items()}
    for turns in (i for i in range(1, 9) if envs % i == 0):
        banks = envs // turns
        beat = next(b for b in (board.stream_bits // _ELEMENT, 4, 2, 1) if banks % b == 0)
        for ahead in range(1, 5):
            if ahead * turns == 1:
                continue
            for rows in (r for r in range(1, banks + 1) if banks % r == 0):
                parameters = {
                    "ROWS": rows, "LANES": envs, "DEPTH": steps, "LOOKAHEAD": ahead, "INTERLEAVE": turns, "SPAN": 1,
                    "QBITS": 8, "OUT_BITS": out_bits, "BEAT": beat, "STACKS": 1, "TRACE": 0,
                }  # fmt: skip
                run = gae_cycles.cycles(parameters, np.full(envs, steps + 1))
                counts = gae_area.total(parameters)
                yield Array(parameters, run, 3 * -(-envs * steps // beat), counts, not short(counts, have))


def possible(envs: int, steps: int) -> bool:
    """Whether the core holds such a rollout at all."""
    return 1 <= envs <= _LANES_MAX and 2 <= steps <= _DEPTH_MAX


def rank(array: Array) -> tuple:
    """Fewest clocks first, of equals the one with the fewest DSP slices, then LUTs."""
    return array.clocks, array.counts["dsp"], array.counts["lut"]
