"""The first picture: which core takes which part of a training loop, and what runs it."""

from rlcores_lab.pictures.drawing import Drawing


def loop() -> Drawing:
    """Environments and actors, the two loops, and the backends below."""
    what = (
        "Environments and actors feed the GAE core for PPO and the replay learner for DQN and DDPG; the native engine, "
        "the model, the simulated RTL or a board runs them"
    )
    d = Drawing(600, 400, what)
    d.box(16, 30, 120, 48, "environments", "Gymnasium")
    d.box(16, 128, 120, 48, "actors", "your loop")
    d.arrow((60, 78), (60, 128))
    d.arrow((92, 128), (92, 78))
    d.box(250, 30, 140, 48, "GAE core", "advantages", "core")
    d.box(454, 30, 130, 48, "your PPO update", "PyTorch, SB3")
    d.arrow((136, 144), (190, 144), (190, 54), (250, 54), words="rewards, values", at=(196, 24))
    d.arrow((390, 54), (454, 54))
    d.frame(236, 104, 356, 132, "replay learner: the loop of DQN and DDPG")
    for n, (words, below) in enumerate((("sum tree", "priorities"), ("DRAM", "transitions"), ("learner", "MLP, Adam"))):
        d.box(250 + 116 * n, 136, 96, 48, words, below, "box" if n == 1 else "core")
        if n:
            d.arrow((230 + 116 * n, 160), (250 + 116 * n, 160))
    d.arrow((136, 160), (250, 160), words="transitions", at=(182, 178))
    d.arrow((530, 184), (530, 216), (298, 216), (298, 184), words="TD errors", at=(414, 210))
    d.text(300, 270, "one interface in Python, the same integers from each of", "text")
    backends = (("native engine", "C++"), ("model", "NumPy"), ("RTL", "Verilator"), ("board", "PYNQ, XDMA, serial"))
    x = 16.0
    for words, below in backends:
        wide = 160 if words == "board" else 126
        d.box(x, 288, wide, 52, words, below, "core" if words == "native engine" else "box")
        x += wide + 10
    d.text(300, 372, "advantages() · PrioritizedSampler · ReplayBuffer · Learner · ReplayLearner", "small")
    return d
