// rlc_nn_words.vh — words of networks, field by field. Written by `rlcores generate` from cores/learner/words.py;
// do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_NN_NEURONS            neurons of a layer, at most; `RLC_NN_NARROW_BATCH: records of a batch whose gradient fits
//                           48 bits, at most (rlcores/base/limits.py)
// `RLC_NN_WEIGHT_ADDR        bits of the address of a group of weights, which rlc_nn_weight_addr.vh takes apart;
// `RLC_NN_WEIGHT_ADDR_BIAS and so on are its fields
// `RLC_NN_WEIGHT_BUS_VALID, _DATA   of a weight bus: whether weights come, and the lowest of them; the address is below
`ifndef RLC_NN_WORDS_VH
`define RLC_NN_WORDS_VH

`define RLC_NN_NEURONS 1024
`define RLC_NN_NARROW_BATCH 8191
`define RLC_NN_WEIGHT_ADDR [80:0]
`define RLC_NN_WEIGHT_ADDR_BIAS 80 +: 1
`define RLC_NN_WEIGHT_ADDR_JW 70 +: 10
`define RLC_NN_WEIGHT_ADDR_JOF 60 +: 10
`define RLC_NN_WEIGHT_ADDR_JG 50 +: 10
`define RLC_NN_WEIGHT_ADDR_JS 40 +: 10
`define RLC_NN_WEIGHT_ADDR_IW 30 +: 10
`define RLC_NN_WEIGHT_ADDR_IOF 20 +: 10
`define RLC_NN_WEIGHT_ADDR_IG 10 +: 10
`define RLC_NN_WEIGHT_ADDR_IS 0 +: 10
`define RLC_NN_WEIGHT_BUS_VALID 81
`define RLC_NN_WEIGHT_BUS_DATA 82

`endif
