"""A deployed policy behind a board's serial line: observations, answers and new weights in rlc_mlp_serial's bytes."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcores.base import files
from rlcores.cores.mlp.shape import OUT_WIDTH, MlpShape
from rlcores.deploy import contract, verilog
from rlcores.deploy.formats import Observations
from rlcores.errors import RunFailed, UserError


class PolicyPort:
    """Speaks to policy_core behind rlc_mlp_serial.

    write: takes bytes. read: gives as many as are asked for, fewer when its time is over. Whoever opens a port gives
    both; `open` does it with pyserial.
    """

    def __init__(
        self, write: Callable[[bytes], object], read: Callable[[int], bytes], shape: MlpShape, seen: Observations
    ) -> None:
        """The policy of a contract (`contract.read`) at a line."""
        self._write, self._read, self._shape, self._seen = write, read, shape, seen

    @classmethod
    def open(cls, port: str, folder: str | Path, seconds: float = 1.0) -> "PolicyPort":
        """The policy of a deployed folder at a serial port. Raises UserError without pyserial or without the port."""
        from rlcores.deploy.board import BAUD

        try:
            import serial
        except ImportError as error:
            raise UserError("a serial port needs pyserial: pip install 'rlcores[serial]'") from error
        try:
            line = serial.Serial(port, BAUD, timeout=seconds)
        except (OSError, ValueError) as error:
            raise UserError(f"the serial port '{port}' cannot be opened: {error}") from error
        shape, seen = contract.read(files.read_json(Path(folder) / "policy.json", "the contract of the policy"))
        return cls(line.write, line.read, shape, seen)

    def _bytes(self, count: int) -> bytes:
        data = self._read(count)
        if len(data) != count:
            raise RunFailed(f"the board sent {len(data)} bytes of {count}")
        return data

    def answer(self, observation: np.ndarray) -> np.ndarray:
        """The core's answer to one observation [inputs], int64: an index, or a number per output."""
        self._write(request(self._shape, self._seen.integers(observation)[0]))
        kind = self._bytes(1)
        if kind != b"A":
            raise RunFailed(f"the board sent {kind!r} instead of an answer")
        bits = verilog.answer_bits(self._shape)
        whole = int.from_bytes(self._bytes(-(-bits // 8)), "little")
        if self._shape.argmax:
            return np.array([whole])
        numbers = [whole >> OUT_WIDTH * n & ((1 << OUT_WIDTH) - 1) for n in range(self._shape.sizes[-1])]
        return np.array([n - (1 << OUT_WIDTH) if n >> (OUT_WIDTH - 1) else n for n in numbers])

    def load(self, weights: str | Path | bytes) -> None:
        """Swap in a set of weights, `weights.bin` of a folder. Raises UserError if the board refuses it."""
        image = weights if isinstance(weights, bytes) else Path(weights).read_bytes()
        self._write(b"W" + struct.pack("<I", len(image) // 4) + image)
        answer = self._bytes(1)
        if answer == b"R":
            raise UserError("the board refused the weights: they are of another shape or other formats")
        if answer != b"T":
            raise RunFailed(f"the board sent {answer!r} instead of an answer to new weights")


def request(shape: MlpShape, integers: np.ndarray) -> bytes:
    """Bytes that ask for the answer to the integers of one observation, int64 [inputs].

    >>> shape = MlpShape((3, 1), ("relu",), 7, (7,), (6,), (13,), 7, 8, 12, 1, 2, 1)
    >>> request(shape, np.array([1, -1, 2])).hex()
    '4f01f0ff020000'
    """
    data, mask = b"O", (1 << shape.act_width) - 1
    for begin in range(0, len(integers), shape.cols):
        word = 0
        for place, number in enumerate(integers[begin : begin + shape.cols].tolist()):
            word |= (number & mask) << (place * shape.act_width)
        data += word.to_bytes(-(-shape.cols * shape.act_width // 8), "little")
    return data
