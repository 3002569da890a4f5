// rlc_tensor_trainer.v — whole training steps: rlc_tensor, the programs that it runs, and fractions that follow their numbers.
// SPDX-License-Identifier: Apache-2.0
//
//   programs --> rlc_tensor_program --commands--> rlc_tensor --what its numbers were like--> rlc_tensor_fractions
//                        ^------------------------- fractions ---------------------------------------'
//
// p_*          a step of a program at p_address; f_*: a fraction, and look: the word of one (rlc_tensor_fractions). Not while busy
// w_*          settings and tau of the rates w_slot, valid/ready. Updates that wait keep those of when they were ordered
// start        the program at `entry` runs once; busy until its END. An update may go on behind it
// samples      the batch
// draw_*       state of the generator; draw_load sets it
// h_*          numbers into vectors: the records of this batch, or of the next one; r_*: results that leave, such as TD errors
// x_*          loads and reads of parameter banks, commands of the update unit, when it has nothing to do; load_*, read_*
// working      {vector, update, matrix}: the units are at work, or commands wait in front of them
// weight_saturated   pulse with a number: that many weights, or numbers of the optimiser's state, were clipped;
//              value_saturated: numbers that no fraction follows (id 63); acc_overflow: sums of 2^46 or more
// misfit       pulse: a step would drop what cannot be dropped; unfit: an update met settings that do not fit together
// other ports  rlc_tensor.v
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_trainer #(
    parameter SIDE          = 8,     // rows and columns of a block of weights: a power of two
    parameter BLOCKS        = 4,     // blocks of a word: a power of two. SIDE * SIDE * SIDE * BLOCKS multipliers
    parameter WEIGHT_BLOCKS = 4096,  // blocks of all networks
    parameter TARGET_BLOCKS = 2048,  // of all target networks; 0: there is none
    parameter BIAS_ROWS     = 512,   // rows of blocks of all networks
    parameter A_TILES       = 256,   // tiles of activations
    parameter E_TILES       = 256,   // of deltas
    parameter PASS_SUMS     = 256,   // sums of a pass
    parameter ROWS          = 128,   // rows of blocks of the largest layer
    parameter GROUPS        = 32768, // groups of SIDE weights, biases included
    parameter TARGET_GROUPS = 16384, // of all target networks; 0: there is none
    parameter GRAD_WORDS    = 512,   // words of gradients that wait
    parameter GRAD_ROWS     = 128,   // rows of their biases
    parameter OPTIMISER     = 2,     // rlc_nn_optimisers.vh
    parameter POLYAK        = 1,     // 1: targets are averages
    parameter WORDS         = 4096,  // of vectors, each of SIDE numbers
    parameter OUTPUT_WORDS  = 32,    // words of outputs of one product
    parameter STEPS         = 512,   // steps of all programs
    parameter TILE_STYLE    = 0,     // memory of activations and deltas, RLC_STYLE
    parameter WEIGHT_STYLE  = 0,     // of blocks of weights and targets
    parameter GROUP_STYLE   = 0,     // of groups of parameters
    // Derived; leave it alone.
    parameter S_BITS  = $clog2(SIDE) // of a lane
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     p_valid,
    input  wire [11:0]              p_address,
    input  wire [`RLC_TENSOR_STEP-1:0] p_data,
    input  wire                     f_valid,
    input  wire [5:0]               f_id,
    input  wire [15:0]              f_data,
    input  wire [40:0]              f_word,
    input  wire                     look,
    input  wire [5:0]               look_id,
    output wire [40:0]              looked,
    input  wire                     w_valid,
    output wire                     w_ready,
    input  wire [1:0]               w_slot,
    input  wire `RLC_NN_SETTINGS    w_settings,
    input  wire [16:0]              w_tau,
    input  wire                     start,
    input  wire [11:0]              entry,
    output wire                     busy,
    output wire [2:0]               working,
    output wire [64*6-1:0]          fractions,
    input  wire [15:0]              samples,
    input  wire                     draw_load,
    input  wire [127:0]             draw_state,
    output wire [127:0]             draw_state_q,
    input  wire                     h_valid,
    output wire                     h_ready,
    input  wire [15:0]              h_address,
    input  wire [S_BITS-1:0]        h_lane,
    input  wire [34:0]              h_data,
    `RLC_STREAM_MASTER(r, SIDE + SIDE*35),
    `RLC_STREAM_SLAVE(x, `RLC_TENSOR_UPDATE),
    `RLC_STREAM_SLAVE(load, SIDE*48),
    `RLC_STREAM_MASTER(read, SIDE*48),
    output wire                     refused,
    output wire                     misfit,
    output wire                     unfit,
    output wire [31:0]              weight_saturated,
    output wire [31:0]              value_saturated,
    output wire [31:0]              acc_overflow
);
    localparam SPAN    = SIDE * BLOCKS;
    localparam AT_BITS = (SPAN > 1) ? $clog2(SPAN) : 1;

    `RLC_STREAM_WIRES(m, `RLC_TENSOR_COMMAND);
    `RLC_STREAM_WIRES(pu, `RLC_TENSOR_UPDATE);
    `RLC_STREAM_WIRES(v, `RLC_TENSOR_VECTOR);
    localparam RATES = `RLC_TENSOR_TAKEN;
    wire [1:0]      slot;
    wire [RATES-1:0] u_rates;
    wire [2:0]      unit_busy;
    wire [64*6-1:0] previous;
    wire            done, drained, rests, move, limit;
    wire [5:0]      limit_id, limit_to;
    wire            u_ready;
    assign x_ready  = u_ready && !busy && !pu_valid;
    assign pu_ready = u_ready;
    // Settings by their slot. An update takes those of the clock in which it is ordered.
    reg  `RLC_NN_SETTINGS settings_q [0:3];
    reg  [16:0]           tau_q [0:3];
    assign working  = unit_busy | {v_valid, pu_valid, m_valid};
    rlc_tensor_program #(.STEPS(STEPS), .RATES(RATES)) u_program (
        .clk(clk), .rst(rst), .s_valid(p_valid), .s_address(p_address), .s_data(p_data), .start(start), .entry(entry),
        .busy(busy), .rest(~unit_busy), .done(done), .drained(drained), .now(fractions), .previous(previous),
        .fractions_rest(rests), .move(move), .limit(limit), .limit_id(limit_id),
        .limit_to(limit_to), .misfit(misfit), `RLC_STREAM_JOIN(m, m),
        `RLC_STREAM_JOIN(u, pu), .slot(slot), .rates({tau_q[slot], settings_q[slot]}), .u_rates(u_rates), `RLC_STREAM_JOIN(v, v)
    );

    reg  `RLC_NN_SETTINGS settings_now_q;
    reg  [16:0]           tau_now_q;
    wire                  fit;
    reg                   updates_q;                 // the update unit's last command is an update
    assign w_ready = !busy;
    assign unfit   = updates_q && unit_busy[1] && !fit;
    always @(posedge clk) begin
        if (w_valid && w_ready) settings_q[w_slot] <= w_settings;
        if (w_valid && w_ready) tau_q[w_slot]      <= w_tau;
        if (pu_valid && u_ready) {tau_now_q, settings_now_q} <= u_rates;
        if (rst)                                 updates_q <= 1'b0;
        else if ((pu_valid || x_valid) && u_ready) updates_q <= pu_valid && pu_data[`RLC_TENSOR_UPDATE_KIND] == `RLC_TENSOR_UPDATES;
    end

    wire        told_valid, seen_valid, done_valid;
    wire [5:0]  told_id, seen_id, done_id;
    wire [31:0] told_saturated, told_acc_overflow, seen_saturated, done_saturated;
    wire [26:0] told_peak, seen_peak;
    rlc_tensor_fractions u_fractions (
        .clk(clk), .rst(rst), .a_valid(told_valid), .a_id(told_id), .a_saturated(told_saturated), .a_peak(told_peak),
        .b_valid(seen_valid), .b_id(seen_id), .b_saturated(seen_saturated), .b_peak(seen_peak), .move(move), .limit(limit),
        .limit_id(limit_id), .limit_to(limit_to), .set(f_valid), .set_id(f_id), .set_data(f_data), .set_word(f_word), .forget(start && !busy), .look(look),
        .look_id(look_id), .word(looked), .now(fractions),
        .previous(previous), .idle(rests)
    );

    rlc_tensor #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .WEIGHT_BLOCKS(WEIGHT_BLOCKS), .TARGET_BLOCKS(TARGET_BLOCKS), .BIAS_ROWS(BIAS_ROWS),
        .A_TILES(A_TILES), .E_TILES(E_TILES), .PASS_SUMS(PASS_SUMS), .ROWS(ROWS), .GROUPS(GROUPS), .TARGET_GROUPS(TARGET_GROUPS),
        .GRAD_WORDS(GRAD_WORDS), .GRAD_ROWS(GRAD_ROWS), .OPTIMISER(OPTIMISER), .POLYAK(POLYAK), .WORDS(WORDS),
        .OUTPUT_WORDS(OUTPUT_WORDS), .TILE_STYLE(TILE_STYLE), .WEIGHT_STYLE(WEIGHT_STYLE), .GROUP_STYLE(GROUP_STYLE)
    ) u_tensor (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, m), .u_valid(pu_valid || (x_valid && !busy)), .u_ready(u_ready),
        .u_data(pu_valid ? pu_data : x_data), .refused(refused), `RLC_STREAM_JOIN(v, v), .busy(unit_busy), .done(done),
        .drained(drained),
        .settings(settings_now_q), .fit(fit), .tau(tau_now_q), .samples(samples), .draw_load(draw_load),
        .draw_state(draw_state), .draw_state_q(draw_state_q), .h_valid(h_valid), .h_ready(h_ready), .h_address(h_address),
        .h_lane(h_lane), .h_data(h_data), .a_valid(1'b0), .a_ready(), .a_tile(16'd0), .a_sample({AT_BITS{1'b0}}),
        .a_feature({AT_BITS{1'b0}}), .a_data(18'd0), .e_valid(1'b0), .e_ready(), .e_tile(16'd0), .e_sample({AT_BITS{1'b0}}),
        .e_feature({AT_BITS{1'b0}}), .e_data(18'd0), .m_valid(), .m_to(), .m_tile(), .m_index(), .m_data(), .m_bias(), .m_row(),
        .m_bias_data(), `RLC_STREAM_JOIN(r, r), `RLC_STREAM_JOIN(load, load), `RLC_STREAM_JOIN(read, read),
        .told_valid(told_valid), .told_id(told_id), .told_saturated(told_saturated), .told_acc_overflow(told_acc_overflow),
        .told_peak(told_peak), .seen_valid(seen_valid), .seen_id(seen_id), .seen_saturated(seen_saturated),
        .seen_peak(seen_peak), .done_valid(done_valid), .done_id(done_id), .done_saturated(done_saturated)
    );
    localparam [5:0] NOBODY = `RLC_TENSOR_NOBODY;
    assign weight_saturated = done_valid ? done_saturated : 32'd0;
    assign acc_overflow     = told_valid ? told_acc_overflow : 32'd0;
    assign value_saturated  = ((told_valid && told_id == NOBODY) ? told_saturated : 32'd0)
                   + ((seen_valid && seen_id == NOBODY) ? seen_saturated : 32'd0);
    wire unused = &{1'b0, done_id};
endmodule
`default_nettype wire
