"""Functional coverage of the GAE core: which bins there are for a parameter set, and when they are hit."""

from itertools import pairwise

import numpy as np
from gae_rollouts import LONGEST, RolloutShape
from uvm_coverage import Coverage

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.gae.array import DROP_MAX
from rlcores.cores.gae.model import GaeModelBus, unpack_input
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED, quantise

# Kept over all tests of one simulation.
COVERAGE = Coverage()

AXIL_CHANNELS = ("aw", "w", "b", "ar", "r")
# Causes of a refused configuration: out of range in SCALE, or in the write itself.
CONFIG_CAUSES = (
    *("qbits_low", "qbits_high", "clip_zero", "shift_high", "gamma_high", "gamma_lambda_high", "offset_high"),
    *("value_scale_high", "start_before_scale"),
    *("write_qbits", "write_clip", "write_shift", "write_reward_inv_shift", "write_value_inv_shift"),
)
FLAGS = (
    *("LOAD_WHILE_COMPUTED", "BAD_COMMAND", "OUTPUT_SATURATED", "VALUE_CLIPPED", "REWARD_CLIPPED", "SCALE_SAT"),
    *("SIGMA_ZERO_V", "SIGMA_ZERO_R", "CONFIG", "NOTHING_COMPUTED", "NOTHING_LOADED", "BUSY", "NO_BOOT"),
    *("REFUSED_LANE", "REFUSED_FULL"),
)


def goal(shape: RolloutShape) -> set[str]:
    """The bins that a simulation of this parameter set must hit. STATS_FULL needs 2**40 records and is left out."""
    p = shape.parameters
    bins = {f"flag.{name}" for name in FLAGS} | {f"config.{cause}" for cause in CONFIG_CAUSES}
    bins |= {f"stall.s_axil.{channel}" for channel in AXIL_CHANNELS} | {"stall.s_axis", "stall.m_axis"}
    bins |= {"axil.slverr", "irq.done", "irq.flag", "rollout", "load.several_passes"}
    bins |= {f"kind.{name}" for name in ("step", "terminated", "boot", "none")}
    bins |= {
        "boot.first",
        "boot.last",
        "boot.twice",
        "episode.one_step",
        "lane.one_step",
        "lane.full",
        "lane.boot_only",
    }
    bins |= {"order.include", "order.previous", "qbits.low", "qbits.all", "shift.zero", "shift.highest"}
    bins |= {"scale.reward_auto", "scale.reward_manual", "scale.value_auto", "scale.value_manual"}
    bins |= {"gamma.zero", "gamma.one", "gamma.between", "lambda.zero", "lambda.one", "lambda.between"}
    bins |= {f"abort.in_{command}" for command in ("IDLE", "MEASURE", "LOAD", "READ", "SCALE", "START")}
    bins |= {f"abort.{command}_{how}_beats" for command in ("MEASURE", "LOAD") for how in ("with", "without")}
    bins |= {
        "abort.READ_cut",
        "abort.READ_left",
        "abort.READ_some_came",
        "abort.order_previous",
        "abort.after_a_load",
    }
    if shape.formats.wide:
        bins |= {"config.write_out_drop", "drop.least", "drop.most"}
    if p.get("TRACE"):
        bins |= {f"coefficient.{which}" for which in ("zero", "between", "one", "below_zero", "above_one")}
    if p["STACKS"] > 1:
        at_once = ("load_and_run", "load_and_read", "run_and_read", "load_waits")
        bins |= {f"auto_run.{what}" for what in ("sent", "refused", "busy", "two", "reset", *at_once)}
        bins |= {"auto_run.abort", *(f"auto_run.abort_{what}" for what in at_once)}
    bins |= {f"reset.in_{command}" for command in ("LOAD", "START", "READ", "SCALE")}
    ends = ("limit_high", "limit_low", "clipped_high", "clipped_low")
    bins |= {f"{side}.{end}" for side in ("reward", "value") for end in ends}
    bins |= {"refused.lane_beyond"}
    if p["BEAT"] > 1:
        bins |= {"refused.place_in_beat", "holes"}
    prefixes = ["window."] + (["window.interleaved."] if p["INTERLEAVE"] > 1 else [])
    reach = p["LOOKAHEAD"]
    bins |= {f"{x}terminated.{d}" for x in prefixes for d in range(reach + 1)}
    bins |= {f"{x}boot.{d}" for x in prefixes for d in range(1, reach + 1)}
    if shape.lanes > 1:
        bins.add("lane.empty")
    if shape.lanes > p["ROWS"]:
        bins.add("lanes.more_than_rows")
    saturating = {f"{code}.saturated_{way}" for code in ("adv", "rtg") for way in ("high", "low")}
    # A short lane of narrow codes cannot reach the end of a 16-bit result.
    largest = min(shape.depth, LONGEST) * ((1 << (p["QBITS"] - 1)) - 1) << shape.formats.shift_max
    if largest > 1 << (p["OUT_BITS"] - 1 + shape.least_drop):
        bins |= saturating
    else:
        bins -= {"flag.OUTPUT_SATURATED"}
    if shape.depth < 2 * reach + 4:  # too short for every distance
        bins = {name for name in bins if not name.startswith("window.")}
    return bins


class Sampler:
    """Looks at the model when something happens and counts bins."""

    def __init__(self, shape: RolloutShape) -> None:
        self.shape = shape
        self.coverage = COVERAGE
        COVERAGE.want(goal(shape))
        self.passes = 0

    def hit(self, name: str, times: int = 1) -> None:
        self.coverage.hit(name, times)

    def command(self, name: str, core: GaeModelBus) -> None:
        """A command was accepted; CONFIG is told by whoever caused it."""
        if name == "CLEAR" or name == "READ":
            self.passes = 0
        if name != "SCALE":
            return
        config, p = core.config, self.shape.parameters
        self.hit("order.previous" if core.order_previous else "order.include")
        self.hit("qbits.all" if config.qbits == p["QBITS"] else "qbits.low")
        self.hit("shift.zero", config.shift == 0)
        self.hit("shift.highest", config.shift == self.shape.formats.shift_max)
        if self.shape.formats.wide:
            self.hit("drop.least", core.drop == 0)
            self.hit("drop.most", core.drop == DROP_MAX)
        for side, auto in (("reward", config.reward_auto), ("value", config.value_auto)):
            self.hit(f"scale.{side}_{'auto' if auto else 'manual'}")
        for what, gain, whole in (
            ("gamma", config.gamma, 1 << 31),
            ("lambda", config.gamma_lambda, config.gamma),
        ):
            if config.gamma:
                self.hit(f"{what}.{'zero' if gain == 0 else 'one' if gain == whole else 'between'}")
            elif what == "gamma":
                self.hit("gamma.zero")

    def loading(self, core: GaeModelBus, words: np.ndarray) -> None:
        """A pass of LOAD is about to be taken."""
        lanes, kinds, _, _ = unpack_input(words)
        for name, kind in (("none", NONE), ("step", STEP), ("boot", BOOT), ("terminated", TERMINATED)):
            self.hit(f"kind.{name}", int((kinds == kind).sum()))
        present = kinds != NONE
        self.hit("holes", bool((present.any(axis=1) & ~present.all(axis=1)).any()))
        self.hit("refused.lane_beyond", int((present & (lanes >= self.shape.lanes)).sum()))
        place = lanes % self.shape.banks % self.shape.beat != np.arange(self.shape.beat)
        self.hit("refused.place_in_beat", int((present & (lanes < self.shape.lanes) & place).sum()))
        self._limits(core, words)
        self.passes += 1

    def _limits(self, core: GaeModelBus, words: np.ndarray) -> None:
        # The largest code there is, without clipping: one raw number further clips.
        _, kinds, rewards, values = unpack_input(words)
        s, limit = core.scales, core.config.limit
        for side, x, scale, there in (
            ("reward", rewards, (s.reward_mean, s.reward_inv, s.reward_inv_shift), (kinds & 1) == 1),
            ("value", values, (s.value_mean, s.value_inv, s.value_inv_shift), kinds != NONE),
        ):
            codes, clipped = quantise(x, *scale, limit)
            for way, code in (("high", limit), ("low", -limit)):
                self.hit(f"{side}.limit_{way}", int((there & (codes == code) & ~clipped).sum()))
                self.hit(f"{side}.clipped_{way}", int((there & (codes == code) & clipped).sum()))

    def started(self, core: GaeModelBus) -> None:
        """START was accepted and the model has its results."""
        p, shape = self.shape.parameters, self.shape
        self.hit("load.several_passes", self.passes > 1)
        used = core.level > 0
        self.hit("lane.empty", int((~used).sum()))
        self.hit("lanes.more_than_rows", bool(used.sum() > p["ROWS"]))
        for lane in np.flatnonzero(used).tolist():
            length = int(core.level[lane])
            kinds = core.kinds[lane, :length].tolist()
            self.hit("boot.first", kinds[0] == BOOT)
            self.hit("boot.last", kinds[-1] == BOOT and length > 1)
            self.hit("boot.twice", any(a == b == BOOT for a, b in pairwise(kinds)))
            self.hit("lane.boot_only", kinds == [BOOT])
            self.hit("lane.one_step", length == 2 and kinds[0] & 1)
            self.hit("lane.full", length == shape.depth + 1)
            ends = [BOOT, *kinds]
            self.hit(
                "episode.one_step",
                any(a in (BOOT, TERMINATED) and b == TERMINATED for a, b in pairwise(ends)),
            )
            neighbours = [other for other in range(lane % shape.banks, shape.lanes, shape.banks) if other != lane]
            shared = any(core.level[other] > 2 for other in neighbours)
            for t, kind in enumerate(kinds):
                if kind & 1:
                    self._window(kinds[t : t + p["LOOKAHEAD"] + 1], shared)
        if p.get("TRACE"):
            self._coefficients(core)
        self._saturation(core)

    def _coefficients(self, core: GaeModelBus) -> None:
        # Of the steps whose coefficient counts.
        _, _, scales, _ = core.constants
        known = self.shape.formats
        one = 1 << known.coefficient
        codes = core.value_codes[core.kinds == STEP]
        c = one + ((codes * scales.value_scale + scales.value_offset + (1 << (known.fraction - 1))) >> known.fraction)
        for name, those in (
            ("zero", c == 0),
            ("between", (c > 0) & (c < one)),
            ("one", c == one),
            ("below_zero", c < 0),
            ("above_one", c > one),
        ):
            self.hit(f"coefficient.{name}", int(those.sum()))

    def _window(self, kinds: list[int], shared: bool) -> None:
        # Distance from a step to the first end of an episode that its look-ahead window meets.
        for distance, kind in enumerate(kinds):
            if kind != STEP:
                name = f"{'terminated' if kind == TERMINATED else 'boot'}.{distance}"
                self.hit(f"window.{name}")
                self.hit(f"window.interleaved.{name}", shared)
                return

    def _saturation(self, core: GaeModelBus) -> None:
        results = core.results
        step = (core.kinds & 1) == 1
        high = (1 << (core.out_bits - 1)) - 1
        adv, rtg = results.exact_advantages, results.exact_advantages + results.exact_values
        for name, x in (("adv", adv), ("rtg", rtg)):
            codes = round_shift(x, core.constants[1])[step]
            self.hit(f"{name}.saturated_high", int((codes > high).sum()))
            self.hit(f"{name}.saturated_low", int((codes < -high - 1).sum()))
