// rlc_gae_loader.v — finds the slot and the bank of each element of a beat and refuses impossible lanes.
// SPDX-License-Identifier: Apache-2.0
//
// lane = slot*BANKS + bank; position e of a beat serves banks with bank mod BEAT = e, so that the elements of a
// beat never meet in one memory. Any other lane is refused.
// latency     1 clock, one beat a clock, no back-pressure
`default_nettype none
module rlc_gae_loader #(
    `include "rlc_gae_parameters.vh"
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       s_valid,
    input  wire [BEAT*2-1:0]          s_kind,
    input  wire [BEAT*14-1:0]         s_lane,
    input  wire [BEAT*QBITS-1:0]      s_q_r,
    input  wire [BEAT*QBITS-1:0]      s_q_v,
    output reg  [BEAT-1:0]            m_valid,
    output reg  [BEAT*SLOT_WIDTH-1:0] m_slot,
    output reg  [BEAT*BANK_WIDTH-1:0] m_bank,
    output reg  [BEAT*2-1:0]          m_kind,
    output reg  [BEAT*QBITS-1:0]      m_q_r,
    output reg  [BEAT*QBITS-1:0]      m_q_v,
    output reg  [BEAT-1:0]            refused     // beside m_valid
);
    localparam BANKS = LANES / INTERLEAVE;
    localparam [14:0] BANKS_15 = BANKS;

    genvar e;
    for (e = 0; e < BEAT; e = e + 1) begin : g_element
        // Slot by slot: what is left of the lane, and how many slots were passed.
        reg [14:0]           bank;
        reg [SLOT_WIDTH-1:0] slot;
        integer i;
        always @* begin
            bank = {1'b0, s_lane[e*14 +: 14]};
            slot = {SLOT_WIDTH{1'b0}};
            for (i = 1; i < INTERLEAVE; i = i + 1)
                if (bank >= BANKS_15) begin
                    bank = bank - BANKS_15;
                    slot = slot + 1'b1;
                end
        end
        wire        good = (bank < BANKS_15) && (bank % BEAT == e);
        wire        real_record = s_valid && (s_kind[e*2 +: 2] != 2'd0) && !rst;
        always @(posedge clk) begin
            m_valid[e]                         <= real_record && good;
            refused[e]                         <= real_record && !good;
            m_slot[e*SLOT_WIDTH +: SLOT_WIDTH] <= slot;
            m_bank[e*BANK_WIDTH +: BANK_WIDTH] <= bank[BANK_WIDTH-1:0];
        end
    end
    always @(posedge clk) begin
        m_kind <= s_kind;
        m_q_r  <= s_q_r;
        m_q_v  <= s_q_v;
    end
endmodule
`default_nettype wire
