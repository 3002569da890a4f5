"""Tests of the PPO core behind AXI: actions, weights, episodes, registers, flags and interrupts against the model."""

import cocotb
import pyuvm
from ppo_sequences import Aborts, Elsewhere, Extremes, Learn, Refusals, Registers, Resets
from ppo_uvm import COVERAGE, PpoEnv
from uvm_core import CoreTest


class PpoTest(CoreTest):
    environment = PpoEnv


@pyuvm.test()
class runs_are_the_models_and_go_on_where_they_ended(PpoTest):
    sequence = Learn


@pyuvm.test()
class numbers_that_do_not_deviate_or_do_not_fit_are_the_models(PpoTest):
    sequence = Extremes


@pyuvm.test()
class rollouts_of_elsewhere_are_trained_on_as_the_model_does(PpoTest):
    sequence = Elsewhere


@pyuvm.test()
class an_abort_at_any_time_leaves_a_whole_next_run(PpoTest):
    sequence = Aborts


@pyuvm.test()
class what_is_refused_is_flagged_and_changes_nothing(PpoTest):
    sequence = Refusals


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(PpoTest):
    sequence = Resets


@pyuvm.test()
class registers_keep_what_is_written_and_a_reset_takes_it_back(PpoTest):
    sequence = Registers


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
