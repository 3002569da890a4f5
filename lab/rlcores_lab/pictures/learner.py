"""The learner's units, and the way of a batch through them."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """One unit for each stage of each layer, joined by queues."""
    d = Drawing(
        600, 440, "Forward units of the network and of its target, the loss, backward, gradient and update units"
    )
    d.text(14, 58, "records", anchor="start")
    d.box(14, 74, 62, 40, "batch")
    d.arrow((40, 62), (40, 74))
    xs = (120, 240, 360)
    for n, x in enumerate(xs, 1):
        d.box(x, 40, 76, 38, f"FW {n}", kind="core")
        d.box(x, 110, 76, 38, f"TFW {n}", kind="core")
        d.box(x, 290, 76, 38, f"WA {n}", kind="core")
        d.box(x, 366, 76, 38, f"WU {n}", kind="core")
        d.arrow((x + 38, 328), (x + 38, 366))
        if n > 1:
            d.box(x, 214, 76, 38, f"BW {n}", kind="core")
            d.arrow((x - 44, 59), (x, 59), words=f"h{n - 1}")
            d.arrow((x - 44, 129), (x, 129))
    d.arrow((76, 84), (100, 84), (100, 59), (120, 59), words="x", at=(110, 54))
    d.arrow((76, 104), (100, 104), (100, 129), (120, 129), words="x′", at=(110, 143))
    d.box(490, 70, 90, 46, "LOSS", "TD error", "core")
    d.arrow((436, 59), (462, 59), (462, 84), (490, 84), words="Q", at=(450, 54))
    d.arrow((436, 129), (462, 129), (462, 104), (490, 104), words="Q′", at=(450, 144))
    d.arrow((535, 70), (535, 44), words="")
    d.text(535, 36, "priorities |TD|", "small")
    d.arrow((535, 116), (535, 309), (436, 309), words="δ3", at=(546, 214))
    d.arrow((535, 233), (436, 233))
    d.arrow((360, 233), (316, 233), words="δ2")
    d.arrow((338, 233), (338, 309), (316, 309))
    d.arrow((240, 233), (158, 233), (158, 290), words="δ1", at=(200, 228))
    d.arrow((206, 59), (206, 190), (260, 190), (260, 214), words="")
    d.arrow((326, 59), (326, 190), (380, 190), (380, 214), words="")
    d.text(14, 184, "masks and activations", "small", "start")
    d.text(14, 200, "wait in queues", "small", "start")
    for x in xs:
        d.arrow((x + 38, 404), (x + 38, 420))
    d.text(278, 434, "weight bus of each layer: to FW, BW and, at a target event, TFW", "small")
    return d
