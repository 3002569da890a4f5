"""Learners in parallel, and what they share."""

from rlcores_lab.pictures.drawing import Drawing


def core() -> Drawing:
    """Two of L learners, and the average of their weights."""
    d = Drawing(440, 350, "Experiences are dealt to replay learners, whose new weights are averaged at each update")
    d.text(220, 20, "s_axis_exp: experiences, dealt in turn", "small")
    for n, x in enumerate((20, 236)):
        learner = d.box(x, 60, 160, 64, "replay learner", f"{n}, its bank at m_axi {n}", "core")
        d.arrow((220, 26), (220, 42), (x + 80, 42), learner.top)
        d.arrow((x + 30, 124), (x + 30, 216))
        d.text(x + 38, 154, "new weights,", "small", "start")
        d.text(x + 38, 170, "“due”", "small", "start")
        d.arrow((x + 126, 216), (x + 126, 124))
        d.text(x + 134, 154, "average,", "small", "start")
        d.text(x + 134, 170, "go", "small", "start")
    d.text(208, 98, "…")
    d.frame(12, 192, 416, 144)
    d.box(20, 216, 400, 48, "sum of each weight over L; all are due", "a tree of adders per layer")
    d.box(20, 276, 400, 48, "largest importance weight of a batch", "a tree of comparisons")
    return d
