"""Replay servers behind one wide line."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """Two of the banks, between the split and the join."""
    d = Drawing(440, 446, "Datagrams are split by client to the banks, whose whole answers are joined in turn")
    split = d.box(70, 40, 300, 40, "split by client", kind="core")
    join = d.box(70, 364, 300, 40, "join in turn", kind="core")
    d.arrow((220, 12), split.top)
    d.text(228, 26, "s_udp, BYTES per clock", "small", "start")
    d.arrow(join.bottom, (220, 436))
    d.text(228, 428, "m_udp, BYTES per clock", "small", "start")
    for n, x in enumerate((70, 240)):
        above = (x + 65, 80)
        parts = (("queue", 30), ("narrow", 30), ("replay server", 44), ("widen", 30), ("queue of answers", 30))
        y = 100.0
        for words, high in parts:
            part = d.box(x, y, 130, high, words, kind="core" if high == 44 else "box")
            d.arrow(above, part.top)
            if high == 44:
                side = (part.left, (14, part.left[1])) if not n else (part.right, (426, part.right[1]))
                d.arrow(*side)
                d.text(12 if not n else 428, y + 14, f"m_axi {n}", "small", "start" if not n else "end")
            above = part.bottom
            y += high + 20
        d.arrow(above, (x + 65, 364))
    d.text(220, 220, "…")
    d.text(378, 122, "8 bytes", "small", "start")
    d.text(378, 138, "per clock", "small", "start")
    return d
