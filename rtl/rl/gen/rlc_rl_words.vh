// rlc_rl_words.vh — what losses know of a sample besides a network's outputs. Written by `rlcores generate` from
// words.py of cores/learner and cores/ppo; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_RL_INFO_BITS           of a record, for the loss of TD errors; `RLC_RL_INFO_LAST and so on
// `RLC_RL_CLIP_BITS           of an action, for PPO's loss of a policy
// `RLC_RL_VALUE_BITS          of a state, for PPO's loss of values
`ifndef RLC_RL_WORDS_VH
`define RLC_RL_WORDS_VH

`define RLC_RL_INFO_BITS 64
`define RLC_RL_INFO_LAST 63 +: 1
`define RLC_RL_INFO_VALID 62 +: 1
`define RLC_RL_INFO_TERMINATED 61 +: 1
`define RLC_RL_INFO_ACTION 45 +: 16
`define RLC_RL_INFO_REWARD 18 +: 27
`define RLC_RL_INFO_WEIGHT 0 +: 18

`define RLC_RL_CLIP_BITS 45
`define RLC_RL_CLIP_LOG 18 +: 27
`define RLC_RL_CLIP_SCALED 0 +: 18

`define RLC_RL_VALUE_BITS 54
`define RLC_RL_VALUE_BEFORE 27 +: 27
`define RLC_RL_VALUE_ADVANTAGE 0 +: 27
`endif
