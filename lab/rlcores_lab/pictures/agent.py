"""The agent: a loop of environments, transitions, learner and policy."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """Its four parts, and the streams to the environments and the memory."""
    d = Drawing(440, 300, "Answers become transitions of the replay learner; the policy has its weights and acts")
    d.frame(12, 46, 416, 208)
    transition = d.box(30, 70, 130, 44, "transition", "s, a, r, s′, ends")
    learner = d.box(280, 70, 130, 44, "replay learner", kind="core")
    policy = d.box(30, 190, 130, 44, "policy", kind="core")
    d.box(316, 190, 96, 44, "scheduler", "who may act")
    d.arrow((95, 24), transition.top)
    d.text(103, 32, "s_env: answers", "small", "start")
    d.arrow(transition.right, learner.left, words="experiences")
    d.arrow((44, 114), (44, 190), words="observations")
    d.arrow((148, 190), (148, 114), words="action")
    d.arrow((296, 114), (296, 212), (160, 212), words="weights", at=(236, 206))
    d.arrow((364, 190), (364, 114), words="hold")
    d.arrow(policy.bottom, (95, 286))
    d.text(103, 276, "m_env: actions", "small", "start")
    d.arrow((336, 70), (336, 24))
    d.arrow((354, 24), (354, 70))
    d.text(328, 32, "m_axi: experiences", "small", "end")
    return d
