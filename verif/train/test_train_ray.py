"""A run whose actors are on a Ray cluster of this machine and put into a replay server; a node is killed on the way."""

from dataclasses import replace

import pytest
from test_train_learners import several
from test_train_remote_learners import server
from train_runs import short

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.net import ReplayServer
from rlcores.train import pool, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Callback, Run
from rlcores.train.remote import RemoteTrainer


@pytest.mark.slow
def test_a_run_goes_on_when_a_node_of_its_cluster_is_lost(seed, tmp_path):
    ray = pytest.importorskip("ray", reason="needs Ray: uv sync --extra ray")
    from ray.cluster_utils import Cluster

    plan = short("dqn", "native", seed, steps=1024)
    plan = replace(plan, settings=replace(plan.settings, buffer_size=1 << 14))
    settings = ServerSettings(capacity=1 << 14, record_bytes=48, priority_width=18, epsilon=round(1e-3 * 2**20))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        nodes = [cluster.add_node(num_cpus=2) for _ in range(2)]
        with ReplayServer(settings) as server:
            space = spaces.look(plan.environment)
            trainer = RemoteTrainer(plan, space, server.address)
            actors = pool.make(plan, 2, cluster.address, trainer.place())
            run = Run(plan, space, trainer, actors, Folder(tmp_path))

            class Kill(Callback):
                killed = None

                def progress(self, run, seen):
                    if run.state.step >= 512 and self.killed is None:
                        place = actors._actors[0].__ray_call__.remote(
                            lambda actor: ray.get_runtime_context().get_node_id()
                        )
                        where = ray.get(place)
                        self.killed = next(node for node in nodes if node.node_id == where)
                        cluster.remove_node(self.killed, allow_graceful=False)

            watch = Kill()
            try:
                run.run(watch)
            finally:
                actors.close()
            counts = server.state.counts
        assert watch.killed is not None and run.done and run.state.step == 1024
        # One of the two said HELLO anew; but for what it held when it was lost, all records came, each once.
        assert counts["other_epoch"] >= 1
        assert 1024 - 2 * plan.round_steps * plan.envs <= counts["records"] <= 1024
        assert counts["samples"] == trainer.updates * plan.settings.batch_size > 0
    finally:
        cluster.shutdown()


@pytest.mark.slow
def test_learners_on_a_cluster_go_on_in_rounds_when_one_is_lost(seed, tmp_path):
    ray = pytest.importorskip("ray", reason="needs Ray: uv sync --extra ray")
    plan = several("dqn", "native", seed, learners=2, average=4)
    plan = replace(plan, steps=20_000, settings=replace(plan.settings, buffer_size=30_000))
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        with server(plan) as place:
            space = spaces.look(plan.environment)
            trainer = RemoteTrainer(plan, space, place.address, ray="auto")
            actors = pool.make(plan, 1, None, trainer.place())
            run, learner = Run(plan, space, trainer, actors, Folder(tmp_path)), trainer.learner

            class Kill(Callback):
                at = None

                def progress(self, run, seen):
                    if self.at is None and len(learner.history) > 20:
                        self.at = len(learner.history)
                        ray.kill(learner.crew._actors[1], no_restart=False)
                    if self.at is not None and learner.history[self.at + 1 :][-2:] == [2, 2]:
                        run.stop.set()  # it has come back

            watch = Kill()
            try:
                run.run(watch)
            finally:
                actors.close()
                trainer.close()
    finally:
        ray.shutdown()
    after = learner.history[watch.at :]
    assert set(learner.history[: watch.at]) == {2} and set(after) == {1, 2} and after[-2:] == [2, 2]
    assert learner.crew.lost >= 1 and learner.rounds == len(learner.history)
