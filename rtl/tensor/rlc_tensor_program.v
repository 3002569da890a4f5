// rlc_tensor_program.v — keeps programs, and hands their steps to the units: what they drop comes from the fractions of now.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          a step of a program is written; not while busy
// start        the program at `entry` begins; busy until its END. What END does not wait for may go on behind it
// rest         {vector, update, matrix}: the units have nothing to do. A step waits for the first two if its field `wait` says
//              so. Fractions move when all three rest: then all is told
// done         a command of the matrix unit has its last result; drained: none of its outputs is on its way to vectors. A step
//              waits until no more than `lag` commands are not done, unless lag is 15
// now, previous, fractions_rest, move, limit*   rlc_tensor_fractions
// misfit       a step would drop less than nothing, or more than 63 bits: what it gives means nothing
// m_*, u_*, v_*   commands for the matrix, update and vector units, valid/ready
// slot, rates  the settings that an update takes: rates are those of the slot in that clock. They go beside u_* as u_rates
// throughput   a step in 5 clocks, if nothing is waited for. QUEUE commands of each unit wait in front of it
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_program #(
    parameter STEPS = 512, // steps of all programs, at most 4,096
    parameter QUEUE = 8,   // commands that wait in front of a unit
    parameter RATES = `RLC_TENSOR_TAKEN, // bits of an update's settings
    parameter COUNT = 64   // fractions
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 s_valid,
    input  wire [11:0]          s_address,
    input  wire [`RLC_TENSOR_STEP-1:0] s_data,
    input  wire                 start,
    input  wire [11:0]          entry,
    output reg                  busy,
    input  wire [2:0]           rest,
    input  wire                 done,
    input  wire                 drained,
    input  wire [COUNT*6-1:0]   now,
    input  wire [COUNT*6-1:0]   previous,
    input  wire                 fractions_rest,
    output reg                  move,
    output reg                  limit,
    output wire [5:0]           limit_id,
    output wire [5:0]           limit_to,
    output wire                 misfit,
    `RLC_STREAM_MASTER(m, `RLC_TENSOR_COMMAND),
    `RLC_STREAM_MASTER(u, `RLC_TENSOR_UPDATE),
    output wire [1:0]           slot,
    input  wire [RATES-1:0]     rates,
    output wire [RATES-1:0]     u_rates,
    `RLC_STREAM_MASTER(v, `RLC_TENSOR_VECTOR)
);
    `RLC_CHECK(STEPS >= 2 && STEPS <= 4096, rlc_tensor_program_illegal_STEPS_must_be_2_to_4096)
    localparam ADDR = $clog2(STEPS);
    localparam [2:0] IDLE = 0, READ = 1, LATCH = 2, ADD = 3, WAIT = 4, SETTLE = 5;

    reg  [2:0]      state_q, gap_q;
    reg  [ADDR-1:0] at_q;
    reg             starts_q;
    wire [`RLC_TENSOR_STEP-1:0] word;
    reg  [`RLC_TENSOR_STEP-1:0] c_q;
    rlc_ram_1r1w #(.WIDTH(`RLC_TENSOR_STEP), .DEPTH(STEPS), .READ_LATENCY(2), .READ_ANY(1)) u_steps (
        .clk(clk), .wr_en(s_valid), .wr_addr(s_address[ADDR-1:0]), .wr_data(s_data), .rd_en(1'b1), .rd_addr(at_q), .rd_data(word)
    );

    // What is dropped: fractions of now, and how far one has moved.
    wire [2:0]        unit = c_q[`RLC_TENSOR_STEP_UNIT];
    wire signed [7:0] k    = c_q[`RLC_TENSOR_STEP_K];
    wire [5:0]        p    = now[c_q[`RLC_TENSOR_STEP_P] * 6 +: 6];
    wire [5:0]        q    = now[c_q[`RLC_TENSOR_STEP_Q] * 6 +: 6];
    wire [5:0]        r    = now[c_q[`RLC_TENSOR_STEP_R] * 6 +: 6];
    wire [5:0]        was  = previous[c_q[`RLC_TENSOR_STEP_Q] * 6 +: 6];
    reg  signed [8:0] sum_q;
    reg  [5:0]        q_q, by_q;
    always @(posedge clk) begin
        sum_q <= k + $signed({3'd0, p}) + $signed({3'd0, q}) - $signed({3'd0, r});
        q_q   <= q;
        by_q  <= q - was;
    end
    wire signed [8:0] sum = sum_q;
    assign limit_id = c_q[`RLC_TENSOR_STEP_ID];
    assign limit_to = (sum < 0) ? 6'd0 : (sum > 9'sd63) ? 6'd63 : sum[5:0];

    // The command of each unit.
    wire [`RLC_TENSOR_COMMAND-1:0] body = c_q[`RLC_TENSOR_STEP_BODY];
    reg  [`RLC_TENSOR_COMMAND-1:0] command;
    reg  [`RLC_TENSOR_UPDATE-1:0]  update;
    reg  [`RLC_TENSOR_VECTOR-1:0]  vector;
    wire rescales = unit == `RLC_TENSOR_RESCALE;
    always @* begin
        command = body[`RLC_TENSOR_COMMAND-1:0];
        update  = body[`RLC_TENSOR_UPDATE-1:0];
        vector  = body[`RLC_TENSOR_VECTOR-1:0];
        command[`RLC_TENSOR_COMMAND_SHIFT]      = sum[5:0];
        command[`RLC_TENSOR_COMMAND_BIAS_SHIFT] = q_q[4:0];
        update[`RLC_TENSOR_UPDATE_GRAD_FRAC]    = rescales ? by_q : sum[5:0];
        vector[`RLC_TENSOR_VECTOR_SHIFT]        = sum[5:0];
    end
    wire m_room, u_room, v_room;
    wire waits  = state_q == WAIT;
    reg  [4:0] behind_q;                             // commands of the matrix unit that are not done
    wire [3:0] lag    = c_q[`RLC_TENSOR_STEP_LAG];
    wire       caught = lag == 4'd15 || (behind_q <= {1'b0, lag} && drained);
    wire       clear  = caught && (c_q[`RLC_TENSOR_STEP_WAIT] & ~{rest[2] && !v_valid, rest[1] && !u_valid}) == 2'd0
                   && (unit != `RLC_TENSOR_MOVE || (rest[0] && !m_valid)) && gap_q == 3'd0;
    wire to_m   = waits && clear && unit == `RLC_TENSOR_MATRIX;
    wire to_v   = waits && clear && unit == `RLC_TENSOR_HEAD;
    wire skips  = rescales && by_q == 6'd0;
    wire to_u   = waits && clear && (unit == `RLC_TENSOR_UPDATE_LAYER || (rescales && !skips));
    wire ends   = waits && clear && unit == `RLC_TENSOR_END;
    wire goes   = (to_m && m_room) || (to_v && v_room) || (to_u && u_room) || (waits && skips)
               || (waits && clear && (unit == `RLC_TENSOR_MOVE || unit == `RLC_TENSOR_LIMIT));
    assign misfit = (sum < 0 || sum > 9'sd63) && ((to_m && m_room) || (to_v && v_room) || (to_u && u_room && !rescales));
    assign slot   = c_q[`RLC_TENSOR_STEP_RATES];

    rlc_fifo #(.WIDTH(`RLC_TENSOR_COMMAND), .DEPTH(QUEUE)) u_matrix (
        .clk(clk), .rst(rst), .s_valid(to_m), .s_ready(m_room), .s_data(command), `RLC_STREAM_JOIN(m, m), .count()
    );
    rlc_fifo #(.WIDTH(`RLC_TENSOR_VECTOR), .DEPTH(QUEUE)) u_vector (
        .clk(clk), .rst(rst), .s_valid(to_v), .s_ready(v_room), .s_data(vector), `RLC_STREAM_JOIN(m, v), .count()
    );
    rlc_fifo #(.WIDTH(RATES + `RLC_TENSOR_UPDATE), .DEPTH(QUEUE)) u_update (
        .clk(clk), .rst(rst), .s_valid(to_u), .s_ready(u_room), .s_data({rates, update}),
        .m_valid(u_valid), .m_ready(u_ready), .m_data({u_rates, u_data}), .count()
    );

    always @(posedge clk) begin
        move  <= waits && clear && unit == `RLC_TENSOR_MOVE && !rst;
        limit <= waits && clear && unit == `RLC_TENSOR_LIMIT && !rst;
        behind_q <= rst ? 5'd0 : behind_q + {4'd0, to_m && m_room} - {4'd0, done};
        // A unit is busy a few clocks after its command has left; told counts are with the fractions by then, too.
        gap_q <= rst ? 3'd0 : goes ? 3'd4 : gap_q - {2'd0, gap_q != 3'd0};
        if (rst) begin
            state_q <= IDLE;
            busy    <= 1'b0;
        end else case (state_q)
            IDLE:   if (start) begin
                        state_q <= SETTLE;
                        busy    <= 1'b1;
                    end
            READ:   state_q <= LATCH;
            LATCH:  state_q <= ADD;
            ADD:    state_q <= WAIT;
            WAIT:   if (ends) begin
                        state_q <= IDLE;
                        busy    <= 1'b0;
                    end else if (goes) begin
                        state_q <= SETTLE;
                    end
            // The step behind a move reads fractions that have moved.
            default: if (fractions_rest && gap_q == 3'd0 || unit != `RLC_TENSOR_MOVE || starts_q) state_q <= READ;
        endcase
        starts_q <= state_q == IDLE;
        if (state_q == LATCH)                  c_q  <= word;
        if (state_q == IDLE)                   at_q <= entry[ADDR-1:0];
        else if (state_q == WAIT && goes)      at_q <= at_q + 1'b1;
    end
    wire unused = &{1'b0, s_address, entry, q_q[5]};
endmodule
`default_nettype wire
