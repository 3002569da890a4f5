"""Policies in ONNX, as RSL-RL, Isaac Lab and Stable-Baselines3's guide export them.

The graph is followed from its input to one output. Constants are computed, and what happens to the observation becomes
a chain of steps. Needs the package `onnx`: `pip install 'rlcores[deploy]'`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.deploy import chain
from rlcores.deploy.arrays import MOST_ELEMENTS
from rlcores.deploy.chain import Act, Argmax, Clip, Each, Full, Norm, Pick, Softmax
from rlcores.deploy.network import LayerNorm, Policy
from rlcores.errors import UserError

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

MOST_NODES = 10_000
MOST_BYTES = MOST_ELEMENTS * 8


@dataclass(frozen=True, eq=False)
class _Signal:
    """What the observation has become: the steps so far, and the number of elements where it is known."""

    steps: tuple[chain.Step, ...]
    width: int | None
    reduced: bool = False  # the logarithm of the sum of exponentials of `steps`

    def then(self, step: chain.Step, width: int | None = None) -> "_Signal":
        return _Signal((*self.steps, step), self.width if width is None else width)


_Value = np.ndarray | _Signal


def load(file: Path, output: str | None = None, head: str | None = None) -> Policy:
    """The policy of an ONNX file.

    output: name of the graph's output, its first if None. head: `argmax` if the outputs are values or logits. Raises
    UserError that names the operator which cannot be imported.
    """
    graph = _read(file).graph
    names = [o.name for o in graph.output]
    target = output or (names[0] if names else "")
    if target not in names:
        raise UserError(f"'{file.name}' has no output '{target}'; it has: {', '.join(names) or 'none'}")
    if len(graph.node) > MOST_NODES:
        raise UserError(f"'{file.name}' has {len(graph.node)} operators; a policy has {MOST_NODES} at most")
    values: dict[str, _Value] = {i.name: _tensor(i, file) for i in graph.initializer}
    inputs = [i for i in graph.input if i.name not in values]
    if len(inputs) != 1:
        raise UserError(
            f"'{file.name}' has {len(inputs)} inputs ({', '.join(i.name for i in inputs)}); it must have one"
        )
    values[inputs[0].name] = _Signal((), None)
    for node in _needed(graph, target):
        _run(node, values, file)
    signal = values.get(target)
    if not isinstance(signal, _Signal) or signal.reduced:
        raise UserError(f"the output '{target}' of '{file.name}' does not depend on the observation alone")
    return chain.policy(list(signal.steps), head, "ONNX")


def _read(file: Path) -> "ModelProto":
    import onnx  # noqa: F401  # an extra: its absence is one sentence
    from google.protobuf.message import DecodeError
    from onnx import ModelProto

    if file.stat().st_size > MOST_BYTES:
        raise UserError(f"'{file.name}' is larger than any policy")
    model = ModelProto()
    try:
        model.ParseFromString(file.read_bytes())
    except (DecodeError, ValueError, RuntimeError) as error:
        raise UserError(f"'{file.name}' is no ONNX file, or a damaged one") from error
    if not model.graph.node:
        raise UserError(f"'{file.name}' is no ONNX file, or has no operators")
    return model


def _tensor(proto: Any, file: Path) -> np.ndarray:
    from onnx import helper, numpy_helper

    if any(n < 0 for n in proto.dims) or math.prod(proto.dims) > MOST_ELEMENTS:
        raise UserError(f"the constant '{proto.name}' of '{file.name}' is larger than any policy's")
    try:
        if proto.data_location == 1:
            kind = np.dtype(helper.tensor_dtype_to_np_dtype(proto.data_type)).newbyteorder("<")
            data = _beside(proto, file, math.prod(proto.dims) * kind.itemsize)
            return np.frombuffer(data, dtype=kind).reshape(tuple(proto.dims))
        return np.asarray(numpy_helper.to_array(proto))
    except UserError:
        raise
    except Exception as error:  # the package tells of damage in many ways
        raise UserError(f"the constant '{proto.name}' of '{file.name}' is damaged") from error


def _beside(proto: Any, file: Path, size: int) -> bytes:
    """The bytes of a constant that stands in a file beside the ONNX file, as PyTorch writes it."""
    entries = {e.key: e.value for e in proto.external_data}
    name = entries.get("location", "")
    if not name or name in (".", "..") or Path(name).name != name or "\\" in name:
        raise UserError(f"'{file.name}' keeps '{proto.name}' outside its folder, which is not read")
    other = file.parent / name
    if not other.is_file() or other.is_symlink():
        raise UserError(f"'{file.name}' keeps '{proto.name}' in '{name}', which is not beside it")
    offset, length = int(entries.get("offset", 0)), int(entries.get("length", size))
    if offset < 0 or length != size or offset + length > other.stat().st_size:
        raise UserError(f"the constant '{proto.name}' of '{file.name}' is damaged")
    with other.open("rb") as opened:
        opened.seek(offset)
        return opened.read(length)


def _needed(graph: Any, target: str) -> list["NodeProto"]:
    """The operators that an output needs, in the graph's order."""
    needed, operators = {target}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            needed |= set(node.input)
            operators.append(node)
    return operators[::-1]


def _attributes(node: "NodeProto", file: Path) -> dict[str, Any]:
    from onnx import AttributeProto

    values: dict[str, Any] = {}
    for a in node.attribute:
        match a.type:
            case AttributeProto.INT:
                values[a.name] = a.i
            case AttributeProto.FLOAT:
                values[a.name] = a.f
            case AttributeProto.INTS:
                values[a.name] = list(a.ints)
            case AttributeProto.FLOATS:
                values[a.name] = list(a.floats)
            case AttributeProto.STRING:
                values[a.name] = a.s
            case AttributeProto.TENSOR:
                values[a.name] = _tensor(a.t, file)
    return values


def _run(node: "NodeProto", values: dict[str, _Value], file: Path) -> None:
    def refuse(why: str) -> UserError:
        return UserError(f"'{file.name}' has the operator {node.op_type}{why}, which is not imported")

    missing = [name for name in node.input if name and name not in values]
    if missing:
        raise UserError(f"'{file.name}' is damaged: nothing makes '{missing[0]}'")
    inputs = [values[name] if name else None for name in node.input]
    attributes = _attributes(node, file)
    if node.domain not in ("", "ai.onnx"):
        raise refuse(f" of the domain '{node.domain}'")
    signals = [v for v in inputs if isinstance(v, _Signal)]
    table = _ON_SIGNALS if signals else _ON_CONSTANTS
    made: Any
    if node.op_type not in table:
        raise refuse("" if signals else " on constants")
    if any(s.reduced for s in signals) and node.op_type != "Sub":
        raise refuse(" behind ReduceLogSumExp")
    try:
        made = table[node.op_type](inputs, attributes)
    except UserError as error:
        raise UserError(f"the operator {node.op_type} in '{file.name}': {error}") from error
    except (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, OverflowError, MemoryError) as error:
        raise refuse(" with these inputs") from error
    made = made if isinstance(made, list) else [made]
    if any(isinstance(m, np.ndarray) and m.size > MOST_ELEMENTS for m in made):
        raise refuse(" with a result larger than any policy's")
    values.update(zip(node.output, made, strict=False))


class _Other(ValueError):
    """These inputs are not what the operator does in a policy."""


def _signal(value: Any) -> _Signal:
    if not isinstance(value, _Signal):
        raise _Other
    return value


def _constant(value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise _Other
    return value.astype(np.float64)


def _rows(values: np.ndarray) -> np.ndarray:
    """Constants per element, [n] or []; a leading 1, which stands for the batch, is dropped."""
    if values.ndim > 2 or (values.ndim == 2 and values.shape[0] != 1):
        raise _Other
    return values.reshape(-1) if values.size > 1 else values.reshape(())


def _gemm(inputs: list, attributes: dict) -> _Signal:
    x, weights = _signal(inputs[0]), _constant(inputs[1])
    bias = _constant(inputs[2]) if len(inputs) > 2 and inputs[2] is not None else np.zeros(())
    if attributes.get("transA", 0) or weights.ndim != 2:
        raise _Other
    weights = (weights if attributes.get("transB", 0) else weights.T) * attributes.get("alpha", 1.0)
    bias = np.broadcast_to(_rows(bias) * attributes.get("beta", 1.0), weights.shape[:1])
    return x.then(Full(weights, bias.astype(np.float64)), weights.shape[0])


def _matmul(inputs: list, _: dict) -> _Signal:
    x, weights = _signal(inputs[0]), _constant(inputs[1])
    if weights.ndim != 2:
        raise _Other
    return x.then(Full(weights.T, np.zeros(weights.shape[1])), weights.shape[1])


def _add(inputs: list, _: dict) -> _Signal:
    x, c = (inputs[0], inputs[1]) if isinstance(inputs[0], _Signal) else (inputs[1], inputs[0])
    return _signal(x).then(Each(np.array(1.0), _rows(_constant(c))))


def _sub(inputs: list, _: dict) -> _Signal:
    a, b = inputs
    if isinstance(a, _Signal) and isinstance(b, _Signal):
        if b.reduced and not a.reduced and a.steps == b.steps:  # logits - log(sum(exp(logits)))
            return a.then(Softmax())
        raise _Other
    if isinstance(a, _Signal):
        return a.then(Each(np.array(1.0), -_rows(_constant(b))))
    return _signal(b).then(Each(np.array(-1.0), _rows(_constant(a))))


def _mul(inputs: list, _: dict) -> _Signal:
    a, b = inputs
    if isinstance(a, _Signal) and isinstance(b, _Signal):
        if len(a.steps) > len(b.steps):
            a, b = b, a
        last = b.steps[-1] if b.steps else None
        if b.steps[:-1] == a.steps and isinstance(last, Act) and last.name == "sigmoid":  # x · sigmoid(x)
            return a.then(Act("silu"))
        raise _Other
    x, c = (a, b) if isinstance(a, _Signal) else (b, a)
    return _signal(x).then(Each(_rows(_constant(c)), np.array(0.0)))


def _div(inputs: list, _: dict) -> _Signal:
    divisor = _rows(_constant(inputs[1]))
    if not divisor.all():
        raise UserError("a divisor is 0")
    return _signal(inputs[0]).then(Each(1 / divisor, np.array(0.0)))


def _clip(inputs: list, attributes: dict) -> _Signal:
    limits = [attributes.get("min", -np.inf), attributes.get("max", np.inf)]
    for i, limit in enumerate(inputs[1:3]):
        if limit is not None:
            limits[i] = _rows(_constant(limit))
    return _limited(_signal(inputs[0]), np.asarray(limits[0], float), np.asarray(limits[1], float))


def _limited(x: _Signal, low: np.ndarray, high: np.ndarray) -> _Signal:
    if (low == 0).all() and np.isposinf(high).all():
        return x.then(Act("relu"))
    return x.then(Clip(low, high))


def _most(inputs: list, _: dict) -> _Signal:
    a, b = inputs
    x, c = (a, b) if isinstance(a, _Signal) else (b, a)
    return _limited(_signal(x), _rows(_constant(c)), np.array(np.inf))


def _least(inputs: list, _: dict) -> _Signal:
    a, b = inputs
    x, c = (a, b) if isinstance(a, _Signal) else (b, a)
    return _limited(_signal(x), np.array(-np.inf), _rows(_constant(c)))


def _layer_norm(inputs: list, attributes: dict) -> _Signal:
    x, gain = _signal(inputs[0]), _rows(_constant(inputs[1]))
    offset = _rows(_constant(inputs[2])) if len(inputs) > 2 and inputs[2] is not None else np.zeros_like(gain)
    if attributes.get("axis", -1) not in (-1, 1):
        raise _Other
    return x.then(Norm(LayerNorm(gain, offset, float(attributes.get("epsilon", 1e-5)))))


def _batch_norm(inputs: list, attributes: dict) -> _Signal:
    x, (gain, offset, mean, var) = _signal(inputs[0]), (_rows(_constant(c)) for c in inputs[1:5])
    scale = gain / np.sqrt(var + attributes.get("epsilon", 1e-5))
    return x.then(Each(scale, offset - mean * scale))


def _known_width(x: _Signal) -> int:
    if x.width is None:
        raise UserError("it stands before the first layer")
    return x.width


def _last_axis(axis: int) -> None:
    if axis not in (-1, 1):
        raise _Other


def _slice(inputs: list, attributes: dict) -> _Signal:
    x = _signal(inputs[0])
    numbers = [_constant(i).astype(np.int64).ravel().tolist() if i is not None else None for i in inputs[1:]]
    starts, ends, axes, strides = (numbers + [None] * 4)[:4]
    starts, ends = starts or attributes["starts"], ends or attributes["ends"]
    axes, strides = axes or attributes.get("axes", [0]), strides or [1]
    if not len(starts) == len(ends) == len(axes) == len(strides) == 1:
        raise _Other
    _last_axis(axes[0])
    picked = np.arange(_known_width(x))[starts[0] : ends[0] : strides[0]]
    return x.then(Pick(picked), picked.size)


def _split(inputs: list, attributes: dict) -> list[_Signal]:
    x = _signal(inputs[0])
    _last_axis(attributes.get("axis", 0))
    width = _known_width(x)
    if len(inputs) > 1 and inputs[1] is not None:
        parts = _constant(inputs[1]).astype(np.int64).ravel().tolist()
    else:
        count = attributes.get("num_outputs", 2)
        parts = attributes.get("split") or [-(-width // count)] * (count - 1) + [
            width - -(-width // count) * (count - 1)
        ]
    if sum(parts) != width or min(parts) < 1:
        raise _Other
    ends = np.cumsum(parts)
    return [x.then(Pick(np.arange(e - n, e)), n) for e, n in zip(ends, parts, strict=True)]


def _gather(inputs: list, attributes: dict) -> _Signal:
    x, index = _signal(inputs[0]), _constant(inputs[1]).astype(np.int64).reshape(-1)
    _last_axis(attributes.get("axis", 0))
    index = np.where(index < 0, index + _known_width(x), index)
    return x.then(Pick(index), index.size)


def _reshape(inputs: list, _: dict) -> _Signal:
    x, shape = _signal(inputs[0]), _constant(inputs[1]).astype(np.int64).ravel().tolist()
    if len(shape) > 2 or (len(shape) == 2 and shape[0] not in (-1, 0, 1)):
        raise _Other
    return x


def _flatten(inputs: list, attributes: dict) -> _Signal:
    if attributes.get("axis", 1) not in (1, -1):
        raise _Other
    return _signal(inputs[0])


def _shape(inputs: list, _: dict) -> np.ndarray:
    return np.array([1, _known_width(_signal(inputs[0]))])  # one observation at a time


def _expand(inputs: list, _: dict) -> _Signal:
    x, shape = _signal(inputs[0]), _constant(inputs[1]).astype(np.int64).ravel().tolist()
    if shape[-1] not in (1, _known_width(x)) or any(n != 1 for n in shape[:-1]):
        raise _Other
    return x


def _argmax(inputs: list, attributes: dict) -> _Signal:
    _last_axis(attributes.get("axis", 0))
    if attributes.get("select_last_index", 0):
        raise _Other
    return _signal(inputs[0]).then(Argmax(), 1)


def _softmax(inputs: list, attributes: dict) -> _Signal:
    _last_axis(attributes.get("axis", -1))
    return _signal(inputs[0]).then(Softmax())


def _log_sum_exp(inputs: list, _: dict) -> _Signal:
    x = _signal(inputs[0])
    return _Signal(x.steps, 1, reduced=True)


def _activation(name: str, slope: str = "", default: float = 1.0) -> Callable[[list, dict], _Signal]:
    def run(inputs: list, attributes: dict) -> _Signal:
        return _signal(inputs[0]).then(Act(name, float(attributes.get(slope, default))))

    return run


def _same(inputs: list, _: dict) -> _Signal:
    return _signal(inputs[0])


_ON_SIGNALS: dict[str, Callable[[list, dict], _Value | list[_Signal]]] = {
    "Gemm": _gemm,
    "MatMul": _matmul,
    "Add": _add,
    "Sub": _sub,
    "Mul": _mul,
    "Div": _div,
    "Neg": lambda inputs, _: _signal(inputs[0]).then(Each(np.array(-1.0), np.array(0.0))),
    "Clip": _clip,
    "Max": _most,
    "Min": _least,
    "Relu": _activation("relu"),
    "Tanh": _activation("tanh"),
    "Sigmoid": _activation("sigmoid"),
    "Elu": _activation("elu", "alpha"),
    "LeakyRelu": _activation("leaky_relu", "alpha", 0.01),
    "Swish": _activation("silu"),
    "LayerNormalization": _layer_norm,
    "BatchNormalization": _batch_norm,
    "Slice": _slice,
    "Split": _split,
    "Gather": _gather,
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Shape": _shape,
    "Expand": _expand,
    "Identity": _same,
    "Dropout": _same,
    "Cast": _same,
    "Softmax": _softmax,
    "LogSoftmax": _softmax,
    "ReduceLogSumExp": _log_sum_exp,
    "ArgMax": _argmax,
}


def _constant_node(_: list, attributes: dict) -> np.ndarray:
    for name in ("value", "value_float", "value_floats", "value_int", "value_ints"):
        if name in attributes:
            return np.asarray(attributes[name])
    raise _Other


def _filled(shape: np.ndarray, attributes: dict) -> np.ndarray:
    sizes = [int(n) for n in np.ravel(shape)]
    if math.prod(sizes) > MOST_ELEMENTS:
        raise _Other
    return np.full(sizes, np.ravel(attributes.get("value", np.zeros(1)))[0])


def _pairwise(function: np.ufunc) -> Callable[[list, dict], np.ndarray]:
    def run(inputs: list, _: dict) -> np.ndarray:
        a, b = inputs
        if math.prod(np.broadcast_shapes(a.shape, b.shape)) > MOST_ELEMENTS:
            raise _Other
        return np.asarray(function(a, b))

    return run


def _axes(inputs: list, attributes: dict) -> list[int]:
    if len(inputs) > 1:
        return np.asarray(inputs[1]).astype(np.int64).ravel().tolist()
    return attributes["axes"]


_ON_CONSTANTS: dict[str, Callable[[list, dict], np.ndarray]] = {
    "Constant": _constant_node,
    "Identity": lambda inputs, _: inputs[0],
    "Cast": lambda inputs, _: inputs[0],
    "Transpose": lambda inputs, a: np.transpose(inputs[0], a.get("perm")),
    "ConstantOfShape": lambda inputs, a: _filled(inputs[0], a),
    "Reshape": lambda inputs, _: np.reshape(inputs[0], [int(n) for n in inputs[1]]),
    "Unsqueeze": lambda inputs, a: np.expand_dims(inputs[0], tuple(_axes(inputs, a))),
    "Squeeze": lambda inputs, a: np.squeeze(inputs[0], tuple(_axes(inputs, a))),
    "Concat": lambda inputs, a: np.concatenate([np.atleast_1d(i) for i in inputs], a.get("axis", 0)),
    "Add": _pairwise(np.add),
    "Sub": _pairwise(np.subtract),
    "Mul": _pairwise(np.multiply),
    "Div": _pairwise(np.divide),
    "Sqrt": lambda inputs, _: np.asarray(np.sqrt(inputs[0])),
    "Reciprocal": lambda inputs, _: np.asarray(1.0 / inputs[0]),
    "Exp": lambda inputs, _: np.asarray(np.exp(inputs[0])),
    "Neg": lambda inputs, _: np.asarray(-inputs[0]),
}
