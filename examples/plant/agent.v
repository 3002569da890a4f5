// agent.v — acts on every answer by a threshold, and stops the simulation where the stream breaks its contract.
// SPDX-License-Identifier: Apache-2.0
//
// The same module stands behind the room and behind rlcores' CartPoles: neither knows which.
`default_nettype none
module agent #(
    parameter OBS       = 1,   // numbers of an observation
    parameter N         = 1,   // environments that take turns
    parameter ELEMENT   = 0,   // the number it looks at: action 1 below THRESHOLD, else 0
    parameter THRESHOLD = 0
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  m_valid,
    output wire                  m_ready,
    input  wire [30+36*OBS-1:0]  m_data,
    output reg                   s_valid,
    input  wire                  s_ready,
    output reg  [17:0]           s_data,
    output reg  [31:0]           answers,
    output reg  [31:0]           ends,
    output wire signed [17:0]    looked_at
);
    wire first      = m_data[29+36*OBS];
    wire truncated  = m_data[28+36*OBS];
    wire terminated = m_data[27+36*OBS];
    wire [18*OBS-1:0] obs   = m_data[18*OBS-1:0];
    wire [18*OBS-1:0] final_obs = m_data[36*OBS-1:18*OBS];
    assign looked_at = obs[18*ELEMENT +: 18];

    // It takes an answer now and then, and only when its last action is gone.
    reg  awake;
    reg  stood;
    reg  [30+36*OBS-1:0] stood_data;
    assign m_ready = awake && !s_valid;
    wire take = m_valid && m_ready;
    always @(posedge clk) begin
        awake      <= ($random & 3) != 0;
        stood      <= m_valid && !m_ready && !rst;
        stood_data <= m_data;
        if (rst) begin
            s_valid <= 1'b0;
            answers <= 0;
            ends    <= 0;
        end else begin
            if (s_ready) s_valid <= 1'b0;
            if (take) begin
                s_valid <= 1'b1;
                s_data  <= (looked_at < THRESHOLD) ? 18'd1 : 18'd0;
                answers <= answers + 1;
                if (truncated || terminated) ends <= ends + 1;
            end
            if (stood && !(m_valid && m_data == stood_data)) $fatal(1, "%m: an answer changed before it was taken");
            if (take && first != (answers < N)) $fatal(1, "%m: answer %0d: first is %0d", answers, first);
            if (take && first && (truncated || terminated)) $fatal(1, "%m: an episode ends before it begins");
            if (take && !(truncated || terminated) && final_obs != obs)
                $fatal(1, "%m: the next observation is another one though no episode ended");
        end
    end
endmodule
`default_nettype wire
