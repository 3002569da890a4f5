"""Numbers of the cores as headers of the native engine: tables, constants of environments, names of optimisers."""

from pathlib import Path

from rlcores.cores.learner import loss_settings
from rlcores.cores.learner.optimisers import OPTIMISERS
from rlcores.cores.learner.words import STAGES as LEARNER_STAGES
from rlcores.cores.policy.stages import STAGES as POLICY_STAGES
from rlcores.cores.ppo.words import STAGES as PPO_STAGES
from rlcores_lab import shown
from rlcores_lab.writers.roms import LEAVES, ROMS
from rlcores_lab.writers.words import places

FOLDER = Path("tools/rlcores/native/include/rlcores/native/gen")


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    context = {
        "tables": {f"{rom.name.removeprefix('nn_')}_rom": [int(word) for word in rom.words()] for rom in ROMS},
        "environments": {leaf: module.constants() for leaf, module in sorted(LEAVES.items())},
        "optimisers": OPTIMISERS,
        "critic_loss": loss_settings.of(loss_settings.REWARD, loss_settings.TD),
        "counters": {"learner": places(LEARNER_STAGES), "policy": places(POLICY_STAGES), "ppo": places(PPO_STAGES)},
        "sources": ["cores/learner/words.py", "cores/policy/stages.py", "cores/ppo/words.py"],
        # No word of C++.
        "pick_loss": [f"{name}_dqn" for name in loss_settings.of(loss_settings.PICK)],
    }
    names = ("tables.hpp", "env_constants.hpp", "optimiser_names.hpp", "loss_settings.hpp", "counters.hpp")
    return {FOLDER / name: shown.rendered(f"writers/{name}.j2", **context) for name in names}
