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


def array() -> Drawing:
    """The array of multiply-adds: lanes and groups."""
    d = Drawing(
        440, 322, "Each lane works one clock after the lane before, and each group one clock after the group before"
    )
    d.text(12, 20, "a word of the input per clock: LN_in elements", "small", "start")
    for lane in range(4):
        x = 86 + 66 * lane
        d.text(x + 22, 44, f"lane {lane}", "small")
        d.arrow((x + 22, 50), (x + 22, 66))
    for group, name in enumerate(("group 0", "group 1", "group G−1")):
        y = 66 + 72 * group
        d.text(12, y + 23, name, "small", "start")
        for lane in range(4):
            x = 86 + 66 * lane
            d.box(x, y, 44, 36, "w", kind="core")
            if lane:
                d.arrow((x - 22, y + 18), (x, y + 18))
            if group:
                d.arrow((x + 22, y - 36), (x + 22, y))
        d.box(356, y, 72, 36, "sum", kind="box")
        d.arrow((328, y + 18), (356, y + 18))
    for n, words in enumerate(
        ("a lane to the right: one clock later", "a group below: one clock later", "sum: over the words of the input")
    ):
        d.text(12, 272 + 17 * n, words, "small", "start")
    return d


def actor() -> Drawing:
    """The way of states and gradients through actor and critic."""
    d = Drawing(440, 384, "The actor's action goes through the critic, whose gradient comes back to the actor")
    forward = d.box(48, 24, 100, 40, "actor FW", kind="core")
    tanh = d.box(182, 24, 80, 40, "tanh")
    critic = d.box(312, 24, 116, 40, "critic FW", "1 … M − 1", "core")
    d.text(12, 49, "s", anchor="start")
    d.arrow((24, 44), forward.left)
    d.arrow(forward.right, tanh.left)
    d.arrow(tanh.right, critic.left, words="µ(s)")
    d.arrow((34, 44), (34, 92), (350, 92), (350, 64), words="queue of s", at=(130, 86))
    back = d.box(312, 154, 116, 40, "critic BW", "M … 1", "core")
    product = d.box(168, 154, 108, 40, "da · (1 − a²)", kind="core")
    train = d.box(14, 154, 110, 40, "actor", "BW, WA, WU", "core")
    d.arrow((404, 64), (404, 154))
    d.text(398, 122, "masks", "small", "end")
    d.arrow((340, 124), (340, 154))
    d.text(334, 138, "−1.0", "small", "end")
    d.arrow((222, 64), (222, 154), words="queue of 1 − a²", at=(276, 112))
    d.arrow(back.left, product.right, words="da")
    d.arrow(product.left, train.right)
    target = d.box(48, 234, 100, 40, "actor TFW", kind="core")
    squash = d.box(182, 234, 80, 40, "tanh")
    lagged = d.box(312, 234, 116, 40, "critic TFW", kind="core")
    d.box(312, 330, 116, 40, "LOSS", kind="core")
    d.text(12, 259, "s′", anchor="start")
    d.arrow((28, 254), target.left)
    d.arrow(target.right, squash.left)
    d.arrow(squash.right, lagged.left, words="a′")
    d.arrow((36, 254), (36, 300), (350, 300), (350, 274), words="queue of s′", at=(130, 294))
    d.arrow((404, 274), (404, 330))
    d.text(398, 322, "Q′", "small", "end")
    return d


def axi() -> Drawing:
    """The learner behind AXI."""
    d = Drawing(440, 318, "Registers drive the core; records and planes of weights come and go as streams")
    d.frame(12, 44, 416, 224)
    bus = d.box(28, 72, 130, 44, "rlc_axil_regs")
    registers = d.box(244, 72, 168, 44, "rlc_learner_regs")
    d.box(244, 190, 168, 60, "rlc_learner", kind="core")
    d.arrow((93, 18), bus.top)
    d.text(101, 30, "s_axil", "small", "start")
    d.arrow(bus.right, registers.left)
    d.arrow((390, 72), (390, 18))
    d.text(382, 30, "irq", "small", "end")
    d.arrow((290, 116), (290, 190))
    d.text(282, 158, "cfg_*, run, host_*", "small", "end")
    d.arrow((326, 190), (326, 116))
    d.text(334, 150, "flags,", "small", "start")
    d.text(334, 166, "counters", "small", "start")
    d.arrow((4, 212), (244, 212))
    d.text(24, 206, "s_axis_rec", "small", "start")
    d.arrow((4, 240), (244, 240))
    d.text(24, 234, "s_axis_load, at COMMAND.load", "small", "start")
    d.arrow((280, 250), (280, 306))
    d.text(272, 298, "m_axis_prio", "small", "end")
    d.arrow((400, 250), (400, 306))
    d.text(392, 298, "m_axis_read", "small", "end")
    return d


def loss() -> Drawing:
    """From records to TD errors."""
    d = Drawing(440, 408, "Sections of a record go to the networks and to the loss, which gives priorities and deltas")
    d.arrow((220, 12), (220, 44))
    d.text(228, 26, "records", "small", "start")
    d.box(12, 44, 416, 48, "rlc_learner_batch", "sections, narrowed, in queues of the columns")
    forward = d.box(130, 132, 80, 40, "FW", kind="core")
    d.box(346, 132, 80, 40, "TFW", kind="core")
    for x, y, words in ((60, 244, "info"), (170, 132, "s"), (272, 132, "a"), (386, 132, "s′")):
        d.arrow((x, 92), (x, y))
        d.text(x + 8, 116, words, "small", "start")
    d.text(272, 148, "to the critic,", "small")
    d.text(272, 164, "if there is one", "small")
    d.frame(6, 214, 428, 152, "rlc_rl_td_loss")
    info = d.box(16, 244, 92, 40, "info", "r · scale")
    pick = d.box(144, 244, 190, 40, "pick", "Q(s, a) and Q′(s′, a′)")
    error = d.box(100, 312, 250, 44, "td", "Q − r − γQ′, clipped, · weight", "core")
    d.arrow(forward.bottom, (170, 244))
    d.text(178, 190, "Q(s,·), before it", "small", "start")
    d.text(178, 206, "Q(s′,·) if double", "small", "start")
    d.arrow((386, 172), (386, 264), pick.right)
    d.text(380, 206, "Q′(s′,·)", "small", "end")
    d.arrow(info.bottom, (62, 334), error.left)
    d.arrow((239, 284), (239, 312))
    d.arrow((140, 356), (140, 398))
    d.text(132, 390, "|TD|, one per clock", "small", "end")
    d.arrow((300, 356), (300, 398))
    d.text(292, 390, "deltas to BW and WA", "small", "end")
    return d


def update() -> Drawing:
    """A group of weights through the update unit."""
    d = Drawing(
        440, 346, "Sums of gradients go through the optimiser to new weights, and these to the units that compute"
    )
    start = d.box(12, 36, 116, 44, "addresses", "a group per clock")
    scratch = d.box(162, 36, 116, 44, "scratchpad", "48-bit sums")
    gradient = d.box(312, 36, 116, 44, "gradient", "S / 2^s, rounded")
    d.box(12, 124, 116, 138, "memories", "of w, t, m, v")
    weight = d.box(162, 124, 116, 44, "w − step", kind="core")
    optimiser = d.box(312, 124, 116, 44, "optimiser", "state m, v", "core")
    target = d.box(162, 218, 116, 44, "target", "copy or average")
    d.box(150, 298, 278, 40, "weight bus", "to FW, BW and TFW of this layer")
    d.text(70, 20, "start", "small")
    d.arrow((70, 22), start.top)
    d.arrow(start.right, scratch.left)
    d.arrow(scratch.right, gradient.left)
    d.arrow(gradient.bottom, optimiser.top, words="g")
    d.arrow(optimiser.left, weight.right, words="step")
    d.arrow((128, 146), weight.left, words="w")
    d.arrow((128, 240), target.left, words="t")
    d.arrow(weight.bottom, target.top)
    d.arrow((262, 168), (262, 194), (340, 194), (340, 298), words="w′", at=(354, 240))
    d.arrow(target.bottom, (220, 298), words="t′")
    return d


def stream() -> Drawing:
    """The order of a layer's weights in a stream: 6 outputs, 4 inputs, groups of 2 × 2, words of 4 and of 2."""
    d = Drawing(440, 372, "Groups go along the inputs, then to the next outputs, then down the biases")
    d.text(160, 20, "inputs", "small")
    d.text(346, 20, "biases", "small")
    for n in range(4):
        d.text(100 + 44 * n, 40, str(n), "small")
    groups = (((0, 78), (1, 166)), ((2, 78), (3, 166)), ((4, 78), (5, 166)), ((6, 78), (7, 166)))
    for line, row in enumerate(groups):
        y = 50 + 70 * line
        for half in range(2):
            output = 2 * line + half
            d.text(66, y + 22 + 30 * half, f"output {output}" if output < 6 else "beyond", "small", "end")
        for group, x in row:
            d.box(x, y, 88, 62, kind="core" if line < 3 else "box")
            for word in range(4):
                words = str(4 * group + word) if line < 3 else "0"
                d.text(x + 22 + 44 * (word % 2), y + 24 + 28 * (word // 2), words, "text")
        d.box(302, y, 88, 62, kind="core" if line < 3 else "box")
        for half in range(2):
            d.text(324, y + 24 + 28 * half, str(32 + 4 * line + 2 * half) if line < 3 else "0", "text")
            d.text(368, y + 24 + 28 * half, "–" if line < 3 else "0", "text")
    for n, words in enumerate(
        (
            "a box: a group; a number: its place in the stream",
            "–: words beside a bias, and words beyond the layer, are 0",
        )
    ):
        d.text(12, 346 + 16 * n, words, "small", "start")
    return d
