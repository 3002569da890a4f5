"""Hidden layers that are more than ReLU as commands of the vector unit: activations and layer normalisation.

They are the integers of rlcores.cores.learner.activations and .normalisation. The sums of a layer come as outputs, in
27 bits, and go to its tensor as results. Where a pass is gone back through, vectors keep what the way back needs. What
comes back is an output, too, and goes to the deltas.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlcores.cores.common.tanh import OUT_FRACTION
from rlcores.cores.learner import normalisation
from rlcores.cores.learner.activations import (
    ELU_ONE,
    HALF_FRAC,
    LEAKY_FRAC,
    LEAKY_SLOPE,
    LOG2E,
    LOG2E_FRAC,
    POWER_FRAC,
    SIGMOID_FRAC,
    SUM_WIDTH,
    WIDE_FRAC,
    Z_FRAC,
    Activation,
)
from rlcores.cores.learner.normalisation import EXTRA, MEAN_FRAC, ROOT_FRAC, SHARE_FRAC
from rlcores.cores.tensor.program import Tensor
from rlcores.cores.tensor.vector import Constant, Row
from rlcores.cores.tensor.words import EXP2, IF_LT, LOG2, MAC, MAX, MIN, NOBODY, TANH

if TYPE_CHECKING:
    from rlcores.cores.tensor.trainer import Trainer

PART = 64  # features at a time, where something is kept aside


@dataclass(frozen=True)
class HiddenAddresses:
    """Vectors of a layer between its sums and its deltas.

    sums: what the activation takes, then what its derivative is made of. normal, root: of a normalised layer its
    results, and 1 / root, one feature.
    """

    sums: int
    normal: int = 0
    root: int = 0


def forward(
    trainer: "Trainer", kind: Activation, kept: HiddenAddresses, features: int, tensor: Tensor, act: int, *,
    learns: bool, norm: int | None = None,
) -> None:  # fmt: skip
    """Results of the sums, which are there when all products so far are done, to a tensor with the fraction `act`.

    norm: the fraction of a normalised layer's sums. learns: backward() comes later.
    """
    after: int | None = trainer.mark()
    if norm is not None:
        _normalise(trainer, kept, features, norm, kind.normal_frac, after)
        after = None
    for first in range(0, features, PART):
        n, here, aside = min(PART, features - first), trainer.at(kept.sums, first), trainer.aside
        head = lambda op, to, x, after=None, n=n, **more: trainer.head(op, n, to, x, after=after, **more)  # noqa: E731
        more: dict[str, Any] = {"k": WIDE_FRAC, "r": act}
        match kind.name:
            case "relu":
                head(MAX, here, here, after, y=Constant(0))
                more["y"] = Constant(1 << WIDE_FRAC - Z_FRAC)
            case "leaky_relu":
                head(MAC, aside, here, after, y=Constant(LEAKY_SLOPE), k=LEAKY_FRAC)
                head(MAX, here, here, y=aside)
                more = {} if norm is None else more | {"y": Constant(1 << WIDE_FRAC - Z_FRAC)}
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


def backward(
    trainer: "Trainer", kind: Activation, kept: HiddenAddresses, features: int, tensor: Tensor, delta: int, *,
    norm: int | None = None,
) -> None:  # fmt: skip
    """What the last product brings back to the results, in trainer.sums, to a tensor of deltas, fraction `delta`."""
    after, back = trainer.mark(), trainer.sums
    _slope(trainer, kind, kept.sums, features)
    if norm is None:
        trainer.to_tensor(tensor, 0, features, back, deltas=True, y=kept.sums, k=kind.slope_frac, id=delta, after=after)
        return
    frac = kind.normal_frac
    head, up, wide, one = trainer.head, normalisation.log2_up(features), trainer.wide, trainer.at(trainer.aside, 0)
    share = Constant(normalisation.share(features))
    head(MAC, features, back, back, y=kept.sums, k=kind.slope_frac, width=SUM_WIDTH, id=NOBODY, after=after)
    head(MAC, features, wide, back, k=up)
    head(MAC, 1, one, _total(trainer, wide, features), y=share, k=SHARE_FRAC)
    head(MAC, 1, one, one, y=Constant(-1))
    # The mean goes last, for the other one is that of all of it.
    head(MAC, features, wide, back, y=kept.normal, k=frac + up)
    head(MAC, features, back, back, z=Row(one))
    head(MAC, 1, one, _total(trainer, wide, features), y=share, k=SHARE_FRAC, width=SUM_WIDTH, id=NOBODY)
    head(MAC, features, back, kept.normal, y=Row(one), z=back, negate=True, up=frac, k=frac)
    trainer.to_tensor(tensor, 0, features, back, deltas=True, y=Row(kept.root), k=ROOT_FRAC + EXTRA, r=norm, id=delta)


def _slope(trainer: "Trainer", kind: Activation, kept: int, features: int) -> None:
    """The derivative in place of what forward() has kept."""
    head = lambda op, **more: trainer.head(op, features, kept, kept, **more)  # noqa: E731
    match kind.name:
        case "relu":
            # A whole number above 0 is 1 at least.
            head(MIN, y=Constant(1))
        case "leaky_relu":
            head(MAC, y=Constant(1 << LEAKY_FRAC))
            head(MIN, y=Constant(1 << LEAKY_FRAC))
            head(MAX, y=Constant(LEAKY_SLOPE))
        case "tanh":
            one = Constant(1 << OUT_FRACTION)
            head(MAC, y=kept, z=one, negate=True, up=OUT_FRACTION, k=OUT_FRACTION)
        case "elu":
            head(MAC, z=Constant(ELU_ONE))
            head(MIN, y=Constant(ELU_ONE))


def _normalise(trainer: "Trainer", kept: HiddenAddresses, features: int, norm: int, frac: int, after: int) -> None:
    """The sums, normalised, with `frac` fraction bits in their place and in kept.normal."""
    head, sums, wide, root = trainer.head, kept.sums, trainer.wide, kept.root
    head(MAC, features, wide, sums, after=after)
    mean = Constant(round((1 << MEAN_FRAC) / features))
    head(MAC, 1, root, _total(trainer, wide, features), y=mean, k=MEAN_FRAC)
    head(MAC, 1, root, root, y=Constant(-1))
    head(MAC, features, sums, sums, z=Row(root), width=18, id=norm)
    head(MAC, features, wide, sums, y=sums, k=normalisation.log2_up(features))
    head(LOG2, 1, root, _total(trainer, wide, features))
    head(MAC, 1, root, root, k=1)
    head(EXP2, 1, root, root, z=Constant(normalisation.of_one(features)), negate=True)
    head(MAC, features, sums, sums, y=Row(root), k=ROOT_FRAC - frac)
    if kept.normal != sums:
        head(MAC, features, kept.normal, sums)


def _total(trainer: "Trainer", vector: int, features: int) -> int:
    """The sum over the features of a vector, in its first one: half is added to half, until one is left."""
    while features > 1:
        half = features - features // 2
        trainer.head(MAC, features // 2, vector, vector, z=trainer.at(vector, half))
        features = half
    return vector
