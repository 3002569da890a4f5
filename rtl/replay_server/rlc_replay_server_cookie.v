// rlc_replay_server_cookie.v — the cookie of a client at an address: SipHash-2-4 of 16 bytes, half a round a clock.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse; key, source, client and server_instance stand still from it to `done`
// done         from 21 clocks after it until the next one; `cookie` stands with it
// source       port and address of IPv4; the message is source, 16 bits of 0, client, 16 bits of 0, instance, lowest first
// cost         256 flip-flops; two additions of 64 bits side by side, from register to register
`default_nettype none
module rlc_replay_server_cookie (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] key,
    input  wire         begins,
    input  wire [47:0]  source,
    input  wire [15:0]  client,
    input  wire [31:0]  server_instance,
    output wire         done,
    output wire [63:0]  cookie
);
    // Three words of four half rounds each, the last one with the length; then eight half rounds.
    localparam [4:0] WORDS_END = 5'd11, LAST = 5'd19, IDLE = 5'd20;
    reg  [4:0]  step_q;
    reg  [63:0] a_q, b_q, c_q, d_q;
    wire [63:0] word   = (step_q[3:2] == 2'd0) ? {16'd0, source} : (step_q[3:2] == 2'd1) ? {server_instance, 16'd0, client} : {8'd16, 56'd0};
    wire        mixes  = step_q <= WORDS_END;
    wire        first  = mixes && step_q[1:0] == 2'd0;
    wire        last   = mixes && step_q[1:0] == 2'd3;
    wire [63:0] d      = first ? d_q ^ word : d_q;
    // The second half round is the first one with a and c the other way round, and turns by 17 and 21.
    wire        second = step_q[0];
    wire [63:0] x      = second ? c_q + b_q : a_q + b_q;
    wire [63:0] y      = second ? a_q + d : c_q + d;
    wire [63:0] b_next = (second ? {b_q[46:0], b_q[63:47]} : {b_q[50:0], b_q[63:51]}) ^ x;
    wire [63:0] d_next = (second ? {d[42:0], d[63:43]} : {d[47:0], d[63:48]}) ^ y;
    wire [63:0] turned = {x[31:0], x[63:32]};
    wire [63:0] a_next = second ? y : turned;
    wire [63:0] c_next = second ? turned : y;
    always @(posedge clk) begin
        if (rst)                 step_q <= IDLE;
        else if (begins)         step_q <= 5'd0;
        else if (step_q != IDLE) step_q <= step_q + 5'd1;
        if (begins) begin
            a_q <= key[63:0] ^ 64'h736F6D6570736575;
            b_q <= key[127:64] ^ 64'h646F72616E646F6D;
            c_q <= key[63:0] ^ 64'h6C7967656E657261;
            d_q <= key[127:64] ^ 64'h7465646279746573;
        end else if (step_q <= LAST) begin
            a_q <= last ? a_next ^ word : a_next;
            b_q <= b_next;
            c_q <= (step_q == WORDS_END) ? c_next ^ 64'hFF : c_next;
            d_q <= d_next;
        end
    end
    assign done   = step_q == IDLE;
    assign cookie = a_q ^ b_q ^ c_q ^ d_q;
endmodule
`default_nettype wire
