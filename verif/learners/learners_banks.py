"""Parameter banks go over one pair of streams, to and from the learner that is asked."""

import numpy as np
from cocotb.task import bridge
from learners_sequence import LearnersSequence
from learners_uvm import COVERAGE
from replay_cases import networks, weights
from uvm_bench import clock_number

from rlcores.cores.learner.layout import SQUARES, flatten, planes


class Banks(LearnersSequence):
    """Every bank of every learner is loaded and read, in orders that have nothing to do with each other."""

    async def body(self) -> None:
        await self.begin(0, exact=False)
        shape = self.reals[0].learner.shape
        every = [
            (n, actor, plane) for n in range(self.learners) for actor in networks(shape) for plane in planes(shape)
        ]
        held = {}
        for number, actor, plane in self.random.sample(every, len(every)):
            matrices = weights(self.rng, shape, actor)
            if plane == SQUARES:
                matrices = [(np.abs(w), np.abs(b)) for w, b in matrices]
            held[number, actor, plane] = matrices
            await bridge(self.reals[number].learner.load)(held[number, actor, plane], plane, actor)
            COVERAGE.hit("banks.load")
        for number, actor, plane in self.random.sample(every, len(every)):
            value = await bridge(self.reals[number].learner.read)(plane, actor)
            self.env.scoreboard.check(
                "banks", f"plane {plane} of learner {number}", flatten(value).tolist(),
                flatten(held[number, actor, plane]).tolist(), clock_number(),
            )  # fmt: skip
            COVERAGE.hit("banks.read")
