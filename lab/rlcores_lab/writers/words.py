"""Words of bits and stages as Verilog, from their declarations in words.py of a core."""

from pathlib import Path

from rlcores.base import limits
from rlcores.cores.learner import loss_settings as loss
from rlcores.cores.learner.words import INFO, NETWORK_STAGES, STAGES, WEIGHT_ADDR
from rlcores.cores.net import words as net
from rlcores.cores.sumtree import words as sumtree
from rlcores.cores.tensor import words as tensor
from rlcores_lab import shown


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    return {
        Path("rtl/nn/rlc_nn_words.vh"): _rendered("rlc_nn_words.vh", words=[WEIGHT_ADDR], limits=limits),
        Path("rtl/nn/rlc_nn_weight_addr.vh"): _rendered("rlc_nn_weight_addr.vh", word=WEIGHT_ADDR),
        Path("rtl/learner/rlc_learner_words.vh"): _rendered(
            "rlc_learner_words.vh", words=[INFO], stages={"STAGE": _places(STAGES), "NET": _places(NETWORK_STAGES)}
        ),
        Path("rtl/learner/rlc_learner_loss.vh"): _rendered(
            "rlc_learner_loss.vh", groups={"LOSS": _sized(loss.PICK, loss.REWARD, loss.TD), "TD": _sized(loss.TD)}
        ),
        Path("rtl/net/rlc_net_words.vh"): _rendered("rlc_net_words.vh", words=net.WORDS),
        Path("rtl/sumtree/rlc_sumtree_words.vh"): _rendered(
            "rlc_sumtree_words.vh", words=sumtree.WORDS, log=sumtree.LOG
        ),
        Path("rtl/tensor/rlc_tensor_words.vh"): _rendered(
            "rlc_tensor_words.vh",
            words=[
                tensor.COMMAND,
                tensor.UPDATE,
                tensor.VECTOR,
                tensor.STEP,
                tensor.BEAT,
                tensor.PLACED,
                tensor.TAKEN,
                tensor.SETTING,
                tensor.TOLD,
            ],
            numbers=tensor.NUMBERS,
            units=tensor.UNITS,
            operations=tensor.OPERATIONS | tensor.BEATS,
            nobody=tensor.NOBODY,
        ),
    }


def _sized(*units: str) -> list[tuple[str, int]]:
    """Name and bits of each setting that these units of the loss take."""
    return [(name, loss.bits(name)) for name in loss.of(*units)]


def _rendered(name: str, **context: object) -> str:
    return shown.rendered(f"writers/{name}.j2", **context).rstrip() + "\n"


def _places(stages: dict[str, int]) -> list[tuple[str, int]]:
    """Name and number of the first stage of each kind, upper case, and last how many there are."""
    places, at = [], 0
    for name, count in stages.items():
        places.append((name.upper(), at))
        at += count
    return [*places, ("ALL", at)]
