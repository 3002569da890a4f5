"""Commands of the matrix unit, from tensors and matrices by name: what a training step's products are made of.

>>> shape = TensorShape(side=8, blocks=4)
>>> layer, x, y = Matrix(0, 256, 256, 0), Tensor(0, 256), Tensor(64, 256)
>>> command = forward(shape, layer, x, y, batch=256, shift=22, bias_shift=12)
>>> command.clocks(shape)
8192
"""

from dataclasses import asdict, dataclass

from rlcores.cores.tensor.words import (
    ACTIVATIONS,
    COMMAND,
    DELTAS,
    FROM_DELTAS,
    GRADIENTS,
    OUTPUTS,
    TARGETS,
    WEIGHTS,
)

# Clocks from a command that is taken to its first word; in front of the array; behind its sums.
ISSUE_STAGES, OPERAND_STAGES, RESULT_STAGES = 1, 4, 4


def ceil_div(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


@dataclass(frozen=True)
class TensorShape:
    """Of a matrix unit: the parameters of rlc_tensor_matmul."""

    side: int = 8
    blocks: int = 4
    places: int = 256

    @property
    def span(self) -> int:
        """Vectors side by side."""
        return self.side * self.blocks

    @property
    def multipliers(self) -> int:
        """Of the array."""
        return self.side * self.side * self.span

    @property
    def min_pass(self) -> int:
        """Clocks until a sum can be added to again."""
        return self.side + 4

    @property
    def sums(self) -> int:
        """Clocks from an issued word to its sums."""
        return OPERAND_STAGES + self.side + 2

    @property
    def told(self) -> int:
        """Clocks from an issued word until nothing is left of it, at most."""
        return self.latency + 16

    @property
    def latency(self) -> int:
        """Clocks from an issued word to its result."""
        return self.sums + RESULT_STAGES


@dataclass(frozen=True)
class Tensor:
    """A matrix of samples x features, in tiles from `base` on: of activations or of deltas."""

    base: int
    features: int

    def row(self, shape: TensorShape) -> int:
        """Tiles from samples to the next ones."""
        return ceil_div(self.features, shape.span)

    def tiles(self, shape: TensorShape, batch: int) -> int:
        """All its tiles."""
        return self.row(shape) * ceil_div(batch, shape.span)


@dataclass(frozen=True)
class Matrix:
    """Weights of a layer, outputs x inputs, in blocks from `base` on, row by row; its biases in rows from `bias` on."""

    base: int
    outputs: int
    inputs: int
    bias: int

    def row(self, shape: TensorShape) -> int:
        """Blocks of a row of blocks."""
        return ceil_div(self.inputs, shape.side)

    def rows(self, shape: TensorShape) -> int:
        """Rows of blocks."""
        return ceil_div(self.outputs, shape.side)


@dataclass(frozen=True)
class Command:
    """What the unit takes: the fields of words.COMMAND, by name."""

    block: int
    rows: int
    folds: int
    words: int
    last_row: int
    last_lane: int
    last_word: int
    block_base: int
    block_row: int
    block_fold: int
    stream_base: int
    stream_word: int
    stream_fold: int
    to: int
    to_base: int
    group: int
    to_word: int = 0
    id: int = 0
    barrier: int = 0
    turn: int = 0
    stream: int = ACTIVATIONS
    column: int = 0
    bias: int = 0
    relu: int = 0
    mask: int = 0
    mask_base: int = 0
    bias_base: int = 0
    shift: int = 0
    bias_shift: int = 0

    def pack(self) -> int:
        """As bits. Raises ValueError: a field does not hold its number."""
        return COMMAND.pack_whole(**asdict(self))

    def clocks(self, shape: TensorShape) -> int:
        """From its first word to its last, both counted."""
        full, rest = divmod(self.rows, self.group)
        groups = [self.group] * full + [rest] * (rest > 0)
        return sum((self.folds - 1) * max(rows * self.words, shape.min_pass) + rows * self.words for rows in groups)

    def multiply_adds(self, shape: TensorShape) -> int:
        """That the product needs, without padding."""
        rows = (self.rows - 1) * shape.side + self.last_row
        lanes = (self.folds - 1) * shape.side + self.last_lane
        return rows * lanes * ((self.words - 1) * shape.span + self.last_word)

    def gap(self, shape: TensorShape, before: "Command") -> int:
        """Clocks without a word between the command before and this one, if it was there in time.

        Behind a command of fewer than shape.told clocks it may be more: two commands are known at a time.
        """
        wait = shape.latency if self.barrier else 0
        if before.mask and self.stream == ACTIVATIONS:
            wait = max(wait, shape.sums)
        return 1 + wait


def _last(count: int, size: int) -> int:
    return (count - 1) % size + 1


def _group(shape: TensorShape, rows: int, words_: int) -> int:
    """Rows that share a pass: as many as there is room for, in groups of about one size."""
    if words_ > shape.places:
        raise ValueError(f"{words_} words of a row of blocks have no room; the unit has {shape.places} places for sums")
    most = shape.places // words_
    return ceil_div(rows, ceil_div(rows, most))


def forward(
    shape: TensorShape,
    layer: Matrix,
    x: Tensor,
    y: Tensor,
    *,
    batch: int,
    shift: int,
    bias_shift: int,
    relu: bool = True,
    output: bool = False,
    target: bool = False,
    **more: int,
) -> Command:
    """y = f(x W' + b), f the rectifier or nothing. output: 27 bits that leave, else 18 that are kept as activations."""
    rows, count = layer.rows(shape), ceil_div(batch, shape.span)
    return Command(
        block=TARGETS if target else WEIGHTS,
        rows=rows,
        group=_group(shape, rows, count),
        folds=layer.row(shape),
        words=count,
        last_row=_last(layer.outputs, shape.side),
        last_lane=_last(layer.inputs, shape.side),
        last_word=_last(batch, shape.span),
        block_base=layer.base,
        block_row=layer.row(shape),
        block_fold=1,
        stream_base=x.base,
        stream_word=x.row(shape),
        stream_fold=1,
        to=OUTPUTS if output else ACTIVATIONS,
        to_base=y.base,
        to_word=y.row(shape),
        bias=1,
        relu=int(relu),
        bias_base=layer.bias,
        shift=shift,
        bias_shift=bias_shift,
        **more,
    )


def backward(
    shape: TensorShape,
    layer: Matrix,
    delta: Tensor,
    to: Tensor,
    *,
    batch: int,
    shift: int,
    mask: Tensor | None = None,
    first: int = 0,
    **more: int,
) -> Command:
    """delta W, where `mask` is above 0, to deltas.

    first: only the blocks of inputs from this one on, to.features wide.
    """
    count, rows = ceil_div(batch, shape.span), ceil_div(to.features, shape.side)
    return Command(
        block=WEIGHTS,
        turn=1,
        rows=rows,
        group=_group(shape, rows, count),
        folds=layer.rows(shape),
        words=count,
        last_row=_last(to.features, shape.side),
        last_lane=_last(layer.outputs, shape.side),
        last_word=_last(batch, shape.span),
        block_base=layer.base + first,
        block_row=1,
        block_fold=layer.row(shape),
        stream=DELTAS,
        stream_base=delta.base,
        stream_word=delta.row(shape),
        stream_fold=1,
        to=DELTAS,
        to_base=to.base,
        to_word=to.row(shape),
        mask=int(mask is not None),
        mask_base=0 if mask is None else mask.base,
        shift=shift,
        **more,
    )


def gradient(
    shape: TensorShape,
    layer: Matrix,
    delta: Tensor,
    x: Tensor,
    *,
    batch: int,
    shift: int,
    bias_shift: int,
    word: int = 0,
    row: int = 0,
    **more: int,
) -> Command:
    """delta' x and the sums of delta, to the update unit: words of side x span gradients, row by row of blocks.

    word, row: where they go, those of biases in rows of `side`.
    """
    rows, count = layer.rows(shape), ceil_div(layer.inputs, shape.span)
    return Command(
        block=FROM_DELTAS,
        rows=rows,
        group=_group(shape, rows, count),
        folds=ceil_div(batch, shape.side),
        words=count,
        last_row=_last(layer.outputs, shape.side),
        last_lane=_last(batch, shape.side),
        last_word=_last(layer.inputs, shape.span),
        block_base=delta.base,
        block_row=1,
        block_fold=delta.row(shape),
        column=1,
        stream_base=x.base,
        stream_word=1,
        stream_fold=x.row(shape),
        to=GRADIENTS,
        to_base=word,
        bias_base=row,
        shift=shift,
        bias_shift=bias_shift,
        **more,
    )
