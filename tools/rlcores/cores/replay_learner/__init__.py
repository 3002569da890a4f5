"""The replay learner, rlcores:system:replay_learner: sum tree, learner and DRAM in one loop."""
