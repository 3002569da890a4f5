"""Learners in parallel, a bank of the replay buffer each, whose weights are averaged (rtl/learners)."""
