"""Tests of the environment core behind AXI: every answer, register, flag and interrupt against the integer model."""

import cocotb
import pyuvm
from env_env import COVERAGE, EnvEnv
from env_sequences import Aborts, Ends, Play, Refusals, Resets
from uvm_core import CoreTest


class EnvTest(CoreTest):
    environment = EnvEnv


@pyuvm.test()
class episodes_are_the_models_from_any_seed(EnvTest):
    sequence = Play


@pyuvm.test()
class a_step_may_terminate_and_truncate_at_once(EnvTest):
    sequence = Ends


@pyuvm.test()
class an_abort_or_start_at_any_time_leaves_whole_episodes(EnvTest):
    sequence = Aborts


@pyuvm.test()
class what_is_refused_is_flagged_and_changes_nothing(EnvTest):
    sequence = Refusals


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(EnvTest):
    sequence = Resets


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
