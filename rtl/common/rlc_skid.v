// rlc_skid.v — register slice: full throughput, all outputs registered.
// SPDX-License-Identifier: Apache-2.0
//
// s_* / m_*   valid/ready; data stable while stalled; s_ready is low during reset
// latency     1 clock empty, 1 item a clock sustained
// cost        2 * WIDTH + 2 flip-flops: the second word takes what arrives in the clock of a new stall
// proof       verif/common/formal/rlc_skid.sby: no loss, no duplicate, order kept
`default_nettype none
`include "rlc_check.vh"
module rlc_skid #(
    parameter WIDTH = 8  // payload bits, >= 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
    `RLC_CHECK(WIDTH >= 1, rlc_skid_illegal_WIDTH_must_be_at_least_1)

    reg             s_ready_q;
    reg             m_valid_q;
    reg [WIDTH-1:0] m_data_q;
    reg [WIDTH-1:0] hold_q;

    wire advance = !m_valid_q || m_ready;

    assign s_ready = s_ready_q;
    assign m_valid = m_valid_q;
    assign m_data  = m_data_q;

    // hold_q is occupied exactly when s_ready_q is low and m_valid_q high. s_ready_q low with m_valid_q
    // low is the clock after reset, when nothing is held.
    always @(posedge clk) begin
        if (rst) begin
            s_ready_q <= 1'b0;
            m_valid_q <= 1'b0;
        end else if (advance) begin
            s_ready_q <= 1'b1;
            m_valid_q <= s_ready_q ? s_valid : m_valid_q;
        end else begin
            s_ready_q <= s_ready_q && !s_valid;
        end
    end

    always @(posedge clk) begin
        if (s_ready_q) hold_q <= s_data;
        if (advance) m_data_q <= s_ready_q ? s_data : hold_q;
    end
endmodule
`default_nettype wire
