// rlc_env_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration env.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter ENV           = 0,                                                                                             // the environment (0 cartpole, 1 mountaincar, 2 mountaincar_continuous, 3 pendulum, 4 acrobot, 5 quadrotor, 6 pmsm)
parameter N_ENVS        = 16,                                                                                            // environments that take turns (1 to 4096)
parameter TIME_LIMIT    = 500,                                                                                           // steps after which an episode is truncated; 0: never (0 to 65535)
parameter STATES        = (ENV == 0 || ENV == 4) ? 4 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2,                             // derived, leave it alone: numbers of a state
parameter OBS           = (ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2,       // derived, leave it alone: numbers of an observation
parameter DRAWS         = (ENV == 1 || ENV == 2) ? 1 : (ENV == 3) ? 2 : (ENV == 6) ? 3 : 4,                              // derived, leave it alone: random words of a reset
parameter ACTIONS       = (ENV == 0) ? 2 : (ENV == 1 || ENV == 4) ? 3 : 0,                                               // derived, leave it alone: discrete actions; 0: the action is a number
parameter COMPONENTS    = (ENV == 5) ? 4 : (ENV == 6) ? 2 : 1,                                                           // derived, leave it alone: numbers of an action
parameter LATENCY       = (ENV == 0) ? 13 : (ENV == 3) ? 28 : (ENV == 4) ? 105 : (ENV == 5) ? 32 : (ENV == 6) ? 11 : 17, // derived, leave it alone: clocks of a step of the physics
parameter RESET_LATENCY = (ENV == 3) ? 10 : (ENV == 4) ? 12 : (ENV == 5 || ENV == 6) ? 1 : 4,                            // derived, leave it alone: clocks of a reset
parameter PIPELINE      = LATENCY + 3,                                                                                   // derived, leave it alone: clocks from an action to the next one of its environment, at least
parameter BEAT_WIDTH    = OBS * 36 + 30,                                                                                 // derived, leave it alone: bits of an answer
parameter ACTION_BEAT   = (18 * COMPONENTS <= 32) ? 32 : 1 << $clog2(18 * COMPONENTS),                                   // derived, leave it alone: bits of a beat of actions behind AXI
parameter ANSWER_BEAT   = (BEAT_WIDTH <= 256) ? 256 : 1 << $clog2(BEAT_WIDTH)                                            // derived, leave it alone: .. and of answers
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_ENV_LEGAL
`define RLC_ENV_LEGAL(top) \
    `RLC_CHECK(ENV >= 0 && ENV <= 6, \
               top``_illegal_ENV_must_be_0_to_6) \
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 4096, \
               top``_illegal_N_ENVS_must_be_1_to_4096) \
    `RLC_CHECK(TIME_LIMIT >= 0 && TIME_LIMIT <= 65535, \
               top``_illegal_TIME_LIMIT_must_be_0_to_65535) \
    `RLC_CHECK(STATES == ((ENV == 0 || ENV == 4) ? 4 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2) && OBS == ((ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : (ENV == 5) ? 13 : (ENV == 6) ? 5 : 2) && DRAWS == ((ENV == 1 || ENV == 2) ? 1 : (ENV == 3) ? 2 : (ENV == 6) ? 3 : 4) && ACTIONS == ((ENV == 0) ? 2 : (ENV == 1 || ENV == 4) ? 3 : 0) && COMPONENTS == ((ENV == 5) ? 4 : (ENV == 6) ? 2 : 1) && LATENCY == ((ENV == 0) ? 13 : (ENV == 3) ? 28 : (ENV == 4) ? 105 : (ENV == 5) ? 32 : (ENV == 6) ? 11 : 17) && RESET_LATENCY == ((ENV == 3) ? 10 : (ENV == 4) ? 12 : (ENV == 5 || ENV == 6) ? 1 : 4) && PIPELINE == (LATENCY + 3) && BEAT_WIDTH == (OBS * 36 + 30) && ACTION_BEAT == ((18 * COMPONENTS <= 32) ? 32 : 1 << $clog2(18 * COMPONENTS)) && ANSWER_BEAT == ((BEAT_WIDTH <= 256) ? 256 : 1 << $clog2(BEAT_WIDTH)), \
               top``_illegal_STATES_and_OBS_and_DRAWS_and_ACTIONS_and_COMPONENTS_and_LATENCY_and_RESET_LATENCY_and_PIPELINE_and_BEAT_WIDTH_and_ACTION_BEAT_and_ANSWER_BEAT_follow_from_the_others)
`endif
