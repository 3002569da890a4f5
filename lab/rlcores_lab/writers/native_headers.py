"""Numbers of the cores as headers of the native engine: tables, constants of environments, names of optimisers."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from rlcores.cores.common import log2exp2, sincos, tanh
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.learner import loss_settings
from rlcores.cores.learner.optimisers import OPTIMISERS, adam
from rlcores.cores.mlp import activations, norm
from rlcores.cores.policy import noise
from rlcores.cores.policy.stages import STAGES as POLICY_STAGES
from rlcores.cores.ppo.words import STAGES as PPO_STAGES
from rlcores_lab import shown
from rlcores_lab.writers.words import places

FOLDER = Path("tools/rlcores/native/include/rlcores/native/gen")

# By the names of the memories in the RTL.
_TABLES: dict[str, Callable[[], Iterable[int]]] = {
    "log2_rom": log2exp2.log2_words,
    "exp2_rom": log2exp2.exp2_words,
    "tanh_rom": tanh.words,
    "sincos_rom": sincos.words,
    "exp_rom": lambda: adam.exp_words() - 1024,
    "log_rom": adam.log_words,
    "elu_rom": activations.words,
    "rsqrt_rom": norm.words,
    "policy_normal_rom": noise.normal_words,
    "policy_gumbel_rom": noise.gumbel_words,
}
_LEAVES = {physics.leaf: import_module(type(physics).__module__) for physics in ENVIRONMENTS.values()}


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    tables = dict(_TABLES)
    for leaf, module in _LEAVES.items():
        if hasattr(module, "words"):
            tables[f"env_{leaf}_rom"] = module.words
    context = {
        "tables": {name: [int(word) for word in words()] for name, words in tables.items()},
        "environments": {leaf: module.constants() for leaf, module in sorted(_LEAVES.items())},
        "optimisers": OPTIMISERS,
        "critic_loss": loss_settings.of(loss_settings.REWARD, loss_settings.TD),
        "counters": {"policy": places(POLICY_STAGES), "ppo": places(PPO_STAGES)},
        "sources": ["cores/policy/stages.py", "cores/ppo/words.py"],
        # No word of C++.
        "pick_loss": [f"{name}_dqn" for name in loss_settings.of(loss_settings.PICK)],
    }
    names = ("tables.hpp", "env_constants.hpp", "optimiser_names.hpp", "loss_settings.hpp", "counters.hpp")
    return {FOLDER / name: shown.rendered(f"writers/{name}.j2", **context) for name in names}
