"""A deployed network: one array for all layers."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """The way of an observation, and the loop of the layers."""
    d = Drawing(440, 300, "An observation goes through one array, layer after layer, to the answer")
    elements = d.box(12, 50, 106, 44, "elements")
    array = d.box(152, 50, 122, 44, "array", "ROWS × COLS", "core")
    sums = d.box(308, 50, 106, 44, "sums", "round")
    unit = d.box(308, 130, 106, 44, "activation", kind="core")
    outputs = d.box(308, 214, 106, 44, "outputs", "argmax")
    weights = d.box(140, 214, 146, 44, "weights, biases", "two versions")
    d.arrow((65, 18), elements.top)
    d.text(73, 28, "s_obs", "small", "start")
    d.arrow(elements.right, array.left)
    d.arrow(array.right, sums.left)
    d.arrow(sums.bottom, unit.top)
    d.arrow(unit.bottom, outputs.top)
    d.arrow((414, 72), (430, 72), (430, 236), (414, 236))
    d.arrow(unit.left, (65, 152), elements.bottom)
    d.text(186, 146, "results of a layer", "small")
    d.arrow(weights.top, array.bottom)
    d.arrow((20, 236), weights.left, words="s_load")
    d.arrow(outputs.bottom, (361, 290))
    d.text(353, 284, "m_act", "small", "end")
    return d
