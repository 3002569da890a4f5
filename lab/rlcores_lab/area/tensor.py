"""Resources of the tensor core: multipliers, memories and the array's registers from its Verilog, the rest from Yosys.

What is not counted from the Verilog was fitted to the two configurations that were synthesised, a number for what stays
and one for what grows; both have words of four vectors, so larger arrays are an extrapolation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from rlcores.cores.tensor.words import STEP
from rlcores_lab.area.estimate.memory import auto, block, distributed, lanes, ultra
from rlcores_lab.area.estimate.part import Counts, Part

_WEIGHT, _TARGET, _X, _SUM, _GRAD = 27, 36, 18, 48, 27  # bits
_MOMENT, _SQUARE, _VECTOR = 33, 48, 35
_ROM = Part(bram36=0.5)  # of normal numbers
# Counted by `rlcores synth`.
_NARROW, _NARROW_EACH = Part(lut=184, ff=242), Part(lut=480, ff=211)  # a result of a word
_LANE = Part(lut=1363, ff=1382, dsp=5, bram36=1.5)  # of the vector unit, its tables included
_ADAM = Part(lut=1025, ff=1250, dsp=1)
_UPDATE, _UPDATE_EACH = Part(lut=620, ff=474), Part(lut=849, ff=945, dsp=1)  # a lane
_VECTORS, _VECTORS_EACH = Part(lut=827, ff=1174, dsp=1), Part(lut=180, ff=194)
_MEMORY, _MEMORY_EACH = Part(lut=162, ff=4), Part(lut=23, ff=2 * _X)  # a number of a word
_BIASES, _BIASES_LANE, _BIASES_EACH = Part(lut=213, ff=5), Part(ff=135), Part(lut=47)
_OUTPUTS, _OUTPUTS_EACH = Part(lut=120, ff=112), Part(lut=35, ff=27)
_BEATS, _BEATS_EACH = Part(lut=100, ff=269), Part(lut=106, ff=97)
_CONTROL = Part(lut=3329 + 1287 + 675 + 587, ff=966 + 629 + 781 + 63)  # fractions, program, issue, registers
_REST, _REST_EACH = Part(lut=1829, ff=1216), Part(lut=148, ff=163)  # operands of the array, a weight of a block


@dataclass(frozen=True)
class _Shape:
    side: int
    blocks: int
    parameters: Mapping[str, int]

    @classmethod
    def of(cls, parameters: Mapping[str, int | str]) -> Self:
        """From Verilog parameters."""
        values = {name: int(value) for name, value in parameters.items()}
        return cls(values["SIDE"], values["BLOCKS"], values)

    @property
    def word(self) -> int:
        """Results of a word."""
        return self.side * self.side * self.blocks


def _array(s: _Shape) -> Part:
    """Multipliers, and what their cascades delay."""
    waits = s.side * (s.side - 1) // 2
    return Part(dsp=s.side * s.word, ff=waits * (s.side * s.blocks * _X + s.side * _WEIGHT))


def _matrix_unit(s: _Shape) -> Part:
    p, square = s.parameters, s.side * s.side
    area = _array(s) + _NARROW + _NARROW_EACH * s.word + _REST + _REST_EACH * square
    area += Part(ff=2 * s.word * _SUM + s.side * _SUM * (s.side - 1)) + auto(s.word * _SUM, p["PASS_SUMS"])
    planes = [p["WEIGHT_BLOCKS"]] + [p["TARGET_BLOCKS"]] * (p["TARGET_BLOCKS"] > 0)
    for depth in planes:
        area += lanes(p["WEIGHT_STYLE"], square, _WEIGHT, depth) + auto(s.side * _WEIGHT, p["BIAS_ROWS"])
    for tiles in (p["A_TILES"], p["E_TILES"]):
        depth = (1 << (tiles - 1).bit_length()) * s.blocks
        area += lanes(p["TILE_STYLE"], square, _X, depth) * s.blocks + _MEMORY + _MEMORY_EACH * s.word
    area += _BIASES + _BIASES_LANE * s.side + _BIASES_EACH * square
    return area + _OUTPUTS + _OUTPUTS_EACH * s.word


def _update_unit(s: _Shape) -> Part:
    p, side = s.parameters, s.side
    area = _UPDATE + (_UPDATE_EACH + _ADAM) * side + Part(ff=s.word * _GRAD)
    area += auto(s.word * _GRAD, p["GRAD_WORDS"]) + auto(side * _GRAD, p["GRAD_ROWS"])
    for bits in (_WEIGHT, _MOMENT, _SQUARE):
        area += _groups(s, side * bits, p["GROUPS"])
    return area + (_groups(s, side * _TARGET, p["TARGET_GROUPS"]) if p["TARGET_GROUPS"] else Part())


def _groups(s: _Shape, width: int, depth: int) -> Part:
    style = s.parameters["GROUP_STYLE"]
    return {1: distributed, 2: block, 3: ultra}.get(style, auto)(width, depth)


def _vector_unit(s: _Shape) -> Part:
    area = _VECTORS + (_VECTORS_EACH + _LANE) * s.side + _ROM
    return area + lanes(0, s.side, _VECTOR, s.parameters["WORDS"]) * 3


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_tensor_axi`."""
    s = _Shape.of(parameters)
    area = _matrix_unit(s) + _update_unit(s) + _vector_unit(s) + _CONTROL + _BEATS + _BEATS_EACH * s.side
    return (area + auto(STEP.bits, s.parameters["STEPS"])).counts
