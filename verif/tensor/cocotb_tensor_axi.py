"""Tests of the tensor core behind AXI: every beat, register, flag and interrupt against the integer model."""

import cocotb
import pyuvm
from tensor_env import COVERAGE, TensorEnv
from tensor_sequences import Aborts, Refusals, Resets, Trains
from uvm_core import CoreTest


class TensorTest(CoreTest):
    environment = TensorEnv


@pyuvm.test()
class every_learner_is_trained_with_the_models_bits(TensorTest):
    sequence = Trains


@pyuvm.test()
class what_does_not_fit_is_flagged_and_changes_nothing(TensorTest):
    sequence = Refusals


@pyuvm.test()
class an_abort_at_any_time_forgets_everything(TensorTest):
    sequence = Aborts


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(TensorTest):
    sequence = Resets


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
