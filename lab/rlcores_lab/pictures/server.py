"""The replay server: what comes in, what decides the order, and what is kept."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """From datagrams to the tree, the records and the weights."""
    d = Drawing(
        600,
        330,
        "Frames of actors and learners are checked, put into one order, and change records, priorities and weights",
    )
    d.box(16, 30, 96, 40, "actors", "PUT")
    d.box(16, 110, 96, 40, "learner", "SAMPLE, PRIO")
    d.box(16, 190, 96, 40, "all", "weights")
    d.box(176, 96, 96, 66, "parser", "lengths, CRC,", "core")
    d.text(224, 156, "key", "small")
    d.box(312, 96, 96, 66, "window", "per client,", "core")
    d.text(360, 156, "exactly once", "small")
    d.box(452, 30, 130, 40, "records", "a slot each")
    d.box(452, 110, 130, 40, "sum tree", "priorities, tags", "core")
    d.box(452, 190, 130, 40, "weights", "versions")
    d.arrow((112, 50), (144, 50), (144, 116), (176, 116))
    d.arrow((112, 130), (176, 130))
    d.arrow((112, 210), (144, 210), (144, 144), (176, 144))
    d.arrow((272, 130), (312, 130))
    d.arrow((408, 120), (430, 120), (430, 50), (452, 50))
    d.arrow((408, 130), (452, 130))
    d.arrow((408, 140), (430, 140), (430, 210), (452, 210))
    d.text(360, 86, "accepted order", "small")
    d.box(312, 264, 96, 40, "journal", "on disk")
    d.arrow((360, 162), (360, 264))
    d.text(304, 289, "all that was accepted", "small", "end")
    d.arrow((517, 230), (517, 250), (64, 250), (64, 230), words="answers", at=(230, 244))
    d.text(224, 184, "bad frames are", "small")
    d.text(224, 200, "counted, no more", "small")
    return d
