// rlc_learner_critic_input_grad.sv — DDPG: the way of the actor's gradient through the critic, da = d(delta Q)/da at (s, mu(s)).
// SPDX-License-Identifier: Apache-2.0
//
//   (s, mu(s)) -> FW 1 -> ... -> FW M-1          only the hidden layers: the value of Q is not needed
//                  | mask           | mask
//   da <- BW 1 <- BW 2 <- ...   <- BW M <- delta  the constant cfg_pass_delta for every column that holds a sample
//
// idle, batch_slices, updated   batch k waits for update k (cfg_lag = 1) or k + 1 (cfg_lag = 0) of the critic
// bus           weight bus of the critic: this module keeps its own copy of the weights
// s_x_*         words of (s, mu(s)): those of s, then those of a
// s_info_*      a bit a column and batch slice: it holds a sample
// m_da_*        words of da
// sat, busy, waiting   {BW 4..1, FW 4..1}; acc_overflow: words with a sum near the end of its range
// equation      Meng et al. (2022), section 3.2.3, "Actor-Critic"
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_critic_input_grad #(
    `include "rlc_learner_parameters.vh"
    `include "rlc_learner_network.vh"
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             idle,
    input  wire [16:0]                      batch_slices,
    input  wire                             updated,
    input  wire                             cfg_lag,
    input  wire [24:0]                      cfg_act_frac,
    `RLC_LEARNER_PASS_SETTINGS(input wire, `RLC_COMMA),
    output wire                             cfg_ok,
    input  wire [LAYERS*BUS-1:0]            bus,

    `RLC_STREAM_SLAVE(s_x, WORD),
    `RLC_STREAM_SLAVE(s_info, DP),
    `RLC_STREAM_MASTER(m_da, WORD),
    output wire [8*8-1:0]                   sat,
    output wire [7:0]                       busy,
    output wire [7:0]                       waiting,
    output wire [7:0]                       acc_overflow
);
    `include "rlc_learner_defs.vh"

    localparam M       = LAYERS;
    localparam WORDS_S = words(field(acting(SIZES), 0), field(LANES, 0));    // words of s in an input vector
    localparam PERIOD  = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);
    localparam ANSWER  = 16;              // clocks from a batch slice's last mask to its delta, about
    `RLC_CHECK(M >= 2 && field(SIZES, M) == 1, rlc_learner_critic_input_grad_illegal_the_critic_needs_a_hidden_layer_and_one_output)

    // A batch slice's delta may start when the last hidden layer has left all its masks.
    reg  [9:0] ready_q;
    wire       arrived, top_ready;
    wire       top_valid = s_info_valid && ready_q != 10'd0;
    wire       start     = top_valid && top_ready;
    assign s_info_ready  = top_ready && ready_q != 10'd0;
    always @(posedge clk)
        if (rst) ready_q <= 10'd0;
        else     ready_q <= ready_q + {9'd0, arrived} - {9'd0, start};

    localparam LM = field(LANES, M);
    wire [DP*LM*ACT_WIDTH-1:0] top_data;
    wire [M:1] ok, overflow_at;
    assign cfg_ok = &ok;

    genvar l;
    genvar e;
    for (e = 0; e < DP * LM; e = e + 1) begin : g_top
        assign top_data[e*ACT_WIDTH +: ACT_WIDTH]
            = (e % LM == 0 && s_info_data[e/LM]) ? cfg_pass_delta : {ACT_WIDTH{1'b0}};
    end

    // What flows against the order of the layers: Yosys only follows references to what stands further up.
    for (l = 1; l <= M; l = l + 1) begin : g_delta
        `RLC_STREAM_WIRES(d, DP*field(LANES, l)*ACT_WIDTH);
        wire mask_room;   // for the mask of the words that enter layer l
    end

    for (l = 1; l <= M; l = l + 1) begin : g_layer
        localparam LJ = field(LANES, l);
        localparam LI = field(LANES, l-1);
        localparam WJ = words(field(SIZES, l), LJ);
        localparam WI = words(field(SIZES, l-1), LI);
        localparam JB = field(UPDATE_ROWS, l-1);
        localparam IB = field(UPDATE_COLS, l-1);
        localparam U  = JB * IB;
        localparam KEEP = between(LANES, l, PERIOD, ANSWER);
        localparam [7:0] WF = WEIGHT_FRAC;

        wire                       bus_valid;
        wire `RLC_NN_WEIGHT_ADDR    bus_addr;
        wire [BUS-1:`RLC_NN_WEIGHT_BUS_DATA] bus_wide;
        assign {bus_wide, bus_valid, bus_addr} = bus[(l-1)*BUS +: BUS];
        wire [U*WEIGHT_WIDTH-1:0]  bus_data = bus_wide[`RLC_NN_WEIGHT_BUS_DATA +: U*WEIGHT_WIDTH];

        wire [4:0] fa_in  = cfg_act_frac[5*(l-1) +: 5];
        wire [4:0] fa_out = cfg_act_frac[5*l +: 5];
        wire [4:0] fp_in  = cfg_pass_frac[5*(l-1) +: 5];
        wire [4:0] fp_out = cfg_pass_frac[5*l +: 5];
        reg  [7:0] forward_shift_q, back_shift_q;
        always @(posedge clk) begin
            forward_shift_q <= WF + {3'd0, fa_in} - {3'd0, fa_out};
            back_shift_q    <= WF + {3'd0, fp_out} - {3'd0, fp_in};
        end
        assign ok[l] = (l == M || forward_shift_q < 8'd48) && back_shift_q < 8'd48;

        // Forward, hidden layers only. What leaves the last one only leaves its mask.
        if (l < M) begin : g_forward
            wire                       x_valid, x_ready, y_valid, y_ready, y_kind;
            wire [DP*LI*ACT_WIDTH-1:0] x_data;
            wire [DP*LJ*ACT_WIDTH-1:0] y_data;
            wire [DP*LJ-1:0]           y_sat;
            rlc_nn_forward #(
                .DP(DP), .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(field(FORWARD, l-1)), .WORDS_IN(WI),
                .WORDS_OUT(WJ), .JB(JB), .IB(IB), .RELU(1), .OUT_WIDTH(ACT_WIDTH), .WEIGHT_WIDTH(WEIGHT_WIDTH),
                .X_WIDTH(ACT_WIDTH)
            ) u_forward (
                .*, .initial_open(cfg_lag), .vectors(batch_slices), .cfg_bias_shift(fa_in), .cfg_shift(forward_shift_q[5:0]),
                `RLC_STREAM_JOIN(s, x), .s_kind(1'b0), `RLC_STREAM_JOIN(m, y), .m_kind(y_kind), .saturated(y_sat),
                .acc_overflow(overflow_at[l]), .busy(busy[l-1]), .waiting(waiting[l-1])
            );
            rlc_popcount #(.WIDTH(DP * LJ), .COUNT_WIDTH(8)) u_count (.clk(clk), .rst(rst), .d(y_sat), .count(sat[8*(l-1) +: 8]));
            wire unused = &{1'b0, y_kind};

            wire [DP*LJ-1:0] positive;
            for (e = 0; e < DP * LJ; e = e + 1) begin : g_mask
                assign positive[e] = |y_data[e*ACT_WIDTH +: ACT_WIDTH];
            end

            if (l == 1) begin : g_from_input
                `RLC_STREAM_ASSIGN(x, s_x);
            end else begin : g_from_layer
                assign x_valid = g_layer[l-1].g_forward.y_valid && g_delta[l].mask_room;
                assign x_data  = g_layer[l-1].g_forward.y_data;
                assign g_layer[l-1].g_forward.y_ready = x_ready && g_delta[l].mask_room;
            end
            if (l == M - 1) begin : g_last
                wire step = y_valid && y_ready;
                wire last;
                assign y_ready = g_delta[M].mask_room;
                assign arrived = step && last;
                rlc_mod_counter #(.COUNT(WJ)) u_word (.*, .restart(rst), .at());
            end
        end else begin : g_none
            assign overflow_at[l]     = 1'b0;
            assign busy[l-1]    = 1'b0;
            assign waiting[l-1] = 1'b0;
            assign sat[8*(l-1) +: 8] = 8'd0;
        end

        // Backward: through every layer, down to the action.
        if (l == M) begin : g_from_top
            `RLC_STREAM_ASSIGN(g_delta[l].d, top);
        end

        if (1) begin : g_back
            wire                       mask_valid, mask_take, b_valid, b_ready;
            wire [DP*LI-1:0]           mask_data;
            wire [DP*LI*ACT_WIDTH-1:0] b_data;
            wire [DP*LI-1:0]           b_sat;
            if (l > 1) begin : g_mask
                rlc_fifo #(.WIDTH(DP * LI), .DEPTH(KEEP * WI), .STYLE("distributed")) u_mask (
                    .clk(clk), .rst(rst),
                    .s_valid(g_layer[l-1].g_forward.y_valid && g_layer[l-1].g_forward.y_ready),
                    .s_ready(g_delta[l].mask_room), .s_data(g_layer[l-1].g_forward.positive),
                    .m_valid(mask_valid), .m_ready(mask_take), .m_data(mask_data), .count()
                );
                `RLC_STREAM_ASSIGN(g_delta[l-1].d, b);
            end else begin : g_open
                assign g_delta[l].mask_room = 1'b1;
                assign mask_valid = 1'b1;
                assign mask_data  = {(DP*LI){1'b1}};
                assign b_ready    = m_da_ready;
                wire unused = &{1'b0, g_delta[l].mask_room, mask_take};
            end
            rlc_nn_backward #(
                .DP(DP), .LANES_IN(LJ), .LANES_OUT(LI), .GROUPS(l == 1 ? 1 : field(BACKWARD, l-1)), .WORDS_IN(WJ),
                .WORDS_OUT(l == 1 ? WI - WORDS_S : WI), .JB(JB), .IB(IB), .FIRST(l == 1 ? WORDS_S : 0),
                .MASK(l == 1 ? 0 : 1), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
            ) u_backward (
                .*, .cfg_shift(back_shift_q[5:0]), `RLC_STREAM_JOIN(s, g_delta[l].d), .s_mask_valid(mask_valid),
                .s_mask_ready(mask_take), .s_mask_data(mask_data), `RLC_STREAM_JOIN(m, b), .saturated(b_sat),
                .busy(busy[4+l-1]), .waiting(waiting[4+l-1])
            );
            rlc_popcount #(.WIDTH(DP * LI), .COUNT_WIDTH(8)) u_count (.clk(clk), .rst(rst), .d(b_sat), .count(sat[8*(4+l-1) +: 8]));
        end
    end
    for (l = M; l < 4; l = l + 1) begin : g_absent
        assign {busy[l], busy[4+l], waiting[l], waiting[4+l]} = 4'd0;
        assign sat[8*l +: 8]     = 8'd0;
        assign sat[8*(4+l) +: 8] = 8'd0;
    end
    assign m_da_valid = g_layer[1].g_back.b_valid;
    assign m_da_data  = g_layer[1].g_back.b_data;
    rlc_popcount #(.WIDTH(M), .COUNT_WIDTH(8)) u_count_range (.clk(clk), .rst(rst), .d(overflow_at), .count(acc_overflow));
endmodule
`default_nettype wire
