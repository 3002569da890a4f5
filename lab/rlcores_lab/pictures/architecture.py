"""The way of a call from a program to whatever computes."""

from rlcores_lab.pictures.drawing import Drawing

# What answers behind buses/bus.py: the file, the backend's name or the board, and how.
_ANSWERS = (
    ("cores/gae/native*.py", "native: the engine"),
    ("cores/gae/model.py", "model: the integer model"),
    ("buses/verilated.py", "rtl: the Verilated core, clock by clock"),
    ("buses/pynq.py", "ZCU106: MMIO and AXI DMA"),
    ("buses/xdma.py", "U200: the files of the XDMA driver"),
    ("buses/serial.py", "ULX3S: frames with a CRC on a serial line"),
)


def ways() -> Drawing:
    """A call of the GAE core, from arrays to registers and streams."""
    d = Drawing(440, 636, "A call goes through a core's API, its driver and a bus to the engine, the model or a core")
    steps = (
        ("your program", "", "box"),
        ("cores/gae/api.py", "checks, scales, cuts the rollout into lanes", "core"),
        ("cores/gae/driver.py", "registers by name, records into beats", "core"),
        ("buses/bus.py", "addresses, streams, one interrupt: every bus", "core"),
    )
    y, before = 16.0, None
    for words, below, kind in steps:
        box = d.box(40, y, 360, 48 if below else 36, words, below, kind)
        if before is not None:
            d.arrow(before.bottom, box.top, words="arrays (T, N)" if before.height < 48 else "")
        y, before = y + box.height + 26, box
    assert before is not None
    bottom = y
    for n, (words, below) in enumerate(_ANSWERS):
        box = d.box(72, bottom + 56 * n, 328, 46, words, below)
        d.arrow((52, before.bottom[1]), (52, box.left[1]), box.left)
    return d
