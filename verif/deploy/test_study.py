"""The studies of deployed policies: they compare what they say, and see what differs."""

from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.cores.mlp.model import MlpModel
from rlcores_lab.study import deploy_bits, deployed, policies

FILES = paths.root() / "verif" / "deploy" / "files"


def made(name: str, suffix: str, normalised: bool = False) -> policies.Made:
    with np.load(FILES / f"{name}.npz") as known:
        obs, act = known["obs"], known["act"]
    recipe = policies.Recipe(name, "sb3" if suffix == ".zip" else "onnx", suffix, normalised=normalised)
    return policies.Made(recipe, FILES / f"{name}{suffix}", FILES / f"{name}.pkl" if normalised else None, obs, act)


def compared(of: policies.Made) -> deployed.Equal:
    pytest.importorskip("onnx")
    return deployed.compared(of, "", 5000, 0)


@pytest.mark.parametrize(
    "of", [("ppo_normalised", ".zip", True), ("rsl_rl", ".onnx"), ("silu", ".onnx"), ("sigmoid", ".onnx"), ("layer_norm", ".onnx")],
    ids=lambda of: of[0],
)  # fmt: skip
def test_real_files_give_the_same_bits_on_model_engine_and_c99(of: tuple, monkeypatch) -> None:
    monkeypatch.setattr(deployed, "library", lambda recipe: "")  # what made the files need not be installed
    found = compared(made(*of))
    assert (found.native, found.c99, found.wrong) == (5000, 5000, 0)
    assert found.imported_error < 1e-5 and found.quantised_error < 0.3


def test_an_engine_that_is_off_by_one_is_seen(monkeypatch) -> None:
    class Off(MlpModel):
        def act(self, observations: np.ndarray) -> np.ndarray:
            found = super().act(observations)
            found[7] += 1
            return found

    monkeypatch.setattr(deployed, "library", lambda recipe: "")
    monkeypatch.setattr(deployed, "NativeMlp", Off)
    assert compared(made("rsl_rl", ".onnx")).wrong == 1


def test_bits_hold_where_every_wider_width_holds() -> None:
    rng = np.random.default_rng(1)
    whole = rng.normal(100.0, 0.5, 50)
    lost = {3: 20.0, 4: 5.0, 5: 0.1, 6: 3.0}
    runs = [deploy_bits.Run("p", bits, 0, (whole - lost.get(bits, 0.0)).tolist()) for bits in deploy_bits.ALL_BITS]
    of = deploy_bits.lines(runs)
    assert [x.verdict for x in of if x.bits in (3, 5, 6, 7)] == [
        "worse by more than 1 %", "within 1 %", "worse by more than 1 %", "within 1 %"
    ]  # fmt: skip
    assert deploy_bits.least(of, "p", ("within 1 %",)) == 7


def test_every_recipe_has_a_name_of_its_own_and_a_maker() -> None:
    assert len(policies.BY_NAME) == len(policies.RECIPES) >= 20
    for recipe in policies.RECIPES:
        assert recipe.maker in policies._MAKERS and (not recipe.of or recipe.of in policies.BY_NAME)


def test_results_that_are_kept_have_no_difference() -> None:
    kept = deployed.kept()
    assert kept and all(run.wrong == 0 and run.file for run in kept)
    assert Path(deployed.KEPT).is_file()
