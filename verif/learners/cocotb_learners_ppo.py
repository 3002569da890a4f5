"""Tests of several PPO cores with their environments inside: drivers over UVM agents, and the integer model."""

import cocotb
import pyuvm
from learners_ppo_banks import PpoBanks
from learners_ppo_held import Held
from learners_ppo_registers import PpoRegisters
from learners_ppo_rounds import Iterates
from learners_ppo_uvm import COVERAGE, LearnersPpoEnv
from uvm_core import CoreTest


class LearnersPpoTest(CoreTest):
    environment = LearnersPpoEnv


@pyuvm.test()
class learners_are_the_model_over_whole_iterations(LearnersPpoTest):
    sequence = Iterates


@pyuvm.test()
class learners_wait_for_one_that_is_late_or_are_let_go(LearnersPpoTest):
    sequence = Held


@pyuvm.test()
class every_bank_of_every_learner_is_its_own(LearnersPpoTest):
    sequence = PpoBanks


@pyuvm.test()
class every_window_is_its_own_and_beyond_is_an_error(LearnersPpoTest):
    sequence = PpoRegisters


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
