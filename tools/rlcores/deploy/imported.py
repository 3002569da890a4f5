"""A policy from a file of any of the kinds that are imported."""

from pathlib import Path

import numpy as np

from rlcores.deploy import onnx_file, sb3, states, statistics, trained
from rlcores.deploy.network import ACTIVATIONS, Policy
from rlcores.errors import UserError


def load(
    file: str | Path,
    *,
    normaliser: str | Path | None = None,
    activation: str | None = None,
    head: str | None = None,
    output: str | None = None,
) -> Policy:
    """The policy of `best.npz` of `rlcores train`, an archive of Stable-Baselines3, a file of torch.save(), or ONNX.

    file: `.npz`, `.zip`, `.pth`, `.pt` or `.onnx`; all but the first are told apart by their contents. normaliser: a
    `vec_normalize.pkl` of Stable-Baselines3. activation: of the hidden layers of a state_dict. head: `argmax` or
    `continuous`, where the file does not say. output: name of an ONNX graph's output. No code of the file runs. Raises
    UserError, one sentence that names what cannot be imported.
    """
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused by the descriptor
            return _load(Path(file), normaliser, activation, head, output)
    except UserError as error:
        raise UserError(_sentence(str(error))) from error


def _sentence(message: str) -> str:
    """A message that may name what stands in a file: one line, of letters that can be printed, not endless."""
    line = "".join(letter if letter.isprintable() else "?" for letter in message)
    return line if len(line) <= 500 else line[:497] + "..."


def _load(
    path: Path, normaliser: str | Path | None, activation: str | None, head: str | None, output: str | None
) -> Policy:
    if path.is_dir():
        raise UserError(f"'{path}' is a folder; give a file, such as best.npz of a run of rlcores train")
    if not path.is_file():
        raise UserError(f"there is no file '{path}'")
    if activation is not None and activation not in ACTIVATIONS:
        raise UserError(f"the activation '{activation}' is not known; known are: {', '.join(ACTIVATIONS)}")
    if head not in (None, "argmax", "continuous"):
        raise UserError(f"the head '{head}' is not known; known are: argmax, continuous")
    if path.suffix == ".npz":
        policy = trained.load(path)
    elif sb3.is_archive(path):
        policy = sb3.load(path)
    else:
        with path.open("rb") as opened:
            zipped = opened.read(4) == b"PK\x03\x04"
        if zipped:
            policy = states.load(path, activation, head=head)
        elif path.suffix in (".pth", ".pt", ".pkl", ".zip"):
            raise UserError(f"'{path.name}' is no zip archive, which files of torch.save() have been since PyTorch 1.6")
        else:
            policy = onnx_file.load(path, output, head)
    if normaliser is not None:
        statistic = statistics.load(Path(normaliser))
        policy = policy if statistic is None else policy.with_normaliser(statistic)
    return policy
