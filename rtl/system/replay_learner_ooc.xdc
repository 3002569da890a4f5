# rlc_replay_learner by itself: the clock that it has on the boards. Assumed, as long as no vendor tool has met it.
create_clock -period 5.000 -name aclk [get_ports aclk]
