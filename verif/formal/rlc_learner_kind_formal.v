// rlc_learner_kind_formal.v — a queue that carries the bit too shows the one that rlc_learner_kind has in its register.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_learner_kind_formal (
    input wire clk,
    input wire rst,
    input wire push,
    input wire s_kind,
    input wire m_ready
);
    localparam DEPTH = 3;
    wire m_valid, m_data, m_kind;
    wire pop = m_valid && m_ready;
    rlc_queue #(.WIDTH(1), .DEPTH(DEPTH)) u_queue (
        .clk(clk), .rst(rst), .s_valid(push), .s_data(s_kind), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );
    rlc_learner_kind #(.DEPTH(DEPTH)) dut (
        .clk(clk), .rst(rst), .push(push), .s_kind(s_kind), .pop(pop), .m_kind(m_kind)
    );
    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    // The sender counts the places, and puts nothing in a reset nor in the clock behind it.
    reg was_rst = 1'b1;
    always @(posedge clk) was_rst <= rst;
    reg [1:0] count = 2'd0;
    always @(posedge clk) count <= rst ? 2'd0 : count + {1'b0, push} - {1'b0, pop};
    always @* assume (!push || (!rst && !was_rst && count != DEPTH));

    always @* if (past && m_valid) assert (m_kind == m_data);

    always @* begin
        cover (past && count == DEPTH && pop);
        cover (past && count == 2'd1 && push && pop && s_kind != m_kind);
    end
endmodule
`default_nettype wire
