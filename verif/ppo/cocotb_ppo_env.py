"""Tests of PPO with its environments inside: software loads weights, starts both, and reads what they have learned."""

import cocotb
import numpy as np
import pyuvm
from ppo_sequences import PpoSequence
from ppo_uvm import Predictor
from uvm_axil import AxilItem
from uvm_bench import One, parameters
from uvm_core import AxiEnv, CoreTest
from uvm_coverage import Coverage

from rlcores.cores.common.draws import state_of
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.cores.ppo.driver import ENV
from rlcores.eda import registers

TIME_LIMIT = 2  # so that episodes are cut off, however short the rollouts
COVERAGE = Coverage()
COVERAGE.want(["stall.s_axis_load", "stall.m_axis_read", "iteration", "episode", "abort"])


class Planes(Predictor):
    """What must come at m_axis_read; actions stay inside."""

    core, streams = "ppo_env", ("read",)


class Chip(AxiEnv):
    """The core's agents, scoreboard and predictor."""

    core, coverage, predictor_type = "ppo_env", COVERAGE, Planes


class Learn(PpoSequence):
    """Two runs, an abort of both cores, and a run from the beginning; weights and episodes after each."""

    async def body(self) -> None:
        number = parameters(self.env.predictor.dut, "ppo_env")["ENV"]
        self.physics = list(ENVIRONMENTS.values())[int(number)]
        await self.setup()
        for new in (True, False):
            await self.learn(new)
        await self.command("start")
        await self.environments("COMMAND", "start")
        await self.command("abort")
        COVERAGE.hit("abort")
        await self.until_idle("aborting", "running")
        await self.setup()
        await self.learn(True)

    async def environments(self, name: str, value: str | int) -> None:
        """Write a register of the environments."""
        known = registers.load("env")[name]
        data = known.by_name[value].mask if isinstance(value, str) else value
        await One(AxilItem(True, ENV + known.address, data)).start(self.env.axil.sequencer)

    async def learn(self, new: bool) -> None:
        """An iteration of the model, then the core's."""
        if new:
            await self.environments("COMMAND", "abort")
            await self.environments("TIME_LIMIT", TIME_LIMIT)
            seed = self.rng.getrandbits(32)
            for place, word in enumerate(state_of(seed)):
                await self.environments(f"SEED{place}", word)
            self.envs = EnvModel(self.physics, self.n_envs, TIME_LIMIT)
            self.observations = self.envs.start(seed)["obs"].astype(np.int64)
        self.iterate()
        await self.write("TODO", 1)
        await self.command("start" if new else "resume")
        if new:
            await self.environments("COMMAND", "start")
        await self.until_idle()
        COVERAGE.hit("iteration")
        await self.episodes()
        COVERAGE.hit("episode", bool(self.ended))
        await self.compare()


@pyuvm.test()
class a_chip_with_its_environments_learns_as_the_model(CoreTest):
    environment = Chip
    sequence = Learn


@cocotb.test(stage=1)
async def every_bin_of_the_coverage_goal_is_hit(_) -> None:
    COVERAGE.check()
