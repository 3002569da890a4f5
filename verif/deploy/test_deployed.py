"""A deployed folder: model, C99 and RTL give the same bits; formats, sizes and swaps are what they say."""

import json
import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths, tools
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.shape import MlpShape
from rlcores.deploy import contract, devices, folder, formats, guard, imported, returns, sizing, verilog
from rlcores.deploy.network import Head, Layer, LayerNorm, Normaliser, Policy, straight
from rlcores.errors import UserError

FILES = paths.root() / "verif" / "deploy" / "files"
icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")


def random_policy(sizes: tuple[int, ...], kinds: str, seed: int, head: str = "continuous") -> Policy:
    """kinds: an activation per layer; behind ":" its slope or alpha, "norm+" before it for a normalised layer."""
    rng = np.random.default_rng(seed)
    layers = []
    for i, o, said in zip(sizes, sizes[1:], kinds.split(), strict=False):
        kind, _, slope = said.removeprefix("norm+").partition(":")
        weights, bias = rng.normal(size=(o, i)) * 1.5 / np.sqrt(i), rng.normal(size=o) * 0.3
        norm = LayerNorm(rng.uniform(0.5, 2, o), rng.normal(size=o) * 0.5) if said.startswith("norm+") else None
        layers.append(Layer(weights, bias, kind, float(slope or (0.1 if kind == "leaky_relu" else 1.0)), norm))
    return Policy(tuple(layers), Head("argmax") if head == "argmax" else straight(sizes[-1]), source="a test")


def random_observations(inputs: int, count: int = 24, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, inputs)) * rng.uniform(0.1, 10, size=inputs)


CASES = [
    ((4, 20, 20, 2), "relu relu identity", "argmax", (8, 4, 4), (8, 8)),
    ((5, 9, 7, 3), "elu silu tanh", "continuous", (4, 4, 2), (6, 9)),
    ((17, 20, 6), "leaky_relu identity", "continuous", (8, 4, 4), (18, 18)),
    ((3, 5, 5, 5, 5, 5, 2), "sigmoid relu tanh elu silu leaky_relu", "continuous", (1, 1, 1), (3, 3)),
    ((1, 1), "identity", "argmax", (2, 2, 1), (8, 8)),
    ((33, 10, 1), "relu sigmoid", "continuous", (8, 2, 1), (12, 12)),
    ((9, 40, 11), "silu identity", "argmax", (2, 8, 2), (8, 16)),
    ((5, 6, 3), "relu identity", "continuous", (1, 4, 1), (8, 8)),
    ((50, 30, 20, 4), "relu elu identity", "continuous", (4, 16, 1), (8, 8)),
    ((4, 64, 64, 2), "tanh tanh identity", "argmax", (16, 16, 16), (8, 8)),
    ((6, 21, 9, 3), "norm+elu:0.3 norm+leaky_relu:0.25 norm+identity", "continuous", (8, 4, 2), (8, 9)),
    ((6, 21, 9, 3), "leaky_relu:0.5 leaky_relu:0.25 elu:1.7", "continuous", (4, 4, 4), ((5, 8, 12), (8, 6, 10))),
    ((5, 12, 4), "norm+tanh identity", "argmax", (4, 8, 4), (8, 8), "pair"),
    ((5, 12, 4), "relu identity", "continuous", (2, 4, 1), (4, 9), "lut"),
    ((7, 33, 20, 2), "norm+relu norm+silu identity", "continuous", (16, 8, 8), (8, 10), "pair"),
    ((3, 40, 2), "norm+sigmoid norm+tanh", "continuous", (1, 4, 1), ((3, 18), (18, 3))),
]
QUICK = {0, 1, 4, 10, 12, 13}


def written(case: tuple, there: Path) -> folder.Deployed:
    sizes, kinds, head, (rows, cols, acts), (weight_bits, act_bits), *multiplier = case
    policy, x = random_policy(sizes, kinds, 3, head), random_observations(sizes[0])
    quantised = formats.quantise(
        policy, x, weight_width=weight_bits, act_width=act_bits, rows=rows, cols=cols, acts=acts,
        multiplier=multiplier[0] if multiplier else "one",
    )  # fmt: skip
    clock = sizing.size(quantised.shape).clock
    return folder.write(quantised, sizing.Sized(quantised.shape, clock), x, there)


def made(there: Path, target: str) -> str:
    done = subprocess.run(
        ["make", "-C", there / "bench", target],
        env=tools.env() | {"CXXFLAGS": "-std=c++20"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@icarus
@pytest.mark.parametrize(
    "case", [pytest.param(c, id=f"{'-'.join(map(str, c[0]))}", marks=[] if n in QUICK else [pytest.mark.slow])
             for n, c in enumerate(CASES)]
)  # fmt: skip
def test_model_c99_and_rtl_give_the_same_bits_while_weights_are_swapped(case: tuple, tmp_path: Path) -> None:
    written(case, tmp_path)
    assert "24 observations, 0 wrong" in made(tmp_path, "c")
    said = made(tmp_path, "icarus")
    numbers = [int(word) for word in said.split("RTL:")[1].split() if word.isdigit()]
    assert numbers[0] >= 48 and numbers[1] >= 2 and numbers[3] == 0, said


@icarus
def test_icarus_gives_few_answers_of_a_wide_array_and_says_so(tmp_path: Path) -> None:
    written(CASES[0], tmp_path)
    done = subprocess.run(["make", "-C", tmp_path / "bench", "icarus-few", "FEW=3"], capture_output=True, text=True)
    assert done.returncode == 0 and "3 of 48 answers" in done.stdout and "RTL: 3 observations" in done.stdout
    made(tmp_path, "wave")
    assert 10_000 < (tmp_path / "bench" / "tb.vcd").stat().st_size < 10_000_000
    assert "$(MAKE) --no-print-directory icarus;" in (tmp_path / "bench" / "Makefile").read_text()
    wide = written(CASES[9], tmp_path)
    assert "$(MAKE) --no-print-directory icarus;" in (tmp_path / "bench" / "Makefile").read_text()
    few = verilog.few(wide.quantised.shape, 512)
    assert 100 < few < 512
    x = np.tile(random_observations(4), (11, 1))[:256]
    folder.write(wide.quantised, wide.sized, x, tmp_path)
    text = (tmp_path / "bench" / "Makefile").read_text()
    assert "$(MAKE) --no-print-directory icarus-few;" in text and f"FEW := {few}\n" in text


@pytest.mark.slow
@pytest.mark.parametrize("case", [CASES[1], CASES[3]], ids=["acts", "all"])
def test_verilator_says_what_icarus_says(case: tuple, tmp_path: Path) -> None:
    written(case, tmp_path)
    printed = made(tmp_path, "verilator")
    assert "0 wrong" in printed
    if tools.have("iverilog"):
        lines = [next(t for t in made(tmp_path, s).splitlines() if "RTL:" in t) for s in ("icarus", "verilator")]
        assert lines[0] == lines[1]


@icarus
def test_the_bench_fails_when_a_line_of_the_rtl_is_broken(tmp_path: Path) -> None:
    written(CASES[1], tmp_path)
    rtl = tmp_path / "rtl" / "rlc_mlp_schedule.v"
    text = rtl.read_text()
    line = "wait_q && gap_q == 12'd1"
    assert text.count(line) == 1
    rtl.write_text(text.replace(line, "wait_q && gap_q == 12'd2"))
    done = subprocess.run(["make", "-C", tmp_path / "bench", "icarus"], capture_output=True, text=True)
    assert done.returncode != 0 and "FAILED" in done.stdout


def test_wide_formats_come_close_to_float64_and_narrow_ones_do_not() -> None:
    policy, x = random_policy((6, 32, 32, 4), "tanh elu identity", 1), random_observations(6, 400)
    worst = []
    for bits in (4, 8, 12, 16, 18):
        quantised = formats.quantise(policy, x, weight_width=bits, act_width=bits)
        worst.append(np.abs(quantised.act(x) - policy.act(x)).max())
    assert worst == sorted(worst, reverse=True), worst
    assert worst[0] > 0.05 and worst[-1] < 1e-3, worst


def test_a_normaliser_with_its_limits_is_part_of_the_integers() -> None:
    plain, x = random_policy((3, 16, 2), "relu identity", 2), random_observations(3, 300) + np.array([50.0, 0.0, -7.0])
    limits = np.full(3, 1.5)
    policy = plain.with_normaliser(Normaliser(x.mean(axis=0), 1 / x.std(axis=0), -limits, limits))
    assert (np.abs(policy.normaliser.forward(x)) == 1.5).any(axis=0).all()
    quantised = formats.quantise(policy, x, weight_width=16, act_width=16)
    np.testing.assert_allclose(quantised.act(x), policy.act(x), atol=2e-3)
    far = x * 100  # far beyond what calibration saw
    np.testing.assert_allclose(quantised.act(far), policy.act(far), atol=2e-3)


def test_a_sum_of_the_largest_numbers_fits_its_width() -> None:
    policy, x = random_policy((300, 4, 2), "relu identity", 2), random_observations(300)
    quantised = formats.quantise(policy, x)
    model, shape = MlpModel(quantised.weights), quantised.shape
    worst = 300 * 128 * 128 + (1 << (31 + shape.bias_shifts[0]))
    assert worst < 1 << (shape.sum_width - 1)
    assert np.abs(model.sums(0, np.full((1, 300), -128))).max() < 1 << (shape.sum_width - 1)


@pytest.mark.parametrize(
    ("sizes", "kinds", "argmax", "most"),
    [
        ((4, 64, 64, 2), "tanh tanh identity", True, 60),
        ((17, 256, 256, 6), "relu relu tanh", False, 300),
        ((48, 512, 256, 128, 12), "elu elu elu identity", False, 1000),
    ],
)
def test_an_array_is_found_for_the_latencies_that_are_asked_for(sizes, kinds, argmax, most) -> None:
    count = len(sizes) - 1
    kinds = tuple(kinds.split())
    shape = MlpShape(sizes, kinds, 7, (7,) * count, (6,) * count, (13,) * count, 7, 8, 8, 1, 1, 1, argmax)
    quick = sizing.size(shape, latency=most * 5e-9)
    assert quick.clocks <= most and quick.clock.mhz == 200
    with pytest.raises(UserError, match="the quickest array"):
        sizing.size(shape, latency=5e-8)
    small = sizing.size(shape)
    assert small.shape.rows * small.shape.cols <= 16
    assert cycles.dsps(small.shape) < cycles.dsps(quick.shape) and small.clocks > quick.clocks


def test_a_device_limits_what_fits() -> None:
    policy, x = random_policy((17, 256, 256, 6), "relu relu tanh", 1), random_observations(17)
    shape = formats.quantise(policy, x).shape
    assert cycles.dsps(sizing.size(shape, "ulx3s", rate=5000).shape) <= 156
    with pytest.raises(UserError, match="on ulx3s"):
        sizing.size(shape, "ulx3s", latency=1.5e-6)
    assert sizing.size(shape, "zcu106", latency=3e-6).clock.whose == "ZCU106"


@pytest.mark.parametrize("bits", [8, 16])
def test_a_chip_by_itself_says_what_fits_and_what_does_not(bits: int) -> None:
    policy, x = random_policy((17, 64, 64, 6), "relu relu identity", 1), random_observations(17)
    shape = formats.quantise(policy, x, weight_width=bits, act_width=bits).shape
    if bits == 8:  # 28 of its 30 blocks
        assert cycles.dsps(sizing.size(shape, "up5k").shape) <= 8
    else:
        with pytest.raises(UserError, match="blocks of memory"):
            sizing.size(shape, "up5k")
    small = formats.quantise(random_policy((4, 16, 2), "relu identity", 1), random_observations(4)).shape
    assert cycles.dsps(sizing.size(small, "up5k").shape) <= 8
    for name in set(devices.CHIPS) - {"up5k"}:
        chip, sized = devices.of(name), sizing.size(shape, name)
        assert cycles.dsps(sized.shape) <= chip.multipliers and sized.clock.whose == "assumed"
        assert 0 < devices.blocks(sized.shape, chip.memory) <= chip.memory.blocks
    large = random_policy((17, 512, 512, 6), "relu relu identity", 1)
    shape = formats.quantise(large, x).shape
    for name, word in [("up5k", "blocks of memory"), ("ecp5-25", "blocks of memory"), ("ice9000", "not known")]:
        with pytest.raises(UserError, match=word):
            sizing.size(shape, name)
    wide = formats.quantise(policy, x, weight_width=18).shape
    with pytest.raises(UserError, match="16 by 16"):
        sizing.size(wide, "up5k")


def test_two_products_share_a_multiplier_where_it_is_wide_enough() -> None:
    policy, x = random_policy((17, 64, 64, 6), "relu relu identity", 1), random_observations(17)
    narrow, wide = (formats.quantise(policy, x, weight_width=n, act_width=n).shape for n in (8, 9))
    one, pair = (sizing.size(narrow, "zcu106", latency=1e-6, multiplier=kind) for kind in ("one", "auto"))
    assert pair.shape.multiplier == "pair" and pair.clocks <= 200 >= one.clocks
    assert cycles.dsps(pair.shape) == cycles.dsps(one.shape) // 2
    assert sizing.size(wide, "zcu106", latency=1e-6).shape.multiplier == "one"
    assert sizing.size(narrow, "ulx3s").shape.multiplier == "one"
    small = formats.quantise(policy, x, weight_width=4, act_width=8).shape
    assert sizing.size(small, "ulx3s").shape.multiplier == "pair"
    with pytest.raises(UserError, match="27 by 18 bits; two products in one multiplier take 28 and 9"):
        sizing.size(wide, "zcu106", multiplier="pair")
    with pytest.raises(UserError, match="multiplier"):
        sizing.size(narrow, "zcu106", multiplier="two")


def test_a_chip_with_few_multipliers_multiplies_with_its_luts() -> None:
    shape = formats.quantise(random_policy((4, 16, 2), "relu identity", 1), random_observations(4)).shape
    quickest = 1.02e-6
    with pytest.raises(UserError, match="the quickest array on up5k"):
        sizing.size(shape, "up5k", latency=quickest)
    array = sizing.size(shape, "up5k", latency=quickest, multiplier="lut").shape
    assert cycles.dsps(array) == 0 and array.rows * array.cols > 8
    assert devices.product_luts(array) < 5280


def test_the_fewest_bits_of_each_layer_keep_the_error_that_is_allowed() -> None:
    policy, x = random_policy((6, 24, 24, 2), "relu tanh identity", 1), random_observations(6, 300)
    weights, elements = formats.fewest(policy, x, 0.02)
    kept = formats.quantise(policy, x, weight_width=weights, act_width=elements)
    assert formats.distance(kept, x) <= 0.02 and len(set(weights + elements)) > 1
    for n in range(3):  # none can be lowered alone
        if elements[n] > 3:
            fewer = [*elements]
            fewer[n] -= 1
            lower = formats.quantise(policy, x, weight_width=weights, act_width=fewer)
            assert formats.distance(lower, x) > 0.02 or n != 0
    uniform = max(weights)
    assert sum(weights + elements) < 6 * uniform
    with pytest.raises(UserError, match="18 bits"):
        formats.fewest(policy, x, 0.0)
    with pytest.raises(UserError, match="one for each of 3 layers"):
        formats.quantise(policy, x, weight_width=(8, 8))


def test_a_normalised_layer_comes_close_to_float64() -> None:
    policy, x = (
        random_policy((6, 40, 40, 3), "norm+elu:0.5 norm+leaky_relu:0.2 norm+identity", 1),
        random_observations(6, 400),
    )
    worst = []
    for bits in (6, 8, 12, 16):
        quantised = formats.quantise(policy, x, weight_width=bits, act_width=bits)
        assert np.array_equal(quantised.act(x), quantised.act(x, "model"))
        worst.append(formats.distance(quantised, x))
    assert worst == sorted(worst, reverse=True) and worst[0] > 0.02 and worst[-1] < 3e-3, worst


def test_memory_that_is_counted_holds_both_versions_of_the_weights() -> None:
    shape = MlpShape((4, 8, 2), ("relu", "identity"), 7, (7, 7), (6, 6), (13, 13), 7, 8, 8, 4, 4, 4)
    # 2 words of steps · 2 rows of groups in layer 1, 2 steps in layer 2: 2 · 1 + 1 · 2 = 4 steps of 128 bits
    assert shape.steps == 4 and shape.weight_parts == 4
    memory = devices.Memory(10, 8, 32)
    assert devices.blocks(shape, memory) == 4 + 4  # 8 words of 128 bits, 8 words of 128 bits of biases


def test_weights_are_swapped_only_if_shape_and_formats_fit(tmp_path: Path) -> None:
    sizes, kinds = (4, 20, 20, 2), "relu relu identity"
    x = random_observations(4)
    folder.deploy(random_policy(sizes, kinds, 3), x, tmp_path / "p")
    before = {f.name: f.read_bytes() for f in (tmp_path / "p").rglob("*") if f.is_file()}
    other = random_policy(sizes, kinds, 4)
    done = folder.swap(other, tmp_path / "p")
    after = {f.name: f.read_bytes() for f in (tmp_path / "p").rglob("*") if f.is_file()}
    assert before["weights.bin"] != after["weights.bin"] and before["weights.bin"][:4] == after["weights.bin"][:4]
    assert before["policy_core.v"] == after["policy_core.v"]
    assert "0 wrong" in made(tmp_path / "p", "c")
    assert np.abs(done.quantised.act(x) - other.act(x)).max() < 1.0
    large = Policy((Layer(other.layers[0].weights * 100, other.layers[0].bias, "relu"), *other.layers[1:]), other.head)
    for bad, word in [
        (random_policy((4, 20, 21, 2), kinds, 4), "4-20-21-2"),
        (random_policy(sizes, "relu tanh identity", 4), "tanh"),
        (random_policy(sizes, kinds, 4, "argmax"), "argmax"),
        (large, "layer 1 reach"),
    ]:
        with pytest.raises(UserError, match=word):
            folder.swap(bad, tmp_path / "p")
    assert (tmp_path / "p" / "weights.bin").read_bytes() == after["weights.bin"]


def test_a_damaged_contract_is_one_sentence(tmp_path: Path) -> None:
    folder.deploy(random_policy((3, 4, 2), "relu identity", 3), random_observations(3), tmp_path)
    good = json.loads((tmp_path / "policy.json").read_text())
    shape, _ = contract.read(good)
    assert shape.sizes == (3, 4, 2)
    changed = json.loads(json.dumps(good))
    changed["shape"]["weight_fracs"][0] += 1
    for bad in ({}, [], {"version": 9}, good | {"shape": {}}, good | {"observations": 3}, changed):
        with pytest.raises(UserError, match=r"policy\.json"):
            contract.read(bad)


def test_what_the_core_does_not_compute_is_named(tmp_path: Path) -> None:
    x = random_observations(3)
    norm = LayerNorm(np.ones(1), np.zeros(1))
    bad = Policy((Layer(np.ones((1, 3)), np.zeros(1), "relu", norm=norm),), straight(1))
    alpha = Policy((Layer(np.ones((4, 3)), np.zeros(4), "elu", 2.5),), straight(4))
    steep = Policy((Layer(np.ones((4, 3)), np.zeros(4), "leaky_relu", 1.5),), straight(4))
    for policy, word in [
        (bad, "normalises one number"),
        (alpha, "alpha 2.5"),
        (steep, "slope 1.5"),
        (random_policy((3,) * 8, "relu " * 7, 1), "too large"),
    ]:
        with pytest.raises(UserError, match=word):
            formats.quantise(policy, x)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="holds no deployed policy"):
        folder.deploy(random_policy((3, 2), "identity", 1), x, tmp_path)


@icarus
def test_the_command_deploys_a_real_file_and_swaps_its_weights(tmp_path: Path) -> None:
    command = [tools.scripts() / "rlcores", "deploy", FILES / "ppo_normalised.zip", "--to", tmp_path / "p"]
    command += ["--normaliser", FILES / "ppo_normalised.pkl"]
    first = subprocess.run(
        [*command, "--observations", FILES / "ppo_normalised.npz", "--latency", "5us"], capture_output=True, text=True
    )
    assert first.returncode == 0 and "3-16-16-1" in first.stdout, first.stderr
    policy = imported.load(FILES / "ppo_normalised.zip", normaliser=FILES / "ppo_normalised.pkl")
    known = np.load(FILES / "ppo_normalised.npz")
    shape, seen = contract.read(json.loads((tmp_path / "p" / "policy.json").read_text()))
    assert np.abs(formats.refit(policy, shape, seen).act(known["obs"]) - known["act"]).max() < 0.02
    again = subprocess.run([*command, "--weights"], capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert "0 wrong" in made(tmp_path / "p", "c") and "0 wrong" in made(tmp_path / "p", "icarus")
    for words, said in [
        ([], "--observations"),
        (["--range", "1", "--bits", "8,x"], "--bits"),
        (["--range", "1", "--bits", "8,9"], "one for each of 3 layers"),
        (["--range", "1", "--latency", "fast"], "--latency"),
        (["--range", "x"], "--range"),
    ]:
        bad = subprocess.run([*command, *words], capture_output=True, text=True)
        assert bad.returncode == 2 and said in bad.stderr and bad.stderr.count("\n") == 1


def test_limits_in_the_cores_integers_are_the_last_inside_those_of_the_action(tmp_path: Path) -> None:
    plain, x = random_policy((3, 8, 2), "relu identity", 1), random_observations(3)
    head = Head(
        "continuous", np.array([1.0, 2.0]), np.array([0.0, 0.5]), np.array([-0.3, -np.inf]), np.array([0.3, 1.0])
    )
    folder.deploy(Policy(plain.layers, head), x, tmp_path)
    of = json.loads((tmp_path / "policy.json").read_text())["actions"]["of"]
    for action in of:
        for name, inward in (("low", 1), ("high", -1)):
            edge = action[f"answer_{name}"]
            if action[name] is None:
                assert edge == -(1 << 17)
                continue
            inside, outside = ((edge - n * inward) * action["gain"] + action["offset"] for n in (0, 1))
            assert (inside - action[name]) * inward >= -1e-12 and (outside - action[name]) * inward < 0
    assert (tmp_path / "rtl" / "rlc_mlp_guard.v").exists()


def limited_policy(kinds: str = "elu tanh", sizes: tuple[int, ...] = (5, 9, 3)) -> Policy:
    plain, n = random_policy(sizes, kinds, 3), sizes[-1]
    return Policy(plain.layers, Head("continuous", np.full(n, 1.5), np.zeros(n), -np.ones(n), np.ones(n)))


def guarded(there: Path, **settings: object) -> folder.Deployed:
    x = random_observations(5, 300)
    made = partial(guard.settings, observations=x, **settings)
    return folder.deploy(limited_policy(), x, there, weight_width=8, act_width=9, guard=made)


@icarus
def test_the_guard_in_the_folder_keeps_limits_and_replaces_late_and_bad_actions(tmp_path: Path) -> None:
    guarded(tmp_path, step=(0.2, 0.1, 0.3), safe=(0.1,), wait=3)
    said = made(tmp_path, "icarus")
    numbers = [int(word) for word in said.split("guard:")[1].split() if word.isdigit()]
    assert numbers[0] >= 128 and min(numbers[1:5]) > 0 and numbers[5] == 0, said
    before = json.loads((tmp_path / "policy.json").read_text())["guard"]
    folder.swap(limited_policy(), tmp_path)  # new weights keep the guard
    assert json.loads((tmp_path / "policy.json").read_text())["guard"] == before
    assert "0 wrong" in made(tmp_path, "icarus").split("guard:")[1]


@icarus
@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("policy_guarded.v", ".s_bad(bad)", ".s_bad(1'b0)"),
        *(
            pytest.param(*broken, marks=pytest.mark.slow)
            for broken in [
                ("rlc_mlp_guard.v", "(way > step) ? step", "(way > step) ? way"),
                ("rlc_mlp_range.v", "if (last) bad_q <= sofar_q || now;", "if (last) bad_q <= 1'b0;"),
                ("rlc_mlp_range.v", "sofar_q <= !last && (sofar_q || now);", "sofar_q <= 1'b0;"),
            ]
        ),
    ],
)
def test_the_guards_bench_fails_when_a_line_is_broken(file: str, line: str, broken: str, tmp_path: Path) -> None:
    guarded(tmp_path, step=(0.2, 0.1, 0.3), wait=3)
    rtl = tmp_path / "rtl" / file
    text = rtl.read_text()
    assert text.count(line) == 1
    rtl.write_text(text.replace(line, broken))
    done = subprocess.run(["make", "-C", tmp_path / "bench", "icarus"], capture_output=True, text=True)
    assert done.returncode != 0 and "FAILED: guard" in done.stdout


def test_a_guard_that_makes_no_sense_is_refused_in_a_sentence() -> None:
    x = random_observations(5, 50)
    limited = formats.quantise(limited_policy(), x)
    index = formats.quantise(random_policy((5, 8, 3), "relu identity", 1, "argmax"), x)
    endless = formats.quantise(random_policy((5, 8, 3), "relu identity", 1), x)
    for policy, settings, word in [
        (index, {}, "index"),
        (endless, {}, "limits"),
        (limited, {"step": (1e-9,)}, "--guard-step"),
        (limited, {"step": (0.1, 0.2)}, "1 or 3"),
        (limited, {"safe": (2.0,)}, "--guard-safe"),
        (limited, {"wait": 1 << 16}, "ticks"),
    ]:
        with pytest.raises(UserError, match=word):
            guard.settings(policy, x, **settings)
    with pytest.raises(UserError, match="guard"):
        guard.read({"low": [1]}, limited.shape)


def test_the_folder_has_its_report_for_people_and_programs(tmp_path: Path) -> None:
    policy = random_policy((3, 8, 2), "relu identity", 1)
    policy = Policy(policy.layers, policy.head, source="<script>")
    done = folder.deploy(policy, random_observations(3), tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["latency"]["clocks"] == cycles.answer(done.quantised.shape) and len(report["error_per_layer"]) == 2
    page = (tmp_path / "report.html").read_text()
    assert "<script>" not in page and "3-8-2" in page
    moved = shutil.copytree(tmp_path, tmp_path.parent / "elsewhere")
    assert "0 wrong" in made(moved, "c")


def test_the_report_says_the_return_before_and_after(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    policy = imported.load(FILES / "ppo_normalised.zip", normaliser=FILES / "ppo_normalised.pkl")
    seen = np.load(FILES / "ppo_normalised.npz")["obs"]
    done = folder.deploy(policy, seen, tmp_path, weight_width=3, act_width=3)
    folder.report(tmp_path, returns=returns.compared(done.quantised, "Pendulum-v1", 2, 7))
    said = json.loads((tmp_path / "report.json").read_text())["returns"]
    played = [returns.episode_returns(act, "Pendulum-v1", 2, 7) for act in (policy.act, done.quantised.act)]
    assert [said[name]["mean"] for name in ("before", "after")] == [of.mean() for of in played]
    assert said["before"]["mean"] != said["after"]["mean"] and said["episodes"] == 2
    assert "Pendulum-v1" in (tmp_path / "report.html").read_text()
