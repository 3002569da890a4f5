"""The environments of a core: many states, one pipeline."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """The way of a step."""
    d = Drawing(440, 214, "Each environment's state goes through one pipeline of physics in its turn, and comes back")
    d.frame(12, 46, 416, 152)
    state = d.box(28, 70, 106, 44, "state", "of this turn")
    physics = d.box(164, 70, 112, 44, "physics", "LATENCY clocks", "core")
    end = d.box(306, 70, 106, 44, "episode end?")
    d.arrow((81, 24), state.top)
    d.text(89, 32, "s: actions", "small", "start")
    d.arrow(state.right, physics.left)
    d.arrow(physics.right, end.left)
    d.arrow((359, 70), (359, 22))
    d.text(351, 32, "m: answers", "small", "end")
    d.arrow(end.bottom, (359, 156), (81, 156), state.bottom)
    d.text(220, 148, "next state, or first of an episode", "small")
    d.text(220, 176, "N states take turns", "small")
    return d
