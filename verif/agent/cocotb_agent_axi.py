"""Tests of the agent with its environments behind AXI: drivers over UVM agents, and the model."""

import cocotb
import pyuvm
from agent_sequences import Ends, Limits, Registers, Runs
from agent_uvm import COVERAGE, AgentEnv
from uvm_core import CoreTest


@pyuvm.test()
class runs_leave_what_the_model_leaves(CoreTest):
    environment = AgentEnv
    sequence = Runs


@pyuvm.test()
class saturated_numbers_are_counted_and_flagged_once(CoreTest):
    environment = AgentEnv
    sequence = Limits


@pyuvm.test()
class stop_free_and_halt_end_at_rest_and_a_run_after_them_is_the_models(CoreTest):
    environment = AgentEnv
    sequence = Ends


@pyuvm.test()
class registers_keep_what_is_written_and_a_reset_takes_it_back(CoreTest):
    environment = AgentEnv
    sequence = Registers


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
