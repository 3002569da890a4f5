"""A top of the ULX3S, Verilated, by its serial pins: the line that rlcores.buses.serial needs, without a board."""

import ctypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rlcores.buses import verilated
from rlcores.eda import library
from rlcores.errors import UserError

VLNV = "rlcores:system:serial"
TOP = "rlc_serial_ulx3s"
_SHIM = Path(__file__).resolve().parent / "shim"


class SimulatedPins(verilated.Simulation):
    """One simulated rlc_serial_ulx3s, or another top with its pins; with the methods of `SerialPort`.

    Its clock only moves during a call. Everything is in it that the bitstream has, but for the PLL: the pin of the
    oscillator is the clock.
    """

    def __init__(
        self,
        parameters: Mapping[str, int | str],
        *,
        vlnv: str = VLNV,
        top: str = TOP,
        clocks: int | None = None,
        drift: float = 0.0,
        limit: int = 20_000,
    ) -> None:
        """Build the top when needed, and press its reset.

        parameters: Verilog parameters. clocks: of a bit, where no parameter CLOCKS_PER_BIT says it; then nobody presses
        the reset, and what it says from power-on on is kept. drift: how much longer the bits of this end are, -0.05 to
        0.05. limit: clocks of silence that end a read. Raises UserError for another drift, RunFailed when the top does
        not build.
        """
        if not -0.05 <= drift <= 0.05:
            raise UserError(f"drift is {drift}; it must be -0.05 to 0.05")
        self._clocks = clocks or int(parameters["CLOCKS_PER_BIT"])
        self._limit = limit
        self._library = _load(library.build(vlnv, top, parameters, _SHIM / "rlc_pins.cpp", [_SHIM / "rlc_pins.h"]))
        self._start(self._library.rlc_pins_new(self._clocks * (1 + drift)), self._library.rlc_pins_delete)
        if clocks is None:
            self.press_reset()

    def write(self, data: bytes) -> None:
        self._library.rlc_pins_send(self._handle, data, len(data))

    def read(self, count: int, timeout: float) -> bytes:
        """At most `count` bytes; fewer when the line was silent for `limit` clocks. `timeout` means nothing here."""
        data = ctypes.create_string_buffer(count)
        came = self._library.rlc_pins_receive(self._handle, data, count, self._limit)
        return data.raw[:came]

    def send_break(self) -> None:
        self._library.rlc_pins_break(self._handle, 20 * self._clocks)

    def discard(self) -> None:
        self._library.rlc_pins_discard(self._handle)

    def press_reset(self) -> None:
        """Push the reset button, and let the reset pass."""
        self._library.rlc_pins_reset(self._handle, 10)
        self._library.rlc_pins_receive(self._handle, ctypes.create_string_buffer(1), 1, 10 * self._clocks)
        self.discard()

    @property
    def cycles(self) -> int:
        """Clocks since the start."""
        return self._library.rlc_pins_cycles(self._handle)

    @property
    def bad(self) -> int:
        """Bytes with a low stop bit that came from the core."""
        return self._library.rlc_pins_bad(self._handle)

    @property
    def leds(self) -> int:
        """The eight LEDs."""
        return self._library.rlc_pins_leds(self._handle)


@cache
def _load(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    handle, u64, data = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p
    signatures = {
        "rlc_pins_new": (handle, [ctypes.c_double]),
        "rlc_pins_delete": (None, [handle]),
        "rlc_pins_cycles": (u64, [handle]),
        "rlc_pins_reset": (None, [handle, u64]),
        "rlc_pins_send": (None, [handle, data, u64]),
        "rlc_pins_break": (None, [handle, u64]),
        "rlc_pins_receive": (u64, [handle, data, u64, u64]),
        "rlc_pins_discard": (None, [handle]),
        "rlc_pins_bad": (u64, [handle]),
        "rlc_pins_leds": (ctypes.c_uint32, [handle]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
