"""The native learner core against the integer model over whole training runs; and broken cores that are seen.

The clocks are driven in C++ (rlcores_lab.bench.learner_drive), so a hundred gradient steps take a moment; what takes
time is to build a core. Records and priorities stall at random in every run.
"""

import random
from collections.abc import Mapping

import learner_structure
import learner_traffic as traffic
import numpy as np
import pytest
from learner_shapes import SHAPES

from rlcores.cores.learner.layout import planes
from rlcores.eda import configs
from rlcores.errors import RunFailed
from rlcores_lab.bench.learner_drive import LearnerDrive

SLOW = pytest.mark.slow
STEPS = 100
# Configurations that are large enough to have every kind of parallelism, and so take minutes to build.
WIDE = [name for name in ("small2", "deep", "dp4", "ddpg_small", "ecp5")]


class Trainee:
    """A core and its model, side by side."""

    def __init__(self, drive: LearnerDrive, seed: int) -> None:
        self.drive, self.rng = drive, random.Random(seed)
        self.since_sync = 0
        self.saturated: set[int] = set()  # stages that saturated
        self.steps = self.priorities = 0

    def train(self, mood: str, steps: int, *, held: bool = False) -> None:
        """New registers and weights of a mood, then `steps` steps; everything must be the same at the end.

        held: records come at full speed and hardly anybody takes a priority, so that every queue fills up.

        Raises AssertionError, or RunFailed when the core hangs.
        """
        drive, rng, shape = self.drive, self.rng, self.drive.shape
        batch = 1 if mood == "fine" else rng.choice((1, shape.batch_max, rng.randint(1, shape.batch_max)))
        form = traffic.formats(rng, shape, mood)
        settings = traffic.settings(rng, shape, form, mood, batch)
        model = drive.model(form, settings)
        model.since_sync = self.since_sync
        networks = [(model.network, shape.value)] + ([(model.actor, shape.actor)] if shape.actor else [])
        for network, what in networks:
            for plane in planes(shape):
                network.set_matrices(traffic.plane(rng, shape, what, plane, mood), plane)
        drive.configure(form, settings)
        drive.load_model(model)
        drive.seed()
        assert not drive.differences(model), "what was loaded does not come back"
        batches = [traffic.records(rng, shape, form, batch, mood) for _ in range(steps)]
        gap, wait = (0, 250) if held else (rng.choice((0, 60, 200)) for _ in range(2))
        run = drive.run(batches, rec_gap=gap, prio_wait=wait, seed=rng.getrandbits(32), alone=rng.random() < 0.2)
        for number, records in enumerate(batches):
            expected = model.step_records(records)
            priorities = run.priorities[number]
            assert np.array_equal(priorities, expected), (
                f"batch {number} of {settings}: {priorities} instead of {expected}"
            )
        wrong = np.flatnonzero(run.saturated != model.counters)
        assert not wrong.size, f"counters {wrong}: {run.saturated[wrong]} instead of {model.counters[wrong]}"
        differences = drive.differences(model)
        assert not differences, f"{differences} with {form} and {settings}"
        self.since_sync = model.since_sync
        self.saturated |= set(np.flatnonzero(model.counters).tolist())
        self.steps += steps
        self.priorities += sum(len(part) for part in run.priorities)


def exact(parameters: Mapping[str, int | str], seed: int, steps: int = STEPS) -> None:
    """A long run of real numbers, then short ones with numbers and fractions of any kind."""
    with LearnerDrive(parameters) as drive:
        trainee = Trainee(drive, seed)
        trainee.train("calm", steps)
        for number, mood in enumerate(("loose", "far", "hot", "loose")):
            trainee.train(mood, 12, held=number == 0)
        for _ in range(4):
            trainee.train("fine", 3)  # of several columns all but one are empty
        stages, layers = learner_structure.stages(drive.shape), drive.shape.value.layers
        saturated = {stages[name] for name in ("in", "fw1", "td", "delta", f"wa{layers}", f"wu{layers}")}
        for _ in range(30):
            if saturated <= trainee.saturated:
                break
            trainee.train("hot", 6)
    assert trainee.steps >= steps + 48 and trainee.priorities >= trainee.steps
    assert saturated <= trainee.saturated, f"stages {saturated - trainee.saturated} never saturated"


# In `make test` each optimiser and rounding, one to four columns, one and two weight layers.
QUICK = ("3-2 sgd", "2-3-2 adam dp2", "4-5-2 momentum dp4")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else SLOW) for n in SHAPES])
def test_weights_are_exact_after_a_hundred_steps(name, seed):
    exact(SHAPES[name], seed)


@SLOW
@pytest.mark.parametrize("name", WIDE)
def test_weights_are_exact_after_a_hundred_steps_of_a_wide_core(name, seed):
    exact(configs.load("learner", name), seed)


@SLOW
@pytest.mark.parametrize("name", SHAPES)
def test_weights_are_exact_after_thousands_of_steps(name, seed):
    exact(SHAPES[name], seed + 1, 3000)


# Shapes that the broken cores have: the smallest in which the words matter.
LEAST, PLAIN, AVERAGED, BATCH_SLICES, DDPG = "3-2 sgd", "2-3-2 adam", "3-5-2 momentum", "2-3-3-2 adam dp2", "ddpg sgd"
# What is broken -> the shape, and a few words of the core with what a copy of it says instead (file, right, wrong).
BROKEN = {
    "a row goes on from the vector before": (
        PLAIN,
        (("nn/rlc_nn_matvec", ".acc(!first_tap[g+LANES_IN+1+OPERANDS])", ".acc(1'b1)"),),
    ),
    "a batch begins with the weights before": (
        PLAIN,
        (("nn/rlc_nn_weights_ready", "!fresh_q || more != 2'd0;", "1'b1;"),),
    ),
    "gradients of the batch before stay": (
        PLAIN,
        (("nn/rlc_nn_weight_grad", ".head_clear(first_s2)", ".head_clear(1'b0)"),),
    ),
}
MORE_BROKEN = {
    "results leave a unit into a queue without room": (
        LEAST,
        (("nn/rlc_nn_credit", "assign room = room_q;", "assign room = 1'b1;"),),
    ),
    "a bias stays at its own fraction": (PLAIN, (("nn/rlc_nn_bias", "wide <<< cfg_bias_shift", "wide"),)),
    "negative sums pass the rectifier": (
        PLAIN,
        (("nn/rlc_nn_narrow", "RELU == 0 || !sum[ACC_WIDTH-1]", "1'b1 || sum[ACC_WIDTH-1]"),),
    ),
    "deltas pass where nothing came through": (
        BATCH_SLICES,
        (("nn/rlc_nn_backward", "(MASK != 0) ? s_mask_data :", "(MASK < 0) ? s_mask_data :"),),
    ),
    "a vector's sums are read before they are written": (
        "1-1-1 sgd dp3",
        (("nn/rlc_nn_weight_grad", "LOOP - WORDS_J * SETS : 0", "LOOP - WORDS_J * SETS - 1 : 0"),),
    ),
    "bias sums of the batch before stay": (
        PLAIN,
        (
            (
                "nn/rlc_nn_weight_grad",
                "batch_slice_s2 + (first_s2 ? {SUM_BIAS{1'b0}} : old_s2)",
                "batch_slice_s2 + old_s2",
            ),
        ),
    ),
    "a vector is overwritten while it is played": (
        "2-3-4-2 sgd",
        (("nn/rlc_nn_vector", "assign s_ready = !full_q[fill_half_q];", "assign s_ready = 1'b1;"),),
    ),
    "the value after the end of an episode counts": (
        PLAIN,
        (("rl/rlc_rl_td_error", "terminated ? {WIDTH{1'b0}} : q_next;", "q_next;"),),
    ),
    "errors above the limit pass": (
        PLAIN,
        (("rl/rlc_rl_td_error", "huber_q && exact > limit;", "1'b0 && huber_q && exact > limit;"),),
    ),
    "importance weights do not count": (
        PLAIN,
        (("rl/rlc_rl_td_error", ".d(18'd0 - weight)", ".d(18'd0 - 18'h20000)"),),
    ),
    "a record that is none has a delta": (PLAIN, (("rl/rlc_rl_td_error", "record_s ? narrow : 18'd0", "narrow"),)),
    "the online network's best action is not asked": (
        PLAIN,
        (("rl/rlc_rl_pick", "double_dqn ? sum_chosen_q : best_q", "best_q"),),
    ),
    "of equal values the last one wins": (PLAIN, (("rl/rlc_rl_max", "right > left;", "right >= left;"),)),
    "rewards are not scaled back": (PLAIN, (("rl/rlc_rl_info", "~turned", "turned"),)),
    "an action that does not exist is taken": (
        PLAIN,
        (("learner/rlc_learner_batch", ">= ACTIONS_32", "> ACTIONS_32"),),
    ),
    "the learning rate climbs": (
        "2-3-4-2 sgd",
        (
            ("nn/rlc_nn_sgd_lane", "assign add   = ~whole;", "assign add   = whole;"),
            ("nn/rlc_nn_sgd_lane", "assign carry = !up;", "assign carry = up;"),
        ),
    ),
    "momentum does not round": (AVERAGED, (("nn/rlc_nn_momentum_lane", "g, 17'h10000}", "g, 17'h00000}"),)),
    "Adam's first moment does not round": (PLAIN, (("nn/rlc_nn_adam_lane", "m_part[BETA1_SHIFT-1]", "1'b0"),)),
    "Adam's second moment does not round": (PLAIN, (("nn/rlc_nn_adam_lane", "v_part[BETA2_SHIFT-1]", "1'b0"),)),
    "Adam divides by less than it may": (PLAIN, (("nn/rlc_nn_adam_lane", "v_least_s1 ? eps : v_log_s1", "v_log_s1"),)),
    "Adam's ratio is not clipped": (PLAIN, (("nn/rlc_nn_adam_lane", "clip_s4 ? clip_rate : scaled_s4", "scaled_s4"),)),
    "target weights are not averaged": (
        AVERAGED,
        (("nn/rlc_nn_weight", "copy_q  <= tau == 17'd0;", "copy_q  <= 1'b1;"),),
    ),
    "the target follows a step late": (
        PLAIN,
        (("learner/rlc_learner_net", "next >= cfg_sync_interval", "next > cfg_sync_interval"),),
    ),
    "the actor's slope is that of a line": (
        DDPG,
        (("rl/rlc_rl_tanh", "wire signed [17:0] minus_a = -a;", "wire signed [17:0] minus_a = 0;"),),
    ),
    "the actor's deltas are out of step": (
        DDPG,
        (("rl/rlc_rl_tanh_backward", ".s_data(product)", ".s_data(-product)"),),
    ),
}


@SLOW
@pytest.mark.parametrize("name", [*BROKEN, *MORE_BROKEN])
def test_a_core_with_a_wrong_line_is_seen(name, break_line, seed):
    shape, changes = (BROKEN | MORE_BROKEN)[name]
    for file, right, wrong in changes:
        break_line(f"rtl/{file}.*v", right, wrong)
    with LearnerDrive(SHAPES[shape]) as drive:
        trainee = Trainee(drive, seed)
        with pytest.raises((AssertionError, RunFailed)) as seen:
            for number in range(40):
                trainee.train(traffic.MOODS[number % 4], 10, held=number % 3 == 0)
    assert "does not build" not in str(seen.value)


def test_each_line_to_break_is_there(file_with):
    for _, changes in (BROKEN | MORE_BROKEN).values():
        for file, right, _ in changes:
            file_with(f"rtl/{file}.*v", right)
