"""Tests of training at a replay server: actors, server and learner apart, and the curve of one process."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_train_runs import StopAfter
from train_runs import short

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import RunFailed, UserError
from rlcores.net import ReplayClient, ReplayServer
from rlcores.train import pool, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Run
from rlcores.train.remote import RemoteTrainer
from rlcores.train.settings import Plan
from rlcores_lab.bench.faults import Faults, Proxy


def settings(plan: Plan, record_bytes: int = 64, **given) -> ServerSettings:
    """Of a server for such a plan."""
    epsilon = round(1e-3 * 2**20)
    shape = {
        "capacity": plan.settings.buffer_size,
        "record_bytes": record_bytes,
        "part_bytes": 1392,
        "priority_width": 18,
    }
    return ServerSettings(**shape, epsilon=epsilon, **given)


def remote(plan: Plan, address: str, folder: Path, actors: int = 1, *, resume: bool = False) -> Run:
    found = spaces.look(plan.environment)
    trainer = RemoteTrainer(plan, found, address, resume=resume)
    return Run(plan, found, trainer, pool.make(plan, actors, None, trainer.place()), Folder(folder))


def run(plan: Plan, folder: Path, actors: int = 1) -> tuple[Run, dict[str, int]]:
    with ReplayServer(settings(plan)) as server:
        made = remote(plan, server.address, folder, actors)
        try:
            made.run()
            return made, server.state.counts
        finally:
            made._pool.close()


@pytest.mark.parametrize("algo", ["dqn", "ddpg"])
def test_a_run_of_three_processes_has_the_curve_of_one(algo, seed, ran, tmp_path):
    plan = short(algo, "native", seed)
    here, (there, counts) = ran(plan), run(plan, tmp_path / "there")
    assert there.state.digest == here.state.digest and there.state.curve == here.state.curve
    assert there.trainer.updates == here.trainer.updates > 100
    np.testing.assert_array_equal(there.best.weights, here.best.weights)
    steps, batch = there.trainer.updates, plan.settings.batch_size
    assert counts["records"] == 256 and counts["samples"] == counts["updates"] + counts["stale"] == steps * batch


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
        found = spaces.look(plan.environment)
        trainer = RemoteTrainer(plan, found, proxy.address)
        direct = replace(trainer.place(), address=server.address)  # the actor's way is short
        actors = pool.make(plan, 1, None, direct)
        try:
            made = Run(plan, found, trainer, actors, Folder(tmp_path))
            learn, late = trainer.learn, []

            def watched(*given):
                learn(*given)
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
    found, counts = run(plan, tmp_path, actors=3)
    assert counts["records"] == 256 and found.trainer.updates > 100 and not counts["stale"]


def test_a_server_of_another_shape_is_refused_with_the_line_that_starts_the_right_one(seed, tmp_path):
    plan = short("dqn", "native", seed)
    said = r"capacity 300, this run 200.*rlcores serve .*--buffer-size 200"
    with ReplayServer(replace(settings(plan), capacity=300)) as server, pytest.raises(UserError, match=said):
        remote(plan, server.address, tmp_path)
    with pytest.raises(UserError, match="dqn and ddpg"):
        remote(short("ppo", "native", seed), "127.0.0.1:1", tmp_path)
