"""Pictures that are drawn from source: `rlcores generate` writes them into docs/."""

from pathlib import Path

from rlcores_lab.pictures import gae, hero, learner, ppo, server, sumtree, tensor

DRAWN = {
    "rlcores": hero.loop,
    "gae_core": gae.core,
    "gae_steps": gae.steps,
    "sumtree_core": sumtree.core,
    "sumtree_steps": sumtree.steps,
    "learner_core": learner.core,
    "ppo_core": ppo.core,
    "server": server.core,
    "tensor_core": tensor.core,
}


def outputs() -> dict[Path, str]:
    """The files and their text."""
    return {Path("docs") / f"{name}.svg": draw().svg() for name, draw in DRAWN.items()}
