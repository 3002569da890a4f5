// rlc_sumtree_joint.vh — what a bank tells the others of a batch, and what comes back: importance weights over all banks.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_SUMTREE_LOG   bits of log2 of the largest weight of a batch, ufix with 35 fraction bits and 2^43 above
// `RLC_SUMTREE_OWN   of one bank, to the others: {valid, log}
// `RLC_SUMTREE_ALL   of all banks, back: {exact, valid, log}
`ifndef RLC_SUMTREE_JOINT_VH
`define RLC_SUMTREE_JOINT_VH
`define RLC_SUMTREE_LOG 44
`define RLC_SUMTREE_OWN [`RLC_SUMTREE_LOG:0]
`define RLC_SUMTREE_ALL [`RLC_SUMTREE_LOG+1:0]
`endif
