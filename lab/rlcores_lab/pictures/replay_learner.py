"""The replay learner: its units, and how they overlap."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """The loop of samples, records and priorities, and the way of a new experience."""
    d = Drawing(440, 540, "New experiences go to DRAM and into the sum tree; its samples are read back for the learner")
    d.frame(4, 36, 432, 414)
    rx = d.box(24, 130, 110, 40, "rx")
    records = d.box(24, 200, 110, 40, "record queue")
    writer = d.box(24, 270, 110, 40, "writer", kind="core")
    sampler = d.box(24, 340, 110, 40, "sampler", "D ahead")
    d.box(150, 46, 266, 40, "registers", "of the loop, the tree, the learner")
    arbiter = d.box(170, 130, 110, 40, "tree arbiter")
    tree = d.box(170, 200, 110, 48, "sum tree", kind="core")
    tags = d.box(170, 312, 110, 40, "tag queue")
    reader = d.box(170, 394, 110, 40, "reader", kind="core")
    updater = d.box(306, 130, 110, 40, "updater")
    learner = d.box(306, 200, 110, 48, "learner", kind="core")
    feeder = d.box(306, 312, 110, 40, "feeder")
    reorder = d.box(306, 394, 110, 40, "reorder buffer")
    dram = d.box(24, 484, 392, 44, "DRAM behind m_axi", "records")
    d.arrow((79, 12), rx.top)
    d.text(87, 26, "s_axis_exp", "small", "start")
    d.arrow((225, 12), (225, 46))
    d.text(233, 26, "s_axil", "small", "start")
    d.arrow((361, 46), (361, 12))
    d.text(369, 26, "irq", "small", "start")
    d.arrow(rx.bottom, records.top)
    d.arrow(records.bottom, writer.top)
    d.arrow(rx.right, arbiter.left)
    d.text(85, 123, "RESERVE, COMMIT", "small", "start")
    d.arrow((225, 86), arbiter.top)
    d.text(233, 104, "host's operations", "small", "start")
    d.arrow((170, 160), (146, 160), (146, 290), writer.right)
    d.text(142, 190, "slot", "small", "end")
    d.arrow((212, 170), (212, 200))
    d.arrow((240, 200), (240, 170))
    d.arrow(updater.left, arbiter.right)
    d.text(300, 124, "UPDATE", "small")
    d.arrow(learner.top, updater.bottom)
    d.text(355, 190, "|TD error|", "small", "end")
    d.arrow(feeder.top, learner.bottom)
    d.arrow(feeder.right, (426, 332), (426, 150), updater.right)
    d.text(420, 280, "tags", "small", "end")
    d.arrow(sampler.right, (158, 360), (158, 224), tree.left)
    d.arrow(tree.bottom, tags.top)
    d.text(233, 272, "slot, generation,", "small", "start")
    d.text(233, 288, "weight", "small", "start")
    d.arrow(tags.bottom, reader.top)
    d.arrow(tags.right, feeder.left)
    d.arrow(reorder.top, feeder.bottom)
    d.arrow(reader.bottom, (225, 484))
    d.text(231, 470, "AR", "small", "start")
    d.arrow((361, 484), reorder.bottom)
    d.text(367, 470, "R", "small", "start")
    d.arrow(writer.left, (14, 290), (14, 506), dram.left)
    d.text(20, 470, "AW, W, B", "small", "start")
    return d


def overlap() -> Drawing:
    """What is busy when, without and with a batch drawn ahead."""
    d = Drawing(
        440, 338, "With a batch drawn ahead the learner waits for nobody; without, for updates, samples and reads"
    )
    rows = ("learner", "updates", "samples", "memory")
    alone = (
        (("k", 0, 70, "core"), ("", 70, 42, "box"), ("k + 1", 210, 70, "core"), ("", 280, 42, "box")),
        (("U(k)", 36, 90, "core"), ("U(k+1)", 246, 90, "core")),
        (("S(k+1)", 126, 56, "core"),),
        (("first", 176, 44, "core"),),
    )
    ahead = (
        (
            ("k", 0, 70, "core"), ("", 70, 20, "box"), ("k + 1", 90, 70, "core"), ("", 160, 20, "box"),
            ("k + 2", 180, 70, "core"), ("", 250, 20, "box"), ("k + 3", 270, 70, "core"),
        ),
        (("U(k)", 36, 66, "core"), ("U(k+1)", 126, 66, "core"), ("U(k+2)", 216, 66, "core")),
        (("S(k+2)", 102, 56, "core"), ("S(k+3)", 192, 56, "core")),
        (("first of k+2", 140, 92, "core"), ("first of k+3", 236, 92, "core")),
    )  # fmt: skip
    for title, y, lines in (("D = 0", 12, alone), ("D = 1: a batch is drawn ahead", 168, ahead)):
        d.text(12, y + 14, title, "title", "start")
        for n, (name, items) in enumerate(zip(rows, lines, strict=True)):
            d.text(12, y + 42 + 30 * n, name, "small", "start")
            for words, x, wide, kind in items:
                box = d.box(76 + x, y + 26 + 30 * n, wide, 24, kind=kind)
                d.text(box.top[0], y + 42 + 30 * n, words, "small")
    d.box(189, 38, 96, 24, kind="hit")
    d.text(237, 54, "lost", "small")
    d.text(428, 26, "white: fill, update", "small", "end")
    return d
