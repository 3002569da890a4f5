"""Resources of the PPO core, module by module.

The tensor units are the learner's. Of what acts, trains and stands around the networks, memories, queues and DSP slices
are counted from the Verilog; the rest is fitted to measurements.json. There the whole core is in its configuration
`tiny` alone, and rlc_ppo_train_ctrl in larger ones. Of a Gaussian policy only the DSP slices are known: for all else
its loss counts as the categorical one's.

`python -m rlcores_lab.area.ppo` prints the table of docs/ppo_core.md.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rlcores.cores.ppo.records import KIND
from rlcores.cores.ppo.shape import PpoShape, balanced
from rlcores.cores.ppo.words import CLIP, VALUE
from rlcores.eda import configs
from rlcores_lab.area import common
from rlcores_lab.area import env as env_area
from rlcores_lab.area import learner as learner_area
from rlcores_lab.area.estimate import fit, measure
from rlcores_lab.area.estimate.memory import block, clog2, distributed, read
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, named, of
from rlcores_lab.cycles.ppo import cycles

_LANE = 2  # of the weight update: the clipped gradient, and its square
# Parts that no shape changes. A product of two numbers of more than 18 bits is two slices.
_FIXED = {
    "policy loss": 10,  # rlc_rl_clip_categorical, or rlc_rl_clip_gaussian
    "value loss": 1,  # rlc_rl_value_loss
    "collect": 2,  # reward's scale, gamma times the value of a truncated episode's last observation
    "statistics": 6,  # rlc_ppo_scale and rlc_ppo_standardise
    "norm and rate": 3,  # rlc_ppo_grad_norm and rlc_ppo_lr_schedule
    "permutation": 6,  # rlc_ppo_index_cipher
}
_ROW = 2  # rlc_ppo_gae
_ACT = 4  # rlc_ppo_act
_ACT_GAUSSIAN = 8
_DEVIATIONS = 3  # rlc_ppo_log_std


def parts(shape: PpoShape) -> dict[str, int]:
    """DSP slices of the parts of a core, without its environments."""
    lanes = sum(net.update_lanes(n) for net in shape.networks.values() for n in range(1, net.layers + 1))
    return {
        "tensor units": sum(shape.macs().values()),
        "weight update": lanes * _LANE,
        "gae": shape.gae_rows * _ROW,
        "acting": _ACT_GAUSSIAN if shape.gaussian else _ACT,
        "log-deviations": _DEVIATIONS * shape.gaussian,
        **_FIXED,
    }


def dsp(shape: PpoShape) -> int:
    """DSP slices of a core, without its environments."""
    return sum(parts(shape).values())


Parameters = Mapping[str, int]
_NUMBER, _OUTPUT = 18, 27  # bits of an observation's number and of a delta; of a network's output
_QUEUE_IN_BLOCKS = 64  # places of a queue, from which on it is block RAM where that is wanted
_TABLE = Part(bram36=0.5)
_FEED = 32  # records on their way


def _queue(width: int, depth: int, blocks: bool = False) -> Part:
    """`rlc_fifo`."""
    if not (blocks and depth > _QUEUE_IN_BLOCKS):
        return common.fifo(width, depth)
    return common.fifo(0, depth) + block(width, 1 << clog2(depth))


def _loop(p: Parameters) -> Part:
    envs, records = p["N_ENVS"], p["N_ENVS"] * p["STEPS"]
    places, bits = max(2, envs), clog2(records)
    area = Part(dsp=_FIXED["collect"] + _FIXED["statistics"] + _FIXED["permutation"] + _ROW) + _TABLE * 2
    codes = p.get("RECORD_BITS", 0)
    for width in (p["OBS_BITS"], p["RAW_BITS"] + (27 if codes else 54), *(() if codes else (28,))):
        area += read(width, records, registers=2)
    if codes:  # a value; a reward with its kind, or an advantage: rlc_ppo_codes
        area += read(codes, records) + read(codes + KIND, records)
    area += _queue(bits, p["BATCH"], blocks=True) + _queue(p["OBS_BITS"], places, blocks=True)
    area += _queue(p["MOVE_BITS"], places, blocks=True) + _queue(29, places)
    area += _queue(p["OBS_BITS"] + p["RAW_BITS"] + 100, _FEED)
    return area + read(27, 1 << max(1, clog2(envs)), 2)


def _episodes(p: Parameters) -> Part:
    turns = _queue(64, p["N_ENVS"] + 1, blocks=p["N_ENVS"] > _QUEUE_IN_BLOCKS)
    return turns + of(distributed(64, 1 << p["KEPT_LOG2"]), 64)


def _bits(p: Parameters) -> list[float]:
    codes = p.get("RECORD_BITS", 0)
    return [1, clog2(p["N_ENVS"] * p["STEPS"]), codes > 0, codes]


_one, _actions, _layers = fit.features(), fit.features("ACTIONS"), fit.features("LAYERS")
LOOP = Module("rlc_ppo_train_ctrl", _loop, _bits, _bits)
POLICY_LOSS = Module(
    "rlc_rl_clip_categorical", lambda p: Part(dsp=_FIXED["policy loss"]) + _TABLE * 4, _actions, _actions
)
VALUE_LOSS = Module("rlc_rl_value_loss", lambda p: Part(dsp=_FIXED["value loss"]), _one, _one)
ACT = Module("rlc_ppo_act", lambda p: Part(dsp=_ACT) + _TABLE * 4, _actions, _actions)
NORM = Module("rlc_ppo_grad_norm", lambda p: Part(dsp=2) + _TABLE * 2, _layers, _layers)
RATE = Module("rlc_ppo_lr_schedule", lambda p: Part(dsp=1) + _TABLE, _one, _one)
EPISODES = Module("rlc_ppo_episodes", _episodes, _one, _one)
REGS = Module("rlc_ppo_regs", lambda p: Part(), _one, _one)


def _queues(shape: PpoShape) -> Part:
    """The queues between the units, and those of the samples in front of and behind the networks."""
    columns, actions = shape.columns, shape.actor.sizes[-1]
    answer = 60 + 4 * actions + 2 * columns * (actions + 1)
    area, batch_slices = Part(), 0
    for net in shape.networks.values():
        turn = learner_area.period(net, columns)
        for n in range(1, net.layers + 1):
            words = learner_area.between(net, n, turn, answer) * net.words[n - 1]
            area += _queue(columns * net.lanes[n - 1] * _NUMBER, words, blocks=True)
            area += _queue(columns * net.lanes[n] * _NUMBER, 2 * net.words[n] + 2)
            if n > 1:
                area += _queue(columns * net.lanes[n - 1], words)
        area += _columns(columns, net.lanes[-1], net.words[-1])
        area += Part(ff=2 * columns * net.words[-1] * net.lanes[-1] * _OUTPUT)  # rlc_ppo_scatter
        batch_slices = max(batch_slices, learner_area.between(net, 1, turn, 2 * columns) + 2)
    action = _OUTPUT * actions if shape.gaussian else max(1, clog2(actions))
    area += _columns(columns, shape.actor.lanes[0], shape.actor.words[0])
    # rlc_ppo_samples of both networks: what waits for outputs, and where batch slices end.
    infos = _queue(1 + action + CLIP.bits, batch_slices * columns)
    infos += _queue(VALUE.bits, batch_slices * columns)
    return area + infos + _queue(columns, batch_slices) * 2


def _columns(columns: int, lanes: int, words: int) -> Part:
    """rlc_ppo_gather of two batch slices: what it shifts, and a queue a column."""
    return _queue(lanes * _NUMBER, max(2, 2 * words)) * columns + Part(ff=lanes * words * _NUMBER)


def _modules(shape: PpoShape, p: Mapping[str, int | str]) -> Counts:
    """The learner's units and the modules above."""
    actor, critic, actions = shape.actor, shape.critic, shape.actor.sizes[-1]
    records = {"N_ENVS": shape.environments, "STEPS": shape.steps}
    raw, move = (_OUTPUT * actions, _NUMBER * actions) if shape.gaussian else (8, 8)
    options = {
        "BATCH": int(p["BATCH_MAX"]), "OBS_BITS": _NUMBER * actor.sizes[0], "RAW_BITS": raw, "MOVE_BITS": move,
        "ACTIONS": actions, "KEPT_LOG2": 7, "RECORD_BITS": shape.record_bits, **records,
    }  # fmt: skip
    area = LOOP(options) + POLICY_LOSS(options) + VALUE_LOSS(options) + ACT(options) + RATE(options) + EPISODES(options)
    area += NORM({"LAYERS": actor.layers + critic.layers + shape.gaussian}) + REGS({})
    units = [
        learner_area.module(kind, own | {"CLIP": 1, "TARGET": 0})
        for net in shape.networks.values()
        for name, kind, own, _ in learner_area.units(shape.learner(net))
        if name[:2] in ("FW", "BW", "WA", "WU")
    ]
    return learner_area.add(area.counts, *units)


def _wholes() -> Iterator[tuple[Mapping[str, int | str], Mapping[str, float]]]:
    """Whole cores that were measured, alone or with their environments."""
    for m in measure.table():
        if (m.core, m.module) in (("ppo", ""), ("ppo_env", "rlc_ppo_axi")):
            yield configs.load(m.core, m.config), m.counts


@lru_cache
def _rest(left_out: measure.LeftOut) -> dict[str, fit.Fit]:
    """What is outside the modules and queues: buses, counters, what joins the units."""
    wholes = []
    for p, counts in _wholes():
        shape = PpoShape.of(p)
        wholes.append((shape, counts, learner_area.add(_modules(shape, p), _queues(shape).counts)))
    return {r: fit.fit(lambda shape: [1], [(shape, n[r], k[r]) for shape, n, k in wholes]) for r in ("lut", "ff")}


_SPLIT = Part(lut=64, ff=130)  # of rlc_ppo_env: rlc_axil_split


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_ppo_axi`, or with ENV of `rlc_ppo_env`. Raises ValueError for a shape that cannot be built."""
    shape = PpoShape.of(parameters)
    shape.check()
    rest = {r: one(shape) for r, one in _rest(measure.left_out()).items()}
    area = learner_area.add(_modules(shape, parameters), _queues(shape).counts, rest) | {"dsp": dsp(shape)}
    return (named(area) + named(env_area.total(parameters)) + _SPLIT).counts if "ENV" in parameters else area


def table() -> str:
    """The clocks of three shapes of 4-64-64-2 and 4-64-64-1, as docs/ppo_core.md shows them."""
    rows = [("2 lanes, 1 row of GAE", balanced()), ("4 lanes, 1 row of GAE", balanced(lanes=4))]
    rows.append(("2 lanes, 4 columns", balanced(columns=4)))
    names = "shape", "collect", "GAE", "statistics", "batch_slices", "fill, norm, update", "clocks a step", "DSP"
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    for name, shape in rows:
        c = cycles(shape)
        parts = [f"{part / shape.records:.2f}" for part in (c.collect, c.gae, c.statistics, c.batch_slices, c.turn)]
        lines.append(f"| {name} | {' | '.join(parts)} | {c.per_step:.2f} | {dsp(shape):,} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
