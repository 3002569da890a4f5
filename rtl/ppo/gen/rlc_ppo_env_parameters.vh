// rlc_ppo_env_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration ppo_env.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter [1023:0] SIZES       = "4-8-8-1:4-8-8-2",                                                                       // neurons per layer
parameter [1023:0] LANES       = "1-4-2-1:1-4-2-1",                                                                       // elements of each layer that travel in one word
parameter [1023:0] FORWARD     = "1-2-1:1-2-1",                                                                           // row groups of the forward unit of each weight layer
parameter [1023:0] BACKWARD    = "1-2-1:1-2-1",                                                                           // row groups of the backward and weight-gradient units of each weight layer
parameter [1023:0] UPDATE_ROWS = "4-2-1:4-2-1",                                                                           // outputs that the update unit of each weight layer takes per clock
parameter [1023:0] UPDATE_COLS = "1-2-2:1-2-2",                                                                           // inputs that the update unit of each weight layer takes per clock
parameter DP                   = 2,                                                                                       // samples that are computed side by side, one per column (1 to 255)
parameter BATCH_MAX            = 64,                                                                                      // longest minibatch (1 to 4096)
parameter RECORDS              = 8,                                                                                       // batch slices of records that can wait in front of the network (1 to 1024)
parameter OPTIMISER            = 2,                                                                                       // optimiser (0 sgd, 1 momentum, 2 adam, 3 adamw)
parameter ROUND                = 0,                                                                                       // rounding of the update (0 nearest, 1 down, 2 stochastic)
parameter POLYAK               = 0,                                                                                       // whether target weights may be averaged (0 or 1)
parameter BETA1_NUM            = 205,                                                                                     // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT (at least 1)
parameter BETA1_SHIFT          = 11,                                                                                      // see BETA1_NUM (at least 1)
parameter BETA2_NUM            = 131,                                                                                     // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT (at least 1)
parameter BETA2_SHIFT          = 17,                                                                                      // see BETA2_NUM (at least 1)
parameter WEIGHT_WIDTH         = 27,                                                                                      // bits of a weight (19 to 27)
parameter WEIGHT_FRAC          = 22,                                                                                      // bits of fraction of a weight (1 to 26)
parameter ACT_WIDTH            = 18,                                                                                      // bits of an activation (18)
parameter VALUE_WIDTH          = 27,                                                                                      // bits of a value, a reward and a gradient of the loss (27)
parameter GRAD_WIDTH           = 27,                                                                                      // bits of a weight gradient (19 to 27)
parameter N_ENVS               = 16,                                                                                      // environments that take turns (1 to 1024)
parameter GAUSSIAN             = 0,                                                                                       // whether actions are numbers from a Gaussian policy, else indices (0 or 1)
parameter RECORD_BITS          = 0,                                                                                       // bits of a reward or a value in the rollout's memory, 0 for 27, as they are (0, 3, 4, 5, 6, 7, 8, 9 or 10)
parameter STEPS                = 8,                                                                                       // most steps of a rollout (1 to 4096)
parameter ENV                  = 0,                                                                                       // the environment (0 cartpole, 1 mountaincar, 2 mountaincar_continuous, 3 pendulum, 4 acrobot, 5 quadrotor, 6 pmsm)
parameter TIME_LIMIT           = 500,                                                                                     // steps after which an episode is truncated; 0: never (0 to 65535)
parameter OBS                  = (ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2, // derived, leave it alone: numbers of an observation
parameter ACTIONS              = (ENV == 0) ? 2 : (ENV == 1 || ENV == 4) ? 3 : 0,                                         // derived, leave it alone: discrete actions; 0: the action is a number
parameter COMPONENTS           = (ENV == 5) ? 4 : (ENV == 6) ? 2 : 1,                                                     // derived, leave it alone: numbers of an action
parameter BEAT_WIDTH           = OBS * 36 + 30,                                                                           // derived, leave it alone: bits of an answer
parameter ACTION_BEAT          = (18 * COMPONENTS <= 32) ? 32 : 1 << $clog2(18 * COMPONENTS),                             // derived, leave it alone: bits of a beat of actions behind AXI
parameter ANSWER_BEAT          = (BEAT_WIDTH <= 256) ? 256 : 1 << $clog2(BEAT_WIDTH)                                      // derived, leave it alone: .. and of answers
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_PPO_ENV_LEGAL
`define RLC_PPO_ENV_LEGAL(top) \
    `RLC_CHECK(OBS == ((ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2) && ACTIONS == ((ENV == 0) ? 2 : (ENV == 1 || ENV == 4) ? 3 : 0) && COMPONENTS == ((ENV == 5) ? 4 : (ENV == 6) ? 2 : 1) && BEAT_WIDTH == (OBS * 36 + 30) && ACTION_BEAT == ((18 * COMPONENTS <= 32) ? 32 : 1 << $clog2(18 * COMPONENTS)) && ANSWER_BEAT == ((BEAT_WIDTH <= 256) ? 256 : 1 << $clog2(BEAT_WIDTH)), \
               top``_illegal_OBS_and_ACTIONS_and_COMPONENTS_and_BEAT_WIDTH_and_ACTION_BEAT_and_ANSWER_BEAT_follow_from_the_others)
`endif
