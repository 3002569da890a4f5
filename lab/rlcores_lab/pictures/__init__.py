"""Pictures that are drawn from source: `rlcores generate` writes them into docs/."""

from pathlib import Path

from rlcores_lab.pictures import (
    agent,
    architecture,
    env,
    gae,
    heppo,
    hero,
    learner,
    learners,
    learns,
    mlp,
    net_learner,
    policy,
    ppo,
    replay_banks,
    replay_learner,
    serial,
    server,
    sumtree,
    tensor,
)

DRAWN = {
    "rlcores": hero.loop,
    "agent_core": agent.core,
    "architecture_ways": architecture.ways,
    "env_core": env.core,
    "gae_core": gae.core,
    "gae_overlap": gae.overlap,
    "gae_steps": gae.steps,
    "heppo_core": heppo.core,
    "learner_array": learner.array,
    "learner_actor": learner.actor,
    "learner_axi": learner.axi,
    "learner_core": learner.core,
    "learner_loss": learner.loss,
    "learner_stream": learner.stream,
    "learner_update": learner.update,
    "learners_core": learners.core,
    "learns_core": learns.core,
    "mlp_core": mlp.core,
    "net_learner_core": net_learner.core,
    "policy_core": policy.core,
    "ppo_core": ppo.core,
    "replay_banks_core": replay_banks.core,
    "replay_learner_core": replay_learner.core,
    "replay_learner_overlap": replay_learner.overlap,
    "replay_server_core": server.rtl,
    "serial_core": serial.core,
    "server": server.core,
    "sumtree_banks": sumtree.banks,
    "sumtree_core": sumtree.core,
    "sumtree_steps": sumtree.steps,
    "tensor_core": tensor.core,
}


def outputs() -> dict[Path, str]:
    """The files and their text."""
    return {Path("docs") / f"{name}.svg": draw().svg() for name, draw in DRAWN.items()}
