"""What an answer of an environment has above its observations. `rlcores generate` writes the positions for Verilog."""

from rlcores.base.words import Word
from rlcores.cores.env.physics import OBS_WIDTH, REWARD_WIDTH

# first: of a run; its reward and ends are 0. reward: sfix(27,19). docs/env.md has the whole answer.
ANSWER = Word("answer", first=1, truncated=1, terminated=1, reward=REWARD_WIDTH)

NUMBERS = 2 * OBS_WIDTH  # bits below it for each number of an observation: of the final one, and of the next one


def answer_bits(observations: int) -> int:
    """Bits of an answer with observations of that many numbers.

    >>> answer_bits(4)
    174
    """
    return ANSWER.bits + NUMBERS * observations
