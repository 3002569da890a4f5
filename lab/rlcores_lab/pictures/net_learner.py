"""A learner behind the network."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """From datagrams to experiences, and from new weights to answers."""
    d = Drawing(440, 366, "Datagrams bring experiences to the replay learner; answers carry its newest weights")
    d.frame(6, 42, 428, 282)
    d.box(16, 62, 110, 248, "front", "checks, windows", "core")
    serve = d.box(168, 62, 100, 40, "serve")
    unpack = d.box(306, 62, 122, 40, "unpack")
    scheduler = d.box(168, 164, 100, 44, "scheduler")
    learner = d.box(306, 164, 122, 44, "replay learner", kind="core")
    weights = d.box(168, 266, 100, 44, "weights", "three sets")
    d.arrow((44, 18), (44, 62))
    d.text(52, 30, "s_udp: datagrams", "small", "start")
    d.arrow((71, 310), (71, 354))
    d.text(79, 346, "m_udp: answers", "small", "start")
    d.arrow((126, 82), serve.left, words="PUT")
    d.arrow(serve.right, unpack.left)
    d.arrow(unpack.bottom, learner.top)
    d.text(360, 138, "experiences", "small", "end")
    d.arrow(scheduler.top, serve.bottom)
    d.text(210, 128, "may", "small", "end")
    d.text(210, 144, "come in", "small", "end")
    d.arrow(scheduler.right, learner.left)
    d.text(291, 222, "may sample", "small")
    d.arrow((344, 208), (344, 288), (268, 288), words="weight bus", at=(306, 304))
    d.arrow(weights.left, (126, 288), words="GET")
    for x in (390, 408):
        d.arrow(*((x, 208), (x, 354))[:: 1 if x == 390 else -1])
    d.text(382, 346, "m_axi, s_axil", "small", "end")
    return d
