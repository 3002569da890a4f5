// rlc_gae_array.sv — the systolic array with its memories: stacks in, results in place, stacks out.
// SPDX-License-Identifier: Apache-2.0
//
// ROWS rows work through LANES lanes. BANKS = LANES/INTERLEAVE memories hold INTERLEAVE lanes each; lane
// slot*BANKS + bank. A group is SPAN rows and the SPAN*BANKS/ROWS banks they share (SPAN 1: each row owns its
// lanes; SPAN = ROWS: any row, any lane).
//
// load_*      a record for each position of a beat; position e serves banks b with b mod BEAT = e. Taken every
//             clock; load_refused answers 2 clocks later for what did not fit
// start       pulse: run all lanes backwards in time; the caller has checked loaded and !no_boot.
//             clocks: INTERLEAVE to arm, then a record a row and clock, then LATENCY, then INTERLEAVE to rearm
// read_start  pulse: stream the results out (rlc_gae_readout); all lanes are empty afterwards
// clear       pulse: empties all lanes
// mark, undo  pulses while nothing runs: undo makes all lanes as long as they were at mark; INTERLEAVE + 1 clocks
// read_abort  pulse: the reading that runs ends; cut says so until the next one. The results stay.
// rewind      pulse, after a cut: the next reading begins at the lowest records again
// stale        a beat that was offered when the reading was cut is not taken yet
// cycles      clocks of the last run, steps: results written in it, stalls: row-clocks of it without a result
// saturated   pulse: an output code was clipped
// *_at        with two stacks, one bit a stack: which one is loaded (and marked, undone), run, read (and emptied at the end);
//             drop_at empties. With one stack they mean nothing.
`default_nettype none
`include "rlc_check.vh"
module rlc_gae_array #(
    `include "rlc_gae_parameters.vh"
) (
    input  wire                       clk,
    input  wire                       rst,
    `include "rlc_gae_cfg.vh"

    input  wire                       clear,
    input  wire                       mark,
    input  wire                       undo,
    input  wire [BEAT-1:0]            load_valid,
    input  wire [BEAT*SLOT_WIDTH-1:0] load_slot,
    input  wire [BEAT*BANK_WIDTH-1:0] load_bank,
    input  wire [BEAT*2-1:0]          load_kind,
    input  wire [BEAT*QBITS-1:0]      load_q_r,
    input  wire [BEAT*QBITS-1:0]      load_q_v,
    output wire [BEAT-1:0]            load_refused,
    output reg                        loaded,
    output reg                        no_boot,

    input  wire                       start,
    output wire                       running,
    output wire                       finished,    // pulse
    output reg  [31:0]                cycles,
    output reg  [31:0]                steps,
    output reg  [31:0]                stalls,
    output reg                        saturated,

    input  wire                       read_start,
    input  wire                       read_abort,
    input  wire                       rewind,
    output wire                       reading,
    output wire                       cut,
    output wire                       stale,
    output wire                       m_valid,
    input  wire                       m_ready,
    output wire [BEAT*64-1:0]         m_data,
    output wire                       m_last,

    input  wire [STACKS-1:0]          load_at,
    input  wire [STACKS-1:0]          run_at,
    input  wire [STACKS-1:0]          read_at,
    input  wire [STACKS-1:0]          drop_at
);
    localparam BANKS       = LANES / INTERLEAVE;
    localparam GROUPS      = ROWS / SPAN;
    localparam GROUP_BANKS = BANKS / GROUPS;
    // Pop to write-back: bank 1, crossbar 1, row and one spare, crossbar 1, RAM 1; and the delay of the counters.
    localparam LOOP        = LOOKAHEAD * INTERLEAVE;
    localparam STEP        = 2 + WIDE;   // clocks of a discounted add
    localparam ROW_LATENCY = 8 + 3 * WIDE + STEP * LOOKAHEAD + ((LOOP < STEP) ? LOOP : STEP);
    localparam COUNT_LATENCY = 2 + ((ROWS > 6) ? $clog2((ROWS + 5) / 6) : 0);
    localparam DRAIN       = 4 + ROW_LATENCY + COUNT_LATENCY;
    localparam DRAIN_WIDTH = $clog2(DRAIN + 1);
    localparam [DRAIN_WIDTH-1:0] DRAIN_FULL = DRAIN;
    localparam [SLOT_WIDTH-1:0]  LAST_SLOT  = INTERLEAVE - 1;

    `RLC_GAE_LEGAL(rlc_gae_array)
    `RLC_CHECK(LANES % INTERLEAVE == 0, rlc_gae_illegal_INTERLEAVE_must_divide_LANES)
    `RLC_CHECK((LANES / INTERLEAVE) % ROWS == 0, rlc_gae_illegal_ROWS_must_divide_LANES_over_INTERLEAVE)
    `RLC_CHECK(ROWS % SPAN == 0, rlc_gae_illegal_SPAN_must_divide_ROWS)
    `RLC_CHECK((LANES / INTERLEAVE) % BEAT == 0, rlc_gae_illegal_BEAT_must_divide_LANES_over_INTERLEAVE)
    `RLC_CHECK(OUT_BITS == QBITS || OUT_BITS == 16 || OUT_BITS == 24,
               rlc_gae_illegal_OUT_BITS_must_be_QBITS_or_16_or_24)

    // Run: arm every slot, let the dispatchers work until a whole round of turns was idle, drain, rearm. RESTORE belongs
    // to undo, slot by slot too.
    localparam IDLE = 3'd0, ARM = 3'd1, RUN = 3'd2, DRAINING = 3'd3, REARM = 3'd4, RESTORE = 3'd5;
    reg [2:0]             state_q;
    reg [SLOT_WIDTH-1:0]  phase_q;
    reg [DRAIN_WIDTH-1:0] drain_q;
    reg [3:0]             idle_turns_q;
    reg                   all_idle_q;
    wire [GROUPS-1:0]     group_idle;
    wire                  last_phase = (phase_q == LAST_SLOT);
    wire arm   = (state_q == ARM);
    wire run   = (state_q == RUN);
    wire rearm = (state_q == REARM);
    wire restore = (state_q == RESTORE);
    always @(posedge clk) begin
        if (rst || state_q == IDLE || last_phase) phase_q <= {SLOT_WIDTH{1'b0}};
        else                                      phase_q <= phase_q + 1'b1;
        all_idle_q <= run && (&group_idle);
        if (!all_idle_q) idle_turns_q <= 4'd0;
        else             idle_turns_q <= idle_turns_q + 4'd1;
        if (rst) begin
            state_q <= IDLE;
        end else case (state_q)
            IDLE:     if (start) state_q <= ARM;
                      else if (undo) state_q <= RESTORE;
            ARM:      if (last_phase) state_q <= RUN;
            RUN:      if (all_idle_q && idle_turns_q == INTERLEAVE - 1) begin
                          state_q <= DRAINING;
                          drain_q <= DRAIN_FULL;
                      end
            DRAINING: begin
                          if (drain_q != {DRAIN_WIDTH{1'b0}}) drain_q <= drain_q - 1'b1;
                          // The ring of turns is left at slot 0, where rearm begins.
                          else if (last_phase) state_q <= REARM;
                      end
            REARM, RESTORE: if (last_phase) state_q <= IDLE;
            default:  state_q <= IDLE;
        endcase
    end
    wire turning    = (state_q != IDLE);
    assign running  = turning && !restore;
    assign finished = rearm && last_phase;

    // Who says which slot: the beat while loading, the turn while running, the reader while reading.
    wire [SLOT_WIDTH-1:0] read_slot;
    wire [BANKS-1:0]      read;
    reg  [BEAT-1:0]            load_valid_q;
    reg  [BEAT*SLOT_WIDTH-1:0] slot_q;
    reg  [BEAT*BANK_WIDTH-1:0] load_bank_q;
    reg  [BEAT*2-1:0]          load_kind_q;
    reg  [BEAT*QBITS-1:0]      load_q_r_q, load_q_v_q;
    always @(posedge clk) begin
        load_valid_q <= load_valid & {BEAT{!rst}};
        slot_q       <= load_slot;
        load_bank_q  <= load_bank;
        load_kind_q  <= load_kind;
        load_q_r_q   <= load_q_r;
        load_q_v_q   <= load_q_v;
    end
    wire [STACKS*BEAT*SLOT_WIDTH-1:0] slot;  // stack by stack
    genvar b, e, g, s;
    for (s = 0; s < STACKS; s = s + 1) begin : g_slot
        wire turns = turning && (STACKS == 1 || (restore ? load_at[s] : run_at[s]));
        wire reads = reading && (STACKS == 1 || read_at[s]);
        assign slot[s*BEAT*SLOT_WIDTH +: BEAT*SLOT_WIDTH] = turns ? {BEAT{phase_q}} : reads ? {BEAT{read_slot}} : slot_q;
    end

    wire [BANKS-1:0]            push, push_full;
    wire [BANKS*STACKS*SLOT_WIDTH-1:0] bank_slot;
    wire [BANKS*2-1:0]          push_kind;
    wire [BANKS*QBITS-1:0]      push_q_r, push_q_v;
    wire [BANKS*2-1:0]          o_kind;
    wire [BANKS*OUT_BITS-1:0]   o_adv, o_rtg;
    wire [ROWS-1:0]             wrote;
    wire [GROUPS-1:0]           group_loaded, group_no_boot, group_saturated;
    wire                        emptied;   // pulse: the reader is through

    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
        localparam E = b % BEAT;
        assign push[b] = load_valid_q[E] && (load_bank_q[E*BANK_WIDTH +: BANK_WIDTH] == b);
        for (s = 0; s < STACKS; s = s + 1) begin : g_of
            assign bank_slot[(b*STACKS + s)*SLOT_WIDTH +: SLOT_WIDTH] = slot[(s*BEAT + E)*SLOT_WIDTH +: SLOT_WIDTH];
        end
        assign push_kind[b*2 +: 2]         = load_kind_q[E*2 +: 2];
        assign push_q_r[b*QBITS +: QBITS]  = load_q_r_q[E*QBITS +: QBITS];
        assign push_q_v[b*QBITS +: QBITS]  = load_q_v_q[E*QBITS +: QBITS];
    end
    for (e = 0; e < BEAT; e = e + 1) begin : g_refused
        wire [BANKS/BEAT-1:0] refusals;
        reg refused_q;
        for (b = 0; b < BANKS / BEAT; b = b + 1) begin : g_by
            assign refusals[b] = push[b*BEAT + e] && push_full[b*BEAT + e];
        end
        always @(posedge clk) refused_q <= |refusals;
        assign load_refused[e] = refused_q;
    end
    for (g = 0; g < GROUPS; g = g + 1) begin : g_group
        rlc_gae_group #(
            .ROWS(SPAN), .BANKS(GROUP_BANKS), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE),
            .QBITS(QBITS), .OUT_BITS(OUT_BITS), .STACKS(STACKS), .TRACE(TRACE)
        ) u_group (
            .*, .slot(bank_slot[g*GROUP_BANKS*STACKS*SLOT_WIDTH +: GROUP_BANKS*STACKS*SLOT_WIDTH]),
            .push(push[g*GROUP_BANKS +: GROUP_BANKS]),
            .push_kind(push_kind[g*GROUP_BANKS*2 +: GROUP_BANKS*2]),
            .push_q_r(push_q_r[g*GROUP_BANKS*QBITS +: GROUP_BANKS*QBITS]),
            .push_q_v(push_q_v[g*GROUP_BANKS*QBITS +: GROUP_BANKS*QBITS]),
            .push_full(push_full[g*GROUP_BANKS +: GROUP_BANKS]),
            .loaded(group_loaded[g]), .no_boot(group_no_boot[g]),
            .read(read[g*GROUP_BANKS +: GROUP_BANKS]),
            .idle(group_idle[g]), .wrote(wrote[g*SPAN +: SPAN]), .saturated(group_saturated[g]),
            .o_kind(o_kind[g*GROUP_BANKS*2 +: GROUP_BANKS*2]),
            .o_adv(o_adv[g*GROUP_BANKS*OUT_BITS +: GROUP_BANKS*OUT_BITS]),
            .o_rtg(o_rtg[g*GROUP_BANKS*OUT_BITS +: GROUP_BANKS*OUT_BITS])
        );
    end

    always @(posedge clk) begin
        loaded    <= |group_loaded;
        no_boot   <= |group_no_boot;
        saturated <= (|group_saturated) && running && !rst;  // what is on its way in a reset is of no run
    end

    // Counters of the run. A clock counts from the first of arming to the last write-back.
    localparam WROTE_WIDTH = $clog2(ROWS + 1);
    localparam [31:0] ROWS_32 = ROWS;
    wire [WROTE_WIDTH-1:0] wrote_count;
    rlc_popcount #(.WIDTH(ROWS)) u_wrote (.clk(clk), .rst(rst), .d(wrote), .count(wrote_count));
    wire [31:0] wrote_32 = {{(32-WROTE_WIDTH){1'b0}}, wrote_count};
    always @(posedge clk) begin
        if (rst || start) begin
            cycles <= 32'd0;
            steps  <= 32'd0;
            stalls <= 32'd0;
        end else if (running) begin
            cycles <= cycles + 32'd1;
            steps  <= steps + wrote_32;
            stalls <= stalls + ROWS_32 - wrote_32;
        end
    end

    rlc_gae_readout #(.BANKS(BANKS), .INTERLEAVE(INTERLEAVE), .OUT_BITS(OUT_BITS), .BEAT(BEAT)) u_readout (
        .*, .start(read_start), .abort(read_abort), .busy(reading)
    );
    reg reading_q;
    always @(posedge clk) reading_q <= reading && !rst;
    assign emptied = reading_q && !reading && !cut;
    wire unused = &{1'b0, load_at, run_at, read_at, drop_at};
endmodule
`default_nettype wire
