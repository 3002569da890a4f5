"""Tests of the environment core behind AXI: every answer, register, flag and interrupt against the integer model."""

import cocotb
import pyuvm
from env_env import COVERAGE, EnvEnv
from env_sequences import Aborts, Ends, EnvSequence, Play, Refusals, Resets
from pyuvm import uvm_test
from uvm_bench import seeded, start


class EnvTest(uvm_test):
    """Starts the core and runs one sequence on it."""

    sequence: type[EnvSequence]

    def build_phase(self) -> None:
        self.env = EnvEnv("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        await start(cocotb.top)
        await self.sequence(self.env, seeded(self.sequence.__name__)).start()
        self.drop_objection()


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
    COVERAGE.write()
    assert COVERAGE.goal and not COVERAGE.holes, f"never hit: {', '.join(COVERAGE.holes)}"
