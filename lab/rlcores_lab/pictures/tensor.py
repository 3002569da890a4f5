"""The tensor unit: a program's commands, the units that carry them out, and what flows between these."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """The program above, its three units below."""
    d = Drawing(600, 372, "A program gives commands to the matrix unit, the update unit and the vector unit")
    d.box(14, 30, 130, 48, "host", "programs, settings")
    d.box(186, 30, 150, 48, "program", "commands in order", "core")
    d.arrow((144, 54), (186, 54))
    d.box(432, 30, 150, 48, "fractions", "follow the numbers", "core")
    d.arrow((432, 54), (336, 54))
    d.box(14, 150, 150, 60, "vector unit", "heads, losses", "core")
    d.box(224, 150, 150, 60, "matrix unit", "one array", "core")
    d.box(432, 150, 150, 60, "update unit", "Adam, targets", "core")
    d.arrow((220, 78), (220, 108), (89, 108), (89, 150), words="heads", at=(150, 102))
    d.arrow((261, 78), (261, 150))
    d.text(268, 126, "products", "small", "start")
    d.arrow((302, 78), (302, 108), (507, 108), (507, 150), words="updates", at=(430, 102))
    d.arrow((224, 170), (164, 170), words="outputs", at=(194, 163))
    d.arrow((164, 194), (224, 194), words="tensors", at=(194, 212))
    d.arrow((374, 194), (432, 194), words="gradients", at=(403, 212))
    d.arrow((432, 170), (374, 170), words="weights", at=(403, 163))
    d.box(14, 262, 150, 48, "records", "from the host")
    d.arrow((60, 262), (60, 210))
    d.arrow((118, 210), (118, 240), (261, 240), (261, 262), words="")
    d.box(224, 262, 150, 48, "TD errors", "to the host")
    d.arrow((540, 210), (540, 236), (592, 236), (592, 54), (582, 54), words="")
    d.text(586, 262, "what the numbers", "small", "end")
    d.text(586, 278, "of a step were like", "small", "end")
    d.text(14, 352, "All networks of an algorithm are in the same array; only the program differs.", "small", "start")
    return d
