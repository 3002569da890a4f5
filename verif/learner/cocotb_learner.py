"""Tests of the native learner: every priority, counter and plane against the integer model, in order.

LEARNER_STEPS in the environment says how many gradient steps the long run has (default 100).
"""

import cocotb
import pyuvm
from learner_coverage import COVERAGE
from learner_env import LearnerEnv
from learner_sequences import (
    Aborts,
    Batches,
    EveryMood,
    HundredSteps,
    Limits,
    Losses,
    Pressure,
    Refused,
    Resets,
    StopAndGo,
    Updates,
)
from uvm_core import CoreTest


class LearnerTest(CoreTest):
    environment = LearnerEnv


@pyuvm.test()
class weights_are_exact_after_many_steps(LearnerTest):
    sequence = HundredSteps


@pyuvm.test()
class any_registers_weights_and_records_give_what_the_model_gives(LearnerTest):
    sequence = EveryMood


@pyuvm.test()
class every_stage_limits_and_counts(LearnerTest):
    sequence = Limits


@pyuvm.test()
class batches_of_any_length_are_trained_to_their_end(LearnerTest):
    sequence = Batches


@pyuvm.test()
class every_kind_of_loss_and_record_counts_as_it_must(LearnerTest):
    sequence = Losses


@pyuvm.test()
class optimiser_target_and_seed_follow_their_registers(LearnerTest):
    sequence = Updates


@pyuvm.test()
class priorities_that_wait_hold_the_core_and_nothing_is_lost(LearnerTest):
    sequence = Pressure


@pyuvm.test()
class a_stop_ends_after_the_batch_and_weights_can_be_read(LearnerTest):
    sequence = StopAndGo


@pyuvm.test()
class fractions_that_do_not_fit_are_refused(LearnerTest):
    sequence = Refused


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(LearnerTest):
    sequence = Resets


@pyuvm.test()
class an_abort_at_any_time_leaves_an_idle_core_with_its_whole_steps(LearnerTest):
    sequence = Aborts


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    hit, hits = len(COVERAGE.goal) - len(COVERAGE.holes), COVERAGE.hits
    cocotb.log.info(f"functional coverage: {hit} of {len(COVERAGE.goal)} bins")
    cocotb.log.info(f"{hits['steps']} steps, {hits['records']} records")
    COVERAGE.check()
