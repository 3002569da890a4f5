// rlc_mfifo.v — FIFO that takes several items in one clock and gives one.
// SPDX-License-Identifier: Apache-2.0
//
// DEPTH     rows, any integer >= 2. A row is what came in one clock, 1 to PUSHES items, so the FIFO holds at least
//           DEPTH items and at most DEPTH * PUSHES, and one more in its output register.
//
// s_valid   one bit an input, s_data one WIDTH-slice an input; input 0 is the oldest of its clock
// s_ready   one bit for all inputs: room for another row. A register, low during reset. As no item's fate depends
//           on the others, no input starves another one.
// m_*       valid/ready; data stable while stalled; registers
// empty     nothing inside, m_data included
// latency   2 clocks when empty; 1 item a clock sustained out, PUSHES a clock in
// cost      one LUT memory, PUSHES * (WIDTH + 1) wide and DEPTH deep (32 rows cost no more than 16), one
//           PUSHES-way multiplexer, WIDTH + PUSHES flip-flops. Packing the items of a clock together instead, to waste
//           no word, takes a PUSHES by PUSHES crossbar in front of the memory: by estimate twice the LUTs.
// proof     verif/common/formal/rlc_mfifo.sby: no loss, no duplicate, order kept
`default_nettype none
`include "rlc_check.vh"
module rlc_mfifo #(
    parameter WIDTH  = 8,  // payload bits of an item, >= 1
    parameter PUSHES = 4,  // inputs, >= 1; each brings at most one item a clock
    parameter DEPTH  = 16  // rows, >= 2
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [PUSHES-1:0]       s_valid,
    output wire                    s_ready,
    input  wire [PUSHES*WIDTH-1:0] s_data,
    output wire                    m_valid,
    input  wire                    m_ready,
    output wire [WIDTH-1:0]        m_data,
    output wire                    empty
);
    `RLC_CHECK(WIDTH >= 1, rlc_mfifo_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(PUSHES >= 1, rlc_mfifo_illegal_PUSHES_must_be_at_least_1)
    `RLC_CHECK(DEPTH >= 2, rlc_mfifo_illegal_DEPTH_must_be_at_least_2)

    // Stand-ins until a check ends the run.
    localparam W = (WIDTH >= 1) ? WIDTH : 1;
    localparam P = (PUSHES >= 1) ? PUSHES : 1;
    localparam [P-1:0] ONE = 1;
    localparam COUNT_WIDTH = $clog2(DEPTH + 1);

    wire                   row_valid;
    wire                   row_done;   // its last item leaves the row
    wire [P-1:0]           row_items;  // which inputs brought one
    wire [P*W-1:0]         row_data;
    wire [COUNT_WIDTH-1:0] rows;

    rlc_fifo #(.WIDTH(P * (W + 1)), .DEPTH(DEPTH), .STYLE("distributed")) u_rows (
        .clk(clk), .rst(rst),
        .s_valid(|s_valid), .s_ready(s_ready), .s_data({s_valid, s_data}),
        .m_valid(row_valid), .m_ready(row_done), .m_data({row_items, row_data}), .count(rows)
    );

    reg  [P-1:0] gone_q;  // items of the oldest row that have left it
    wire [P-1:0] left   = row_items & ~gone_q;
    wire [P-1:0] oldest = left & (~left + ONE);

    reg          m_valid_q;
    reg  [W-1:0] m_data_q;
    wire         move = row_valid && (!m_valid_q || m_ready);

    assign row_done = move && (left == oldest);
    assign m_valid  = m_valid_q;
    assign m_data   = m_data_q;
    assign empty    = !row_valid && !m_valid_q;

    reg [W-1:0] picked;
    integer i;
    always @* begin
        picked = {W{1'b0}};
        for (i = 0; i < P; i = i + 1)
            picked = picked | (row_data[i*W +: W] & {W{oldest[i]}});
    end

    always @(posedge clk) begin
        if (rst) begin
            gone_q    <= {P{1'b0}};
            m_valid_q <= 1'b0;
        end else begin
            if (move) gone_q <= row_done ? {P{1'b0}} : gone_q | oldest;
            if (row_valid) m_valid_q <= 1'b1;
            else if (m_ready) m_valid_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (move) m_data_q <= picked;
    end

    wire unused = &{1'b0, rows};
endmodule
`default_nettype wire
