"""Tests of several replay learners: drivers over UVM agents, and the integer model."""

import cocotb
import pyuvm
from learners_aborted import Aborted
from learners_banks import Banks
from learners_registers import Registers
from learners_released import Released
from learners_rounds import TrainsInRounds
from learners_slower import OneIsSlower
from learners_uvm import COVERAGE, LearnersEnv
from uvm_core import CoreTest


class LearnersTest(CoreTest):
    environment = LearnersEnv


@pyuvm.test()
class learners_are_the_model_over_whole_rounds(LearnersTest):
    sequence = TrainsInRounds


@pyuvm.test()
class all_wait_for_the_slowest(LearnersTest):
    sequence = OneIsSlower


@pyuvm.test()
class learners_whose_others_have_stopped_go_on_when_they_are_let(LearnersTest):
    sequence = Released


@pyuvm.test()
class an_abort_in_a_round_holds_the_others_and_changes_no_weight_of_theirs(LearnersTest):
    sequence = Aborted


@pyuvm.test()
class every_bank_of_every_learner_is_its_own(LearnersTest):
    sequence = Banks


@pyuvm.test()
class every_window_is_its_own_and_beyond_is_an_error(LearnersTest):
    sequence = Registers


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
