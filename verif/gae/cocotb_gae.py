"""Tests of the GAE core behind AXI: every result, register, flag and interrupt against the integer model.

GAE_ROLLOUTS in the environment says how many random rollouts (default 12).
"""

import os

import cocotb
import pyuvm
from gae_env import GaeEnv
from gae_rollouts import random_rollout
from gae_sequences import GaeSequence
from pyuvm import uvm_test
from uvm_bench import seeded, start

ROLLOUTS = int(os.environ.get("GAE_ROLLOUTS", "12"))


class RandomRollouts(GaeSequence):
    """Rollouts of any shape and setting, one after the other without a reset between them."""

    async def body(self) -> None:
        await self.look()
        for number in range(ROLLOUTS):
            steps = random_rollout(self.rng, self.shape, self.bus)
            self.env.logger.info(f"rollout {number}: {' '.join(str(s.name) for s in steps)}")
            await self.do(steps)
        await self.look()


class GaeTest(uvm_test):
    """Starts the core and runs one sequence on it."""

    sequence: type[GaeSequence]

    def build_phase(self) -> None:
        self.env = GaeEnv("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        await start(cocotb.top)
        sequence = self.sequence(self.env, seeded(self.sequence.__name__))
        await sequence.start()
        self.drop_objection()


@pyuvm.test()
class random_rollouts_equal_the_model(GaeTest):
    sequence = RandomRollouts
