"""Statistics of Stable-Baselines3's VecNormalize (`vec_normalize.pkl`), read without executing the pickle."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcores.deploy import pickled
from rlcores.deploy.arrays import array
from rlcores.deploy.network import Normaliser
from rlcores.deploy.pickled import Call
from rlcores.deploy.tensors import MOST_BYTES
from rlcores.errors import UserError


def load(file: Path) -> Normaliser | None:
    """The normaliser of observations; None if the file says that observations are not normalised.

    It computes clip((x - mean) / sqrt(var + epsilon), ±clip_obs). Raises UserError for every other file.
    """
    if file.stat().st_size > MOST_BYTES:
        raise UserError(f"'{file.name}' is larger than any statistics")
    root = pickled.read(file.read_bytes())
    if not isinstance(root, Call) or not root.name.endswith(".VecNormalize") or not isinstance(root.state, dict):
        raise UserError(f"'{file.name}' holds no VecNormalize of Stable-Baselines3")
    state = root.state
    if state.get("norm_obs") is False:
        return None
    running = state.get("obs_rms")
    if not isinstance(running, Call) or not isinstance(running.state, dict):
        raise UserError(f"'{file.name}' normalises observations of several parts (Dict), which is not imported")
    mean, var = array(running.state.get("mean")).ravel(), array(running.state.get("var")).ravel()
    epsilon, clip = (_number(state, name, file) for name in ("epsilon", "clip_obs"))
    if mean.shape != var.shape or not (var + epsilon > 0).all():
        raise UserError(f"'{file.name}' has damaged statistics")
    limits = np.full(mean.shape, clip)
    return Normaliser(mean, 1 / np.sqrt(var + epsilon), -limits, limits)


def _number(state: dict[str, Any], name: str, file: Path) -> float:
    value = array(state.get(name))
    if value.shape != () or not np.isfinite(value):
        raise UserError(f"'{file.name}' has no number '{name}'")
    return float(value)
