// rlc_umul.v — unsigned product of wide operands from a chain of multiply-adds, each shaped like one DSP slice.
// SPDX-License-Identifier: Apache-2.0
//
// p            a * b, exact
// latency      LATENCY = 3 + (MACS - 1) * (1 + C_REG) clocks, with MACS = ceil(A_WIDTH/26) * ceil(B_WIDTH/17)
// throughput   one product a clock; no enable
// reset        none
// cost         MACS DSP48E2, and flip-flops for operands that wait for their link and for product bits that are early
`default_nettype none
`include "rlc_check.vh"
module rlc_umul #(
    parameter A_WIDTH = 38, // 1..52 bits, taken in chunks of 26
    parameter B_WIDTH = 32, // 1..34 bits, taken in chunks of 17
    // 0, or 1: a register on the sum between two links, for families whose adder is outside the slice
    parameter C_REG   = 0
) (
    input  wire                       clk,
    input  wire [A_WIDTH-1:0]         a,
    input  wire [B_WIDTH-1:0]         b,
    output wire [A_WIDTH+B_WIDTH-1:0] p
);
    `RLC_CHECK(A_WIDTH >= 1 && A_WIDTH <= 52, rlc_umul_illegal_A_WIDTH_must_be_1_to_52)
    `RLC_CHECK(B_WIDTH >= 1 && B_WIDTH <= 34, rlc_umul_illegal_B_WIDTH_must_be_1_to_34)
    `RLC_CHECK(C_REG == 0 || C_REG == 1, rlc_umul_illegal_C_REG_must_be_0_or_1)

    // A slice multiplies 27 by 18 bits signed. Stand-ins for widths that a check refuses.
    localparam A_CHUNK  = 26;
    localparam B_CHUNK  = 17;
    localparam A_BITS   = (A_WIDTH >= 1 && A_WIDTH <= 52) ? A_WIDTH : 1;
    localparam B_BITS   = (B_WIDTH >= 1 && B_WIDTH <= 34) ? B_WIDTH : 1;
    localparam A_CHUNKS = (A_BITS + A_CHUNK - 1) / A_CHUNK;
    localparam B_CHUNKS = (B_BITS + B_CHUNK - 1) / B_CHUNK;
    localparam MACS     = A_CHUNKS * B_CHUNKS;
    localparam LINK     = 1 + C_REG;    // clocks from one sum to the next
    localparam P_BITS   = 45;           // no sum reaches 2^44; the sign bit is 0

    // Link k adds chunk k / B_CHUNKS of a times chunk k % B_CHUNKS of b, which has weight 2^POSITION, to the sum
    // before it. The bits of that sum below POSITION are final and leave the chain.
    wire [MACS*A_BITS-1:0] a_wait;
    wire [MACS*B_BITS-1:0] b_wait;
    wire [MACS*P_BITS-1:0] sum;
    wire [A_BITS+B_BITS-1:0] product;
    assign a_wait[A_BITS-1:0] = a;
    assign b_wait[B_BITS-1:0] = b;
    assign p = product;

    genvar k;
    for (k = 0; k < MACS; k = k + 1) begin : g_link
        localparam IA       = k / B_CHUNKS;
        localparam IB       = k % B_CHUNKS;
        localparam A_PART   = (IA == A_CHUNKS - 1) ? A_BITS - IA * A_CHUNK : A_CHUNK;
        localparam B_PART   = (IB == B_CHUNKS - 1) ? B_BITS - IB * B_CHUNK : B_CHUNK;
        localparam POSITION = IA * A_CHUNK + IB * B_CHUNK;
        // Where the next link's weight is; after the last link nothing is left in the chain.
        localparam NEXT     = (k == MACS - 1) ? A_BITS + B_BITS
                                              : ((k + 1) / B_CHUNKS) * A_CHUNK + ((k + 1) % B_CHUNKS) * B_CHUNK;
        localparam BEFORE   = (k == 0) ? 0 : POSITION - ((k - 1) / B_CHUNKS) * A_CHUNK
                                                      - ((k - 1) % B_CHUNKS) * B_CHUNK;

        wire signed [A_PART:0]   a_part = {1'b0, a_wait[k*A_BITS + IA*A_CHUNK +: A_PART]};
        wire signed [B_PART:0]   b_part = {1'b0, b_wait[k*B_BITS + IB*B_CHUNK +: B_PART]};
        wire signed [P_BITS-1:0] carried;
        wire signed [P_BITS-1:0] mac_sum;
        if (k == 0) begin : g_first
            assign carried = 0;
        end else begin : g_next
            rlc_delay #(.WIDTH(A_BITS), .CLOCKS(LINK)) u_a_wait (
                .clk(clk), .d(a_wait[(k-1)*A_BITS +: A_BITS]), .q(a_wait[k*A_BITS +: A_BITS])
            );
            rlc_delay #(.WIDTH(B_BITS), .CLOCKS(LINK)) u_b_wait (
                .clk(clk), .d(b_wait[(k-1)*B_BITS +: B_BITS]), .q(b_wait[k*B_BITS +: B_BITS])
            );
            assign carried = sum[(k-1)*P_BITS +: P_BITS] >> BEFORE;
        end
        rlc_mac #(
            .A_WIDTH(A_PART + 1), .B_WIDTH(B_PART + 1), .C_WIDTH(P_BITS), .P_WIDTH(P_BITS),
            .A_REG(1), .B_REG(1), .C_REG((k == 0) ? 0 : C_REG), .M_REG(1)
        ) u_mac (
            .clk(clk), .a(a_part), .b(b_part), .c(carried), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(mac_sum)
        );
        assign sum[k*P_BITS +: P_BITS] = mac_sum;
        rlc_delay #(.WIDTH(NEXT - POSITION), .CLOCKS((MACS - 1 - k) * LINK)) u_early (
            .clk(clk), .d(mac_sum[NEXT-POSITION-1:0]), .q(product[NEXT-1:POSITION])
        );
    end

    // Chunks that have met their link, and the sum of the last one.
    wire unused = &{1'b0, a_wait, b_wait, sum};
endmodule
`default_nettype wire
