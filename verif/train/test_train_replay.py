"""Tests of training at a replay server: actors, server and learner apart, and the curve of one process."""

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from test_train_runs import StopAfter
from train_runs import short

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.sumtree.settings import ReplaySettings
from rlcores.errors import RunFailed, UserError
from rlcores.net import ReplayClient, ReplayServer
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train import off_policy, pool, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Run, make_trainer
from rlcores.train.off_policy import bank_of
from rlcores.train.putting import PuttingActor
from rlcores.train.remote import RemoteTrainer
from rlcores.train.settings import Plan
from rlcores_lab.bench.faults import Faults, Proxy


def settings(plan: Plan) -> ServerSettings:
    """Of a server for such a plan."""
    count, shape = plan.settings.learners, {"record_bytes": 64, "part_bytes": 1392}
    if plan.algo in ("dqn", "ddpg"):
        shape |= {"capacity": -(-plan.settings.buffer_size // count), "priority_width": 18}
        return ServerSettings(**shape, epsilon=round(1e-3 * 2**20), banks=count)
    alpha = plan.settings.alpha if plan.algo == "dueling" else 0.0
    return ServerSettings.of(ReplaySettings(buffer_size=bank_of(plan)[1], alpha=alpha, seed=0), **shape, banks=count)


def as_one(plan: Plan, monkeypatch) -> Run:
    """The run of one process, with priorities in a server's unit."""
    server_like = partial(ReplayBuffer, sampler_options={"scale": 22.0}, priority_epsilon=2.0**-20)
    if plan.algo == "dueling":
        monkeypatch.setattr(off_policy, "ReplayBuffer", server_like)
    space = spaces.look(plan.environment)
    return Run(plan, space, make_trainer(plan, space), pool.make(plan, 1), None)


def remote(plan: Plan, address: str, folder: Path, actors: int = 1, *, resume: bool = False) -> Run:
    space = spaces.look(plan.environment)
    trainer = RemoteTrainer(plan, space, address, resume=resume)
    return Run(plan, space, trainer, pool.make(plan, actors, None, trainer.place()), Folder(folder))


def run(plan: Plan, folder: Path, actors: int = 1) -> tuple[Run, dict[str, int]]:
    with ReplayServer(settings(plan)) as server:
        made = remote(plan, server.address, folder, actors)
        try:
            made.run()
            return made, server.state.counts
        finally:
            made._pool.close()


@pytest.mark.parametrize("algo", ["dqn", "ddpg", "dueling", "td3", "sac"])
def test_a_run_of_three_processes_has_the_curve_of_one(algo, seed, tmp_path, monkeypatch):
    plan = short(algo, "native", seed)
    here, (there, counts) = as_one(plan, monkeypatch), run(plan, tmp_path / "there")
    here.run()
    assert there.state.digest == here.state.digest and there.state.curve == here.state.curve
    assert there.trainer.updates == here.trainer.updates > 100
    np.testing.assert_array_equal(there.best.weights, here.best.weights)
    samples = there.trainer.updates * plan.settings.batch_size
    assert counts["records"] == 256 and counts["samples"] == samples
    assert counts["updates"] + counts["stale"] == (0 if algo in ("td3", "sac") else samples)


def test_returns_of_several_steps_are_exact_however_many_actors_put_them(seed, tmp_path, monkeypatch):
    plan = short("dueling", "native", seed)
    assert plan.settings.n_steps == 3
    here = as_one(plan, monkeypatch)
    here.run()
    assert run(plan, tmp_path, actors=3)[0].state.digest == here.state.digest


def test_an_actor_that_stands_for_a_lost_one_keeps_the_places_of_the_others_records(seed, tmp_path):
    plan = short("dueling", "native", seed)
    with ReplayServer(settings(plan)) as server:
        made = remote(plan, server.address, tmp_path)
        place, learner = made.trainer.place(), made.trainer.learner
        made._pool.close()
        each = [PuttingActor(plan.environment, None, plan.state_scale, seed, place, span) for span in ((0, 2), (2, 4))]
        for number in range(20):
            order = made.trainer.order(number, 0)
            for actor in each:
                actor.collect(order)
            if number == 10:
                each[1]._held = None  # as of one that has begun since
            assert [actor.put(order.steps) for actor in each] == [2, 0 if number == 10 else 2]
        assert server.state.counts["records"] == 80
        learner.bank.begin(20)
        drawn = [learner.bank.drawn() for _ in range(20)]
        generations = np.full(80, drawn[0].tags[1][0])  # no slot has been filled twice
        rows = learner.bank._rows(learner.client.read(np.arange(80), generations))
    assert rows["environment"].tolist() == 20 * [0, 1, 2, 3]
    slots = {slot for one in drawn for slot in one.tags[0].tolist()}
    assert len(slots) > 60 and not slots & {42, 43}  # void ones are never drawn
    # A return of three steps that would go over the void ones ends before them.
    by_slot = {s: d for one in drawn for s, d in zip(one.tags[0].tolist(), one.batch.discounts, strict=True)}
    ended = {s // 4 for s in range(80) if rows[s]["terminated"] and s % 4 == 2}
    gamma = plan.settings.gamma
    for slot, steps in ((34, 2), (38, 1), (46, 3)):
        if slot in by_slot and not ended & set(range(slot // 4, slot // 4 + 3)):
            assert by_slot[slot] == pytest.approx(gamma**steps), slot


def test_policies_come_from_the_server_and_an_order_has_no_weights(seed, ran, tmp_path):
    plan = short("ddpg", "native", seed)  # whose every action tells of every weight
    orders = []
    with ReplayServer(settings(plan)) as server:
        made = remote(plan, server.address, tmp_path)
        start = made._pool.start
        made._pool.start = lambda order: (orders.append(order), start(order))
        try:
            made.run()
            with ReplayClient(server.address, 100) as client:
                version, data = client.get_weights()
                with pytest.raises(RunFailed, match="does not hold version 999"):
                    replace(orders[-1].policy, version=999).policy(client)
        finally:
            made._pool.close()
    assert made.state.digest == ran(plan).state.digest
    policy = made.trainer.policy()
    assert [order.policy.version for order in orders] == list(range(2, version + 1)) and len(orders) > 3
    assert len(data) == 4 * policy.weights.size > max(len(pickle.dumps(order)) for order in orders)


def test_priorities_are_at_the_server_before_the_next_records_though_they_travel_slowly(seed, ran, tmp_path):
    plan = short("dqn", "native", seed)
    slow = Faults(drop=0, repeat=0, reorder=1, damage=0, cut=0, delay=0.02)
    with ReplayServer(settings(plan)) as server, Proxy(server.address, slow, seed) as proxy:
        space = spaces.look(plan.environment)
        trainer = RemoteTrainer(plan, space, proxy.address)
        direct = replace(trainer.place(), address=server.address)  # the actor's way is short
        actors = pool.make(plan, 1, None, direct)
        try:
            made = Run(plan, space, trainer, actors, Folder(tmp_path))
            learn, late = trainer.learn, []

            def watched(*arguments):
                learn(*arguments)
                counts = server.state.counts
                late.append(trainer.updates * plan.settings.batch_size - counts["updates"] - counts["stale"])

            trainer.learn = watched
            made.run()
        finally:
            actors.close()
    assert not any(late) and len(late) > 3
    assert made.state.digest == ran(plan).state.digest and proxy.counts["reorder"] > 100


def test_a_run_at_a_server_goes_on_where_it_was_stopped(seed, ran, tmp_path):
    plan = short("dqn", "native", seed)
    whole = ran(plan)
    with ReplayServer(settings(plan)) as server:
        first = remote(plan, server.address, tmp_path)
        first.run(StopAfter(7))
        first._pool.close()
        assert 0 < first.state.step < 256
        with pytest.raises(UserError, match="holds records already"):
            remote(plan, server.address, tmp_path)
        second = remote(plan, server.address, tmp_path, resume=True)
        second.restore(*second.folder.load()[1:])
        second.run()
        second._pool.close()
    assert second.state.digest == whole.state.digest and second.state.curve == whole.state.curve


def test_several_actors_fill_one_server(seed, tmp_path):
    plan = short("dqn", "native", seed)
    trained, counts = run(plan, tmp_path, actors=3)
    assert counts["records"] == 256 and trained.trainer.updates > 100 and not counts["stale"]


def test_a_server_of_another_shape_is_refused_with_the_line_that_starts_the_right_one(seed, tmp_path):
    plan = short("dqn", "native", seed)
    said = r"capacity 300, this run 200.*rlcores serve .*--buffer-size 200"
    with ReplayServer(replace(settings(plan), capacity=300)) as server, pytest.raises(UserError, match=said):
        remote(plan, server.address, tmp_path)


@pytest.mark.parametrize(
    ("algo", "changes", "said"),
    [
        ("sac", {"alpha": 1 << 14}, r"alpha 16384, this run 0; .*--alpha 0\.00000"),
        (
            "dueling",
            {"priority_width": 18, "scale": None, "initial": None},
            "scale 2048, this run 5632; .*--priority-width 32",
        ),
        ("td3", {"record_bytes": 8}, r"record_bytes 8, this run 40; .*--record-bytes 40"),
        ("dueling", {"sample_max": 8}, r"sample_max 8, this run 16; .*--sample-max 16"),
    ],
)
def test_a_server_that_does_not_fit_is_refused_in_a_sentence(algo, changes, said, seed, tmp_path):
    plan = short(algo, "native", seed)
    with ReplayServer(replace(settings(plan), **changes)) as server, pytest.raises(UserError, match=said):
        remote(plan, server.address, tmp_path)


def test_what_a_replay_server_is_not_for_is_said(seed, tmp_path):
    for algo, backend in (("ppo", "native"), ("sac", "rtl")):
        said = "--replay is for dqn, dueling, ddpg, td3 and sac on the backends native and model"
        with pytest.raises(UserError, match=said):
            remote(short(algo, backend, seed), "127.0.0.1:1", tmp_path)
