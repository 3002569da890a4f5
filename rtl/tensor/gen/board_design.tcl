# Makes the block design that the board's own Tcl (constraints/) has described. It stands here, last in the file list,
# because Vivado takes a module as a cell only when its sources are in the project.
# SPDX-License-Identifier: Apache-2.0
rlc::design
