"""PPO on the chip: acting, rollout, advantages, shuffled minibatches, loss, gradient clipping, Adam, in integers."""
