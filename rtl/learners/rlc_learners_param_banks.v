// rlc_learners_param_banks.v — one stream of words to load, and one of words that are read, for several learners.
// SPDX-License-Identifier: Apache-2.0
//
// Learners move parameter banks one at a time. A word to load goes to the learner that takes it; a word that is read comes from the one
// that offers it.
`default_nettype none
`include "rlc_axi.vh"
module rlc_learners_param_banks #(
    parameter LEARNERS = 2  // 2 to 16
) (
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    output wire [LEARNERS-1:0]    load_valid,
    input  wire [LEARNERS-1:0]    load_ready,
    input  wire [LEARNERS*64-1:0] read_data,
    input  wire [LEARNERS-1:0]    read_valid,
    input  wire [LEARNERS-1:0]    read_last,
    `RLC_AXIS_MASTER(m_axis_read, 64)
);
    assign load_valid         = load_ready & {LEARNERS{s_axis_load_tvalid}};
    assign s_axis_load_tready = |load_ready;
    assign m_axis_read_tvalid = |read_valid;
    assign m_axis_read_tlast  = |(read_last & read_valid);

    reg [63:0] word;
    integer    n;
    always @* begin
        word = 64'd0;
        for (n = 0; n < LEARNERS; n = n + 1) word = word | (read_data[n*64 +: 64] & {64{read_valid[n]}});
    end
    assign m_axis_read_tdata = word;
    wire unused = &{1'b0, s_axis_load_tdata, s_axis_load_tlast, m_axis_read_tready};
endmodule
`default_nettype wire
