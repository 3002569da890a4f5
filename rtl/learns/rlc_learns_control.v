// rlc_learns_control.v — from reset on: loads the first weights, starts, reports iterations, and sends weights when asked.
// SPDX-License-Identifier: Apache-2.0
//
// idle, start, resume, halt, rate_restart, host_*, load_*, read_*   to and from rlc_ppo; the ROM has parameter bank 0 of the actor, then
//              of the critic; all other parameter banks begin as zeros
// clear        pulse: a run begins
// asked        pulse: the actor's weights are wanted. It ends the present iteration, sends them, and goes on
// title, line  to rlc_learns_text: the title, numbers
// take, scored, episodes, returns, mean   to and from rlc_learns_score
// report       the title, then one line per iteration: its number, episodes, returns, mean, clocks of learning since the
//              start; and when asked one line per weight, 27 bits without a sign
`default_nettype none
module rlc_learns_control #(
    parameter ACTOR  = 4,                   // words of a parameter bank of the actor
    parameter CRITIC = 4,                   // .. and of the critic
    parameter [19:0] DIGITS = 20'h12345,    // of iteration, episodes, returns, mean and clocks, the first one highest
    parameter [3:0]  WEIGHT_DIGITS = 4'd9,  // of a weight
    parameter ADDRESS = $clog2(ACTOR + CRITIC)  // derived; leave it alone
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               idle,
    output wire               clear,
    output wire               start,
    output wire               resume,
    output wire               halt,
    output wire               rate_restart,
    input  wire               ev_iteration,
    input  wire [31:0]        iteration,
    output wire               host_start,
    output wire               host_read,
    output wire               host_network,
    output wire [1:0]         host_param_bank,
    input  wire               host_busy,
    output reg  [ADDRESS-1:0] rom_address,
    input  wire [26:0]        rom_data,
    output wire               load_valid,
    input  wire               load_ready,
    output wire [63:0]        load_data,
    input  wire               read_valid,
    output wire               read_ready,
    input  wire [63:0]        read_data,
    input  wire               asked,
    output wire               take,
    input  wire               scored,
    input  wire [15:0]        episodes,
    input  wire [23:0]        returns,
    input  wire [15:0]        mean,
    output wire               title,
    input  wire               text_ready,
    output wire               line_valid,
    input  wire               line_ready,
    output wire [39:0]        line_data,
    output wire [3:0]         line_digits,
    output wire               line_last
);
    localparam WAKE = 0, OPEN = 1, LOAD = 2, FULL = 3, TITLE = 4, START = 5, RUN = 6, STOP = 7, ASK = 8, TELL = 9, RESUME = 10;
    localparam STATES = 11;
    localparam [31:0] ACTOR_32 = ACTOR, ALL_32 = ACTOR + CRITIC;
    reg  [STATES-1:0] at_q;             // one-hot
    reg  [2:0]        param_bank_q;          // actor 0, 2, 3, critic 0, 2, 3
    reg  [2:0]        wait_q;           // clocks until the ROM has answered, and until the networks have heard
    wire              waited = wait_q == 3'd0;
    wire              actor  = param_bank_q < 3'd3;
    wire [31:0]       end_of = actor ? ACTOR_32 : ALL_32;
    wire              loads  = load_valid && load_ready;
    wire              full   = loads && {{32-ADDRESS{1'b0}}, rom_address} == end_of - 32'd1;
    wire              told;             // nothing waits to be said
    reg               asked_q;

    always @(posedge clk)
        if (rst) at_q <= 11'd1 << WAKE;
        else begin
            if (at_q[WAKE] && waited && idle)                at_q <= 11'd1 << OPEN;
            if (at_q[OPEN])                                  at_q <= 11'd1 << LOAD;
            if (at_q[LOAD] && full)                          at_q <= 11'd1 << FULL;
            if (at_q[FULL] && waited && !host_busy)          at_q <= (param_bank_q == 3'd5) ? 11'd1 << TITLE : 11'd1 << OPEN;
            if (at_q[TITLE] && text_ready)                   at_q <= 11'd1 << START;
            if (at_q[START])                                 at_q <= 11'd1 << RUN;
            if (at_q[RUN] && asked_q)                        at_q <= 11'd1 << STOP;
            if (at_q[STOP] && waited && idle && told)        at_q <= 11'd1 << ASK;
            if (at_q[ASK])                                   at_q <= 11'd1 << TELL;
            if (at_q[TELL] && waited && !host_busy && told)  at_q <= 11'd1 << RESUME;
            if (at_q[RESUME])                                at_q <= 11'd1 << RUN;
        end
    always @(posedge clk) begin
        if (rst || loads || (at_q[RUN] && asked_q) || |{at_q[OPEN], at_q[ASK], ev_iteration}) wait_q <= 3'd7;
        else if (!waited) wait_q <= wait_q - 3'd1;
        if (at_q[WAKE])                          param_bank_q <= 3'd0;
        else if (at_q[FULL] && waited && !host_busy) param_bank_q <= param_bank_q + 3'd1;
        if (at_q[OPEN])  rom_address <= actor ? {ADDRESS{1'b0}} : ACTOR_32[ADDRESS-1:0];
        else if (loads)  rom_address <= rom_address + 1'b1;
        asked_q <= !rst && !at_q[ASK] && (asked_q || asked);
    end

    assign clear           = at_q[START];
    assign start           = at_q[START];
    assign rate_restart    = at_q[TITLE] && text_ready;
    assign resume          = at_q[RESUME];
    assign halt            = at_q[RUN] && asked_q;
    assign title           = at_q[TITLE] && text_ready;
    assign host_start      = at_q[OPEN] || at_q[ASK];
    assign host_read       = at_q[ASK] || at_q[TELL];
    assign host_network    = actor || host_read;    // numbers of networks: rlc_ppo_words.vh
    assign host_param_bank = (host_read || param_bank_q == 3'd0 || param_bank_q == 3'd3) ? 2'd0 : (param_bank_q == 3'd1 || param_bank_q == 3'd4) ? 2'd2 : 2'd3;
    assign load_valid      = at_q[LOAD] && waited;
    assign load_data       = (host_param_bank == 2'd0) ? {{37{rom_data[26]}}, rom_data} : 64'd0;

    // An iteration's line. The score stands still until the next one ends, which is later than the line's end.
    reg  [39:0] clocks_q, then_q;
    reg  [4:0]  remaining_q;            // numbers of the line to go, one-hot; 0: none
    reg         scores_q;
    wire        numbers = remaining_q != 5'd0;
    assign take = ev_iteration;
    assign told = !scores_q && !numbers && text_ready;
    always @(posedge clk) begin
        if (clear)          clocks_q <= 40'd0;
        else if (!idle)     clocks_q <= clocks_q + 40'd1;
        if (ev_iteration)   then_q <= clocks_q;
        scores_q <= !rst && !clear && (ev_iteration || (scores_q && !scored));
        if (rst || clear)   remaining_q <= 5'd0;
        else if (scored)    remaining_q <= 5'b10000;
        else if (line_ready && numbers) remaining_q <= remaining_q >> 1;
    end
    rlc_assert_never u_line (.clk(clk), .rst(rst), .bad(ev_iteration && (scores_q || numbers)));

    // ROM-less: the number, and below it how long it is.
    assign line_valid  = numbers || (at_q[TELL] && read_valid);
    assign read_ready  = at_q[TELL] && !numbers && line_ready;
    assign line_last   = !numbers || remaining_q[0];
    assign line_data   = remaining_q[4] ? {8'd0, iteration} : remaining_q[3] ? {24'd0, episodes} :
                         remaining_q[2] ? {16'd0, returns} : remaining_q[1] ? {24'd0, mean} : remaining_q[0] ? then_q : {13'd0, read_data[26:0]};
    assign line_digits = remaining_q[4] ? DIGITS[19:16] : remaining_q[3] ? DIGITS[15:12] : remaining_q[2] ? DIGITS[11:8] :
                         remaining_q[1] ? DIGITS[7:4] : remaining_q[0] ? DIGITS[3:0] : WEIGHT_DIGITS;
    wire unused = &{1'b0, read_data[63:27]};
endmodule
`default_nettype wire
