"""The chip that learns CartPole by itself."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """Its units, its serial line and its LEDs."""
    d = Drawing(440, 322, "PPO and sixteen CartPoles, started by a small control unit that reports over a serial line")
    d.frame(8, 44, 424, 248)
    rom = d.box(22, 64, 110, 40, "ROM", "first weights")
    control = d.box(166, 64, 108, 40, "control")
    text = d.box(308, 64, 110, 40, "text")
    d.box(120, 160, 110, 48, "PPO", kind="core")
    env = d.box(308, 160, 110, 48, "environments", "16 CartPoles")
    score = d.box(308, 238, 110, 40, "score")
    d.arrow(rom.right, control.left)
    d.arrow(control.right, text.left)
    d.arrow((188, 104), (188, 160))
    d.text(180, 128, "start,", "small", "end")
    d.text(180, 144, "weights", "small", "end")
    d.arrow((220, 160), (220, 132), (363, 132), text.bottom, words="numbers", at=(290, 127))
    d.arrow((230, 176), (308, 176), words="actions")
    d.arrow((308, 196), (230, 196), words="answers", at=(269, 212))
    d.arrow(env.bottom, score.top)
    d.arrow((220, 20), control.top)
    d.text(228, 30, "rxd", "small", "start")
    d.arrow(text.top, (363, 18))
    d.text(371, 30, "txd", "small", "start")
    d.arrow(score.bottom, (363, 312))
    d.text(355, 310, "bar of 8 LEDs", "small", "end")
    return d
