# rlcores:system:agent on the dies of the U200: the learner alone in SLR2, whose 2,280 DSPs it nearly fills; tree, loop, policy,
# environments and what goes to memory in the middle, beside XDMA. Between them pass one record word, one TD error, new weights and
# the registers a clock, by valid and ready but for the weights: paths that no tool has timed yet.
# SPDX-License-Identifier: Apache-2.0
create_pblock learner
resize_pblock [get_pblocks learner] -add {SLR2}
add_cells_to_pblock [get_pblocks learner] [get_cells u_bd/rlc_agent/inst/u_core/u_agent/u_loop/u_learner]

create_pblock loop
resize_pblock [get_pblocks loop] -add {SLR1}
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_agent/inst/u_core/u_env]
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_agent/inst/u_core/u_agent/u_policy]
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_agent/inst/u_core/u_agent/u_loop/u_tree]
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_agent/inst/u_core/u_agent/u_loop/u_reader]
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_agent/inst/u_core/u_agent/u_loop/u_writer]
