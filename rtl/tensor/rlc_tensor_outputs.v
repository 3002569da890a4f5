// rlc_tensor_outputs.v — words of outputs of the matrix unit become words of vectors: one feature, SIDE samples.
// SPDX-License-Identifier: Apache-2.0
//
//   a word of SPAN samples x SIDE outputs --> queue --> for each output that counts, for each SIDE samples that count --> m_*
//
// cfg_words    words of a vector: the batch in words of SIDE samples; steady
// s_*          a word of outputs, element t * SIDE + r; s_rows and s_words say how many r and t count. Words come block of
//              outputs by block, of each all samples; s_begins: the first word of all, which goes to s_base; s_ends_row: the
//              last one of its block. No more than QUEUE words wait: the caller sees to it
// m_*          address and SIDE numbers of 27 bits, valid/ready
// idle         nothing is inside
`default_nettype none
`include "rlc_axi.vh"
module rlc_tensor_outputs #(
    parameter SIDE   = 8,  // rows and columns of a block
    parameter BLOCKS = 4,  // blocks of a word
    parameter QUEUE  = 32, // words of outputs of one product
    // Derived; leave them alone.
    parameter SPAN   = SIDE * BLOCKS,
    parameter K_BITS = (BLOCKS > 1) ? $clog2(BLOCKS) : 1 // of a block within a word
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [15:0]             cfg_words,
    input  wire                    s_valid,
    input  wire [15:0]             s_base,
    input  wire                    s_begins,
    input  wire                    s_ends_row,
    input  wire [6:0]              s_rows,
    input  wire [6:0]              s_words,
    input  wire [SPAN*SIDE*27-1:0] s_data,
    `RLC_STREAM_MASTER(m, 16 + SIDE*27),
    output wire                    idle
);
    localparam WIDTH  = 16 + 14 + SPAN * SIDE * 27;
    localparam S_BITS = $clog2(SIDE);
    localparam [31:0] WHOLE = SIDE;
    localparam [31:0] STEP  = BLOCKS;

    // Where a word goes: SPAN samples on, or SIDE outputs.
    reg  [15:0] block_q, next_q;
    wire [15:0] block     = s_begins ? s_base : block_q;
    wire [15:0] s_address = s_begins ? s_base : next_q;
    wire [15:0] below     = block + (cfg_words << S_BITS);
    always @(posedge clk)
        if (s_valid) begin
            block_q <= s_ends_row ? below : block;
            next_q  <= s_ends_row ? below : s_address + STEP[15:0];
        end

    wire              ready, valid, take;
    wire [WIDTH-1:0]  word;
    rlc_fifo #(.WIDTH(WIDTH), .DEPTH(QUEUE)) u_queue (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(ready), .s_data({s_address, s_rows, s_words, s_data}),
        .m_valid(valid), .m_ready(take), .m_data(word), .count()
    );
    rlc_assert_never u_full (.clk(clk), .rst(rst), .bad(s_valid && !ready));

    // The word that is taken apart: its outputs move down by one, its samples by SIDE.
    reg                    busy_q;
    reg [SPAN*SIDE*27-1:0] data_q;
    reg [6:0]              row_q, group_q, rows_q, groups_q;
    reg [15:0]             at_q, row_at_q;
    wire [15:0]            address;
    wire [6:0]             rows, words;
    wire [SPAN*SIDE*27-1:0] numbers;
    assign {address, rows, words, numbers} = word;
    wire group_last = group_q + 7'd1 == groups_q;
    wire row_last   = row_q + 7'd1 == rows_q;
    wire sent       = m_valid && m_ready;
    assign take     = !busy_q && valid;
    assign m_valid  = busy_q;
    assign idle     = !busy_q && !valid;
    always @(posedge clk) begin
        if (rst)                                   busy_q <= 1'b0;
        else if (take)                             busy_q <= 1'b1;
        else if (sent && group_last && row_last)   busy_q <= 1'b0;
        if (take) begin
            data_q   <= numbers;
            rows_q   <= rows;
            groups_q <= (words + WHOLE[6:0] - 7'd1) / WHOLE[6:0];
            row_q    <= 7'd0;
            group_q  <= 7'd0;
            at_q     <= address;
            row_at_q <= address;
        end else if (sent) begin
            if (!group_last) begin
                group_q <= group_q + 7'd1;
                at_q    <= at_q + 16'd1;
            end else begin
                group_q  <= 7'd0;
                row_q    <= row_q + 7'd1;
                at_q     <= row_at_q + cfg_words;
                row_at_q <= row_at_q + cfg_words;
            end
        end
    end
    wire [SIDE*SIDE*27-1:0] group;
    wire [SIDE*27-1:0]      out;
    rlc_tensor_pick #(.WIDTH(SIDE * SIDE * 27), .COUNT(BLOCKS)) u_group (
        .words(data_q), .index(group_q[K_BITS-1:0]), .word(group)
    );
    genvar s;
    for (s = 0; s < SIDE; s = s + 1) begin : g_sample
        rlc_tensor_pick #(.WIDTH(27), .COUNT(SIDE)) u_row (
            .words(group[s*SIDE*27 +: SIDE*27]), .index(row_q[S_BITS-1:0]), .word(out[s*27 +: 27])
        );
    end
    assign m_data = {at_q, out};
endmodule
`default_nettype wire
