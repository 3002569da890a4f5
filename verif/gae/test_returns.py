"""Targets from rollouts are the papers' sums, exact at ends, and those of torchrl where it has them."""

import numpy as np
import pytest

from rlcores import Gae, UserError, advantages
from rlcores.cores.gae.returns import lambda_returns, n_step_returns, retrace, vtrace
from rlcores.eda import configs

GAMMA, LAMBDA = 0.9, 0.8


def rollout(rng, steps=12, envs=5):
    """Arguments of a random rollout with both kinds of ends."""
    rewards, values, final = rng.normal(size=(3, steps, envs))
    terminated, truncated = rng.random((2, steps, envs)) < 0.12
    return rewards, values, terminated, truncated & ~terminated, rng.normal(size=envs), final


def paths(arrays):
    """Each step's rewards and values to the end of its episode or the rollout: r_k, V behind k, for k = t …"""
    rewards, values, terminated, truncated, bootstrap, final = arrays
    steps, envs = rewards.shape
    for t in range(steps):
        for n in range(envs):
            path = []
            for k in range(t, steps):
                behind = bootstrap[n] if k == steps - 1 else values[k + 1, n]
                behind = 0.0 if terminated[k, n] else final[k, n] if truncated[k, n] else behind
                path.append((k, rewards[k, n], behind))
                if terminated[k, n] or truncated[k, n]:
                    break
            yield t, n, path


def test_lambda_returns_are_weighted_n_step_returns_and_those_of_advantages(seed):
    arrays = rollout(np.random.default_rng(seed))
    returns = lambda_returns(*arrays[:5], GAMMA, LAMBDA, final_values=arrays[5])
    for t, n, path in paths(arrays):
        total, weight, sums = 0.0, 1.0, 0.0
        for i, (_, reward, behind) in enumerate(path):
            sums += GAMMA**i * reward
            last = i == len(path) - 1
            total += (weight if last else (1 - LAMBDA) * weight) * (sums + GAMMA ** (i + 1) * behind)
            weight *= LAMBDA
        assert returns[t, n] == pytest.approx(total)
    both = advantages(*arrays[:5], GAMMA, LAMBDA, final_values=arrays[5], accuracy="float64")
    assert returns == pytest.approx(both[1], rel=1e-12)


@pytest.mark.parametrize("steps", [1, 2, 5, 12, 40])
def test_returns_of_n_steps_are_the_sums_that_they_say(steps, seed):
    arrays = rollout(np.random.default_rng(seed))
    returns = n_step_returns(*arrays[:5], steps, GAMMA, final_values=arrays[5])
    for t, n, path in paths(arrays):
        path = path[:steps]
        wanted = sum(GAMMA**i * reward for i, (_, reward, _) in enumerate(path)) + GAMMA ** len(path) * path[-1][2]
        assert returns[t, n] == pytest.approx(wanted)


@pytest.mark.parametrize("most", [(1.0, 1.0, 1.0), (2.5, 0.7, 0.4)])
def test_v_trace_is_the_papers_sum(most, seed):
    rng = np.random.default_rng(seed)
    arrays = rollout(rng)
    log_rhos = rng.normal(0, 0.6, arrays[0].shape)
    names = ("clip_rho_threshold", "clip_c_threshold", "clip_pg_rho_threshold")
    v_trace = vtrace(
        log_rhos, *arrays[:5], GAMMA, LAMBDA, final_values=arrays[5], **dict(zip(names, most, strict=True))
    )
    ratio, values = np.exp(log_rhos), arrays[1]
    for t, n, path in paths(arrays):
        total, trace = values[t, n], 1.0
        for i, (k, reward, behind) in enumerate(path):
            total += GAMMA**i * trace * min(most[0], ratio[k, n]) * (reward + GAMMA * behind - values[k, n])
            trace *= LAMBDA * min(most[1], ratio[k, n])
        assert v_trace.targets[t, n] == pytest.approx(total)
        _, reward, behind = path[0]
        if len(path) > 1:
            behind = v_trace.targets[t + 1, n]
        assert v_trace.advantages[t, n] == pytest.approx(
            min(most[2], ratio[t, n]) * (reward + GAMMA * behind - values[t, n])
        )


def test_retrace_is_the_papers_sum(seed):
    rng = np.random.default_rng(seed)
    arrays = rollout(rng)
    log_rhos, q = rng.normal(0, 0.6, arrays[0].shape), rng.normal(size=arrays[0].shape)
    targets = retrace(log_rhos, arrays[0], q, *arrays[1:5], GAMMA, LAMBDA, final_values=arrays[5])
    for t, n, path in paths(arrays):
        total, trace = q[t, n], 1.0
        for i, (k, reward, behind) in enumerate(path):
            trace *= LAMBDA * min(1.0, np.exp(log_rhos[k, n])) if i else 1.0
            total += GAMMA**i * trace * (reward + GAMMA * behind - q[k, n])
        assert targets[t, n] == pytest.approx(total)


def test_on_the_policy_v_trace_and_lambda_returns_are_one(seed):
    arrays = rollout(np.random.default_rng(seed))
    v_trace = vtrace(np.zeros(arrays[0].shape), *arrays[:5], GAMMA, LAMBDA, final_values=arrays[5])
    assert v_trace.targets == pytest.approx(lambda_returns(*arrays[:5], GAMMA, LAMBDA, final_values=arrays[5]))


def test_they_are_torchrls_where_no_episode_is_truncated(seed):
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchrl.objectives.value.functional")
    rng = np.random.default_rng(seed)
    rewards, values, terminated, _, bootstrap, _ = rollout(rng, 20, 4)
    none = np.zeros(rewards.shape, bool)
    pi, mu = -rng.random((2, *rewards.shape))
    behind = np.concatenate([values[1:], bootstrap[None]])

    def theirs(array):  # torchrl has time in the last but one dimension
        return torch.as_tensor(array.T[..., None])

    ends = theirs(terminated)
    peer = functional.vtrace_advantage_estimate(
        GAMMA, theirs(pi), theirs(mu), theirs(values), theirs(behind), theirs(rewards), ends, ends
    )
    v_trace = vtrace(pi - mu, rewards, values, terminated, none, bootstrap, GAMMA)
    assert v_trace.targets == pytest.approx(peer[1][..., 0].numpy().T, rel=1e-5, abs=1e-5)
    assert v_trace.advantages == pytest.approx(peer[0][..., 0].numpy().T, rel=1e-5, abs=1e-5)
    peer = functional.td_lambda_return_estimate(GAMMA, LAMBDA, theirs(behind), theirs(rewards), ends, ends)
    returns = lambda_returns(rewards, values, terminated, none, bootstrap, GAMMA, LAMBDA)
    assert returns == pytest.approx(peer[..., 0].numpy().T)


def test_returns_of_n_steps_are_tianshous(seed):
    """Of one environment, where tianshou bootstraps at the end of the buffer."""
    base = pytest.importorskip("tianshou.data")
    algorithm = pytest.importorskip("tianshou.algorithm.algorithm_base")
    if not hasattr(algorithm, "_nstep_return"):
        pytest.skip("this tianshou has it elsewhere")
    assert base
    rng = np.random.default_rng(seed)
    rewards, values, terminated, _, bootstrap, _ = rollout(rng, 15, 1)
    behind = np.concatenate([values[1:, 0], bootstrap])
    steps, index = 4, np.arange(15)
    ends = terminated[:, 0].copy()
    ends[-1] = True
    stacked = [index]
    for _ in range(steps - 1):
        stacked.append(np.where(ends[stacked[-1]], stacked[-1], np.minimum(stacked[-1] + 1, 14)))
    stacked = np.array(stacked)
    target = np.where(terminated[stacked[-1], 0], 0, behind[stacked[-1]])[:, None]
    peer = algorithm._nstep_return(rewards[:, 0], ends, target, stacked, GAMMA, steps)
    returns = n_step_returns(rewards, values, terminated, np.zeros_like(terminated), bootstrap, steps, GAMMA)
    assert returns[:, 0] == pytest.approx(peer[:, 0])


def test_types_and_errors_are_those_of_advantages(seed):
    arrays = rollout(np.random.default_rng(seed))
    single = [x.astype(np.float32) if x.dtype == float else x for x in arrays]
    assert lambda_returns(*single[:5], final_values=single[5]).dtype == np.float32
    zeros = np.zeros(arrays[0].shape)
    for call, sentence in (
        (lambda: lambda_returns(*arrays[:5]), "so final_values must give the value of its final observation"),
        (lambda: n_step_returns(*arrays[:5], 0, final_values=arrays[5]), "n_steps is 0; it must be 1 to 65536"),
        (lambda: vtrace(zeros[:3], *arrays[:5], final_values=arrays[5]), r"log_rhos has shape \(3, 5\)"),
        (lambda: vtrace(zeros, *arrays[:5], clip_rho_threshold=-1, final_values=arrays[5]), "clip_rho_threshold is -1"),
        (
            lambda: retrace(zeros + np.nan, *arrays[:2], *arrays[1:5], final_values=arrays[5]),
            r"log_rhos\[0, 0\] is nan",
        ),
        (lambda: lambda_returns(*arrays[:5], 1.5, final_values=arrays[5]), "gamma is 1.5; it must be 0 to 1"),
    ):
        with pytest.raises(UserError, match=sentence):
            call()


CALLS = {
    "lambda_returns": lambda x, r, **o: lambda_returns(*x[:5], GAMMA, LAMBDA, final_values=x[5], **o),
    "n_step_returns": lambda x, r, **o: n_step_returns(*x[:5], 4, GAMMA, final_values=x[5], **o),
    "vtrace": lambda x, r, **o: np.concatenate(vtrace(r, *x[:5], GAMMA, LAMBDA, final_values=x[5], **o)),
    "retrace": lambda x, r, **o: retrace(r, x[0], x[1] + 1, *x[1:5], GAMMA, LAMBDA, final_values=x[5], **o),
}


@pytest.mark.parametrize("shape", [(12, 5), (1, 1), (40, 9)])
@pytest.mark.parametrize("call", CALLS)
def test_the_integers_of_a_core_are_within_a_thousandth_of_float64(call, shape, seed):
    rng = np.random.default_rng(seed)
    arrays, log_rhos = rollout(rng, *shape), rng.normal(0, 0.6, shape)
    exact = CALLS[call](arrays, log_rhos)
    computed = CALLS[call](arrays, log_rhos, backend="model")
    assert np.abs(computed - exact).max() <= 1e-3 * np.abs(exact).max()


def test_a_rollout_longer_and_wider_than_the_core_is_joined_from_pieces(seed):
    """45 steps of 11 environments on 8 lanes of 16 records, 8 bits each."""
    rng = np.random.default_rng(seed)
    arrays, log_rhos = rollout(rng, 45, 11), rng.normal(0, 0.6, (45, 11))
    exact = CALLS["vtrace"](arrays, log_rhos)
    computed = CALLS["vtrace"](arrays, log_rhos, backend="model", config="tiny_trace")
    error = np.abs(computed - exact).max() / np.abs(exact).max()
    assert error <= 0.05
    apart = CALLS["vtrace"](arrays, log_rhos, backend="model", config=configs.load("gae", "tiny_trace") | {"DEPTH": 64})
    assert np.abs(apart - exact).max() / np.abs(exact).max() <= 0.05


@pytest.mark.parametrize("scale", [0.0, 1e-300, 1e300])
def test_numbers_of_any_size_are_right_on_a_core(scale, seed):
    rng = np.random.default_rng(seed)
    rewards, values, *ends, bootstrap, final = rollout(rng)
    scaled = rewards * scale, values * scale, *ends, bootstrap * scale, final * scale
    exact = CALLS["lambda_returns"](scaled, None)
    computed = CALLS["lambda_returns"](scaled, None, backend="model")
    assert np.abs(computed - exact).max() <= 1e-3 * np.abs(exact).max()


@pytest.mark.parametrize("config", ["tiny_trace"])
def test_the_rtl_gives_the_same_numbers_as_the_model(config, seed):
    rng = np.random.default_rng(seed)
    arrays, log_rhos = rollout(rng, 45, 11), rng.normal(0, 0.6, (45, 11))
    for call in CALLS.values():
        model, rtl = (call(arrays, log_rhos, config=config, backend=backend) for backend in ("model", "rtl"))
        assert (model == rtl).all()


def test_what_a_core_cannot_do_is_said(seed):
    arrays = rollout(np.random.default_rng(seed))
    zeros = np.ones(arrays[0].shape)
    for call, sentence in (
        (lambda: lambda_returns(*arrays[:5], final_values=arrays[5], config="tiny_trace"), "config is a core's"),
        (lambda: CALLS["vtrace"](arrays, zeros, backend="model", config="tiny"), "built without TRACE"),
        (lambda: CALLS["vtrace"](arrays, zeros, backend="gpu"), "backend"),
        (
            lambda: vtrace(
                zeros, *arrays[:5], clip_c_threshold=2, final_values=arrays[5], backend="model", config="tiny_trace"
            ),
            r"a coefficient is 1\.98; a core takes 0 to 1",
        ),
        (lambda: Gae("tiny_trace"), "built with TRACE: it holds no values"),
    ):
        with pytest.raises(UserError, match=sentence):
            call()
