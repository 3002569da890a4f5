"""The chip that learns by itself as Verilog: its shape and settings, and the ROM of its first weights."""

from pathlib import Path

from rlcores.cores.env import environments
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.ppo.registers import ports
from rlcores.eda import slang, sources
from rlcores.train import learns
from rlcores_lab import shown

_FOLDER = Path("rtl/learns/gen")
_CORES = "rlcores:system:ppo", "rlc_ppo"


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    made = learns.declared()
    words = [f"{int(x) & (1 << 27) - 1:07x}" for x in learns.first_weights(made)]
    return {
        _FOLDER / "rlc_learns_settings.vh": _settings(made),
        _FOLDER / "rlc_learns_rom.v": shown.rendered("writers/learns_rom.v.j2", words=words),
    }


def _settings(declaration: learns.Learns) -> str:
    ppo, shape = declaration.learner(), declaration.shape
    vlnv, top = _CORES
    values = ports(ppo.formats, ppo.settings, declaration.columns)
    # How wide they are the core's own header says.
    widths = {port.name: port.bits for port in slang.ports(sources.of_core(vlnv).design(top))}
    wires = [
        (width, name, values[name]) for name, width in widths.items() if name.startswith("cfg_") and name != "cfg_ok"
    ]
    wires += [(128, "env_seed", values["cfg_seed"]), (16, "env_time_limit", declaration.physics.time_limit)]
    numbers = {
        "N_ENVS": declaration.envs,
        "ENV": list(environments.ENVIRONMENTS.values()).index(declaration.physics),
        "INPUTS": len(declaration.physics.observations),
        "GOAL": int(declaration.goal),
        "ACTOR_WORDS": WeightLayout(shape.actor).beats,
        "CRITIC_WORDS": WeightLayout(shape.critic).beats,
        "DIGITS": f"20'h{''.join(f'{n:x}' for n in learns.DIGITS)}",
        "WEIGHT_DIGITS": f"4'd{learns.WEIGHT_DIGITS}",
        "LETTERS": len(learns.TITLE),
        "TITLE": f'"{learns.TITLE}"',
    }
    parameters = {name: slang.literal(value) for name, value in shape.parameters().items()}
    context = {"parameters": parameters, "wires": wires, "numbers": numbers}
    return shown.rendered("writers/learns_settings.vh.j2", **context)
