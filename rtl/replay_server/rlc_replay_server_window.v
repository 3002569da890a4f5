// rlc_replay_server_window.v — what each client has sent: its epoch, and which of its requests were accepted.
// SPDX-License-Identifier: Apache-2.0
//
// ask          pulse while ready: look a request up. Its fields are steady from then until ready is high again
// hello        it is a HELLO; if not, sequenced says whether the request is numbered
// done         pulse, 4 clocks later. Valid from then until the next `ask`: says (rlc_replay_server_defs.vh), present (the client's epoch,
//              0: none), same (the nonce is that of the present epoch), repeated (the status of a repetition, ST_OLD if it is
//              no longer known)
// accept       pulse after the clock of done, at most one per request: it is accepted, with a status. A HELLO begins its epoch
// prove        pulse in the clock of done or later, at most one per HELLO: from now on the client's requests come from `source`,
//              and those of another one are SAYS_ADDRESS
// ready        a request may be asked for; low for CLIENTS + 1 clocks after a reset, and for 2 clocks from `accept` on
// state        block RAM: 272 bits per client, and 4 for each of its 64 last sequences
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_window #(
    parameter CLIENTS = 256, // client numbers, 1 to 65536
    parameter CREDIT  = 32,  // sequences from the first that was not accepted on, 1 to 64
    parameter NUMBER  = (CLIENTS > 1) ? $clog2(CLIENTS) : 1 // derived, leave it alone: bits of a client's number
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        ask,
    input  wire        hello,
    input  wire        sequenced,
    input  wire [NUMBER-1:0] client,
    input  wire [31:0] epoch,
    input  wire [63:0] seq_number,
    input  wire [5:0]  behind,
    input  wire [63:0] nonce,
    input  wire [47:0] source,
    input  wire        prove,
    output reg         done,
    output reg  [2:0]  says,
    output reg  [31:0] present,
    output reg         same,
    output reg  [3:0]  repeated,
    input  wire        accept,
    input  wire [3:0]  status,
    output wire        ready
);
    `include "rlc_replay_server_defs.vh"
    `RLC_CHECK(CLIENTS >= 1 && CLIENTS <= 65536, rlc_replay_server_window_illegal_CLIENTS_must_be_1_to_65536)
    `RLC_CHECK(CREDIT >= 1 && CREDIT <= 64, rlc_replay_server_window_illegal_CREDIT_must_be_1_to_64)
    localparam [31:0] LAST_CLIENT = CLIENTS - 1;
    localparam [31:0] CREDIT_32   = CREDIT;
    localparam STATE = 32 + 64 + 64 + 64;

    // ---- after a reset no client has an epoch.
    reg              clearing_q;
    reg [NUMBER-1:0] clear_q;
    always @(posedge clk) begin
        if (rst) begin
            clearing_q <= 1'b1;
            clear_q    <= {NUMBER{1'b0}};
        end else if (clearing_q) begin
            clear_q    <= clear_q + 1'b1;
            clearing_q <= clear_q != LAST_CLIENT[NUMBER-1:0];
        end
    end

    reg               write_q;
    reg  [STATE-1:0]  written_q;
    wire [31:0]       held_epoch;
    wire [63:0]       held_nonce, held_low, held_bits;
    rlc_ram_1r1w #(.WIDTH(STATE), .DEPTH(CLIENTS), .READ_ANY(1)) u_clients (
        .clk(clk), .wr_en(clearing_q || write_q), .wr_addr(clearing_q ? clear_q : client),
        .wr_data(clearing_q ? {STATE{1'b0}} : written_q),
        .rd_en(ask), .rd_addr(client), .rd_data({held_epoch, held_nonce, held_low, held_bits})
    );
    wire [3:0] held_status;
    // Read and written at one address. Left to itself, yosys wants one LUT memory as deep as that, and has none.
    rlc_ram_1r1w #(
        .WIDTH(4), .DEPTH((CLIENTS > 1) ? CLIENTS * 64 : 128), .STYLE((CLIENTS > 8) ? "block" : "auto"), .READ_ANY(1)
    ) u_status (
        .clk(clk), .wr_en(accept && !hello), .wr_addr({client, seq_number[5:0]}), .wr_data(status),
        .rd_en(ask), .rd_addr({client, seq_number[5:0]}), .rd_data(held_status)
    );

    // Of an epoch that has begun there is one.
    wire [47:0] held_source;
    rlc_ram_1r1w #(.WIDTH(48), .DEPTH((CLIENTS > 1) ? CLIENTS : 2), .READ_ANY(1)) u_sources (
        .clk(clk), .wr_en(prove), .wr_addr(client), .wr_data(source), .rd_en(ask), .rd_addr(client), .rd_data(held_source)
    );

    // ---- clock 1: how far from the window's beginning the sequence is, the one that it is behind, and the one 64 on.
    // `low` grows by one per request, so it stays far below 2^64.
    reg  [2:0]  clock_q;
    reg  [64:0] at_q, behind_at_q;
    reg  [63:0] bits_q;
    reg  [3:0]  status_q;
    reg         present_q;     // of this client's present epoch
    reg         proved_q;      // from its address
    always @(posedge clk) begin
        clock_q     <= rst ? 3'd0 : {clock_q[1:0], ask};
        at_q        <= {1'b0, seq_number} - {1'b0, held_low};
        behind_at_q <= {1'b0, seq_number} - {59'd0, behind} - {1'b0, held_low};
        bits_q      <= held_bits;
        status_q    <= held_status;
        present_q   <= held_epoch != 32'd0 && held_epoch == epoch;
        proved_q    <= held_source == source;
        present     <= held_epoch;
        same        <= held_nonce == nonce && held_epoch == epoch;
    end

    // ---- clock 2: was it accepted? Below the window everything was, beyond its 64 nothing.
    // A place of the status memory holds the sequence 64 on when that was accepted.
    reg        was_q, behind_was_q, later_was_q, no_credit_q;
    wire       in        = at_q[63:6] == 58'd0;
    wire       behind_in = behind_at_q[63:6] == 58'd0;
    wire       later_in  = at_q[64] && at_q[63:6] == {58{1'b1}};     // -64 to -1
    wire       here      = bits_q[at_q[5:0]];
    wire       there     = bits_q[behind_at_q[5:0]];
    always @(posedge clk) begin
        was_q        <= at_q[64] || (in && here);
        behind_was_q <= behind_at_q[64] || (behind_in && there);
        later_was_q  <= at_q[64] && (!later_in || here);
        no_credit_q  <= !at_q[64] && (at_q[63:7] != 57'd0 || {25'd0, at_q[6:0]} >= CREDIT_32);
    end

    // ---- clock 3: the answer, in this order.
    always @(posedge clk) begin
        done     <= clock_q[2] && !rst;
        says     <= !present_q               ? SAYS_EPOCH
                  : !proved_q                ? SAYS_ADDRESS
                  : !sequenced               ? SAYS_ACCEPT
                  : was_q                    ? SAYS_REPEAT
                  : no_credit_q              ? SAYS_CREDIT
                  : behind != 6'd0 && !behind_was_q ? SAYS_WAIT : SAYS_ACCEPT;
        repeated <= later_was_q ? ST_OLD : status_q;
    end

    // ---- accepted: its bit, and the window moves over all that were: over the ones from bit 0 on.
    reg  [63:0] set_q, ones_q, low_q;
    reg  [6:0]  move_q;
    reg  [6:0]  run;
    wire [63:0] one  = 64'd1;
    wire [63:0] more = set_q + one;
    wire [63:0] top  = ones_q ^ (ones_q >> 1);                  // the last of them
    integer     i;
    always @* begin
        run = 7'd0;
        for (i = 0; i < 64; i = i + 1) if (top[i]) run = run | (i[6:0] + 7'd1);
    end
    always @(posedge clk) begin
        set_q     <= hello ? 64'd0 : bits_q | one << at_q[5:0];
        ones_q    <= set_q & ~more;
        move_q    <= run;
        low_q     <= hello ? 64'd0 : held_low;
        written_q <= {hello ? epoch : held_epoch, hello ? nonce : held_nonce, low_q + {57'd0, move_q},
                      move_q[6] ? 64'd0 : set_q >> move_q[5:0]};
        write_q   <= accept && !rst;
    end
    assign ready = !clearing_q && clock_q == 3'd0 && !done && !accept && !write_q;
endmodule
`default_nettype wire
