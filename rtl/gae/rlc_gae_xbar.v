// rlc_gae_xbar.v — crossbar between the banks and the rows of one group.
// SPDX-License-Identifier: Apache-2.0
//
//   bank b o_* ──► row r s_*      r takes from row_bank[r] (one clock: the result is registered)
//   row r m_*  ──► bank b wb_*    the bank number rides in the row's tag (one clock)
//
// With one row and one bank it is two register slices.
`default_nettype none
module rlc_gae_xbar #(
    parameter ROWS       = 4,                               // rows of the group
    parameter BANKS      = 8,                               // memories of the group
    parameter QBITS      = 8,                               // bits of a reward or value code, 3 to 16
    parameter OUT_BITS   = 8,                               // bits of a result code: QBITS, 16 or 24
    parameter TAG_WIDTH  = 10,                              // bits of a place in a memory
    parameter BANK_WIDTH = (BANKS > 1) ? $clog2(BANKS) : 1  // follows from BANKS: bits of a memory's number
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [ROWS-1:0]                          row_valid,  // beside the banks' outputs
    input  wire [ROWS*BANK_WIDTH-1:0]               row_bank,
    input  wire [BANKS*2-1:0]                       o_kind,
    input  wire [BANKS*QBITS-1:0]                   o_q_r,
    input  wire [BANKS*QBITS-1:0]                   o_q_v,
    input  wire [BANKS*TAG_WIDTH-1:0]               o_tag,
    output reg  [ROWS-1:0]                          s_valid,
    output reg  [ROWS*2-1:0]                        s_kind,
    output reg  [ROWS*QBITS-1:0]                    s_q_r,
    output reg  [ROWS*QBITS-1:0]                    s_q_v,
    output reg  [ROWS*(BANK_WIDTH+TAG_WIDTH)-1:0]   s_tag,
    input  wire [ROWS-1:0]                          m_write,
    input  wire [ROWS*2-1:0]                        m_kind,
    input  wire [ROWS*OUT_BITS-1:0]                 m_adv,
    input  wire [ROWS*OUT_BITS-1:0]                 m_rtg,
    input  wire [ROWS*(BANK_WIDTH+TAG_WIDTH)-1:0]   m_tag,
    output reg  [BANKS-1:0]                         wb_write,
    output reg  [BANKS*2-1:0]                       wb_kind,
    output reg  [BANKS*OUT_BITS-1:0]                wb_adv,
    output reg  [BANKS*OUT_BITS-1:0]                wb_rtg,
    output reg  [BANKS*TAG_WIDTH-1:0]               wb_tag
);
    localparam ROW_TAG = BANK_WIDTH + TAG_WIDTH;
    localparam RESULT  = 2 + 2 * OUT_BITS + TAG_WIDTH;

    wire [ROWS*RESULT-1:0] result;  // what each row writes, as it goes to a bank

    genvar r, b;
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
        assign result[r*RESULT +: RESULT] = {
            m_kind[r*2 +: 2], m_adv[r*OUT_BITS +: OUT_BITS], m_rtg[r*OUT_BITS +: OUT_BITS],
            m_tag[r*ROW_TAG +: TAG_WIDTH]
        };
        wire [BANK_WIDTH-1:0] bank = (BANKS > 1) ? row_bank[r*BANK_WIDTH +: BANK_WIDTH] : {BANK_WIDTH{1'b0}};
        always @(posedge clk) begin
            s_valid[r]                    <= row_valid[r] && !rst;
            s_kind[r*2 +: 2]              <= o_kind[bank*2 +: 2];
            s_q_r[r*QBITS +: QBITS]       <= o_q_r[bank*QBITS +: QBITS];
            s_q_v[r*QBITS +: QBITS]       <= o_q_v[bank*QBITS +: QBITS];
            s_tag[r*ROW_TAG +: ROW_TAG]   <= {bank, o_tag[bank*TAG_WIDTH +: TAG_WIDTH]};
        end
    end
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
        wire [ROWS-1:0] hit;
        for (r = 0; r < ROWS; r = r + 1) begin : g_from
            assign hit[r] = m_write[r] && (m_tag[r*ROW_TAG+TAG_WIDTH +: BANK_WIDTH] == b);
        end
        // At most one row hits, so an OR collects; with one row nothing needs gating.
        reg [RESULT-1:0] gated;
        integer i;
        always @* begin
            gated = {RESULT{1'b0}};
            for (i = 0; i < ROWS; i = i + 1)
                gated = gated | (result[i*RESULT +: RESULT] & {RESULT{hit[i] || ROWS == 1}});
        end
        always @(posedge clk) begin
            wb_write[b] <= (|hit) && !rst;
            {wb_kind[b*2 +: 2], wb_adv[b*OUT_BITS +: OUT_BITS], wb_rtg[b*OUT_BITS +: OUT_BITS],
             wb_tag[b*TAG_WIDTH +: TAG_WIDTH]} <= gated;
        end
    end
endmodule
`default_nettype wire
