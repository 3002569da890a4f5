"""Activations other than ReLU as commands of the vector unit: the integers of rlcores.cores.learner.activations.

The sums of a hidden layer come as outputs, in 27 bits, and go to its tensor as results. Where a pass is gone back
through, the vector of the sums then keeps what the derivative is made of. What comes back is multiplied by it on its
way to the deltas.
"""

from typing import TYPE_CHECKING

from rlcores.cores.common.tanh import OUT_FRACTION
from rlcores.cores.learner.activations import (
    ELU_ONE,
    HALF_FRAC,
    LEAKY_FRAC,
    LEAKY_SLOPE,
    LOG2E,
    LOG2E_FRAC,
    POWER_FRAC,
    SIGMOID_FRAC,
    WIDE_FRAC,
    Z_FRAC,
    Activation,
)
from rlcores.cores.tensor.program import Tensor
from rlcores.cores.tensor.vector import Constant
from rlcores.cores.tensor.words import EXP2, IF_LT, MAC, MAX, MIN, TANH

if TYPE_CHECKING:
    from rlcores.cores.tensor.trainer import Trainer

PART = 64  # features at a time, where something is kept aside


def forward(
    trainer: "Trainer", kind: Activation, z: int, features: int, tensor: Tensor, act: int, *, learns: bool
) -> None:
    """Results of the sums z, which are there when all products so far are done, to a tensor with the fraction `act`.

    learns: the derivative is asked for later; z is what slope() takes.
    """
    after: int | None = trainer.mark()
    for first in range(0, features, PART):
        n, here, aside = min(PART, features - first), trainer.at(z, first), trainer.aside
        head = lambda op, to, x, after=None, n=n, **more: trainer.head(op, n, to, x, after=after, **more)  # noqa: E731
        more: dict = {"k": WIDE_FRAC, "r": act}
        match kind.name:
            case "leaky_relu":
                head(MAC, aside, here, after, y=Constant(LEAKY_SLOPE), k=LEAKY_FRAC)
                head(MAX, here, here, y=aside)
                more = {}
            case "tanh":
                head(TANH, here, here, after)
                more["y"] = Constant(1 << WIDE_FRAC - OUT_FRACTION)
            case "elu":
                head(MAC, aside, here, after, y=Constant(LOG2E), k=LOG2E_FRAC + Z_FRAC - POWER_FRAC)
                head(EXP2, aside, aside, z=Constant(Z_FRAC << POWER_FRAC))
                head(MAC, aside, aside, z=Constant(-ELU_ONE))
                head(IF_LT, here, here, y=Constant(0), z=aside)
                more["y"] = Constant(1 << WIDE_FRAC - Z_FRAC)
            case "silu":
                head(TANH, aside, here, after)
                head(MAC, aside, aside, z=Constant(1 << OUT_FRACTION))
                more = {"y": aside, "k": HALF_FRAC + SIGMOID_FRAC, "r": act}
        trainer.to_tensor(tensor, first, n, here, id=act, **more)
        if learns and kind.name == "silu":
            # Two numbers make the derivative, and there is room for one: so it is made here.
            head(MAC, here, here, y=aside, z=here, negate=True, up=SIGMOID_FRAC, k=HALF_FRAC)
            head(MAC, here, here, y=aside, z=aside, up=SIGMOID_FRAC, k=SIGMOID_FRAC)
        after = None


def slope(trainer: "Trainer", kind: Activation, kept: int, features: int) -> None:
    """The derivative in place of what forward() has kept."""
    head = lambda op, **more: trainer.head(op, features, kept, kept, **more)  # noqa: E731
    match kind.name:
        case "leaky_relu":
            # A whole number above 0 is 1 at least.
            head(MAC, y=Constant(1 << LEAKY_FRAC))
            head(MIN, y=Constant(1 << LEAKY_FRAC))
            head(MAX, y=Constant(LEAKY_SLOPE))
        case "tanh":
            one = Constant(1 << OUT_FRACTION)
            head(MAC, y=kept, z=one, negate=True, up=OUT_FRACTION, k=OUT_FRACTION)
        case "elu":
            head(MAC, z=Constant(ELU_ONE))
            head(MIN, y=Constant(ELU_ONE))
