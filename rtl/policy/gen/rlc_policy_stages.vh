// rlc_policy_stages.vh — what the counters count. Written by `rlcores generate` from
// cores/policy/stages.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_POLICY_STAGE_LIMITED    number of a counter, or of the first of several
`ifndef RLC_POLICY_STAGES_VH
`define RLC_POLICY_STAGES_VH

`define RLC_POLICY_STAGE_DROPPED 0
`define RLC_POLICY_STAGE_LIMITED 1
`define RLC_POLICY_STAGE_BEYOND 5
`define RLC_POLICY_STAGE_RANGE 6
`define RLC_POLICY_STAGE_TAKEN 7
`define RLC_POLICY_STAGE_ALL 8
`endif
