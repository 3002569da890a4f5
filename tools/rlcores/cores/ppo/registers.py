"""What the host gives rlc_ppo: its configuration ports by name, and planes of weights in the order of its streams."""

from collections.abc import Iterator

import numpy as np

from rlcores.cores.common.draws import state_of
from rlcores.cores.common.log2exp2 import log2_fixed
from rlcores.cores.learner.format import ACT_WIDTH
from rlcores.cores.learner.layout import MOMENT, SQUARES, WEIGHTS, WeightLayout
from rlcores.cores.learner.network import clip_and_count
from rlcores.cores.learner.registers import fractions, pack_networks
from rlcores.cores.ppo import gae
from rlcores.cores.ppo.model import Ppo, Rollout
from rlcores.cores.ppo.settings import PpoFormats, PpoSettings
from rlcores.cores.ppo.words import ROLLOUT

_SIGNED = {"log_eps": 20, "log_clip": 20, "norm": 28, "rate": 28}  # bits of those that may be negative


def ports(formats: PpoFormats, settings: PpoSettings, columns: int, todo: int = 0) -> dict[str, int]:
    """All cfg_* ports as unsigned numbers. columns: DP of the core; todo: iterations of a run, 0: until `halt`.
    Rollouts are collected, not external. Raises ValueError for a shared trunk, which the core has not.

    >>> from rlcores.cores.ppo.settings import registers
    >>> from rlcores.cores.learner.format import LearnerFormats as Network
    >>> made = PpoFormats(Network((14, 16), (0, 12), (0, 18)), Network((14, 16), (0, 12), (0, 18)))
    >>> ports(made, registers(made, gaussian=False), columns=5)["cfg_batch_slices"]
    410
    """
    if formats.critic is None:
        raise ValueError("the core has an actor and a critic of their own, no shared trunk")
    s, batch = settings, settings.batch
    values = {
        "seed": sum(word << 32 * i for i, word in enumerate(state_of(s.seed))),
        "external_rollout": 0,
        "lockstep": s.lockstep,
        "todo": todo,
        "iterations": s.falls,
        "steps": s.steps,
        "epochs": s.epochs,
        "batch": batch,
        "batch_bits": (batch - 1).bit_length(),
        "batch_log": int(log2_fixed(batch)) - int(log2_fixed(batch - 1)),
        "batch_slices": -(-batch // columns),
        "logs_frac": formats.logs,
    }
    values["fracs"] = pack_networks((formats.critic, formats.actor))
    for name in ("gamma", "gamma_lambda", "reward_scale", "clip", "entropy", "value", "value_clip", *_SIGNED):
        values[name] = getattr(s, name) & ((1 << _SIGNED.get(name, 32)) - 1)
    return {f"cfg_{name}": value for name, value in values.items()}


def rollout_words(rollout: Rollout, gamma: int, cut: bool = False) -> Iterator[int]:
    """The words of a rollout that was collected elsewhere, as rlc_ppo takes them: T N records, then N last values.

    rollout: as Ppo.complete() leaves it. gamma: ufix(18,17). cut: with the bit that a core with RECORD_BITS wants.
    """
    inputs = rollout.observations.shape[-1]
    raw = [27] * rollout.actions.shape[2] if rollout.actions.ndim == 3 else [8]
    widths = np.array([ACT_WIDTH] * inputs + [*raw, *reversed(ROLLOUT.fields.values()), *[1] * cut])
    shifts = [0, *np.cumsum(widths)[:-1].tolist()]
    lost = rollout.truncated & ~rollout.terminated
    ends = rollout.terminated | rollout.truncated
    codes = clip_and_count(rollout.observations, ACT_WIDTH)
    rewards, _ = gae.ended(rollout.rewards, lost, rollout.finals, gamma)
    parts = (codes, rollout.actions, rollout.logs, rollout.values, rewards, ends, *[lost] * cut)
    flat = np.concatenate([x.reshape(ends.size, -1).astype(np.int64) for x in parts], axis=1)
    last = np.zeros((len(rollout.bootstrap), flat.shape[1]), np.int64)
    last[:, -3 - cut] = rollout.bootstrap
    for record in np.concatenate([flat, last]).tolist():
        yield sum((x & (1 << int(w)) - 1) << s for x, w, s in zip(record, widths, shifts, strict=True))


def planes(own: Ppo, layouts: dict[str, WeightLayout]) -> Iterator[tuple[str, int, np.ndarray]]:
    """Network, plane and its words, int64, of all that a learner begins with: weights, then Adam's moments.

    layouts: of "actor" and "critic". Behind the actor's a Gaussian policy has a zero a dimension, then its
    log-deviations.
    """
    for name, layout in layouts.items():
        for number, plane in enumerate((WEIGHTS, MOMENT, SQUARES)):
            words = layout.to_stream(getattr(own, name).matrices(plane))
            if own.gaussian and name == "actor":
                words = np.concatenate([words, np.zeros(own.outputs, np.int64), own.logs[number]])
            yield name, plane, words


def registers(formats: PpoFormats, settings: PpoSettings, columns: int) -> dict[str, int]:
    """The same registers of rlc_ppo_axi by name, but for TODO and EXTERNAL_ROLLOUT. Raises ValueError as ports()."""
    values = {name.removeprefix("cfg_").upper(): value for name, value in ports(formats, settings, columns).items()}
    seed, _, _, _ = (values.pop(name) for name in ("SEED", "TODO", "EXTERNAL_ROLLOUT", "FRACS"))
    for number, own in enumerate((formats.critic, formats.actor)):
        values |= {f"NET{number}_{name.upper()}": value for name, value in fractions(own).items()}
    return values | {f"SEED{place}": seed >> 32 * place & (1 << 32) - 1 for place in range(4)}
