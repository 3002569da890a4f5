"""Commands of the matrix, update and vector units, field by field. `rlcores generate` writes the positions for Verilog.

Addresses and steps are of blocks of weights, and of tiles of the other memories. A walk goes over rows of blocks, folds
(blocks of the contraction) and words (what is streamed); docs/tensor.md says what each command is made of.
"""

from rlcores.base.words import Word
from rlcores.cores.learner.format import FACTOR_FRAC, OPTIMISER_SETTINGS

# Where the block of each product comes from; what streams past it, and where sums go; what an update's command does.
WEIGHTS, TARGETS, FROM_DELTAS = 0, 1, 2
ACTIVATIONS, DELTAS, OUTPUTS, GRADIENTS = 0, 1, 2, 3
UPDATES, LOAD, READ, SCALE = 0, 1, 2, 3
# What a vector's command does with x, y and z: docs/tensor.md. Its results go to VECTORS, to tensors, or leave
# (STREAM).
MAC, MIN, MAX, TANH, EXP2, LOG2, DRAW, IF_EQ, IF_NE, IF_LT, IF_LE = range(11)
VECTORS, TO_ACTIVATIONS, TO_DELTAS, STREAM = 0, 1, 2, 3
NUMBERS = {
    "WEIGHTS": WEIGHTS, "TARGETS": TARGETS, "FROM_DELTAS": FROM_DELTAS, "ACTIVATIONS": ACTIVATIONS, "DELTAS": DELTAS,
    "OUTPUTS": OUTPUTS, "GRADIENTS": GRADIENTS, "UPDATES": UPDATES, "LOAD": LOAD,
    "READ": READ, "SCALE": SCALE,
    "VECTORS": VECTORS, "TO_ACTIVATIONS": TO_ACTIVATIONS, "TO_DELTAS": TO_DELTAS, "STREAM": STREAM,
}  # fmt: skip
OPERATIONS = {
    "MAC": MAC, "MIN": MIN, "MAX": MAX, "TANH": TANH, "EXP2": EXP2, "LOG2": LOG2, "DRAW": DRAW,
    "IF_EQ": IF_EQ, "IF_NE": IF_NE, "IF_LT": IF_LT, "IF_LE": IF_LE,
}  # fmt: skip

# block: WEIGHTS … FROM_DELTAS. turn: the block is transposed. stream: ACTIVATIONS or DELTAS; column: by columns. to:
# ACTIVATIONS … GRADIENTS. bias: sums begin with biases. relu, mask: of what leaves. barrier: it begins when all
# before it is written. rows, folds: blocks; group: rows of blocks that share a pass; words: streamed a pass and row.
# last_row, last_lane, last_word: numbers that count in the last block of rows, in that of folds, and in the last
# word. *_row, *_fold, *_word: steps.
COMMAND = Word(
    "command",
    id=6, barrier=1, block=2, turn=1, stream=1, column=1, to=2, bias=1, relu=1, mask=1,
    rows=10, group=10, folds=10, words=10, last_row=7, last_lane=7, last_word=7,
    block_base=16, block_row=12, block_fold=12,
    stream_base=16, stream_word=12, stream_fold=12,
    to_base=16, to_word=12, mask_base=16, bias_base=12, shift=6, bias_shift=5,
)  # fmt: skip

# kind: UPDATES, a layer by its gradients; LOAD or READ, a plane of its parameters: 0 weights, 1 target, 2 and 3 the
# optimiser's state; SCALE: the state's plane times 2**grad_frac, which has a sign there. rows, blocks: of its
# weights. Its gradients lie from grad_base on, those of its biases from grad_bias on. first, target_first: groups of
# the parameters' memories. weight_*, target_*: where new weights and biases go, in blocks and rows. sync: the target
# follows. grad_frac: of the gradients.
UPDATE = Word(
    "update",
    id=6, kind=2, plane=2, sync=1, grad_frac=6, rows=10, blocks=10, grad_base=16, grad_bias=12, first=16,
    target_first=16, weight_base=16, weight_bias=12, target_base=16, target_bias=12,
)  # fmt: skip

# op: MAC … IF_LE. negate: the product, or a function's x, counts negative. features: of the result; of each, all
# samples of the batch in words of SIDE. x, y, z: where operands begin, or with y_is and z_is what all of them are;
# y_row, z_row: one feature serves all. up: z is shifted left by it. shift: what is dropped, rounded half up. width:
# bits of the result, which is clipped to them; symmetric: as far down as up. to: VECTORS … STREAM; to_base: the
# address, or the tile; to_row: tiles from samples to the next ones; to_feature: the first feature within the tile.
# tell: limits and magnitudes are told with id.
VECTOR = Word(
    "vector",
    id=6, tell=1, op=4, negate=1, features=10, x=16, y=27, y_is=1, y_row=1, z=35, z_is=1, z_row=1, up=5, shift=6,
    width=6, symmetric=1, to=2, to_base=16, to_row=12, to_feature=6,
)  # fmt: skip

# A step of a program. unit: END … RESCALE. lag: it waits until at most this many commands of the matrix unit are not
# done; ANY: it does not. wait: units that must rest before it: {vector, update}. What is dropped, the fraction of an
# update's gradients, or the limit of fraction `id`, is k + p + q - r; the shift of a matrix' biases is q; a RESCALE
# moves by what q has moved. rates: the optimiser's settings of an update. body: the command, without what stands
# here.
ANY = 15
END, MATRIX, UPDATE_LAYER, HEAD, MOVE, LIMIT, RESCALE = range(7)
UNITS = {
    "END": END, "MATRIX": MATRIX, "UPDATE_LAYER": UPDATE_LAYER, "HEAD": HEAD, "MOVE": MOVE, "LIMIT": LIMIT,
    "RESCALE": RESCALE,
}  # fmt: skip
STEP = Word(
    "step",
    unit=3,
    lag=4,
    wait=2,
    k=8,
    p=6,
    q=6,
    r=6,
    rates=2,
    id=6,
    body=max(w.bits for w in (COMMAND, UPDATE, VECTOR)),
)

# A beat of the streams of rlc_tensor_axi. kind: BEGIN … ASK on the way in, RESULT … DONE on the way out; the rest is
# what each kind says, docs/tensor.md. A kind is never 0.
BEAT = Word("beat", kind=4, lane=6, number=54)
BEGIN, PART, PUT_STEP, FRACTION, RATES, SEED = range(1, 7)
PARAMETERS, GROUP, RECORD_NUMBER, START, ASK = range(7, 12)
RESULT, NUMBER, DONE = range(1, 4)
BEATS = {
    "BEGIN": BEGIN, "PART": PART, "PUT_STEP": PUT_STEP, "FRACTION": FRACTION, "RATES": RATES, "SEED": SEED,
    "PARAMETERS": PARAMETERS, "GROUP": GROUP, "RECORD_NUMBER": RECORD_NUMBER, "START": START, "ASK": ASK,
    "RESULT": RESULT, "NUMBER": NUMBER, "DONE": DONE,
}  # fmt: skip
# The number of a RECORD_NUMBER: where it goes among the vectors, and what it is.
PLACED = Word("placed", address=16, data=35)
# Of a fraction that is set, and what its tensor has told since its window began (window: log2): rlc_tensor_fractions.
SETTING = Word("setting", moves=1, wide=1, spare=2, most=6, frac=6)
TOLD = Word("told", window=4, batches=9, saturated=1, peak=27)
# What an update takes from its slot.
TAKEN = Word("taken", tau=FACTOR_FRAC, settings=sum(OPTIMISER_SETTINGS.values()))
# Of what is told and no fraction follows.
NOBODY = 63
