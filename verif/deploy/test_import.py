"""Import: a real file of each kind gives the actions that its own library gives; every other file is one sentence."""

import doctest
import pickle
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths, tools
from rlcores.deploy import chain, imported, network, pickled
from rlcores.deploy.network import Head, Layer, Policy
from rlcores.errors import UserError

FILES = paths.root() / "verif" / "deploy" / "files"
onnx_here = pytest.mark.skipif(not tools.have_package("onnx"), reason="onnx is not installed")
sb3_here = pytest.mark.skipif(
    not (tools.have_package("stable_baselines3") and tools.have_package("sb3_contrib")), reason="sb3 is not installed"
)


def check(file: Path, sizes: tuple[int, ...], **settings: object) -> Policy:
    policy = imported.load(file, **settings)
    assert policy.sizes == sizes
    known = np.load(file.with_suffix(".npz"))
    actions = policy.act(known["obs"])
    assert len(actions) == 100
    np.testing.assert_allclose(actions.reshape(known["act"].shape), known["act"], atol=3e-6)
    return policy


@pytest.mark.parametrize(
    ("name", "sizes", "activations"),
    [
        ("rsl_rl", (9, 16, 12, 4), "elu elu identity"),
        ("silu", (5, 16, 12, 3), "silu silu tanh"),
        ("layer_norm", (5, 16, 12, 3), "silu silu tanh"),
        ("leaky", (5, 16, 12, 3), "leaky_relu leaky_relu tanh"),
        ("sigmoid", (5, 16, 12, 3), "sigmoid sigmoid tanh"),
    ],
)
@onnx_here
def test_an_onnx_file_acts_as_the_module_that_was_exported(name, sizes, activations) -> None:
    policy = check(FILES / f"{name}.onnx", sizes)
    assert " ".join(layer.activation for layer in policy.layers) == activations
    assert (policy.normaliser is not None) == (name == "rsl_rl")
    if name != "rsl_rl":
        assert policy.head.low.tolist() == [-1.5] * 3 and policy.head.gain.tolist() == [2.0] * 3


def test_an_archive_of_sb3_with_its_statistics_acts_as_its_library() -> None:
    policy = check(FILES / "ppo_normalised.zip", (3, 16, 16, 1), normaliser=FILES / "ppo_normalised.pkl")
    assert policy.layers[0].activation == "elu" and policy.normaliser.high.tolist() == [10.0] * 3
    assert policy.head.low.tolist() == [-2.0]
    known = np.load(FILES / "ppo_normalised.npz")["obs"]
    assert (np.abs(policy.normaliser.forward(known)) == 10).any(), "no observation reached the limit"


@pytest.mark.parametrize(
    ("name", "sizes", "settings", "kind"),
    [
        ("cleanrl_td3.pth", (3, 24, 24, 1), {}, "continuous"),
        ("cleanrl_ppo.pth", (4, 12, 12, 2), {}, "argmax"),
        ("sequence.pt", (3, 8, 8, 2), {"head": "continuous"}, "continuous"),
    ],
)
def test_a_file_of_torch_save_acts_as_the_module_that_was_saved(name, sizes, settings, kind) -> None:
    policy = check(FILES / name, sizes, **settings)
    assert policy.head.kind == kind


def test_a_state_dict_acts_as_its_module_when_its_activations_are_given() -> None:
    policy = imported.load(FILES / "state.pth", activation="silu", head="continuous")
    policy = Policy((policy.layers[0], Layer(policy.layers[1].weights, policy.layers[1].bias, "tanh")), policy.head)
    known = np.load(FILES / "state.npz")
    np.testing.assert_allclose(policy.act(known["obs"]), known["act"], atol=3e-6)
    for settings, word in [({}, "activation"), ({"activation": "tanh"}, "--head")]:
        with pytest.raises(UserError, match=word):
            imported.load(FILES / "state.pth", **settings)


QUICK = ("ppo_cartpole", "sac_pendulum", "dqn_cartpole")
ALL = {
    "ppo_pendulum": (3, 64, 64, 1),
    "ppo_cartpole": (4, 64, 64, 2),
    "a2c_cartpole": (4, 64, 64, 2),
    "sac_pendulum": (3, 256, 256, 1),
    "td3_pendulum": (3, 400, 300, 1),
    "ddpg_pendulum": (3, 400, 300, 1),
    "dqn_cartpole": (4, 64, 64, 2),
    "qrdqn_cartpole": (4, 64, 64, 2),
}


@sb3_here
@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in ALL])
def test_what_an_algorithm_of_sb3_saves_acts_as_the_algorithm(name: str, tmp_path: Path) -> None:
    from made import trained

    policy = check(trained(name, tmp_path), ALL[name])
    assert policy.layers[0].activation == ("tanh" if name[:3] in ("ppo", "a2c") else "relu")


@onnx_here
@sb3_here
@pytest.mark.slow
@pytest.mark.parametrize("new", [False, True])
def test_the_whole_policy_of_sb3s_guide_is_imported(new: bool, tmp_path: Path) -> None:
    if new and not tools.have_package("onnxscript"):
        pytest.skip("onnxscript is not installed")
    from made import Whole, exported, trained
    from stable_baselines3 import PPO

    for name, inputs in (("ppo_pendulum", 3), ("ppo_cartpole", 4)):
        module = Whole(PPO.load(trained(name, tmp_path), device="cpu").policy)
        exported(module, inputs, tmp_path / f"{name}.onnx", new)
        check(tmp_path / f"{name}.onnx", ALL[name])


def rewritten(file: Path, to: Path, **members: bytes) -> Path:
    """A copy of an archive with some members replaced; a name's dots are written __."""
    changed = {name.replace("__", "."): data for name, data in members.items()}
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, changed.get(info.filename.rsplit("/", 1)[-1], old.read(info)))
    return to


def refused(file: Path, *words: str, **settings: object) -> None:
    with pytest.raises(UserError) as said:
        imported.load(file, **settings)
    message = str(said.value)
    assert all(word in message for word in words), message
    assert "\n" not in message and len(message) < 400


@onnx_here
def test_what_cannot_be_imported_is_named(tmp_path: Path) -> None:
    import onnx
    from onnx import TensorProto, helper

    def graph(*nodes: object, **tensors: np.ndarray) -> Path:
        made = helper.make_graph(
            list(nodes),
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])],
            [onnx.numpy_helper.from_array(value, name) for name, value in tensors.items()],
        )
        onnx.save(helper.make_model(made), tmp_path / "g.onnx")
        return tmp_path / "g.onnx"

    w = np.ones((3, 2), np.float32)
    layer = helper.make_node("MatMul", ["x", "w"], ["z"])
    refused(graph(layer, helper.make_node("Softplus", ["z"], ["y"]), w=w), "Softplus")
    refused(graph(layer, helper.make_node("Softmax", ["z"], ["y"]), w=w), "Softmax")
    refused(graph(helper.make_node("Conv", ["x", "w"], ["y"]), w=w), "Conv")
    refused(graph(helper.make_node("LSTM", ["x", "w", "w"], ["y"]), w=w), "LSTM")
    refused(graph(layer, helper.make_node("Own", ["z"], ["y"], domain="me"), w=w), "Own", "'me'")
    refused(graph(layer, helper.make_node("Mul", ["z", "q"], ["y"]), w=w), "nothing makes 'q'")
    file = graph(helper.make_node("MatMul", ["x", "w"], ["y"]), w=w)
    assert imported.load(file).act(np.ones((1, 3))).tolist() == [[3.0, 3.0]]
    refused(file, "no output 'z'", "y", output="z")


@onnx_here
def test_a_constant_outside_the_folder_is_not_read(tmp_path: Path) -> None:
    import onnx

    file = tmp_path / "leaky.onnx"
    refused(Path(shutil.copy(FILES / "leaky.onnx", file)), "not beside it")
    shutil.copy(FILES / "leaky.onnx.data", tmp_path)
    assert imported.load(file).sizes == (5, 16, 12, 3)
    for place in ("../secret", "/etc/passwd", "..", "a/b"):
        model = onnx.load(FILES / "leaky.onnx", load_external_data=False)
        for tensor in model.graph.initializer:
            for entry in tensor.external_data:
                if entry.key == "location":
                    entry.value = place
        (tmp_path / "moved.onnx").write_bytes(model.SerializeToString())
        refused(tmp_path / "moved.onnx", "outside its folder")


def test_files_of_other_kinds_are_one_sentence(tmp_path: Path) -> None:
    import json

    (tmp_path / "a.zip").write_bytes(b"nothing")
    refused(tmp_path / "a.zip", "a.zip", "no zip")
    refused(tmp_path / "none.zip", "no file")
    source = FILES / "ppo_normalised.zip"
    with zipfile.ZipFile(source) as archive:
        data = json.loads(archive.read("data"))
    refused(rewritten(source, tmp_path / "b.zip", data=b"{"), "no JSON")
    refused(rewritten(source, tmp_path / "c.zip", data=b"{}"), "observation_space")
    data["policy_kwargs"]["activation_fn"] = "<class 'torch.nn.modules.activation.Mish'>"
    refused(rewritten(source, tmp_path / "d.zip", data=json.dumps(data).encode()), "Mish")
    with zipfile.ZipFile(source) as archive:
        bad = archive.read("policy.pth")[:-200]
    refused(rewritten(source, tmp_path / "e.zip", policy__pth=bad), "policy.pth")
    refused(FILES / "ppo_normalised.zip", "damaged", normaliser=FILES / "ppo_normalised.npz")
    (tmp_path / "v.pkl").write_bytes(pickle.dumps({"mean": 1}))
    refused(FILES / "ppo_normalised.zip", "VecNormalize", normaliser=tmp_path / "v.pkl")


class Hostile:
    """An object whose unpickling would make a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple:
        return Path.touch, (self.file,)


def test_code_in_a_file_does_not_run(tmp_path: Path) -> None:
    import base64
    import json

    mark = tmp_path / "ran"
    attack = pickle.dumps(Hostile(mark), protocol=2)
    pickle.loads(attack)
    assert mark.exists(), "the attack is none"
    mark.unlink()
    source = FILES / "ppo_normalised.zip"
    (tmp_path / "vec.pkl").write_bytes(attack)
    refused(source, "VecNormalize", normaliser=tmp_path / "vec.pkl")
    refused(rewritten(FILES / "cleanrl_ppo.pth", tmp_path / "a.pth", data__pkl=attack), "a.pth")
    with zipfile.ZipFile(source) as archive:
        data = json.loads(archive.read("data"))
    data["action_space"][":serialized:"] = base64.b64encode(attack).decode()
    refused(rewritten(source, tmp_path / "b.zip", data=json.dumps(data).encode()), "action_space")
    assert not mark.exists()
    unpickled = pickled.read(attack)
    assert isinstance(unpickled, pickled.Call) and "touch" in str(unpickled.function)


def test_a_chain_of_steps_is_what_its_numbers_say() -> None:
    rng = np.random.default_rng(3)
    a, b, c = rng.normal(size=(4, 3)), rng.normal(size=(5, 4)), rng.normal(size=5)
    x = rng.normal(size=(50, 3)) * 3
    steps = [
        chain.Each(np.array(0.5), np.array([1.0, 2.0, 3.0])), chain.Clip(np.array(-1.0), np.array(2.0)),
        chain.Each(np.array(2.0), np.array(0.25)), chain.Full(a, np.ones(4)), chain.Each(np.array(3.0), np.array(-1.0)),
        chain.Full(b, c), chain.Act("tanh"), chain.Pick(np.array([4, 0])), chain.Each(np.array(3.0), np.array(1.0)),
        chain.Clip(np.array(-1.0), np.array(3.5)), chain.Each(np.array(2.0), np.array(0.5)),
    ]  # fmt: skip
    policy = chain.policy(steps, None, "test")
    assert len(policy.layers) == 1, "two linear layers in a row are one"
    inner = (np.clip(x * 0.5 + [1, 2, 3], -1, 2) * 2 + 0.25) @ a.T + 1
    outer = np.tanh((inner * 3 - 1) @ b.T + c)[:, [4, 0]] * 3 + 1
    np.testing.assert_allclose(policy.act(x), np.clip(outer, -1, 3.5) * 2 + 0.5, atol=1e-12)
    two = [chain.Full(a, np.ones(4)), chain.Clip(np.array(0.1), np.array(1.0)), chain.Full(b, c)]
    with pytest.raises(UserError, match="Clip between"):
        chain.policy(two, None, "test")


@pytest.mark.parametrize("module", [chain, network, pickled])
def test_examples_of_the_modules_run(module: object) -> None:
    done = doctest.testmod(module)
    assert done.attempted and not done.failed


def test_a_description_that_makes_no_sense_is_refused() -> None:
    layer = Layer(np.ones((2, 3)), np.zeros(2))
    for make, word in [
        (lambda: Layer(np.ones((2, 3)), np.zeros(3)), "shape"),
        (lambda: Layer(np.full((2, 3), np.nan), np.zeros(2)), "finite"),
        (lambda: Layer(np.ones((2, 3)), np.zeros(2), "softplus"), "softplus"),
        (lambda: Layer(np.ones((1, 9000)), np.zeros(1)), "9000 neurons"),
        (lambda: Policy((layer, layer), Head("argmax")), "2 outputs"),
        (lambda: Policy((), Head("argmax")), "no layers"),
        (lambda: Head("beta"), "beta"),
    ]:
        with pytest.raises(UserError, match=word):
            make()
