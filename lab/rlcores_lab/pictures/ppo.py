"""The PPO core: what acts, the rollout's memory, and what is trained with it."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """Environments and networks above, the rollout and its training below."""
    d = Drawing(600, 408, "Environments, receiver, actor and critic, head, rollout memory, GAE rows and update")
    d.box(14, 40, 118, 48, "environments", "N, in turns")
    d.box(186, 40, 90, 48, "rx", kind="core")
    d.frame(316, 18, 130, 150, "networks")
    d.box(330, 44, 102, 48, "actor", "forward", "core")
    d.box(330, 108, 102, 48, "critic", "forward", "core")
    d.box(490, 74, 92, 52, "head", "draws, losses", "core")
    d.arrow((132, 64), (186, 64))
    d.arrow((276, 64), (330, 64))
    d.arrow((296, 64), (296, 132), (330, 132))
    d.arrow((432, 68), (462, 68), (462, 90), (490, 90), words="logits", at=(470, 60))
    d.arrow((432, 132), (462, 132), (462, 112), (490, 112), words="value", at=(470, 148))
    d.arrow((536, 74), (536, 10), (73, 10), (73, 40), words="actions", at=(240, 24))
    d.box(186, 196, 150, 70, "rollout memory", "observation, action,", "core")
    d.text(261, 256, "log-probability, value", "small")
    d.arrow((231, 88), (231, 196))
    d.text(222, 140, "observation,", "small", "end")
    d.text(222, 156, "reward, ends", "small", "end")
    d.arrow((536, 126), (536, 216), (336, 216), words="action, value", at=(470, 210))
    d.box(14, 206, 118, 48, "GAE rows", "advantages", "core")
    d.arrow((186, 222), (132, 222))
    d.arrow((132, 240), (186, 240))
    d.box(186, 312, 150, 48, "minibatch", "shuffled, its statistics", "core")
    d.arrow((261, 266), (261, 312))
    d.arrow((336, 326), (362, 326), (362, 168))
    d.text(14, 326, "training: its records pass", "small", "start")
    d.text(14, 342, "the networks again", "small", "start")
    d.box(452, 312, 130, 48, "update", "norm, rate, Adam", "core")
    d.arrow((560, 126), (560, 312))
    d.text(552, 290, "deltas", "small", "end")
    d.arrow((452, 336), (402, 336), (402, 168))
    d.text(428, 354, "weights", "small", "end")
    d.text(14, 394, "Acting and training share networks and head; they take turns.", "small", "start")
    return d
