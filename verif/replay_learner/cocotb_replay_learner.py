"""Tests of the replay learner behind AXI: drivers over UVM agents, and the integer model."""

import cocotb
import pyuvm
from replay_sequences import Aborts, Broken, Faults, Framing, Holds, Host, Registers, Resets, Trains
from replay_uvm import COVERAGE, ReplayEnv
from uvm_core import CoreTest


class ReplayTest(CoreTest):
    environment = ReplayEnv


@pyuvm.test()
class experiences_and_steps_in_turns_leave_what_the_model_leaves(ReplayTest):
    sequence = Trains


@pyuvm.test()
class lost_and_doubled_words_cost_their_records_and_no_other(ReplayTest):
    sequence = Framing


@pyuvm.test()
class errors_of_the_memory_are_told_and_cost_their_records(ReplayTest):
    sequence = Faults


@pyuvm.test()
class experiences_between_batches_are_sampled_from_the_next_one_on(ReplayTest):
    sequence = Holds


@pyuvm.test()
class an_abort_anywhere_leaves_whole_steps_and_experiences(ReplayTest):
    sequence = Aborts


@pyuvm.test()
class a_reset_anywhere_leaves_a_core_that_starts_anew(ReplayTest):
    sequence = Resets


@pyuvm.test()
class the_hosts_operations_are_the_models_and_others_are_refused(ReplayTest):
    sequence = Host


@pyuvm.test()
class wrong_settings_of_the_parts_are_flagged(ReplayTest):
    sequence = Broken


@pyuvm.test()
class registers_keep_what_is_written_and_a_reset_takes_it_back(ReplayTest):
    sequence = Registers


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
