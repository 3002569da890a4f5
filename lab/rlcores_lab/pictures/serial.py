"""Cores behind a serial line."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """From the two pins to the buses of the cores."""
    d = Drawing(440, 366, "Frames from the serial line become accesses and words of two cores; answers go back")
    uart_in = d.box(12, 44, 112, 40, "UART receiver")
    frame = d.box(160, 44, 108, 40, "frame, CRC", "block RAM")
    command = d.box(304, 44, 124, 40, "command", kind="core")
    uart_out = d.box(12, 122, 112, 40, "UART sender")
    answer = d.box(160, 122, 108, 40, "answer")
    d.box(120, 206, 148, 40, "words", "widen, narrow")
    d.box(304, 206, 124, 40, "AXI4-Lite", "split")
    d.box(40, 310, 140, 44, "rlc_gae_axi", kind="core")
    d.box(260, 310, 160, 44, "rlc_sumtree_axi", kind="core")
    d.arrow((68, 14), uart_in.top)
    d.text(76, 24, "rxd", "small", "start")
    d.arrow(uart_out.bottom, (68, 194))
    d.text(60, 184, "txd", "small", "end")
    d.arrow(uart_in.right, frame.left)
    d.arrow(frame.right, command.left)
    d.arrow((330, 84), (330, 142), answer.right)
    d.arrow(answer.left, uart_out.right)
    d.arrow((364, 84), (364, 184), (226, 184), (226, 206))
    d.arrow((398, 84), (398, 206))
    d.arrow((384, 246), (384, 310))
    d.arrow((330, 246), (330, 272), (150, 272), (150, 310))
    d.arrow((140, 246), (140, 290), (90, 290), (90, 310))
    d.arrow((236, 246), (236, 290), (300, 290), (300, 310))
    d.text(130, 264, "s_axis, m_axis", "small", "end")
    return d
