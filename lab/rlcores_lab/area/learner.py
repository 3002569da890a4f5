"""Resources of the learner, unit by unit, from its shape; what each unit holds follows its Verilog module.

Memories, DSP slices and registers along known ways are counted; adders, rounders, multiplexers and control are fitted
to measurements.json. A unit here has the boundary that `rlcores synth learner` keeps, so its share can be compared.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.optimisers.slot import STOCHASTIC
from rlcores.cores.learner.shape import LearnerShape, NetworkShape, ceil_div
from rlcores.eda import configs
from rlcores_lab.area.estimate import fit, measure
from rlcores_lab.area.estimate.memory import auto, block, clog2, distributed, read, up
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, of

_WEIGHT, _X, _SUM, _BIAS = 27, 18, 48, 32  # bits
_PARTS = ("lut", "ff", "dsp", "bram36", "uram")


def add(*parts: Mapping[str, float]) -> Counts:
    """The sum of resources."""
    return {r: sum(part.get(r, 0) for part in parts) for r in _PARTS}


# --- what is known of a module: memories, registers; what is fitted: features ---


def _address(p: Mapping[str, int]) -> int:
    folds = up(p["WORDS_OUT"], p["GROUPS"])
    return (clog2(folds) if folds > 1 else 0) + max(clog2(p["WORDS_IN"]), 1)


def _matvec(p: Mapping[str, int], after: int, out: int, extra: int) -> tuple[Part, float]:
    """Memories and registers of a tensor unit with its replay and the queue behind it. extra: bits beside a word."""
    dp, li, lo, groups = p["DP"], p["LANES_IN"], p["LANES_OUT"], p["GROUPS"]
    bits = _address(p)
    folds = up(p["WORDS_OUT"], groups)
    places = 2 * groups + (li + 6 + after + 4) * groups // p["WORDS_IN"] + 2
    weights = groups * li * lo
    memory = read(_WEIGHT, 1 << bits, weights)
    memory += distributed(dp * lo * out + extra, 1 << clog2(places))
    if folds > 1:
        memory += distributed(dp * li * _X + extra, 2 << max(clog2(p["WORDS_IN"]), 1))
    taps = groups + li - 1
    ff = dp * _X * (li * groups + li * (li + 1) / 2) + bits * (taps * (taps - 1) / 2 + 2) + 4 * (taps + 4)
    ff += p["JB"] * p["IB"] * _WEIGHT + _SUM * dp * lo
    return memory, ff


def _forward(p: Mapping[str, int]) -> Part:
    memory, ff = _matvec(p, 6, p["OUT_WIDTH"], 1)
    memory += auto(_WEIGHT, 1 << max(clog2(p["WORDS_OUT"]), 1)) * p["LANES_OUT"]
    ff += p["LANES_OUT"] * (_WEIGHT + _SUM) + 3 * _SUM * p["DP"] * p["LANES_OUT"] + p["JB"] * _WEIGHT
    return of(memory, ff)


def _backward(p: Mapping[str, int]) -> Part:
    memory, ff = _matvec(p, 4, _X, 0)
    return of(memory, ff + _SUM * p["DP"] * p["LANES_OUT"])


def _matvec_lut(p: Mapping[str, int]) -> list[float]:
    lanes = p["DP"] * p["LANES_OUT"]
    return [1, p["LANES_OUT"], lanes, _SUM * lanes * (p["GROUPS"] - 1), p["GROUPS"] * p["LANES_IN"] * p["LANES_OUT"]]


def _outer(p: Mapping[str, int]) -> Part:
    dp, lj, li, groups = p["DP"], p["LANES_J"], p["LANES_I"], p["GROUPS"]
    sets = up(p["WORDS_I"], groups)
    word = max(clog2(p["WORDS_J"]), 1)
    bits = word + (max(clog2(sets), 1) if sets > 1 else 0)
    memory = read(groups * li * _SUM, 1 << bits, lj)
    memory += auto(p["SUM_BIAS"], 1 << word) * lj
    if sets > 1:
        memory += distributed(dp * lj * _X, 2 << word)
    ff = 3 * groups * dp * li * _X + dp * lj * _X + dp * (dp - 1) / 2 * _X * (lj + groups * li)
    # Of the bias a row keeps the stored sum, the batch slice's and the new one; reads leave through two stages.
    ff += lj * (2 * p["SUM_BIAS"] + _X + clog2(dp)) + (dp + 2) * bits + p["JB"] * (p["SUM_BIAS"] + 2 * _SUM * p["IB"])
    return of(memory, ff)


def _outer_lut(p: Mapping[str, int]) -> list[float]:
    row = p["LANES_I"] * p["GROUPS"]
    picked = _SUM * p["JB"] * (row - p["IB"])
    chosen = _SUM * row * (p["LANES_J"] - p["JB"])
    return [1, p["LANES_J"], p["DP"] * p["LANES_J"], picked, chosen, p["DP"] * row]


def _planes(p: Mapping[str, int]) -> Part:
    """The planes of an update, and the registers of their reads: two words of LUT memory, one of block RAM."""
    lanes = p["JB"] * p["IB"]
    rows = p["WORDS_J"] * (p["LANES_J"] // p["JB"])
    groups = rows * (p["WORDS_I"] * (p["LANES_I"] // p["IB"]) + 1)
    target = 36 if p["POLYAK"] else _WEIGHT
    widths = [_WEIGHT, target][: 1 + p.get("TARGET", 1)]
    widths += [word.width for word in ALL[p["OPTIMISER"]].state]
    return sum((read(lanes * width, groups, registers=2) for width in widths), Part())


def _update_features(p: Mapping[str, int]) -> list[float]:
    lanes, states = p["JB"] * p["IB"], len(ALL[p["OPTIMISER"]].state)
    dither = p["ROUND"] == STOCHASTIC
    return [
        1, lanes, lanes * (states == 1), lanes * (states == 2), lanes * p["POLYAK"], lanes * dither,
        float(dither), lanes * p.get("CLIP", 0),
    ]  # fmt: skip


def _batch_queues(p: Mapping[str, int]) -> list[tuple[int, int]]:
    """Bits and places of the queues of a column: both states, the rest of a record, an actor's action."""
    lanes = p["LANES"]
    streams = [(lanes * _X, up(p["SIZE_S"], lanes))] * 2 + [(64, 1)]
    if p["SIZE_A"]:
        streams.append((lanes * _X, up(p["SIZE_A"], lanes)))
    return [(width, 1 << max(clog2(max(words * p["RECORDS"], 2)), 1)) for width, words in streams]


def _batch(p: Mapping[str, int]) -> Part:
    memory = Part()
    for width, places in _batch_queues(p):
        memory += (block if places > 64 else distributed)(width, places) * p["DP"]
    return of(memory)


def _batch_features(p: Mapping[str, int]) -> list[float]:
    counters = sum(clog2(places) for _, places in _batch_queues(p))
    return [1, p["DP"], p["LANES"], p["DP"] * p["LANES"], p["DP"] * (p["SIZE_A"] > 0), p["DP"] * counters]


def _squash(p: Mapping[str, int]) -> Part:
    """A table of tanh an element, and the queues behind it: actions, and slopes that wait for the critic."""
    elements = p["DP"] * p["LANES"]
    memory = Part(bram36=0.5) * elements + distributed(elements * 18, p["A_PLACES"])
    if p["DERIVATIVE"]:
        memory += (block if p["D_PLACES"] > 64 else distributed)(elements * 17, p["D_PLACES"])
    return of(memory)


def _squash_features(p: Mapping[str, int]) -> list[float]:
    return [1, p["DP"] * p["LANES"], p["DP"] * p["LANES"] * p["DERIVATIVE"]]


def _loss_features(p: Mapping[str, int]) -> list[float]:
    return [1, p["DP"], p["DP"] * p["LANES"]]


def _tail_features(p: Mapping[str, int]) -> list[float]:
    return [1, p["DP"] * p["LANES"]]


MODULES = {
    m.name: m
    for m in (
        Module("rlc_nn_forward", _forward, _matvec_lut, lambda p: [1, p["DP"] * p["LANES_OUT"]]),
        Module("rlc_nn_backward", _backward, _matvec_lut, lambda p: [1, p["DP"] * p["LANES_OUT"]]),
        Module("rlc_nn_weight_grad", _outer, _outer_lut, lambda p: [1, p["LANES_J"]]),
        Module("rlc_learner_update", _planes, _update_features, _update_features),
        Module("rlc_rl_td_loss", lambda p: Part(), _loss_features, _loss_features),
        Module("rlc_learner_batch", _batch, _batch_features, _batch_features),
        Module("rlc_rl_tanh", _squash, _squash_features, _squash_features),
        Module("rlc_rl_tanh_backward", lambda p: Part(), _tail_features, _tail_features),
    )
}


def module(name: str, parameters: Mapping[str, int]) -> Counts:
    """Resources of one module of the learner but for its DSP slices, which the shape counts."""
    return MODULES[name](parameters).counts


# --- the whole learner ---


def units(shape: LearnerShape) -> Iterator[tuple[str, str, dict[str, int], int]]:
    """Every unit with a boundary of its own: (name, module, its parameters, DSP slices)."""
    columns = shape.columns
    macs = shape.macs
    for suffix, net in (("", shape.value), ("a", shape.actor)):
        if net is None:
            continue
        for n in range(1, net.layers + 1):
            last = n == net.layers and not suffix
            lanes = (net.lanes[n - 1], net.lanes[n])
            words = (net.words[n - 1], net.words[n])
            jb, ib = net.update_rows[n - 1], net.update_cols[n - 1]
            shared = {"DP": columns, "JB": jb, "IB": ib}
            ahead = {
                **shared, "LANES_IN": lanes[0], "LANES_OUT": lanes[1], "WORDS_IN": words[0], "WORDS_OUT": words[1],
                "GROUPS": net.forward[n - 1], "OUT_WIDTH": 27 if last else 18,
            }  # fmt: skip
            for kind in ("FW", "TFW"):
                yield f"{kind}{suffix}{n}", "rlc_nn_forward", ahead, macs[f"{kind}{suffix}{n}"]
            if not suffix and shape.actor is not None and n < net.layers:
                yield f"FWq{n}", "rlc_nn_forward", ahead, macs[f"FWq{n}"]
            back = {
                **shared, "LANES_IN": lanes[1], "LANES_OUT": lanes[0], "WORDS_IN": words[1], "WORDS_OUT": words[0],
                "GROUPS": net.backward[n - 1],
            }  # fmt: skip
            if n > 1:
                yield f"BW{suffix}{n}", "rlc_nn_backward", back, macs[f"BW{suffix}{n}"]
            if not suffix and shape.actor is not None:
                critic = back if n > 1 else {**back, "GROUPS": 1, "WORDS_OUT": shape.action_words}
                yield f"BWq{n}", "rlc_nn_backward", critic, macs[f"BWq{n}"]
            outer = {
                **shared, "LANES_J": lanes[1], "WORDS_J": words[1], "LANES_I": lanes[0], "WORDS_I": words[0],
                "GROUPS": net.backward[n - 1], "SUM_BIAS": _BIAS,
            }  # fmt: skip
            yield f"WA{suffix}{n}", "rlc_nn_weight_grad", outer, macs[f"WA{suffix}{n}"]
            update = {
                "JB": jb, "IB": ib, "WORDS_J": words[1], "LANES_J": lanes[1], "WORDS_I": words[0], "LANES_I": lanes[0],
                "OPTIMISER": shape.optimiser, "ROUND": shape.rounding, "POLYAK": int(shape.polyak),
            }  # fmt: skip
            dsp = jb * ib * (ALL[shape.optimiser].multipliers + shape.polyak)
            yield f"WU{suffix}{n}", "rlc_learner_update", update, dsp
    yield "LOSS", "rlc_rl_td_loss", {"DP": columns, "LANES": shape.value.lanes[-1]}, 3 * columns
    entry = {
        "DP": columns, "LANES": shape.value.lanes[0], "SIZE_S": shape.state_size, "SIZE_A": shape.action_size,
        "RECORDS": shape.records,
    }  # fmt: skip
    yield "IN", "rlc_learner_batch", entry, 0
    if shape.actor is not None:
        elements = {"DP": columns, "LANES": shape.value.lanes[0]}
        places = {"A_PLACES": 16, "D_PLACES": _slopes(shape)}
        each = columns * shape.value.lanes[0]
        yield "TANH", "rlc_rl_tanh", {**elements, **places, "DERIVATIVE": 1}, 2 * each
        yield "TTANH", "rlc_rl_tanh", {**elements, **places, "DERIVATIVE": 0}, each
        yield "TAIL", "rlc_rl_tanh_backward", elements, each


def period(net: NetworkShape, columns: int) -> int:
    """Clocks of a batch slice that the Verilog sizes its queues for."""
    layers = range(1, net.layers + 1)
    return max(columns + 3, *(max(net.forward_steps(n), net.backward_steps(n)) for n in layers))


def between(net: NetworkShape, first: int, turn: int, answer: int) -> int:
    """Batch slices between a layer's input and the delta that answers it: `between` of rlc_learner_defs.vh."""
    clocks = answer + sum(2 * (turn + 16) + net.lanes[n - 1] + net.lanes[n] for n in range(first, net.layers + 1))
    return clocks // turn + 3


def _through(shape: LearnerShape) -> int:
    """Clocks of a batch slice through the critic and back."""
    return 2 * shape.value.layers * (period(shape.value, shape.columns) + 40) + 40


def _slopes(shape: LearnerShape) -> int:
    """Words of slopes that wait for the critic."""
    return (_through(shape) // period(shape.value, shape.columns) + 6) * shape.action_words


def _queues(shape: LearnerShape) -> Part:
    """The queues between the units."""
    columns = shape.columns
    turn = period(shape.value, columns)
    ahead = 0
    if shape.actor is not None:
        turn_actor = period(shape.actor, columns)
        ahead = shape.actor.layers * (turn_actor + 40) + 40
    through = _through(shape)
    nets = [(shape.value, turn, 40 + ahead + turn)]
    if shape.actor is not None:
        nets.append((shape.actor, turn_actor, through + 80))
    memory = Part()
    for net, pace, answer in nets:
        for n in range(1, net.layers + 1):
            words = between(net, n, pace, answer) * net.words[n - 1]
            wide = columns * net.lanes[n - 1]
            memory += (block if words > 64 else distributed)(wide * _X, 1 << clog2(words))
            memory += distributed(columns * net.lanes[n] * _X, 1 << clog2(2 * net.words[n] + 2))
            if n > 1:
                memory += distributed(wide, 1 << clog2(words))
    if shape.actor is not None:
        word = columns * shape.value.lanes[0] * _X
        wait = (ahead // turn_actor + 4) * shape.state_words
        branch = (ceil_div(shape.batch_max, columns) + 4) * shape.state_words
        memory += distributed(word, 1 << clog2(wait)) * 2 + block(word, 1 << clog2(branch))
        for n in range(1, shape.value.layers):
            words = between(shape.value, n, turn, through) * shape.value.words[n]
            memory += distributed(columns * shape.value.lanes[n], 1 << clog2(words))
    return memory


def _rest_features(shape: LearnerShape) -> list[float]:
    nets = [shape.value] + ([shape.actor] if shape.actor else [])
    layers = sum(net.layers for net in nets)
    lanes = shape.columns * sum(sum(net.lanes[1:]) for net in nets)
    return [1, layers, lanes, shape.columns, float(shape.actor is not None), shape.value.lanes[0]]


def _wholes() -> Iterator[tuple[LearnerShape, Mapping[str, float]]]:
    """Whole learners that were measured, alone or inside the replay learner."""
    for m in measure.table():
        if m.core == "learner" and not m.module:
            yield LearnerShape.of(m.parameters), m.counts
        if m.core == "replay_learner" and m.module == "rlc_learner_axi":
            yield LearnerShape.of(configs.load(m.core, m.config)), m.counts


@lru_cache
def _rest(left_out: measure.LeftOut) -> dict[str, fit.Fit]:
    """What is outside the units and queues, by their shape: whole learners less the models of these."""
    wholes = [(shape, counts, _inside(shape)) for shape, counts in _wholes()]
    return {r: fit.fit(_rest_features, [(shape, n[r], known[r]) for shape, n, known in wholes]) for r in ("lut", "ff")}


def _inside(shape: LearnerShape) -> Counts:
    return add({"lut": _queues(shape).lut}, *(module(name, p) for _, name, p, _ in units(shape)))


def parts(parameters: Mapping[str, int | str]) -> dict[str, Counts]:
    """Resources of `rlc_learner_axi` by unit, and 'rest'. Raises ValueError for a shape that cannot be built."""
    return shape_parts(LearnerShape.of(parameters))


def shape_parts(shape: LearnerShape) -> dict[str, Counts]:
    """The same of a shape."""
    counts = {name: module(kind, p) | {"dsp": dsp} for name, kind, p, dsp in units(shape)}
    queues, rest = _queues(shape), _rest(measure.left_out())
    counts["rest"] = {
        "lut": queues.lut + rest["lut"](shape), "ff": rest["ff"](shape), "dsp": 0, "bram36": queues.bram36, "uram": 0,
    }  # fmt: skip
    return counts


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_learner_axi`."""
    return add(*parts(parameters).values())
