"""A program of rlc_tensor_trainer carried out in its order, on whole arrays: what its steps compute, without clocks.

The vector unit is its model, rlcores.cores.tensor.vector; products are those of the commands' fields.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.learner.format import POLYAK_FRAC
from rlcores.cores.learner.network import wrap
from rlcores.cores.tensor.program import Command
from rlcores.cores.tensor.trainer import Trainer
from rlcores.cores.tensor.vector import CONDITIONS, Constant, Memory, Operand, Row, Vector
from rlcores.cores.tensor.words import (
    ACTIVATIONS,
    COMMAND,
    DELTAS,
    END,
    FROM_DELTAS,
    HEAD,
    MATRIX,
    OUTPUTS,
    STEP,
    STREAM,
    TARGETS,
    TO_ACTIVATIONS,
    VECTOR,
    VECTORS,
)

STREAMS = ACTIVATIONS, DELTAS


def signed(number: int, bits: int) -> int:
    """A field's number with its sign."""
    return number - (1 << bits) if number >> bits - 1 else number


class Machine:
    """Of a trainer whose learner has one network. td: what has left; gradients: by layer from 0, (weights, biases)."""

    def __init__(self, trainer: Trainer) -> None:
        self.trainer, self.batch, self.span = trainer, trainer.batch, trainer.shape.span
        self.vectors = Memory(trainer.batch, trainer.words, trainer.shape.side)
        layout = trainer.layout
        self.tiles = [
            np.zeros((count, self.span, self.span), np.int64) for count in (layout.activations, layout.deltas)
        ]
        self.kept = trainer.networks[0]
        weights = self.kept.network.integers
        self.weights = weights.matrices(0)
        self.targets = [(w >> POLYAK_FRAC, b >> POLYAK_FRAC) for w, b in weights.matrices(1)]
        self.fractions = [exponent.frac for exponent in trainer.exponents]
        self.td = np.zeros(0, np.int64)
        self.gradients: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def run(self, records: dict[str, np.ndarray]) -> None:
        """A step on the vectors of a batch."""
        for name, numbers in records.items():
            self.vectors.write(self.trainer.record[name], numbers)
        for word in self.trainer.program:
            step = STEP.unpack(word)
            if step["unit"] == END:
                return
            body, f = step["body"], self.fractions
            if step["unit"] in (MATRIX, HEAD):
                drop = signed(step["k"], 8) + f[step["p"]] + f[step["q"]] - f[step["r"]]
                assert 0 <= drop < 64, "a step drops what cannot be dropped"
            if step["unit"] == MATRIX:
                command = Command(**COMMAND.unpack(body & (1 << COMMAND.bits) - 1))
                self._product(command, drop, f[step["q"]])
            elif step["unit"] == HEAD:
                self._head(VECTOR.unpack(body & (1 << VECTOR.bits) - 1), drop)

    def _places(self, base: int, row: int, features: int, first: int = 0) -> tuple[np.ndarray, ...]:
        sample, feature = np.arange(self.batch)[:, None], first + np.arange(features)
        tile = base + sample // self.span * row + feature // self.span
        return tile, np.broadcast_to(sample % self.span, tile.shape), np.broadcast_to(feature % self.span, tile.shape)

    def _product(self, c: Command, drop: int, bias_shift: int) -> None:
        side, layers = self.trainer.shape.side, self.kept.net.layers
        rows, lanes = (c.rows - 1) * side + c.last_row, (c.folds - 1) * side + c.last_lane
        if c.block == FROM_DELTAS:
            delta = self.tiles[DELTAS][self._places(c.block_base, c.block_fold, rows)]
            columns = (c.words - 1) * self.span + c.last_word
            x = self.tiles[ACTIVATIONS][self._places(c.stream_base, c.stream_fold, columns)]
            sums = wrap(delta.T @ x), delta.sum(axis=0) << bias_shift
            self.gradients[self.kept.words.index(c.to_base)] = tuple(
                saturate(round_shift(each, drop), 27, True) for each in sums
            )
            return
        layer = next(n for n, one in enumerate(layers) if one.base == c.block_base)
        w, b = (self.targets if c.block == TARGETS else self.weights)[layer]
        x = self.tiles[c.stream][self._places(c.stream_base, c.stream_word, lanes)]
        sums = x @ w if c.turn else x @ w.T + (b << bias_shift)
        result = round_shift(wrap(sums), drop)
        if c.relu:
            result = np.maximum(result, 0)
        if c.mask:
            result = result * (self.tiles[ACTIVATIONS][self._places(c.mask_base, c.to_word, rows)] > 0)
        if c.to == OUTPUTS:
            self.vectors.write(c.to_base, saturate(result, 27))
        else:
            self.tiles[c.to][self._places(c.to_base, c.to_word, rows)] = saturate(result, 18)

    def _head(self, fields: dict[str, int], drop: int) -> None:
        def operand(name: str, bits: int) -> Operand:
            if fields[f"{name}_is"]:
                return Constant(signed(fields[name], bits))
            return Row(fields[name]) if fields[f"{name}_row"] else fields[name]

        c = Vector(
            fields["op"], fields["features"], fields["to_base"], fields["x"], operand("y", 27), operand("z", 35),
            bool(fields["negate"]), fields["up"], drop, fields["width"], bool(fields["symmetric"]), fields["to"],
        )  # fmt: skip
        x, y = self.vectors.read(c.x, c.features), self.vectors._operand(c.y, c.features)
        assert np.abs(y).max() < 1 << 26, "y has more than 27 bits"
        keep = CONDITIONS[c.op](x, y) if c.op in CONDITIONS else True
        result = self.vectors.run(c)
        if c.to == STREAM:
            self.td = result[:, 0]
        elif c.to != VECTORS:
            tiles = self.tiles[ACTIVATIONS if c.to == TO_ACTIVATIONS else DELTAS]
            places = self._places(c.to_base, fields["to_row"], c.features, fields["to_feature"])
            tiles[places] = np.where(keep, result, tiles[places])
            assert np.abs(tiles[places]).max() <= 1 << 17, "a tensor has 18 bits"
