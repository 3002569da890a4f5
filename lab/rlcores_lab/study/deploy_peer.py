"""What hls4ml, da4ml and FINN make of policy files; runs by itself in an environment that has them, without rlcores.

`python deploy_peer.py JOB.json` prints one line of JSON. A job has `do`:

versions   the versions of what is installed
import     one library reads files as they are, each with its NPZ; hls4ml also emulates them on its observations, and
           FINN says what it has no hardware for
verilog    da4ml builds a network of integers, layer by layer, writes Verilog, and says its own prediction
"""

import contextlib
import importlib
import importlib.metadata
import io
import json
import sys
import time
from pathlib import Path

import numpy as np

_FINN = (
    ("quantized_matrix_vector_activation", "InferQuantizedMatrixVectorActivation"),
    ("thresholding", "InferThresholdingLayer"),
    ("elementwise_binary_operation", "InferElementwiseBinaryOperation"),
    ("relu_as_elementwise_max", "InferReLUAsElementwiseMax"),
    ("label_select", "InferLabelSelectLayer"),
)
PACKAGES = ("hls4ml", "da4ml", "finn", "qonnx", "onnx", "torch")


def versions() -> dict:
    """Package: version, of those that are there; with the distribution where it has another name."""
    installed = {}
    for package, distributions in importlib.metadata.packages_distributions().items():
        if package in PACKAGES:
            name = distributions[0]
            version = importlib.metadata.version(name)
            installed[package] = version if name == package else f"{version} ({name})"
    return installed


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


def read(job: dict) -> list[dict]:
    """Whether a library takes each file as it is."""
    return [_read(job | {"file": file, "npz": npz}) for file, npz in job["files"]]


def _read(job: dict) -> dict:
    file = Path(job["file"])
    try:
        if job["library"] == "hls4ml":
            return _hls4ml(file, job)
        if job["library"] == "da4ml":
            return _da4ml(file)
        return _finn(file)
    except Exception as error:  # whatever a library says is the result
        return {"imported": False, "said": _sentence(error)}


def _model(file: Path):
    """The object that the file is, or a refusal: none of these libraries reads archives of Stable-Baselines3."""
    if file.suffix == ".onnx":
        import onnx

        return onnx.load(str(file))
    if file.suffix in (".pth", ".pt"):
        import torch

        model = torch.load(str(file), map_location="cpu", weights_only=False)
        if not isinstance(model, torch.nn.Module):
            raise ValueError("a state_dict without its module: there is nothing to read it with")
        return model
    raise ValueError("an archive of Stable-Baselines3: there is nothing to read it with")


def _hls4ml(file: Path, job: dict) -> dict:
    import hls4ml

    model = _model(file)
    with np.load(job["npz"]) as known:
        x = np.ascontiguousarray(known["obs"].reshape(len(known["obs"]), -1)[:1000].astype(np.float32))
        actions = known["act"][:1000]
    options = {"output_dir": job["folder"], "backend": "Vitis", "io_type": "io_parallel"}
    precision = "fixed<16,6>"
    if file.suffix == ".onnx":
        config = hls4ml.utils.config.config_from_onnx_model(model, "name", backend="Vitis", default_precision=precision)
        model_of_hls = hls4ml.converters.convert_from_onnx_model(model, hls_config=config, **options)
    else:
        config = hls4ml.utils.config.config_from_pytorch_model(
            model, (x.shape[1],), granularity="name", backend="Vitis", default_precision=precision
        )
        model_of_hls = hls4ml.converters.convert_from_pytorch_model(model, hls_config=config, **options)
    model_of_hls.compile()
    outputs = model_of_hls.predict(x).reshape(len(x), -1)
    outputs = outputs.argmax(axis=1) if actions.dtype.kind == "i" else outputs.reshape(actions.shape)
    if actions.dtype.kind == "i":
        error = float((outputs != actions.ravel()).mean())
    else:
        error = float(np.abs(outputs - actions).max() / max(float(np.ptp(actions)), 1e-9))
    return {"imported": True, "said": f"emulated in {precision}", "error": error}


def _da4ml(file: Path) -> dict:
    from da4ml.converter import trace_model

    with contextlib.redirect_stdout(io.StringIO()):
        trace_model(_model(file))
    return {"imported": True, "said": ""}


def _finn(file: Path) -> dict:
    """As FINN's own flow does it: QONNX's cleaning, products out of Gemm, then its hardware for whatever has some."""
    model = _model(file)
    if file.suffix != ".onnx":
        raise ValueError("no ONNX file")
    from qonnx.core.modelwrapper import ModelWrapper
    from qonnx.transformation.gemm_to_matmul import GemmToMatMul
    from qonnx.util.cleanup import cleanup_model

    model = cleanup_model(ModelWrapper(model)).transform(GemmToMatMul())
    for module, name in _FINN:
        module = importlib.import_module(f"finn.transformation.fpgadataflow.convert_to_hw.{module}")
        model = model.transform(getattr(module, name)())
    left = dict.fromkeys(node.op_type for node in model.graph.node if "fpgadataflow" not in node.domain)
    if left:
        raise ValueError(f"no hardware for {', '.join(left)} in floating point")
    return {"imported": True, "said": ""}


def verilog(job: dict) -> dict:
    """A network of integers as da4ml's Verilog: the same sums, roundings and limits as rlc_mlp's model."""
    from da4ml.codegen import VerilogModel
    from da4ml.trace import FixedVariableArrayInput, comb_trace

    began = time.time()
    with np.load(job["npz"]) as job_arrays:
        layers = [{key: job_arrays[f"{key}_{n}"] for key in ("w", "b")} for n in range(len(job["layers"]))]
        x, known = job_arrays["x"], job_arrays["outputs"]
    inputs = FixedVariableArrayInput(x.shape[1])
    value = inputs.quantize(1, job["act_width"] - 1, 0)
    for arrays, layer in zip(layers, job["layers"], strict=True):
        value = value @ arrays["w"].T.astype(np.float64) + arrays["b"].astype(np.float64) * 2.0 ** layer["bias_shift"]
        value = (value * 2.0 ** -layer["shift"]).quantize(1, 17, 0, "SAT", "RND")
        if layer["kind"] == "relu":
            value = value.relu()
        value = value.quantize(1, layer["width"] - 1, 0, "SAT", "TRN")
    solution = comb_trace(inputs, value)
    design = VerilogModel(solution, "policy", job["folder"], latency_cutoff=job["cutoff"], print_latency=False)
    design.write()
    outputs = np.asarray(solution.predict(x.astype(np.float64))).reshape(known.shape)
    stages = len(design._pipe.solutions) if design._pipe is not None else 0
    return {
        "wrong": int((outputs != known).any(axis=1).sum()), "observations": len(x), "stages": stages,
        "adders": len(solution.ops), "seconds": round(time.time() - began, 1),
        "files": sorted(str(file) for file in Path(job["folder"]).rglob("*.v")),
    }  # fmt: skip


def main() -> None:
    """The job of the command line."""
    job = json.loads(Path(sys.argv[1]).read_text())
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        answer = {"versions": versions, "import": lambda: read(job), "verilog": lambda: verilog(job)}[job["do"]]()
    print(json.dumps(answer), file=out)


if __name__ == "__main__":
    main()
