"""Resources of the agent core: replay learner, environments and policy, and what joins them.

What joins them is counted from its Verilog: queues, an answer and a record, counters. The whole core was counted in its
configurations `tiny` and `ddpg_tiny` alone, so others are as good as their parts.
"""

from collections.abc import Mapping

from rlcores.cores.learner.shape import LearnerShape
from rlcores_lab.area import env as env_area
from rlcores_lab.area import policy as policy_area
from rlcores_lab.area import replay_learner as loop_area
from rlcores_lab.area.estimate.memory import block, clog2, distributed
from rlcores_lab.area.estimate.part import Counts, Part, named, of

_BLOCK_FROM = 65  # words of a queue in block RAM, environments where it has one for each
_ENDED, _RETURN = 64, 48  # returns that wait for software
# Turns and blocks, registers, epsilon; their counters carry.
_CONTROL = Part(lut=1500, ff=1700)


def policy(p: Mapping[str, int | str]) -> dict[str, int | str]:
    """Parameters of the policy inside."""
    actor = LearnerShape.of(p).actor is not None
    acting = {name: str(p[name]).split(":")[-1] for name in ("SIZES", "UPDATE_ROWS", "UPDATE_COLS")}
    own = {"SIZES": acting.pop("SIZES"), "LANES": p["POLICY_LANES"], "FORWARD": p["POLICY_FORWARD"]}
    return own | acting | {"OUT_WIDTH": 18 if actor else 27, "CONTINUOUS": int(actor), "LOGP": 0, "OPERANDS": 0}


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_agent_axi`."""
    p = parameters
    shape = LearnerShape.of(p)
    observation, action = 18 * shape.state_size, 18 * shape.action_size if shape.actor else 8
    depth = max(int(p["N_ENVS"]) + 1, 3)
    waiting = (observation, observation, action, _RETURN)
    memory = block if int(p["N_ENVS"]) >= _BLOCK_FROM else distributed
    area = _CONTROL + of(distributed(_RETURN, _ENDED), 2 * clog2(_ENDED))
    for width in waiting:
        area += of(memory(width, depth), 3 * clog2(depth))
    # The observation behind a step, and the multiplexers of words.
    area += Part(lut=2 * observation, ff=observation + 40)
    parts = (loop_area.total(dict(p) | {"HELD": 1}), env_area.total(p), policy_area.total(policy(p)))
    for part in parts:
        area += named(part)
    return area.counts
