"""The learner, rlcores:learner:learner."""
