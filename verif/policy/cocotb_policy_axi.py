"""Tests of the policy core behind AXI: every answer, register, flag and interrupt against the integer model."""

import cocotb
import pyuvm
from policy_env import COVERAGE, PolicyEnv
from policy_sequences import Aborts, Act, Limits, Refusals, Resets
from uvm_core import CoreTest


class PolicyTest(CoreTest):
    environment = PolicyEnv


@pyuvm.test()
class answers_are_the_models_while_weights_come(PolicyTest):
    sequence = Act


@pyuvm.test()
class a_number_that_is_saturated_is_flagged_and_counted(PolicyTest):
    sequence = Limits


@pyuvm.test()
class an_abort_at_any_time_forgets_everything(PolicyTest):
    sequence = Aborts


@pyuvm.test()
class what_is_refused_is_flagged_and_changes_nothing(PolicyTest):
    sequence = Refusals


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(PolicyTest):
    sequence = Resets


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
