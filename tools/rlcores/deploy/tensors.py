"""PyTorch's files of tensors (.pth, .pt, and the policy inside a Stable-Baselines3 archive), read without PyTorch.

Such a file is a zip archive: `data.pkl` describes the objects, and each storage of numbers is a member of its own.
"""

import lzma
import math
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rlcores.deploy import pickled
from rlcores.deploy.arrays import MOST_ELEMENTS, array, is_array
from rlcores.deploy.pickled import Call, Persistent
from rlcores.errors import UserError

MOST_BYTES = MOST_ELEMENTS * 8  # of one member

# zipfile tells of damage in many ways: a bad sum, a bad header, an unknown method, an encrypted member.
_DAMAGE = (
    zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, RuntimeError, OverflowError, OSError, struct.error,
    zlib.error, lzma.LZMAError,
)  # fmt: skip

_STORAGES = {
    "torch.FloatStorage": "f4",
    "torch.DoubleStorage": "f8",
    "torch.HalfStorage": "f2",
    "torch.LongStorage": "i8",
    "torch.IntStorage": "i4",
    "torch.ShortStorage": "i2",
    "torch.CharStorage": "i1",
    "torch.ByteStorage": "u1",
    "torch.BoolStorage": "b1",
}


def opened(source: Path | BinaryIO, what: str) -> zipfile.ZipFile:
    """An archive, or UserError in one sentence."""
    try:
        return zipfile.ZipFile(source)
    except _DAMAGE as error:
        raise UserError(f"{what} is no zip archive, or a damaged one") from error


def member(archive: zipfile.ZipFile, name: str, what: str) -> bytes:
    """The bytes of a member, at most MOST_BYTES; UserError if it is absent, larger or damaged."""
    try:
        with archive.open(name) as file:
            data = file.read(MOST_BYTES + 1)
    except KeyError as error:
        raise UserError(f"{what} has no '{name}' inside") from error
    except _DAMAGE as error:
        raise UserError(f"'{name}' inside {what} is damaged") from error
    if len(data) > MOST_BYTES:
        raise UserError(f"'{name}' inside {what} is larger than any policy")
    return data


class TensorFile:
    """What a file of PyTorch describes, and its tensors."""

    def __init__(self, source: Path | BinaryIO, what: str) -> None:
        """Read `data.pkl`. what: how messages name the file. Raises UserError."""
        self.what = what
        self._archive = opened(source, what)
        names = self._archive.namelist()
        pickles = [name for name in names if name == "data.pkl" or name.endswith("/data.pkl")]
        if len(pickles) != 1:
            hint = ", and TorchScript is not imported: export ONNX instead" if "constants.pkl" in str(names) else ""
            raise UserError(f"{what} is no file of torch.save(): it has no data.pkl inside{hint}")
        self._folder = pickles[0].removesuffix("data.pkl")
        if self._folder + "constants.pkl" in names:
            raise UserError(f"{what} is TorchScript, which is not imported: export ONNX instead")
        order = self._folder + "byteorder"
        self._order = ">" if order in names and member(self._archive, order, what).strip() == b"big" else "<"
        self.root = pickled.read(member(self._archive, pickles[0], what))
        self._storages: dict[str, np.ndarray] = {}

    def is_tensor(self, node: Any) -> bool:
        """Whether a node describes a tensor, a parameter or a NumPy array."""
        if is_array(node):
            return True
        return isinstance(node, Call) and node.name in (
            "torch._utils._rebuild_tensor_v2",
            "torch._utils._rebuild_parameter",
        )

    def tensor(self, node: Any) -> np.ndarray:
        """The tensor that a node describes, as float64 of its shape. Raises UserError if it is damaged."""
        if is_array(node):
            return array(node)
        try:
            if node.name == "torch._utils._rebuild_parameter":
                node = node.arguments[0]
            storage, offset, shape, strides = node.arguments[:4]
            flat = self._storage(storage)
            numbers = (offset, *shape, *strides)
            if len(shape) != len(strides) or not all(isinstance(n, int) and n >= 0 for n in numbers):
                raise UserError(f"a tensor inside {self.what} has a damaged shape")
            count = math.prod(shape)
            last = offset + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
            if count > MOST_ELEMENTS or (count and last >= flat.size):
                raise UserError(f"a tensor inside {self.what} is larger than its storage")
            if not count:
                return np.zeros(shape)
            index = np.full((), offset, dtype=np.int64)
            for size, stride in zip(shape, strides, strict=True):
                index = index[..., None] + np.arange(size, dtype=np.int64) * stride
            return flat[index].astype(np.float64)
        except (ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
            raise (
                error if isinstance(error, UserError) else UserError(f"a tensor inside {self.what} is damaged")
            ) from error

    def _storage(self, node: Any) -> np.ndarray:
        if not isinstance(node, Persistent) or not isinstance(node.key, tuple) or len(node.key) < 5:
            raise UserError(f"a tensor inside {self.what} has no storage")
        _, kind, key, _, count = node.key[:5]
        name = getattr(kind, "name", "")
        if name == "torch.BFloat16Storage":
            dtype = np.dtype(self._order + "u2")
        elif name in _STORAGES:
            dtype = np.dtype(self._order + _STORAGES[name])
        else:
            raise UserError(f"a tensor inside {self.what} has the type '{name or 'unknown'}', which is not read")
        if not isinstance(key, str) or not isinstance(count, int):
            raise UserError(f"a tensor inside {self.what} has a damaged storage")
        if key not in self._storages:
            data = member(self._archive, f"{self._folder}data/{key}", self.what)
            if len(data) != count * dtype.itemsize:
                raise UserError(f"a storage inside {self.what} has another size than it says")
            values = np.frombuffer(data, dtype=dtype)
            if name == "torch.BFloat16Storage":
                values = (values.astype(np.uint32) << 16).view(np.float32)
            self._storages[key] = values
        return self._storages[key]

    def tensors(self, node: Any = None) -> dict[str, np.ndarray]:
        """The tensors of a state_dict by name; other entries are left out. Empty if the node is no dict."""
        node = self.root if node is None else node
        pairs = node if isinstance(node, dict) else node.pairs if isinstance(node, Call) else {}
        named = {str(key): value for key, value in pairs.items() if isinstance(key, str)}
        return {key: self.tensor(value) for key, value in named.items() if self.is_tensor(value)}
