"""What state_dict() of a tree and of a sampler says, checked whole before anything of it is taken over."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rlcores.base.arguments import check_int
from rlcores.base.states import require_entries
from rlcores.cores.common.draws import seed_of
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.maths import POWER_ONE
from rlcores.cores.sumtree.settings import MOST_ALPHA
from rlcores.errors import UserError

_SCALE_MOST = 4096 * 256  # beyond the power of any float


class TreeState(NamedTuple):
    """A checked state of a tree."""

    size: int
    following: int
    largest: int
    priorities: np.ndarray
    draws: tuple[int, int, int, int]
    seed: int | None


class SamplerState(NamedTuple):
    """A checked state of a sampler, beside its tree's: codes of the exponents, and 256 times log2 of the unit."""

    alpha: int
    beta: int
    scale: int


def tree_state(state: Mapping[str, Any], capacity: int, priority_width: int, banks: int) -> TreeState:
    """The state of a tree of these sizes. Raises UserError for another's, or a damaged one."""
    require_entries(
        state, ("capacity", "draws", "largest", "next", "priorities", "priority_width", "size"), "a sum tree"
    )
    for name, own in (("capacity", capacity), ("priority_width", priority_width), ("banks", banks)):
        if not np.array_equal(held := state.get(name, 1), own):
            raise UserError(f"the state is that of a tree with {name} {held}; this one has {own}")
    size = check_int("size", state["size"], 0, capacity)
    following = check_int("next", state["next"], 0, capacity - 1)
    if size < capacity and following != size:
        raise UserError(f"the state is damaged: {size} slots are in use, but the next one is {following}")
    most = (1 << priority_width) - 1
    largest = check_int("largest", state["largest"], 0, most)
    priorities = arguments.wholes("priorities", state["priorities"], 0, most, capacity)
    s0, s1, s2, s3 = arguments.wholes("draws", state["draws"], 0, (1 << 32) - 1, 4).tolist()
    seed = seed_of(state["seed"]) if "seed" in state else None  # older states have none
    return TreeState(size, following, largest, priorities, (s0, s1, s2, s3), seed)


def sampler_state(state: Mapping[str, Any], offset: float, follows: bool, fixed_scale: int | None) -> SamplerState:
    """The state of a sampler with this priority_epsilon, and this scale if it is fixed. Raises UserError else."""
    require_entries(state, ("alpha", "beta", "priority_epsilon", "follows", "scale", "tree"), "a prioritized sampler")
    fixed = () if fixed_scale is None else (("scale", fixed_scale),)
    for name, own in (("priority_epsilon", offset), ("follows", follows), *fixed):
        if not np.array_equal(state[name], own):
            raise UserError(f"the state is that of a sampler with {name} {state[name]}; this one has {own}")
    scale, moves = state["scale"], state["follows"]
    if type(scale) is not int or type(moves) is not bool or abs(scale) > _SCALE_MOST:
        raise UserError("the state is damaged: its scale is no whole number")
    alpha = check_int("alpha", state["alpha"], 0, round(MOST_ALPHA * POWER_ONE))
    return SamplerState(alpha, check_int("beta", state["beta"], 0, POWER_ONE), scale)
