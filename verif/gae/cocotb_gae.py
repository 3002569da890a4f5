"""Tests of the GAE core behind AXI: every result, register, flag and interrupt against the integer model.

GAE_ROLLOUTS in the environment says how many random rollouts (default 12).
"""

import os

import cocotb
import pyuvm
from gae_coverage import COVERAGE
from gae_env import GaeEnv
from gae_rollouts import random_rollout
from gae_sequences import Aborts, Corners, GaeSequence, Overlaps, Refusals, Resets
from uvm_core import CoreTest

ROLLOUTS = int(os.environ.get("GAE_ROLLOUTS", "12"))


class RandomRollouts(GaeSequence):
    """Rollouts of any shape and setting, one after the other without a reset between them."""

    async def body(self) -> None:
        await self.look()
        for number in range(ROLLOUTS):
            steps = random_rollout(self.rng, self.shape)
            self.env.logger.info(f"rollout {number}: {' '.join(str(s.name) for s in steps)}")
            await self.do(steps)
        await self.look()


class GaeTest(CoreTest):
    environment = GaeEnv


@pyuvm.test()
class random_rollouts_equal_the_model(GaeTest):
    sequence = RandomRollouts


@pyuvm.test()
class automatic_rollouts_load_run_and_are_read_at_once(GaeTest):
    sequence = Overlaps


@pyuvm.test()
class corner_cases_equal_the_model(GaeTest):
    sequence = Corners


@pyuvm.test()
class what_is_refused_is_flagged_and_changes_nothing(GaeTest):
    sequence = Refusals


@pyuvm.test()
class an_abort_at_any_time_undoes_what_was_begun_and_keeps_the_rest(GaeTest):
    sequence = Aborts


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(GaeTest):
    sequence = Resets


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    hit = len(COVERAGE.goal) - len(COVERAGE.holes)
    cocotb.log.info(f"functional coverage: {hit} of {len(COVERAGE.goal)} bins, {COVERAGE.hits['rollout']} rollouts")
    COVERAGE.check()
