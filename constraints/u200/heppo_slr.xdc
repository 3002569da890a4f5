# rlcores:system:heppo in one die of the U200, the middle one, where its streams come from XDMA. 128 rows are a quarter
# of what a die has.
# SPDX-License-Identifier: Apache-2.0
create_pblock heppo
resize_pblock [get_pblocks heppo] -add {SLR1}
add_cells_to_pblock [get_pblocks heppo] [get_cells u_bd/rlc_heppo/inst/u_core]
