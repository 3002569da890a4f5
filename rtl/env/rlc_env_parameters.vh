// rlc_env_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores docs` from the declaration env.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter ENV           = 0,                                                         // the environment (0 cartpole, 1 mountaincar, 2 mountaincar_continuous, 3 pendulum, 4 acrobot)
parameter N_ENVS        = 16,                                                        // environments that take turns (1 to 4096)
parameter TIME_LIMIT    = 500,                                                       // steps after which an episode is truncated; 0: never (0 to 65535)
parameter STATES        = (ENV == 0 || ENV == 4) ? 4 : 2,                            // derived, leave it alone: numbers of a state
parameter OBS           = (ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : 2,      // derived, leave it alone: numbers of an observation
parameter DRAWS         = (ENV == 1 || ENV == 2) ? 1 : (ENV == 3) ? 2 : 4,           // derived, leave it alone: random words of a reset
parameter ACTIONS       = (ENV == 0) ? 2 : (ENV == 2 || ENV == 3) ? 0 : 3,           // derived, leave it alone: discrete actions; 0: the action is a number
parameter LATENCY       = (ENV == 0) ? 13 : (ENV == 3) ? 28 : (ENV == 4) ? 105 : 17, // derived, leave it alone: clocks of a step of the physics
parameter RESET_LATENCY = (ENV == 3) ? 10 : (ENV == 4) ? 12 : 4,                     // derived, leave it alone: clocks of a reset
parameter PIPELINE      = LATENCY + 3,                                               // derived, leave it alone: clocks from an action to the next one of its environment, at least
parameter BEAT_WIDTH    = 30 + 36 * OBS                                              // derived, leave it alone: bits of an answer
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_ENV_LEGAL
`define RLC_ENV_LEGAL(top) \
    `RLC_CHECK(ENV >= 0 && ENV <= 4, \
               top``_illegal_ENV_must_be_0_to_4) \
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 4096, \
               top``_illegal_N_ENVS_must_be_1_to_4096) \
    `RLC_CHECK(TIME_LIMIT >= 0 && TIME_LIMIT <= 65535, \
               top``_illegal_TIME_LIMIT_must_be_0_to_65535) \
    `RLC_CHECK(STATES == ((ENV == 0 || ENV == 4) ? 4 : 2) && OBS == ((ENV == 0) ? 4 : (ENV == 3) ? 3 : (ENV == 4) ? 6 : 2) && DRAWS == ((ENV == 1 || ENV == 2) ? 1 : (ENV == 3) ? 2 : 4) && ACTIONS == ((ENV == 0) ? 2 : (ENV == 2 || ENV == 3) ? 0 : 3) && LATENCY == ((ENV == 0) ? 13 : (ENV == 3) ? 28 : (ENV == 4) ? 105 : 17) && RESET_LATENCY == ((ENV == 3) ? 10 : (ENV == 4) ? 12 : 4) && PIPELINE == (LATENCY + 3) && BEAT_WIDTH == (30 + 36 * OBS), \
               top``_illegal_STATES_and_OBS_and_DRAWS_and_ACTIONS_and_LATENCY_and_RESET_LATENCY_and_PIPELINE_and_BEAT_WIDTH_follow_from_the_others)
`endif
