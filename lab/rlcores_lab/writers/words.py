"""Words of bits and stages as Verilog, from their declarations in words.py of a core."""

from pathlib import Path

from rlcores.base import limits
from rlcores.cores.env import words as env
from rlcores.cores.gae import words as gae
from rlcores.cores.learner import loss_settings as loss
from rlcores.cores.learner.words import ELEMENTS, FRACTIONS, INFO, KIND, NETWORK_STAGES, NETWORKS, STAGES, WEIGHT_ADDR
from rlcores.cores.policy.stages import STAGES as POLICY_STAGES
from rlcores.cores.ppo import words as ppo
from rlcores.cores.replay_server import words as server
from rlcores.cores.sumtree import words as sumtree
from rlcores.cores.tensor import words as tensor
from rlcores_lab import shown


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    return {
        Path("rtl/nn/gen/rlc_nn_words.vh"): _rendered("rlc_nn_words.vh", words=[WEIGHT_ADDR], limits=limits),
        Path("rtl/nn/gen/rlc_nn_weight_addr.vh"): _rendered("rlc_nn_weight_addr.vh", word=WEIGHT_ADDR),
        Path("rtl/learner/gen/rlc_learner_words.vh"): _rendered(
            "rlc_learner_words.vh",
            words=[KIND, FRACTIONS],
            fractions=FRACTIONS,
            elements=ELEMENTS,
            networks=NETWORKS,
            stages={"STAGE": places(STAGES), "NET": places(NETWORK_STAGES)},
        ),
        Path("rtl/rl/gen/rlc_rl_td_loss.vh"): _rendered(
            "rlc_rl_td_loss.vh",
            groups={"TD_LOSS": _sized(loss.PICK, loss.REWARD, loss.TD), "TD_ERROR": _sized(loss.TD)},
        ),
        **_of_core(
            "rtl/rl/gen/rlc_rl_words.vh",
            "what losses know of a sample besides a network's outputs",
            "words.py of cores/learner and cores/ppo",
            lines=[
                "`RLC_RL_INFO_BITS           of a record, for the loss of TD errors; `RLC_RL_INFO_LAST and so on",
                "`RLC_RL_CLIP_BITS           of an action, for PPO's loss of a policy",
                "`RLC_RL_VALUE_BITS          of a state, for PPO's loss of values",
            ],
            words=[INFO, ppo.CLIP, ppo.VALUE],
        ),
        **_of_core(
            "rtl/common/gen/rlc_env_words.vh",
            "what an answer of environments has above its observations",
            "cores/env/words.py",
            lines=[
                "`RLC_ENV_ANSWER_WIDTH(obs)  bits of an answer with observations of `obs` numbers",
                "`RLC_ENV_ANSWER_HEAD(obs)   where its ends and reward stand, as a part of an answer",
                "`RLC_ENV_ANSWER_BITS        bits of that; `RLC_ENV_ANSWER_FIRST and so on are its fields",
            ],
            words=[env.ANSWER],
            answer=env.ANSWER,
            numbers=env.NUMBERS,
        ),
        **_of_core(
            "rtl/gae/gen/rlc_gae_words.vh",
            "elements of the streams",
            "cores/gae/words.py",
            lines=["`RLC_GAE_ELEMENT_BITS        bits of an element; `RLC_GAE_ELEMENT_LANE and so on its fields"],
            words=gae.WORDS,
        ),
        **_of_core(
            "rtl/ppo/gen/rlc_ppo_words.vh",
            "records of a rollout from elsewhere, and stages",
            "cores/ppo/words.py",
            lines=[
                "`RLC_PPO_ROLLOUT_BITS        bits of a record above its action and observation; its fields",
                "`RLC_PPO_NETWORK_ACTOR      number of a network in the list, for the host",
                "`RLC_PPO_STAGE_FW            number of a counter's stage, or of the first of several",
            ],
            words=[ppo.ROLLOUT],
            networks=ppo.NETWORKS,
            stages=places(ppo.STAGES),
        ),
        **_of_core(
            "rtl/policy/gen/rlc_policy_stages.vh",
            "what the counters count",
            "cores/policy/stages.py",
            lines=["`RLC_POLICY_STAGE_SATURATED    number of a counter, or of the first of several"],
            stages=places(POLICY_STAGES),
        ),
        Path("rtl/replay_server/gen/rlc_replay_server_words.vh"): _rendered(
            "rlc_replay_server_words.vh", words=server.WORDS
        ),
        Path("rtl/sumtree/gen/rlc_sumtree_words.vh"): _rendered(
            "rlc_sumtree_words.vh", words=sumtree.WORDS, log=sumtree.LOG
        ),
        Path("rtl/tensor/gen/rlc_tensor_words.vh"): _rendered(
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


def _of_core(path: str, what: str, source: str, **context: object) -> dict[Path, str]:
    """One file, whose macros begin with its name's first two words."""
    _, core, kind = Path(path).stem.split("_")
    name = Path(path).name
    prefix, guard = f"RLC_{core.upper()}", f"{kind.upper()}_VH"
    text = _rendered("rlc_core_words.vh", file=name, what=what, source=source, prefix=prefix, guard=guard, **context)
    return {Path(path): text}


def places(stages: dict[str, int]) -> list[tuple[str, int]]:
    """Name and number of the first stage of each kind, upper case, and last how many there are."""
    places, at = [], 0
    for name, count in stages.items():
        places.append((name.upper(), at))
        at += count
    return [*places, ("ALL", at)]
