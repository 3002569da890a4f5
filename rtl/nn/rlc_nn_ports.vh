// rlc_nn_ports.vh — what many modules of networks have at their ports, said once, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_NN_WEIGHT_ADDR   bits of the place of a group of weights, which rlc_nn_weight_addr.vh takes apart
`ifndef RLC_NN_PORTS_VH
`define RLC_NN_PORTS_VH
`include "rlc_axi.vh"
`include "rlc_check.vh"

`define RLC_NN_WEIGHT_ADDR [80:0]

`endif
