"""Clocks of a program on rlc_tensor_trainer: who waits for whom, step by step.

It follows the program's steps through the three units and their queues, as the RTL does, but for two things that it
does not know: numbers that wait for a place in a tensor, and outputs that wait for results of the vector unit. So it is
a count and not a proof; verif/tensor compares it with the RTL.

`python -m rlcores.cores.tensor.clocks` prints the tables of docs/tensor.md.
"""

from collections.abc import Sequence

from rlcores.base import limits
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.rl.td3 import Td3Settings as Td3Settings
from rlcores.cores.tensor.learners import trainer_of
from rlcores.cores.tensor.program import ISSUE_STAGES, Command, TensorShape, ceil_div
from rlcores.cores.tensor.trainer import UPDATES_REST, VECTORS_REST, Trainer
from rlcores.cores.tensor.words import (
    ANY,
    COMMAND,
    DRAW,
    END,
    HEAD,
    MATRIX,
    MOVE,
    OUTPUTS,
    STEP,
    UPDATE,
    UPDATE_LAYER,
    VECTOR,
)

QUEUE = 8  # of rlc_tensor_program
STEP_CLOCKS = 5  # from a step to the next one
MOVE_CLOCKS = 9  # of rlc_tensor_fractions and what stands around it, beyond the last fraction that moves
VECTOR_CLOCKS = 14  # of a command, beyond its words
UPDATE_CLOCKS = 34  # of a layer, beyond its groups


class Schedule:
    """The units' clocks while a program runs. Fractions stand still: nothing is rescaled."""

    def __init__(self, trainer: Trainer) -> None:
        self.shape, self.batch = trainer.shape, trainer.batch
        self.now = 0
        self.last = max(n for n in range(len(trainer.exponents)) if trainer.setting(n) >> 15)
        self.taken: list[int] = []  # by the matrix unit
        self.done: list[int] = []
        self.drained: list[int] = []  # when its outputs, and those before, are in vectors
        self.heads: list[int] = []  # taken by the vector unit
        self.updates: list[int] = []
        self.vectors = self.rest = 0  # when the vector unit, the update unit have nothing to do
        self.busy = 0  # clocks of products
        self._last: Command | None = None
        self._free = 0

    def run(self, program: Sequence[int], begin: int = 0) -> int:
        """Clocks from the start to END."""
        self.now = begin
        for word in program:
            step = STEP.unpack(word)
            at = self._ready(step)
            unit, body = step["unit"], step["body"]
            if unit == END:
                return at - begin
            if unit == MATRIX:
                at = self._product(at, Command(**COMMAND.unpack(body & (1 << COMMAND.bits) - 1)))
            elif unit == HEAD:
                at = self._head(at, VECTOR.unpack(body & (1 << VECTOR.bits) - 1))
            elif unit == UPDATE_LAYER:
                at = self._update(at, UPDATE.unpack(body & (1 << UPDATE.bits) - 1))
            elif unit == MOVE:
                at += MOVE_CLOCKS + self.last
            self.now = at
        raise ValueError("the program has no END")

    def _ready(self, step: dict[str, int]) -> int:
        at = self.now + STEP_CLOCKS
        behind = len(self.done) - step["lag"]
        if step["lag"] != ANY and behind > 0:
            at = max(at, self.done[behind - 1], self.drained[behind - 1])
        if step["wait"] & VECTORS_REST:
            at = max(at, self.vectors)
        return max(at, self.rest) if step["wait"] & UPDATES_REST else at

    @staticmethod
    def _queued(at: int, taken: Sequence[int]) -> int:
        return max(at, taken[-QUEUE]) if len(taken) >= QUEUE else at

    def _product(self, at: int, command: Command) -> int:
        at = self._queued(at, self.taken)
        first = self._free + (command.gap(self.shape, self._last) if self._last else 0)
        taken, clocks = max(at + 1, first), command.clocks(self.shape)
        self.taken.append(taken)
        self._free, self._last = taken + clocks, command
        self.busy += clocks
        self.done.append(taken + clocks + self.shape.latency + ISSUE_STAGES + 1)
        drained = self.drained[-1] if self.drained else 0
        if command.to == OUTPUTS:
            outputs = (command.rows - 1) * self.shape.side + command.last_row
            words = outputs * ceil_div(self.batch, self.shape.side) + command.rows * command.words
            drained = max(max(drained, self.done[-1] - command.rows * command.words) + words, self.done[-1] + 1)
        self.drained.append(drained)
        return at

    def _head(self, at: int, vector: dict[str, int]) -> int:
        at = self._queued(at, self.heads)
        taken = max(at + 1, self.vectors)
        self.heads.append(taken)
        each = self.batch if vector["op"] == DRAW else ceil_div(self.batch, self.shape.side)
        self.vectors = taken + vector["features"] * each + VECTOR_CLOCKS
        return at

    def _update(self, at: int, update: dict[str, int]) -> int:
        at = self._queued(at, self.updates)
        taken = max(at + 1, self.rest)
        self.updates.append(taken)
        self.rest = taken + update["rows"] * (update["blocks"] * self.shape.side + 1) + UPDATE_CLOCKS
        return at


def clocks(trainer: Trainer) -> int:
    """Of a step behind others like it, whose last updates go on beside it."""
    schedule, count = Schedule(trainer), 0
    for _ in range(3):
        count = schedule.run(trainer.program, schedule.now)
    return count


def counts() -> list[str]:
    """Rows of the table in docs/tensor.md."""
    rows = []
    for name, learner, batch in (
        ("DQN, 4-64-64-2", Dqn(4, 2, DqnSettings(network=(64, 64), dueling=False, double=False), backend="model"), 64),
        ("DQN, dueling and double, 17-256-256-6", Dqn(17, 6, DqnSettings(), backend="model"), 256),
        ("TD3, 17-256-256-6", Td3(17, 6, Td3Settings(network=(256, 256)), backend="model"), 256),
        ("SAC, 17-256-256-6", Sac(17, 6, SacSettings(), backend="model"), 256),
    ):
        for shape in (TensorShape(8, 4, 512), TensorShape(8, 8, 512), TensorShape(16, 1, 512)):
            trainer = trainer_of(learner, shape, batch)
            count = clocks(trainer)
            array = f"{shape.side} | {shape.blocks} | {shape.multipliers:,}"
            rows.append(f"| {name}, batch {batch} | {array} | {len(trainer.program)} | {count:,} |")
    return rows


def activations() -> list[str]:
    """Rows of the table of activations there: on 2,048 multipliers, and on those of `tiny` without and with
    normalisation."""
    rows, shape, tiny = [], TensorShape(8, 4, 512), TensorShape(2, 2, 16)
    for name in limits.ACTIVATIONS:
        dqn = DqnSettings((64, 64), name, dueling=False, double=False)
        small, large = Dqn(4, 2, dqn, backend="model"), Sac(17, 6, SacSettings(activation=name), backend="model")
        least = [Sac(3, 1, SacSettings((8, 8), name, kind), backend="model") for kind in limits.NORMALISATIONS]
        cases = [(small, shape, 64), (large, shape, 256), *((learner, tiny, 8) for learner in least)]
        counted = [clocks(trainer_of(*each)) for each in cases]
        rows.append(f"| {name} | {' | '.join(f'{count:,}' for count in counted)} |")
    return rows


def main() -> None:
    """Print the tables."""
    for row in counts() + activations():
        print(row)


if __name__ == "__main__":
    main()
