// rlc_env_words.vh — what an answer of environments has above its observations. Written by `rlcores generate` from
// cores/env/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_ENV_ANSWER_WIDTH(obs)  bits of an answer with observations of `obs` numbers
// `RLC_ENV_ANSWER_HEAD(obs)   where its ends and reward stand, as a part of an answer
// `RLC_ENV_ANSWER_BITS        bits of that; `RLC_ENV_ANSWER_FIRST and so on are its fields
`ifndef RLC_ENV_WORDS_VH
`define RLC_ENV_WORDS_VH

`define RLC_ENV_ANSWER_BITS 30
`define RLC_ENV_ANSWER_FIRST 29 +: 1
`define RLC_ENV_ANSWER_TRUNCATED 28 +: 1
`define RLC_ENV_ANSWER_TERMINATED 27 +: 1
`define RLC_ENV_ANSWER_REWARD 0 +: 27

`define RLC_ENV_ANSWER_WIDTH(obs) (30 + 36 * (obs))
`define RLC_ENV_ANSWER_HEAD(obs) 36 * (obs) +: 30
`endif
