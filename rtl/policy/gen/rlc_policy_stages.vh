// rlc_policy_stages.vh — what the counters count. Written by `rlcores generate` from
// cores/policy/stages.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_POLICY_STAGE_SATURATED    number of a counter, or of the first of several
`ifndef RLC_POLICY_STAGES_VH
`define RLC_POLICY_STAGES_VH

`define RLC_POLICY_STAGE_DROPPED 0
`define RLC_POLICY_STAGE_SATURATED 1
`define RLC_POLICY_STAGE_HEAD_SATURATED 5
`define RLC_POLICY_STAGE_ACC_OVERFLOW 6
`define RLC_POLICY_STAGE_TAKEN 7
`define RLC_POLICY_STAGE_ALL 8
`endif
