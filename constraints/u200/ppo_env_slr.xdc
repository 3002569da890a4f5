# rlcores:system:ppo_env on the dies of the U200: the networks alone in SLR2, whose 2,280 DSPs they nearly fill; what stands around
# them and the environments in the middle, beside XDMA. Between them pass samples and answers, by valid and ready: paths that no
# tool has timed yet.
# SPDX-License-Identifier: Apache-2.0
create_pblock networks
resize_pblock [get_pblocks networks] -add {SLR2}
add_cells_to_pblock [get_pblocks networks] [get_cells u_bd/rlc_ppo_env/inst/u_core/u_ppo/u_ppo/u_networks]

create_pblock loop
resize_pblock [get_pblocks loop] -add {SLR1}
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_ppo_env/inst/u_core/u_ppo/u_ppo/u_train_ctrl]
add_cells_to_pblock [get_pblocks loop] [get_cells u_bd/rlc_ppo_env/inst/u_core/u_env]
