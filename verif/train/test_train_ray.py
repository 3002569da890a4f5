"""A run whose actors are on a Ray cluster of this machine and put into a replay server; a node is killed on the way."""

from dataclasses import replace

import pytest
from train_runs import short

from rlcores.cores.net.frames import ServerSettings
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
            found = spaces.look(plan.environment)
            trainer = RemoteTrainer(plan, found, server.address)
            actors = pool.make(plan, 2, cluster.address, trainer.place())
            run = Run(plan, found, trainer, actors, Folder(tmp_path))

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
