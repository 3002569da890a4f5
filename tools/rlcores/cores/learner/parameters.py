"""Verilog parameters of a learner core for given networks."""

from typing import Any

from rlcores.cores.learner import state
from rlcores.cores.learner.optimisers import OPTIMISERS
from rlcores.cores.learner.optimisers.slot import ROUNDINGS
from rlcores.cores.learner.shape import NetworkShape, ceil_div, network_parameters
from rlcores.errors import UserError


def sizes_of(network: Any, actor: Any = None) -> dict[str, tuple[int, ...]]:
    """Sizes of "network" and, with an actor, of "actor", as given to Learner. Raises UserError."""
    sizes = {"network": state.sizes_of(network, "network")}
    if actor is not None:
        sizes["actor"] = state.sizes_of(actor, "actor", last="Tanh")
        _check_ddpg(*sizes.values())
    return sizes


def check_names(optimiser: str, rounding: str) -> None:
    """Raises UserError when there is no such optimiser or rounding."""
    for what, name, names in (("optimiser", optimiser, OPTIMISERS), ("rounding", rounding, ROUNDINGS)):
        if name not in names:
            raise UserError(f"{what} is '{name}'; it must be one of {', '.join(names)}")


def small_parameters(
    network: tuple[int, ...],
    actor: tuple[int, ...] | None = None,
    *,
    optimiser: str = "adam",
    rounding: str = "nearest",
    batch_max: int = 256,
    polyak: bool = False,
    lanes: int = 4,
) -> dict[str, int | str]:
    """Verilog parameters of a core for these networks, with units of at most `lanes` by `lanes` multipliers.

    DDPG: network are the critic's sizes as PyTorch has them, state and action side by side. The network that acts has
    lanes that a policy may have too: in its last layer at most as many as its input, a hidden layer, has words.
    """
    parameters: dict[str, int | str] = {
        "DP": 1,
        "BATCH_MAX": batch_max,
        "RECORDS": 4,
        "OPTIMISER": OPTIMISERS.index(optimiser),
        "ROUND": ROUNDINGS.index(rounding),
        "POLYAK": int(polyak),
    }
    if not actor:
        return network_parameters([_small(network, _acting_lanes(network, lanes, network[-1]))]) | parameters
    # State and action come in words of the same width, in both networks.
    actor_lanes = _acting_lanes(actor, lanes, actor[0])
    actor_lanes[0] = actor_lanes[-1]
    sizes = (actor_lanes[0] * ceil_div(actor[0], actor_lanes[0]) + actor[-1], *network[1:])
    value_lanes = [actor_lanes[0], *(min(n, lanes) for n in network[1:])]
    return network_parameters([_small(sizes, value_lanes), _small(actor, actor_lanes)]) | parameters


def _acting_lanes(sizes: tuple[int, ...], most: int, last: int) -> list[int]:
    """Lanes of a network that acts, `last` at most in its last layer.

    ceil(before / lanes) >= last is lanes <= (before - 1) / (last - 1).
    """
    before = sizes[-2]
    last = min(last, before, most)
    widest = before if last == 1 else (before - 1) // (last - 1)
    return [*(min(n, most) for n in sizes[:-2]), min(widest, most), last]


def _small(sizes, lanes) -> NetworkShape:
    ones = (1,) * (len(sizes) - 1)
    return NetworkShape(sizes, lanes, ones, ones, lanes[1:], ones)


def _check_ddpg(critic: tuple[int, ...], actor: tuple[int, ...]) -> None:
    if critic[0] != actor[0] + actor[-1] or critic[-1] != 1:
        raise UserError(
            f"the critic takes {critic[0]} numbers and gives {critic[-1]}; an actor of {actor[0]} states and "
            f"{actor[-1]} actions needs {actor[0] + actor[-1]} and 1"
        )
