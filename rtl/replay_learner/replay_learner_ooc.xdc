# SPDX-License-Identifier: Apache-2.0
# rlc_replay_learner by itself: the clock that it has on the ZCU106. Assumed, as long as no vendor tool has met it.
# <period of zcu106>
set period 5.000
# </period>
create_clock -period $period -name aclk [get_ports aclk]
