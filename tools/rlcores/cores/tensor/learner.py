"""DQN, TD3 and SAC whose steps the tensor core carries out: the calls of a learner of rlcores.cores.rl, the same bits.

The learner itself keeps what people ask of it: settings, first weights, state. After a step the core has the newest
weights; what is asked for is fetched when it is asked for.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rlcores.cores.common.vanished import Vanished
from rlcores.cores.learner.format import REWARD_FRAC
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.cores.rl.batch import TransitionBatch, batch_of
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.squashed import POWER_FRAC, exponential
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.tensor import beats
from rlcores.cores.tensor.driver import FRACTIONS, TensorDriver, lacking
from rlcores.cores.tensor.learners import trainer_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.cores.tensor.trainer import RECORD, PlacedNetwork, Trainer
from rlcores.cores.tensor.words import TOLD
from rlcores.errors import UserError, WarningCounter

PLANES = 4
ARRAYS = TensorShape(2, 2, 64), TensorShape(4, 2, 128), TensorShape(8, 4, 512)


def programs_of(learner: Any, shape: TensorShape, batch: int) -> list[Trainer]:
    """The programs of a learner's steps: of TD3 that of a step in which actor and targets move, and the other one.

    Raises UserError: the core cannot have it.
    """
    try:
        trainers = [trainer_of(learner, shape, batch)]
        if isinstance(learner, Td3):
            trainers.append(trainer_of(learner, shape, batch, delayed=False))
    except ValueError as error:
        raise UserError(f"the tensor core cannot train it: {error}; give a smaller network or batch") from error
    return trainers


def needs(programs: list[Trainer]) -> dict[str, int]:
    """What programs need, by the name of the core's parameter."""
    layout = programs[0].layout
    return {
        "WEIGHT_BLOCKS": layout.blocks,
        "TARGET_BLOCKS": layout.blocks,
        "BIAS_ROWS": layout.rows,
        "A_TILES": max(p.layout.activations for p in programs),
        "E_TILES": max(p.layout.deltas for p in programs),
        "ROWS": max(layer.rows(layout.shape) for kept in networks(programs[0]) for layer in kept.net.layers),
        "GROUPS": layout.groups,
        "TARGET_GROUPS": layout.groups,
        "GRAD_WORDS": max(p.gradient_words for p in programs),
        "GRAD_ROWS": max(p.gradient_rows for p in programs),
        "WORDS": max(p.words for p in programs),
        "OUTPUT_WORDS": max(p.output_words for p in programs),
        "STEPS": sum(len(p.program) for p in programs),
    }


def networks(program: Trainer) -> list[PlacedNetwork]:
    """All that is trained."""
    return program.networks + ([program.temperature] if hasattr(program, "temperature") else [])


def small_parameters(learner: Any, batch: int) -> dict[str, int]:
    """Verilog parameters of a core that just fits a learner, with the smallest of ARRAYS. Raises UserError."""
    for shape in ARRAYS:
        try:
            counts = needs(programs_of(learner, shape, batch))
        except UserError:
            if shape is ARRAYS[-1]:
                raise
            continue
        built = {name: max(count, 2) for name, count in counts.items()}
        return {"SIDE": shape.side, "BLOCKS": shape.blocks, "PASS_SUMS": shape.places} | built
    raise AssertionError("the last one raises")


class TensorLearner:
    """A learner on a core.

    >>> from rlcores.cores.rl.sac import Sac, SacSettings
    >>> own = Sac(3, 1, SacSettings(network=(4, 4)), seed=1, backend="model")
    >>> sorted(small_parameters(own, batch=4))[:3]
    ['A_TILES', 'BIAS_ROWS', 'BLOCKS']
    """

    def __init__(self, own: Any, driver: TensorDriver, batch: int) -> None:
        """own: a Dqn, Td3 or Sac, whose state the core goes on from; batch: samples of every step.

        Raises UserError: the core is too small for it.
        """
        self.own, self.driver, self.batch = own, driver, batch
        self.programs = programs_of(own, driver.shape, batch)
        if lacks := lacking(needs(self.programs), driver.memories):
            raise UserError(f"the tensor core is too small for this learner: it has {lacks}")
        self.entries = [0]
        for program in self.programs[:-1]:
            self.entries.append(self.entries[-1] + len(program.program))
        self._tally, self._said = WarningCounter(), dict.fromkeys(driver.counters, 0)
        self._rewards = Vanished("rewards", REWARD_FRAC)
        self.clocks = 0  # of all programs that this object ran
        self._put()

    @classmethod
    def verilated(cls, own: Any, batch: int, config: str | Mapping[str, int] | None = None, **options: Any) -> Self:
        """On the RTL of a configuration, of Verilog parameters, or of a small core that fits; built when needed.

        options: of TensorDriver.verilated. Raises UserError, and RunFailed when the core does not build.
        """
        return cls(own, TensorDriver.verilated(config or small_parameters(own, batch), **options), batch)

    # --- to the core and back ---

    def _put(self) -> None:
        """All of the learner to the core."""
        driver, first = self.driver, self.programs[0]
        driver.abort()
        driver.set_samples(self.batch)
        steps = (word for program in self.programs for word in program.program)
        driver.send(beats.step(address, word) for address, word in enumerate(steps))
        known = first.exponents
        driver.send(
            beats.fraction(n, first.setting(n), told_of(known[n])) if n < len(known) else beats.fraction(n, 0)
            for n in range(FRACTIONS)
        )
        if hasattr(self.own, "generator"):
            driver.send([beats.seed(self.own.generator.state)])
        for kept in networks(first):
            for plane in range(PLANES):
                matrices = kept.network.integers.matrices(plane)
                for layer, place, (w, b) in zip(kept.net.layers, kept.net.firsts, matrices, strict=True):
                    driver.load(layer, place, plane, w, b)
        self._settled, self._newest = True, True

    def settle(self) -> None:
        """Fractions and moments follow the last step; it is what a learner does at its end."""
        if not self._settled:
            self.driver.run([], self.entries[0] + self.programs[0].settle, 0)
            self.clocks += self.driver.clocks
            self._settled = True

    def fetch(self) -> None:
        """All of the core to the learner."""
        if self._newest:
            return
        self.settle()
        first, driver = self.programs[0], self.driver
        fractions = driver.fractions()
        moving = self.own.moving()
        for n, exponent in enumerate(first.exponents):
            exponent.frac = fractions[n]
            if any(exponent is other for other in moving):
                told = TOLD.unpack(driver.ask([beats.ask(n)])[1])
                exponent.load(
                    [
                        fractions[n],
                        1 << told["window"],
                        told["batches"],
                        told["peak"],
                        told["saturated"],
                        exponent.moves,
                    ]
                )
        if hasattr(self.own, "generator"):
            self.own.generator = self.own._generator(driver.generator)
        for kept in networks(first):
            kept.network.restore(np.array([self._plane(kept, plane) for plane in range(PLANES)]))
        self._newest = True

    def _plane(self, kept: PlacedNetwork, plane: int) -> np.ndarray:
        """A plane of a network out of the core, flat."""
        parts = []
        for layer, place in zip(kept.net.layers, kept.net.firsts, strict=True):
            w, b = self.driver.read(layer, place, plane)
            parts += [w.reshape(-1), b]
        return np.concatenate(parts)

    # --- a learner's calls ---

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self.own.steps

    def step(self, states: Any, actions: Any = None, rewards: Any = None, next_states: Any = None,
             discounts: Any = None, weights: Any = None) -> np.ndarray:  # fmt: skip
        """As the learner's. Raises UserError: a batch of another size."""
        learner, driver = self.own, self.driver
        arrays = (states, actions, rewards, next_states, discounts, weights)
        if isinstance(states, TransitionBatch):
            arrays = tuple(vars(states).values())
        count = len(arrays[2])
        if count != self.batch:
            raise UserError(f"a batch of {count} records came; the core's program is for {self.batch}")
        if isinstance(learner, Dqn):
            batch = dict(zip(RECORD, arrays, strict=True))
            batch["weights"] = np.ones(count) if weights is None else weights
        else:
            batch = batch_of(learner.states, learner.actions, arrays)
        early = len(self.programs) > 1 and (learner.steps + 1) % learner.settings.policy_delay != 0
        program = self.programs[early]
        sent = [beats.rates(slot, rates) for slot, rates in program.rates()]
        vectors = program.records(batch)
        self._rewards.see(arrays[2], vectors["rewards"])
        for name, numbers in vectors.items():
            sent.append(beats.vector(program.record[name], numbers, driver.shape.side))
        td = driver.run(sent, self.entries[early] + self._settled, self.batch)
        self.clocks += driver.clocks
        # Fractions move at a step's beginning, so these are the step's.
        frac = driver.fractions()[program.of_value]
        learner.steps += 1
        for kept in networks(program):
            kept.network.updates += self._learns(kept, early)
        self._settled = self._newest = False
        self._say()
        return np.abs(td) * 2.0**-frac

    def _learns(self, kept: PlacedNetwork, early: bool) -> bool:
        """Whether a network was updated in a step."""
        own = self.own
        if isinstance(own, Td3) and kept.network is own.actor:
            return not early
        temperature = getattr(own, "temperature", None)
        return temperature is None or kept.network is not temperature.network or temperature.moves

    def policy(self) -> Any:
        """The present actor, or what chooses actions."""
        self._acting()
        return self.own.policy()

    def act(self, states: Any) -> np.ndarray:
        """As DQN's."""
        self._acting()
        return self.own.act(states)

    def _acting(self) -> None:
        """The network that acts, and its fractions, are the newest."""
        if self._newest:
            return
        self.settle()
        first = self.programs[0]
        for exponent, frac in zip(first.exponents, self.driver.fractions(), strict=False):
            exponent.frac = frac
        first.networks[0].network.acts(self._plane(first.networks[0], WEIGHTS))

    def weights(self) -> list[np.ndarray]:
        """As the learner's."""
        if self._newest:
            return self.own.weights()
        return [self._plane(kept, WEIGHTS) for kept in self.programs[0].networks]

    def state_dict(self) -> dict[str, np.ndarray]:
        """As the learner's."""
        self.fetch()
        return self.own.state_dict()

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """As the learner's."""
        self.own.load_state_dict(state)
        self._put()

    def saturations(self) -> dict[str, int]:
        """What was clipped or left out in the core, if ever."""
        return {name: n for name, n in self.driver.counters.items() if n}

    @property
    def alpha(self) -> float:
        """SAC's temperature of now."""
        kept = self.own.temperature.network  # of another learner there is none
        log = next(self._plane(one, WEIGHTS)[1] for one in networks(self.programs[0]) if one.network is kept)
        return float(exponential(int(log))) * 2.0**-POWER_FRAC

    def _say(self) -> None:
        now = self.driver.counters
        more = {name: n - self._said[name] for name, n in now.items() if n > self._said[name]}
        if more:
            where = ", ".join(f"{now[name]:,} {name}" for name in more)
            self._tally.add("saturated", sum(more.values()), f"numbers of the learner did not fit: {where}")
        self._said = now


def told_of(exponent: Exponent) -> int:
    """What an exponent has seen, as the core keeps it."""
    _, window, batches, peak, saturated, _ = exponent.state()
    return TOLD.pack_whole(window=window.bit_length() - 1, batches=batches, saturated=int(saturated > 0), peak=peak)
