// rlc_ppo_gather.v — samples, one after the other, to the words of batch slices of DP columns.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        a sample: SIZE elements, the first one lowest. last: its batch slice goes on without further samples; its other columns
//            are zeros
// batch_slice pulse: the sample taken in this clock is its batch slice's last; column: one-hot, the place of that sample
// m_*        WORDS words per batch slice, column d lane k at element d * LANES + k, zeros behind SIZE
// throughput one sample in WORDS clocks
// room       BATCH_SLICES batch slices; a batch slice begins only when there is room for all of it
`default_nettype none
`include "rlc_axi.vh"
module rlc_ppo_gather #(
    parameter DP           = 2,                             // columns
    parameter LANES        = 1,                             // elements per word and column
    parameter SIZE         = 4,                             // elements of a sample
    parameter WIDTH        = 18,                            // bits of an element
    parameter BATCH_SLICES = 2                              // batch slices that it holds
) (
    input  wire          clk,
    input  wire          rst,
    `RLC_STREAM_SLAVE(s, SIZE*WIDTH),
    input  wire          s_last,
    output wire          batch_slice,
    output wire [DP-1:0] column,
    `RLC_STREAM_MASTER(m, DP*LANES*WIDTH)
);
    localparam WORDS = (SIZE + LANES - 1) / LANES;
    localparam WORD  = LANES * WIDTH;
    localparam [DP-1:0] FIRST = 1;

    // The sample whose words are pushed, its column, and those behind it that stay empty.
    reg  [WORDS*WORD-1:0] data_q;
    reg                   busy_q;
    reg  [DP-1:0]         own_q, rest_q;
    reg  [DP-1:0]         column_q;                  // of the next sample
    wire                  room, over;
    wire                  taken = s_valid && s_ready;
    wire [WORDS*WORD+WORD-1:0] shifted = {{WORD{1'b0}}, data_q};
    wire [SIZE*WIDTH+WORD-1:0] padded = {{WORD{1'b0}}, s_data};
    assign s_ready     = (!busy_q || over) && (!column_q[0] || room);
    assign batch_slice = taken && (s_last || column_q[DP-1]);
    assign column      = column_q;
    rlc_mod_counter #(.COUNT(WORDS)) u_word (.clk(clk), .restart(rst), .step(busy_q), .at(), .last(over));
    always @(posedge clk) begin
        if (rst) begin
            busy_q   <= 1'b0;
            column_q <= FIRST;
        end else begin
            busy_q <= taken || (busy_q && !over);
            if (batch_slice)       column_q <= FIRST;
            else if (taken) column_q        <= column_q << 1;
        end
        if (taken) begin
            data_q <= padded[WORDS*WORD-1:0];
            own_q  <= column_q;
            rest_q <= s_last ? ~(column_q | (column_q - FIRST)) : {DP{1'b0}};
        end else if (busy_q) data_q <= shifted[WORDS*WORD+WORD-1:WORD];
    end

    rlc_learner_columns #(.DP(DP), .WIDTH(WORD), .WORDS(WORDS), .BATCH_SLICES(BATCH_SLICES)) u_columns (
        .clk(clk), .rst(rst), .begin_batch_slice(taken && column_q[0]), .room(room), .push((own_q | rest_q) & {DP{busy_q}}),
        .keep(own_q), .s_data(data_q[WORD-1:0]), `RLC_STREAM_JOIN(m, m)
    );
    wire unused = &{1'b0, shifted[WORD-1:0], padded};
endmodule
`default_nettype wire
