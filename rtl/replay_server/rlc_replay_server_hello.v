// rlc_replay_server_hello.v — what a HELLO brings: its nonce, its sizes and its proof, beside the cookie of the client's address.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse: a request; s_head stands from it on
// s_word_*     the words of a HELLO's payload, in order, taken when they come
// done         the cookie stands, 21 clocks after `begins` at the latest; `greeting` too, behind the last word
// welcome      pulse: this HELLO begins an epoch. The first one that has a schema gives the server its own
`default_nettype none
`include "rlc_replay_server_words.vh"
module rlc_replay_server_hello #(
    parameter RECORD_BYTES = 48 // bytes of a record
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [127:0]             cfg_key,
    input  wire [31:0]              cfg_instance,
    input  wire                     begins,
    input  wire `RLC_SERVER_HEAD       s_head,
    input  wire                     s_word_valid,
    input  wire [63:0]              s_word_data,
    input  wire                     welcome,
    output wire                     done,
    output wire [63:0]              cookie,
    output wire [47:0]              source,
    output wire [63:0]              nonce,
    output wire `RLC_SERVER_GREETING   greeting,
    output reg  [63:0]              schema
);
    localparam [31:0] RECORD_32 = RECORD_BYTES;
    reg  [1:0]  word_q;
    reg  [63:0] nonce_q, said_q, proof_q;
    reg  [31:0] bytes_q;
    always @(posedge clk) begin
        if (begins)                                word_q <= 2'd0;
        else if (s_word_valid && word_q != 2'd3)   word_q <= word_q + 2'd1;
        if (s_word_valid) begin
            if (word_q == 2'd0) nonce_q <= s_word_data;
            if (word_q == 2'd1) said_q  <= s_word_data;
            if (word_q == 2'd2) bytes_q <= s_word_data[31:0];
            proof_q <= s_word_data;
        end
        if (rst)                             schema <= 64'd0;
        else if (welcome && schema == 64'd0) schema <= said_q;
    end
    assign nonce  = nonce_q;
    assign source = {s_head[`RLC_SERVER_HEAD_PORT], s_head[`RLC_SERVER_HEAD_ADDR]};
    rlc_replay_server_cookie u_cookie (
        .clk(clk), .rst(rst), .key(cfg_key), .begins(begins), .source(source), .client(s_head[`RLC_SERVER_HEAD_CLIENT]),
        .server_instance(cfg_instance), .done(done), .cookie(cookie)
    );
    assign greeting[`RLC_SERVER_GREETING_PROVES]        = proof_q == cookie;
    assign greeting[`RLC_SERVER_GREETING_OTHER_RECORDS] = bytes_q != 32'd0 && bytes_q != RECORD_32;
    assign greeting[`RLC_SERVER_GREETING_OTHER_SCHEMA]  = said_q != 64'd0 && schema != 64'd0 && said_q != schema;
    wire unused = &{1'b0, s_head};
endmodule
`default_nettype wire
