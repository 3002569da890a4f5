"""The acting core: a network as a pipeline, and its head."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """The way of an observation, of the noise and of the weights."""
    d = Drawing(440, 276, "An observation goes through the layers to the head, which adds noise and gives the action")
    rx = d.box(12, 50, 76, 40, "rx")
    first = d.box(112, 50, 84, 40, "layer 1", kind="core")
    last = d.box(226, 50, 84, 40, "layer M", kind="core")
    elements = d.box(336, 50, 92, 40, "elements")
    head = d.box(330, 146, 98, 48, "head", kind="core")
    noise = d.box(168, 146, 108, 48, "noise", "1 + A words")
    weights = d.box(96, 222, 226, 44, "weights", "the version that no pass meets")
    d.arrow((50, 18), rx.top)
    d.text(58, 28, "s_obs", "small", "start")
    d.arrow(rx.right, first.left)
    d.arrow(first.right, last.left, words="…", at=(207, 62))
    d.arrow(last.right, elements.left)
    d.arrow((382, 90), (382, 146))
    d.arrow(rx.bottom, (50, 170), noise.left, words="draws", at=(92, 164))
    d.arrow(noise.right, head.left)
    d.arrow((134, 222), (134, 90))
    d.arrow((300, 222), (300, 90))
    d.arrow((12, 244), weights.left, words="w: bus")
    d.arrow((360, 194), (360, 266))
    d.text(366, 220, "m_act", "small", "start")
    d.arrow((408, 194), (408, 266))
    d.text(402, 254, "m_log", "small", "end")
    return d
