"""The GAE core behind clock crossings."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """What crosses from the clock of the bus to that of the array, and with what."""
    d = Drawing(440, 338, "Each stream crosses between the bus's clock and the array's in an asynchronous queue")
    d.text(12, 24, "clk: the bus", "small", "start")
    d.text(428, 24, "core_clk: the array", "small", "end")
    d.line((226, 12), (226, 326))
    core_box = d.box(322, 40, 106, 224, "rlc_gae_axi", kind="core")
    fifo = "rlc_fifo_async"
    ports = (
        ("s_axil aw, w, ar", fifo, "× 3", True),
        ("s_axil b, r", fifo, "× 2", False),
        ("s_axis", fifo, "", True),
        ("m_axis", fifo, "", False),
        ("irq", "synchroniser", "", False),
    )
    for n, (port, words, below, inwards) in enumerate(ports):
        y = 40 + 46 * n
        d.box(162, y, 128, 38, words, below)
        d.text(12, y + 15, port, "small", "start")
        way = ((12, y + 22), (162, y + 22)), ((290, y + 22), (322, y + 22))
        for start, end in way:
            d.arrow(*((start, end) if inwards else (end, start)))
    reset = d.box(152, 280, 148, 44, "rlc_heppo_reset")
    d.text(12, 292, "rst", "small", "start")
    d.arrow((12, 296), (152, 296))
    d.arrow((152, 314), (12, 314))
    d.text(12, 330, "bus_rst", "small", "start")
    d.arrow(reset.right, (375, 302), core_box.bottom)
    d.text(306, 320, "core_rst", "small", "start")
    return d
