"""Clocks of the agent core: of its loop where nothing waits, exact; and of a gradient step while it acts and stores."""

from collections.abc import Mapping

from rlcores.buses.dram import Dram
from rlcores.cores.learner.shape import ceil_div
from rlcores_lab.area.agent import policy
from rlcores_lab.cycles import replay_learner as loop
from rlcores_lab.cycles.policy import PolicyShape

# Between two training blocks, with the memory's and the tree's clocks that are not named below, counted in the RTL.
_TURN = 48  # the last record fetched to the first write, and the last experience kept to the first record asked for
_STORE = 72  # a write's way and its commit, to the next record that finds room: rlc_replay_writer, the priority's maths
_BLOCK_FROM = 65  # environments whose observations wait in block RAM, at the least


def way(n_envs: int) -> int:
    """Clocks from an environment's answer to the first word of its observation at the policy."""
    return 1 if n_envs < _BLOCK_FROM else 2


def act_clocks(parameters: Mapping[str, int | str]) -> int:
    """Clocks from the one that takes an answer to the one in which its action is offered to the environment."""
    shape = PolicyShape.of(policy(parameters))
    return way(int(parameters["N_ENVS"])) + shape.words[0] - 1 + shape.act_clocks


def period(
    parameters: Mapping[str, int | str],
    batch: int,
    rounds: int = 1,
    steps: int = 1,
    dram: Dram | None = None,
    filled: int | None = None,
) -> float:
    """Clocks of a gradient step of `batch` records, in training blocks of `steps` behind `rounds` of acting.

    The experiences of a block are written when the last records of a training block are fetched, and the next one is
    sampled when memory has them (docs/agent.md, "Schedule", with a lag and an AHEAD of 1). A learner that has enough to
    do meanwhile loses nothing by that. Acting takes less time than a training block.
    """
    dram = dram or Dram()
    pause = _between(parameters, batch, rounds, dram)
    return loop.period(parameters, batch, dram, filled, block=steps, pause=pause)


def _between(parameters: Mapping[str, int | str], batch: int, rounds: int, dram: Dram) -> int:
    """Clocks from the last record of a training block to the first question for one of the next."""
    new, writes = rounds * int(parameters["N_ENVS"]), int(parameters["WRITES"])
    turns = ceil_div(new, writes)  # of as many writes as may be under way
    pace = max(loop.beats(parameters) + 1, 4)
    head = int(parameters["HEAD_LATENCY"])
    return _TURN + batch + turns * (_STORE + dram.latency + dram.cas + head) + (new - turns) * pace
