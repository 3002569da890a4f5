# rlcores:learners:learners_ppo on the dies of the U200: a learner on each. What joins them stands in the middle, beside XDMA; two
# registers (CROSS) are on the way from a learner to the average, and two on the way back, so one on each side of a border. No tool
# has timed these paths yet.
# SPDX-License-Identifier: Apache-2.0
create_pblock learner_0
resize_pblock [get_pblocks learner_0] -add {SLR0}
add_cells_to_pblock [get_pblocks learner_0] [get_cells {u_bd/rlc_learners_ppo/inst/u_core/g_learner[0].u_ppo}]

create_pblock learner_1
resize_pblock [get_pblocks learner_1] -add {SLR1}
add_cells_to_pblock [get_pblocks learner_1] [get_cells {u_bd/rlc_learners_ppo/inst/u_core/g_learner[1].u_ppo}]

create_pblock learner_2
resize_pblock [get_pblocks learner_2] -add {SLR2}
add_cells_to_pblock [get_pblocks learner_2] [get_cells {u_bd/rlc_learners_ppo/inst/u_core/g_learner[2].u_ppo}]

create_pblock shared
resize_pblock [get_pblocks shared] -add {SLR1}
add_cells_to_pblock [get_pblocks shared] [get_cells u_bd/rlc_learners_ppo/inst/u_core/g_network*u_join]
add_cells_to_pblock [get_pblocks shared] [get_cells u_bd/rlc_learners_ppo/inst/u_core/u_ctrl]
