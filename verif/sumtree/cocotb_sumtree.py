"""Tests of the native sum tree: every answer, state output and event pulse against the integer model, in order.

SUMTREE_ITEMS in the environment says how many operations and samples each traffic has (default 120).
"""

import cocotb
import pyuvm
from sumtree_coverage import COVERAGE
from sumtree_env import SumTreeEnv
from sumtree_sequences import (
    Clears,
    Draws,
    FullSpeed,
    Held,
    Neighbours,
    RandomTraffic,
    Resets,
    Slots,
)
from uvm_core import CoreTest


class SumTreeTest(CoreTest):
    environment = SumTreeEnv


@pyuvm.test()
class random_traffic_equals_the_model(SumTreeTest):
    sequence = RandomTraffic


@pyuvm.test()
class every_clock_takes_an_operation_and_a_sample(SumTreeTest):
    sequence = FullSpeed


@pyuvm.test()
class a_sample_sees_every_operation_before_it_however_close(SumTreeTest):
    sequence = Neighbours


@pyuvm.test()
class slots_go_around_and_old_tags_are_refused(SumTreeTest):
    sequence = Slots


@pyuvm.test()
class draws_follow_seed_and_strata(SumTreeTest):
    sequence = Draws


@pyuvm.test()
class a_clear_at_any_time_clears_all_and_loses_no_answer(SumTreeTest):
    sequence = Clears


@pyuvm.test()
class answers_that_wait_hold_the_core_and_are_not_lost(SumTreeTest):
    sequence = Held


@pyuvm.test()
class a_reset_at_any_time_leaves_a_working_core(SumTreeTest):
    sequence = Resets


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    hit, hits = len(COVERAGE.goal) - len(COVERAGE.holes), COVERAGE.hits
    cocotb.log.info(f"functional coverage: {hit} of {len(COVERAGE.goal)} bins")
    cocotb.log.info(f"{hits['operations']} operations, {hits['samples']} samples")
    COVERAGE.check()
