// rlc_ppo_words.vh — records of a rollout from elsewhere, and stages. Written by `rlcores generate` from
// cores/ppo/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_PPO_ROLLOUT_BITS        bits of a record above its action and observation; its fields
// `RLC_PPO_NETWORK_ACTOR      number of a network in the list, for the host
// `RLC_PPO_STAGE_FW            number of a counter's stage, or of the first of several
`ifndef RLC_PPO_WORDS_VH
`define RLC_PPO_WORDS_VH

`define RLC_PPO_ROLLOUT_BITS 82
`define RLC_PPO_ROLLOUT_ENDED 81 +: 1
`define RLC_PPO_ROLLOUT_REWARD 54 +: 27
`define RLC_PPO_ROLLOUT_VALUE 27 +: 27
`define RLC_PPO_ROLLOUT_LOG 0 +: 27

`define RLC_PPO_NETWORK_CRITIC 0
`define RLC_PPO_NETWORK_ACTOR 1
`define RLC_PPO_NETWORKS 2

`define RLC_PPO_STAGE_NONE 0
`define RLC_PPO_STAGE_FW1 1
`define RLC_PPO_STAGE_FW0 5
`define RLC_PPO_STAGE_BW1 9
`define RLC_PPO_STAGE_BW0 13
`define RLC_PPO_STAGE_GRAD1 17
`define RLC_PPO_STAGE_GRAD0 21
`define RLC_PPO_STAGE_WEIGHT1 25
`define RLC_PPO_STAGE_WEIGHT0 29
`define RLC_PPO_STAGE_ACC_OVERFLOW 33
`define RLC_PPO_STAGE_ACT 34
`define RLC_PPO_STAGE_RECORD 35
`define RLC_PPO_STAGE_GAE 36
`define RLC_PPO_STAGE_STANDARD 37
`define RLC_PPO_STAGE_POLICY 38
`define RLC_PPO_STAGE_VALUE 39
`define RLC_PPO_STAGE_DEVIATION 40
`define RLC_PPO_STAGE_ALL 41
`endif
