// rlc_nn_cascade.v — multiply-adds in a row: the sum of a dot product moves from one to the next.
// SPDX-License-Identifier: Apache-2.0
//
//   head --> [a0*b0] --> [a1*b1] --> .. --> sum
//
// a, b          operands k one clock later than operands k - 1
// head          with HEAD, what the sum begins with, OPERANDS clocks later than operands 0; head_clear: it counts as 0
// acc           with ACC, add to the sum before, as the last multiply-add has it: COUNT + OPERANDS clocks after operands 0
// latency       COUNT + OPERANDS + 1 clocks from operands 0 to the sum
// range         the sum is exact modulo 2^ACC_WIDTH
// cost          COUNT rlc_mac: a DSP slice each
`default_nettype none
module rlc_nn_cascade #(
    parameter COUNT     = 4,  // multiply-adds, >= 1
    parameter A_WIDTH   = 27, // bits of an operand a
    parameter B_WIDTH   = 18, // bits of an operand b
    parameter ACC_WIDTH = 48, // bits of the sum
    parameter OPERANDS  = 1,  // registers in front of a multiplier, 0 or 1
    parameter HEAD      = 0,  // 1: the sum begins with `head`, 0: with 0
    parameter ACC       = 0   // 1: the last one adds to its own sum where `acc` says so
) (
    input  wire                     clk,
    input  wire [COUNT*A_WIDTH-1:0] a,
    input  wire [COUNT*B_WIDTH-1:0] b,
    input  wire [ACC_WIDTH-1:0]     head,
    input  wire                     head_clear,
    input  wire                     acc,
    output wire [ACC_WIDTH-1:0]     sum
);
    genvar k;
    for (k = 0; k < COUNT; k = k + 1) begin : g_mac
        wire signed [A_WIDTH-1:0]   a_k = a[k*A_WIDTH +: A_WIDTH];
        wire signed [B_WIDTH-1:0]   b_k = b[k*B_WIDTH +: B_WIDTH];
        wire signed [ACC_WIDTH-1:0] from, total;
        if (k > 0) begin : g_next
            assign from = g_mac[k-1].total;
        end else if (HEAD != 0) begin : g_head
            assign from = head;
        end else begin : g_zero
            wire unused = &{1'b0, head, head_clear};
            assign from = {ACC_WIDTH{1'b0}};
        end
        rlc_mac #(
            .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .C_WIDTH(ACC_WIDTH), .P_WIDTH(ACC_WIDTH), .A_REG(OPERANDS),
            .B_REG(OPERANDS), .C_REG(k == 0 && HEAD != 0 ? 1 : 0), .M_REG(1), .ACC(k == COUNT - 1 ? ACC : 0)
        ) u_mac (
            .clk(clk), .a(a_k), .b(b_k), .c(from), .m_clear(1'b0), .c_clear(k == 0 && HEAD != 0 && head_clear),
            .acc(acc), .p(total)
        );
    end
    assign sum = g_mac[COUNT-1].total;
endmodule
`default_nettype wire
