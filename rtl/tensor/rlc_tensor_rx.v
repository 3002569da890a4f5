// rlc_tensor_rx.v — what the beats of a stream ask of rlc_tensor_trainer, and when each of them may happen.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          beats (cores/tensor/words.py: BEAT, docs/tensor.md), valid/ready. One that does not fit is left out: `dropped`.
//              A beat waits until what it asks for can be done; so all is done in the order of the stream
// abort        everything is forgotten; beats are left out until a BEGIN comes: `dropping`
// working, busy   of rlc_tensor_trainer. hosting: a load or a read is under way
// quiet        nothing that leaves is on its way out
// d_*          a program or a read has ended: the clocks that it took; or the word of a fraction that was asked for
// other ports  rlc_tensor_trainer.v
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_rx #(
    parameter SIDE   = 8,    // numbers of a group
    parameter WORDS  = 4096, // of vectors
    parameter STEPS  = 512   // of all programs
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     abort,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_BEAT),
    output reg                      dropped,
    output reg                      dropping,
    input  wire [2:0]               working,
    input  wire                     busy,
    output wire                     hosting,
    input  wire                     quiet,
    `RLC_STREAM_MASTER(d, 48),
    output wire                     p_valid,
    output wire [11:0]              address,
    output wire [`RLC_TENSOR_STEP-1:0] p_data,
    output wire                     f_valid,
    output wire [5:0]               lane,
    output wire [15:0]              f_data,
    output wire [40:0]              f_word,
    output wire                     look,
    output reg  [5:0]               look_id,
    input  wire [40:0]              looked,
    output wire                     w_valid,
    input  wire                     w_ready,
    output wire `RLC_NN_SETTINGS    w_settings,
    output wire [16:0]              w_tau,
    output wire                     draw_load,
    `RLC_STREAM_MASTER(x, `RLC_TENSOR_UPDATE),
    `RLC_STREAM_MASTER(load, SIDE*48),
    output wire                     h_valid,
    input  wire                     h_ready,
    output wire [15:0]              h_address,
    output wire [34:0]              h_data,
    output wire                     start
);
    localparam NUMBER = 54;                                     // bits of a beat's number
    localparam PARTS  = (`RLC_TENSOR_STEP + NUMBER - 1) / NUMBER; // of the longest word
    localparam [31:0] PARTS_ALL = PARTS, SIDE_ALL = SIDE, WORDS_ALL = WORDS, STEPS_ALL = STEPS;

    wire [3:0]        kind   = s_data[`RLC_TENSOR_BEAT_KIND];
    wire [NUMBER-1:0] number = s_data[`RLC_TENSOR_BEAT_NUMBER];
    wire [`RLC_TENSOR_PLACED-1:0] placed = number[`RLC_TENSOR_PLACED-1:0];
    assign lane      = s_data[`RLC_TENSOR_BEAT_LANE];
    assign h_address = placed[`RLC_TENSOR_PLACED_ADDRESS];
    assign h_data    = placed[`RLC_TENSOR_PLACED_DATA];

    // A word wider than a number comes in parts, in front of the beat that uses it.
    reg  [PARTS*NUMBER-1:0] parts_q;
    wire [`RLC_TENSOR_UPDATE-1:0] update = parts_q[`RLC_TENSOR_UPDATE-1:0];
    wire [1:0]              moves  = update[`RLC_TENSOR_UPDATE_KIND];
    assign p_data     = parts_q[`RLC_TENSOR_STEP-1:0];
    assign w_settings = parts_q[`RLC_TENSOR_TAKEN_SETTINGS];
    assign w_tau      = number[16:0];
    assign f_data     = number[15:0];
    assign f_word     = parts_q[40:0];
    assign address    = number[11:0];
    assign x_data     = update;

    // What is under way for the host: a load or a read, and a program or a read whose end is to be told.
    reg        host_q, loads_q, tells_q, looks_q;
    reg  [2:0] still_q;
    reg [31:0] clocks_q;
    wire free = !busy && !host_q && !tells_q;
    assign hosting = host_q;
    assign d_valid = tells_q && still_q == 3'd7;
    assign d_data  = looks_q ? {7'd0, looked} : {16'd0, clocks_q};
    assign look    = looks_q && tells_q;

    // A beat that fits, and when it can be done.
    reg  fits, goes;
    wire low = number[NUMBER-1:12] == {(NUMBER-12){1'b0}} && {20'd0, number[11:0]} < STEPS_ALL;
    wire in_word = {26'd0, lane} < SIDE_ALL;
    always @* begin
        case (kind)
            `RLC_TENSOR_PART:          {fits, goes} = {{26'd0, lane} < PARTS_ALL, 1'b1};
            `RLC_TENSOR_PUT_STEP:      {fits, goes} = {low, free};
            `RLC_TENSOR_FRACTION:      {fits, goes} = {1'b1, free};
            `RLC_TENSOR_ASK:           {fits, goes} = {1'b1, free};
            `RLC_TENSOR_RATES:         {fits, goes} = {lane < 6'd4, free && w_ready};
            `RLC_TENSOR_SEED:          {fits, goes} = {1'b1, free};
            `RLC_TENSOR_PARAMETERS:    {fits, goes} = {(moves == `RLC_TENSOR_LOAD || moves == `RLC_TENSOR_READ)
                                           && update[`RLC_TENSOR_UPDATE_ROWS] != 10'd0 && update[`RLC_TENSOR_UPDATE_BLOCKS] != 10'd0,
                                           free && x_ready};
            `RLC_TENSOR_GROUP:         {fits, goes} = {in_word && loads_q, lane != SIDE_ALL[5:0] - 6'd1 || load_ready};
            `RLC_TENSOR_RECORD_NUMBER: {fits, goes} = {in_word && {16'd0, h_address} < WORDS_ALL, h_ready};
            `RLC_TENSOR_START:         {fits, goes} = {low, free};
            default:                   {fits, goes} = {kind == `RLC_TENSOR_BEGIN, 1'b1};
        endcase
    end
    wire use_it = s_valid && fits && !dropping;
    assign s_ready    = !fits || dropping || goes;
    wire   done_now   = use_it && goes;
    assign p_valid    = done_now && kind == `RLC_TENSOR_PUT_STEP;
    assign f_valid    = done_now && kind == `RLC_TENSOR_FRACTION;
    assign w_valid    = use_it && free && kind == `RLC_TENSOR_RATES;
    assign draw_load  = done_now && kind == `RLC_TENSOR_SEED;
    assign x_valid    = use_it && free && kind == `RLC_TENSOR_PARAMETERS;
    assign h_valid    = use_it && kind == `RLC_TENSOR_RECORD_NUMBER;
    assign start      = done_now && kind == `RLC_TENSOR_START;
    assign load_valid = use_it && kind == `RLC_TENSOR_GROUP && lane == SIDE_ALL[5:0] - 6'd1;

    // A group's numbers; the last one goes as it comes.
    reg  [SIDE*48-1:0] group_q;
    genvar l;
    for (l = 0; l < SIDE; l = l + 1) begin : g_lane
        localparam [31:0] OWN = l;
        always @(posedge clk) if (done_now && kind == `RLC_TENSOR_GROUP && lane == OWN[5:0]) group_q[l*48 +: 48] <= number[47:0];
        assign load_data[l*48 +: 48] = (l == SIDE - 1) ? number[47:0] : group_q[l*48 +: 48];
    end
    for (l = 0; l < PARTS; l = l + 1) begin : g_part
        localparam [31:0] OWN = l;
        always @(posedge clk) if (done_now && kind == `RLC_TENSOR_PART && lane == OWN[5:0]) parts_q[l*NUMBER +: NUMBER] <= number;
    end

    wire hosted = x_valid && x_ready;
    wire asks   = done_now && kind == `RLC_TENSOR_ASK;
    wire reads  = moves == `RLC_TENSOR_READ;
    always @(posedge clk) begin
        dropped  <= s_valid && !rst && (dropping ? kind != `RLC_TENSOR_BEGIN : !fits);
        dropping <= !rst && (abort || (dropping && !(s_valid && kind == `RLC_TENSOR_BEGIN)));
        if (rst || abort) begin
            host_q  <= 1'b0;
            loads_q <= 1'b0;
            tells_q <= 1'b0;
        end else begin
            host_q  <= hosted || (host_q && working[1]);
            loads_q <= hosted ? !reads : loads_q && host_q && working[1];
            tells_q <= start || asks || (hosted && reads) || (tells_q && !(d_valid && d_ready));
        end
        // The end is told when all has been still for as long as a command may be on its way to its unit.
        if (start || hosted || asks || busy || host_q || working[2] || working[0] || !quiet) still_q <= 3'd0;
        else                                                                          still_q <= still_q + {2'd0, still_q != 3'd7};
        if (start || hosted || asks) looks_q <= asks;
        if (asks) look_id <= lane;
        clocks_q <= (start || hosted) ? 32'd0 : clocks_q + {31'd0, busy || host_q};
    end
    wire unused = &{1'b0, number, s_data, parts_q};
endmodule
`default_nettype wire
