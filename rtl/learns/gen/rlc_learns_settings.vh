// rlc_learns_settings.vh — what the chip that learns by itself is built as, and what it learns with, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration tools/rlcores/train/learns.yaml; do not edit.
`ifndef RLC_LEARNS_SETTINGS_VH
`define RLC_LEARNS_SETTINGS_VH

// Parameters of rlc_ppo.
`define RLC_LEARNS_SHAPE \
    .SIZES("4-32-1:4-32-2"), \
    .LANES("1-4-1:1-4-1"), \
    .FORWARD("1-1:1-1"), \
    .BACKWARD("1-1:1-1"), \
    .UPDATE_ROWS("1-1:1-1"), \
    .UPDATE_COLS("1-1:1-1"), \
    .DP(1), \
    .BATCH_MAX(128), \
    .N_ENVS(16), \
    .STEPS(64), \
    .GAUSSIAN(0)

// Numbers, and settings of rlc_ppo and rlc_env.
`define RLC_LEARNS_SETTINGS \
    localparam N_ENVS = 16; \
    localparam ENV = 0; \
    localparam INPUTS = 4; \
    localparam GOAL = 475; \
    localparam ACTOR_WORDS = 226; \
    localparam CRITIC_WORDS = 193; \
    localparam DIGITS = 20'h9864a; \
    localparam WEIGHT_DIGITS = 4'd9; \
    localparam LETTERS = 37; \
    localparam [8*37-1:0] TITLE = "iteration episodes return mean clocks"; \
    wire [127:0] cfg_seed = 128'hbfc846100bfc1e42975835de1c9756ce; \
    wire [0:0] cfg_external_rollout = 1'h0; \
    wire [0:0] cfg_lockstep = 1'h0; \
    wire [31:0] cfg_todo = 32'h0; \
    wire [31:0] cfg_iterations = 32'h18; \
    wire [12:0] cfg_steps = 13'h40; \
    wire [7:0] cfg_epochs = 8'h4; \
    wire [15:0] cfg_batch = 16'h80; \
    wire [4:0] cfg_batch_bits = 5'h7; \
    wire [20:0] cfg_batch_log = 21'h2e59; \
    wire [17:0] cfg_gamma = 18'h1fae1; \
    wire [17:0] cfg_gamma_lambda = 18'h1e189; \
    wire [17:0] cfg_reward_scale = 18'h4000; \
    wire [16:0] cfg_batch_slices = 17'h80; \
    wire [159:0] cfg_fracs = 160'h41100005b0000418e00034f00005ac000418e; \
    wire [5:0] cfg_logs_frac = 6'h11; \
    wire [19:0] cfg_log_eps = 20'hfb31f; \
    wire [19:0] cfg_log_clip = 20'h1a93; \
    wire [19:0] cfg_clip = 20'h33333; \
    wire [16:0] cfg_entropy = 17'h1c64; \
    wire [17:0] cfg_value = 18'h10000; \
    wire [25:0] cfg_value_clip = 26'h0; \
    wire [27:0] cfg_norm = 28'h1400000; \
    wire [27:0] cfg_rate = 28'hf5b2c4; \
    wire [127:0] env_seed = 128'hbfc846100bfc1e42975835de1c9756ce; \
    wire [15:0] env_time_limit = 16'h1f4;

`endif
