# The hardware platform of a project whose bitstream is made, for Vitis or PetaLinux:
#   vivado -mode batch -source platform.tcl PROJECT.xpr
# SPDX-License-Identifier: Apache-2.0
open_run impl_1
write_hw_platform -fixed -include_bit -force [current_project].xsa
