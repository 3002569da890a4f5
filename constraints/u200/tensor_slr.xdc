# rlcores:tensor:tensor on the dies of the U200: the whole core in SLR1, beside XDMA. It takes nine tenths of the die's DSPs and
# UltraRAM, so no path of it crosses a border.
# SPDX-License-Identifier: Apache-2.0
create_pblock tensor
resize_pblock [get_pblocks tensor] -add {SLR1}
add_cells_to_pblock [get_pblocks tensor] [get_cells u_bd/rlc_tensor/inst/u_core]
