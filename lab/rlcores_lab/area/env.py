"""Resources of the environment core: memories and delays counted from their Verilog, physics and control from Yosys."""

from collections.abc import Mapping

from rlcores.cores.env import beats
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.physics import STATE_WIDTH
from rlcores_lab.area import common
from rlcores_lab.area.estimate.memory import block, clog2
from rlcores_lab.area.estimate.part import Counts, Part, of

_BLOCK_FROM = 65  # environments whose states are kept in block RAM
_GENERATOR = Part(lut=298, ff=160)  # rlc_xoshiro128pp and its rlc_seed
# Registers, their bus, what a start and an end of an episode take.
_CONTROL = Part(lut=335, ff=28)


def total(parameters: Mapping[str, int]) -> Counts:
    """Resources of `rlc_env_axi`."""
    physics = list(ENVIRONMENTS.values())[parameters["ENV"]]
    n_envs = max(2, parameters["N_ENVS"])
    ring = 16 + STATE_WIDTH * len(physics.states)
    beat = beats.width(len(physics.observations))
    places = physics.latency + 5
    area = Part(*physics.area) + _CONTROL + _GENERATOR * physics.draws
    if n_envs >= _BLOCK_FROM:
        bits = clog2(n_envs)
        area += of(block(ring, n_envs), 3 * bits + 4) + Part(lut=8 * bits + 6)
    else:
        area += common.fifo(ring, n_envs)
    area += common.fifo(beat, places) + common.credit(places) + common.delay(17, physics.latency)
    area += Part(lut=beat + 4, ff=beat + 2)  # rlc_abort_out
    # An answer and a state at the end of a step, an action and a state at its beginning.
    return (area + Part(ff=2 * ring + beat + 18)).counts
