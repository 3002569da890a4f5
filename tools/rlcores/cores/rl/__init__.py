"""Algorithms that wire a list of networks in the learner's integers: TD3 and SAC."""
