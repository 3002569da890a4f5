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


def rtl() -> Drawing:
    """The replay server in RTL: its front, and the memory behind it."""
    d = Drawing(440, 446, "Frames are checked and served one by one; the memory has a sum tree, and records in DRAM")
    d.frame(4, 36, 432, 134, "front")
    receive = d.box(12, 60, 84, 44, "receive", "length, CRC")
    heads = d.box(118, 60, 84, 44, "heads", "payloads")
    serve = d.box(224, 60, 84, 44, "serve", "one by one", "core")
    send = d.box(332, 60, 96, 44, "send", "header, CRC")
    window = d.box(224, 122, 84, 40, "windows", "block RAM")
    d.arrow((54, 12), receive.top)
    d.text(62, 24, "s_udp", "small", "start")
    d.arrow(send.top, (380, 12))
    d.text(388, 24, "m_udp", "small", "start")
    for one, two in ((receive, heads), (heads, serve), (serve, send)):
        d.arrow(one.right, two.left)
    d.arrow(serve.bottom, window.top)
    d.frame(4, 186, 432, 190, "memory")
    priorities = d.box(24, 226, 106, 40, "priorities")
    tree = d.box(162, 226, 106, 40, "sum tree", kind="core")
    weights = d.box(300, 226, 106, 40, "weights")
    write = d.box(24, 314, 106, 40, "write")
    read = d.box(162, 314, 106, 40, "read")
    batch = d.box(300, 314, 106, 40, "batch")
    d.box(24, 396, 382, 40, "DRAM behind m_axi", "records, lists of batches, weights of networks")
    d.arrow((238, 104), (238, 114), (110, 114), (110, 226), words="requests", at=(144, 216))
    d.arrow(priorities.right, tree.left)
    d.arrow(tree.right, weights.left)
    d.arrow(weights.bottom, batch.top)
    d.arrow(tree.bottom, (215, 290), (77, 290), write.top, words="slot", at=(146, 285))
    d.arrow(write.bottom, (77, 396))
    d.arrow((215, 396), read.bottom)
    d.arrow(read.right, batch.left)
    d.arrow(batch.bottom, (353, 396))
    d.arrow(batch.right, (420, 334), (420, 104))
    d.text(414, 206, "answers", "small", "end")
    return d
