"""The guard of a deployed core: range, rate of change, watchdog and a safe action between answers and actuator."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel, saturate
from rlcores.cores.mlp.shape import OUT_WIDTH, MlpShape
from rlcores.deploy.formats import Quantised
from rlcores.deploy.verilog import hexadecimal, inits
from rlcores.errors import UserError

MOST_WAIT = (1 << 16) - 1
_TOP = (1 << (OUT_WIDTH - 1)) - 1


@dataclass(frozen=True)
class Guard:
    """Settings in the core's integers; lists have a number for each action, or for each input of an observation.

    low, high: what an actuator may get. step: the most that it moves in a tick. safe: the action without a good one.
    wait: ticks without a good action, after which the safe one is aimed at. seen_low, seen_high: range of observations.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    step: tuple[int, ...]
    safe: tuple[int, ...]
    wait: int
    seen_low: tuple[int, ...]
    seen_high: tuple[int, ...]

    def __post_init__(self) -> None:
        if len({len(n) for n in (self.low, self.high, self.step, self.safe)}) != 1:
            raise UserError("the guard's lists of actions have different lengths")
        if any(low > high for low, high in zip(self.low, self.high, strict=True)):
            raise UserError("the guard's lower limit of an action is above its upper one")
        if not 1 <= self.wait <= MOST_WAIT:
            raise UserError(f"the guard waits {self.wait} ticks; it must be 1 to {MOST_WAIT}")


def settings(
    quantised: Quantised,
    observations: np.ndarray,
    *,
    step: tuple[float, ...] | None = None,
    safe: tuple[float, ...] | None = None,
    wait: int = 2,
) -> Guard:
    """A guard for a policy: limits are those of its actions, and an eighth of the span beyond what the
    observations reach.

    step: the most that an action moves in a tick, in its own units, one number or one for each (default: its whole
    range). safe: the action without a good one (default: 0, limited). wait: ticks. Raises UserError for a policy whose
    answer is an index, for actions without limits, and for lists of another length.
    """
    head, shape = quantised.policy.head, quantised.shape
    if shape.argmax:
        raise UserError("a guard limits continuous actions; this policy answers with an index")
    if not (np.isfinite(head.low).all() and np.isfinite(head.high).all()):
        raise UserError("a guard needs actions with limits, and this policy's have none")
    count, unit = shape.sizes[-1], head.gain * 2.0 ** -shape.act_fracs[-1]
    low = [_limited(math.ceil(x)) for x in (head.low - head.offset) / unit]
    high = [_limited(math.floor(x)) for x in (head.high - head.offset) / unit]
    steps = _each("step", step, count) / unit if step is not None else (head.high - head.low) / unit
    if not (steps >= 1).all():
        raise UserError(f"--guard-step is less than the least step of the core's answers, {float(unit.max()):.3g}")
    safes = _each("safe", safe if safe is not None else (0.0,), count)
    if safe is not None and not ((safes >= head.low) & (safes <= head.high)).all():
        raise UserError("--guard-safe is outside of the actions' limits")
    home = [min(max(round(x), a), b) for x, a, b in zip((safes - head.offset) / unit, low, high, strict=True)]
    integers = quantised.observations.integers(observations)
    least, most = integers.min(axis=0), integers.max(axis=0)
    margin = (most - least + 7) // 8
    seen = [saturate(x, shape.act_width) for x in (least - margin, most + margin)]
    whole = [min(math.floor(x), 2 * _TOP + 1) for x in steps]
    return Guard(
        tuple(low), tuple(high), tuple(whole), tuple(home), wait, *(tuple(int(n) for n in ends) for ends in seen)
    )


def _limited(x: int) -> int:
    return min(max(x, -_TOP - 1), _TOP)


def _each(name: str, values: tuple[float, ...], count: int) -> np.ndarray:
    if len(values) not in (1, count) or not np.isfinite(values).all():
        raise UserError(f"--guard-{name} must be 1 or {count} finite numbers")
    return np.broadcast_to(np.array(values, dtype=np.float64), (count,))


def written(guard: Guard) -> dict[str, Any]:
    """The guard for policy.json."""
    return asdict(guard)


def read(entries: Any, shape: MlpShape) -> Guard:
    """The guard from policy.json. Raises UserError if it is damaged."""
    try:
        plain = {name: tuple(int(n) for n in entries[name]) for name in Guard.__dataclass_fields__ if name != "wait"}
        guard = Guard(wait=int(entries["wait"]), **plain)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError("policy.json is damaged: its guard cannot be read") from error
    if len(guard.low) != shape.sizes[-1] or len(guard.seen_low) != shape.sizes[0]:
        raise UserError("policy.json contradicts itself: its guard is of another network")
    return guard


_MODULE = """\
// policy_guarded.v — the policy behind its guard: no output beyond its limits. Written by `rlcores deploy`.
// SPDX-License-Identifier: Apache-2.0
//
// s_obs_*     as of policy_core; s_obs_bad with a word: its sender does not trust the observation
// tick        control period: m_data moves in this clock alone
// m_data      {actions} numbers of {width} bits, the first lowest; policy.json says what they mean
// m_safe      the safe action is aimed at: an observation was bad or out of range, or no action came for too long
// s_load_*, taken, refused, loaded    as of policy_core
`default_nettype none
module policy_guarded #(
    parameter BIAS_INIT   = "{bias_init}",
    parameter NORM_INIT   = "{norm_init}",
    parameter WEIGHT_INIT = "{weight_init}",
    parameter [{act_bits}-1:0] LOW  = {low},   // limits of the actions
    parameter [{act_bits}-1:0] HIGH = {high},
    parameter [{act_bits}-1:0] STEP = {step},  // the most that each moves in a tick
    parameter [{act_bits}-1:0] SAFE = {safe},  // the action without a good one
    parameter [15:0] WAIT = 16'd{wait},  // ticks until then
    parameter [{seen_bits}-1:0] SEEN_LOW  = {seen_low},  // range of the observations
    parameter [{seen_bits}-1:0] SEEN_HIGH = {seen_high}
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_obs_valid,
    output wire        s_obs_ready,
    input  wire [{obs_bits}-1:0] s_obs_data,
    input  wire        s_obs_bad,
    input  wire        tick,
    output wire [{act_bits}-1:0] m_data,
    output wire        m_safe,
    output wire [15:0] m_waited,
    input  wire        s_load_valid,
    output wire        s_load_ready,
    input  wire [31:0] s_load_data,
    input  wire        s_load_last,
    output wire        taken,
    output wire        refused,
    output wire        loaded
);
    wire act_valid, bad;
    wire [{act_bits}-1:0] act;
    policy_core #(.BIAS_INIT(BIAS_INIT), .NORM_INIT(NORM_INIT), .WEIGHT_INIT(WEIGHT_INIT)) u_core (
        .clk(clk), .rst(rst), .s_obs_valid(s_obs_valid), .s_obs_ready(s_obs_ready), .s_obs_data(s_obs_data),
        .m_act_valid(act_valid), .m_act_ready(1'b1), .m_act_data(act), .s_load_valid(s_load_valid),
        .s_load_ready(s_load_ready), .s_load_data(s_load_data), .s_load_last(s_load_last), .taken(taken),
        .refused(refused), .loaded(loaded)
    );
    // One observation is inside at a time, so what is said of it still stands when its action comes.
    rlc_mlp_range #(.INPUTS({inputs}), .COLS({cols}), .WIDTH({act_width}), .LOW(SEEN_LOW), .HIGH(SEEN_HIGH)) u_range (
        .clk(clk), .rst(rst), .s_take(s_obs_valid && s_obs_ready), .s_bad(s_obs_bad), .s_data(s_obs_data), .bad(bad)
    );
    rlc_mlp_guard #(.COUNT({actions}), .WIDTH({width}), .WAIT_WIDTH(16)) u_guard (
        .clk(clk), .rst(rst), .cfg_low(LOW), .cfg_high(HIGH), .cfg_step(STEP), .cfg_safe(SAFE), .cfg_wait(WAIT),
        .tick(tick), .s_valid(act_valid), .s_bad(bad), .s_data(act), .m_data(m_data), .m_safe(m_safe),
        .m_waited(m_waited)
    );
endmodule
`default_nettype wire
"""

_BENCH = """\
// tb_guard.v — policy_guarded with observations that are late, bad and out of range. Written by `rlcores deploy`.
// SPDX-License-Identifier: Apache-2.0
//
// In every clock the outputs must be within their limits, and must be what a plain description of the guard makes of
// the recorded answers. Ticks come at random. The bench counts what it has seen of each case.
`timescale 1ns / 1ps
module tb_guard;
    localparam COUNT   = {count};    // observations
    localparam WORDS   = {words};
    localparam OBS     = {obs_bits};
    localparam ACTIONS = {actions};
    localparam ACT     = {act_bits};
    localparam WAIT    = {wait};
    localparam LATENCY = {latency};
    localparam signed [ACT-1:0] LOW = {low}, HIGH = {high}, STEP = {step}, SAFE = {safe};

    reg clk = 1'b0;
    always #5 clk = !clk;
    reg rst = 1'b1;
    reg [OBS-1:0] observations [0:COUNT*WORDS-1];
    reg [ACT-1:0] answers [0:COUNT-1];
    reg           outside [0:COUNT-1];   // an element is outside of the range
    initial begin
        $readmemh("guard_observations.hex", observations);
        $readmemh("guard_answers.hex", answers);
        $readmemh("guard_outside.hex", outside);
    end

    reg            obs_valid = 1'b0, obs_bad = 1'b0, tick = 1'b0;
    reg  [OBS-1:0] obs_data = {{OBS{{1'b0}}}};
    wire           obs_ready, load_ready, safe, taken, refused, loaded;
    wire [ACT-1:0] data;
    wire [15:0]    waited;
    policy_guarded dut (
        .clk(clk), .rst(rst), .s_obs_valid(obs_valid), .s_obs_ready(obs_ready), .s_obs_data(obs_data),
        .s_obs_bad(obs_bad), .tick(tick), .m_data(data), .m_safe(safe), .m_waited(waited), .s_load_valid(1'b0),
        .s_load_ready(load_ready), .s_load_data(32'd0), .s_load_last(1'b0), .taken(taken), .refused(refused),
        .loaded(loaded)
    );

    reg  [31:0] lfsr = 32'h00c0ffee;
    wire [31:0] lfsr_next = {{lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]}};

    // The plain description.
    integer value [0:ACTIONS-1];
    integer aim [0:ACTIONS-1];
    integer lows [0:ACTIONS-1];
    integer highs [0:ACTIONS-1];
    integer steps [0:ACTIONS-1];
    integer safes [0:ACTIONS-1];
    integer ticks = 0, i, delta;
    reg     bad = 1'b1, mistrusted = 1'b0, current_bad = 1'b0, aims_safe;

    integer clocks = 0, at = 0, word = 0, due = 0, pause = 0, done = 0, wrong = 0, beyond = 0;
    integer lates = 0, bads = 0, outsides = 0, slow = 0, moves = 0;

    function integer field(input [ACT-1:0] of, input integer n);
        field = $signed(of[n*{width} +: {width}]);
    endfunction
    function integer steps_of(input [ACT-1:0] of, input integer n);
        steps_of = {{1'b0, of[n*{width} +: {width}]}};
    endfunction
    initial
        for (i = 0; i < ACTIONS; i = i + 1) begin
            lows[i]  = field(LOW, i);
            highs[i] = field(HIGH, i);
            safes[i] = field(SAFE, i);
            steps[i] = steps_of(STEP, i);
            value[i] = field(SAFE, i);
            aim[i]   = field(SAFE, i);
        end

    always @(posedge clk) begin
        lfsr <= {{lfsr_next[27:0], lfsr[31:28]}} ^ lfsr_next;
        clocks = clocks + 1;
        rst <= clocks < 4;
        if (clocks > 8) begin
            // What stands at the outputs.
            aims_safe = bad || ticks >= WAIT;
            for (i = 0; i < ACTIONS; i = i + 1) begin
                if (field(data, i) < lows[i] || field(data, i) > highs[i]) beyond = beyond + 1;
                if (field(data, i) != value[i]) wrong = wrong + 1;
            end
            if (safe !== aims_safe) wrong = wrong + 1;
            // What this clock does: a tick moves towards the aim that stands.
            if (tick) begin
                for (i = 0; i < ACTIONS; i = i + 1) begin
                    delta = (aims_safe ? safes[i] : aim[i]) - value[i];
                    if (delta > steps[i] || -delta > steps[i]) slow = slow + 1;
                    if (delta > steps[i]) delta = steps[i];
                    if (delta < -steps[i]) delta = -steps[i];
                    if (delta != 0) moves = moves + 1;
                    value[i] = value[i] + delta;
                end
                if (ticks < WAIT) begin
                    ticks = ticks + 1;
                    if (ticks == WAIT) lates = lates + 1;
                end
            end
            // An answer comes, LATENCY clocks behind the last word of its observation.
            if (due == 1) begin
                bad = current_bad;
                if (!bad) begin
                    ticks = 0;
                    for (i = 0; i < ACTIONS; i = i + 1) begin
                        aim[i] = field(answers[at], i);
                        if (aim[i] < lows[i]) aim[i] = lows[i];
                        if (aim[i] > highs[i]) aim[i] = highs[i];
                    end
                end
                at = (at == COUNT - 1) ? 0 : at + 1;
                done = done + 1;
            end
            if (due > 0) due = due - 1;
            if (obs_valid && obs_ready) begin
                mistrusted = mistrusted || obs_bad;
                if (word == WORDS - 1) begin
                    current_bad = mistrusted || outside[at];
                    if (mistrusted) bads = bads + 1;
                    if (outside[at]) outsides = outsides + 1;
                    mistrusted = 1'b0;
                    word = 0;
                    due = LATENCY;
                    pause = (lfsr[7:4] == 4'd0) ? 60 * WAIT : {{29'd0, lfsr[10:8]}};
                end else word = word + 1;
            end else if (pause > 0 && due == 0) pause = pause - 1;
            if ((obs_valid && obs_ready) || !obs_valid) begin
                obs_valid <= due == 0 && pause == 0 && lfsr[1:0] != 2'd0;
                obs_data  <= observations[at*WORDS + word];
                obs_bad   <= lfsr[16:12] == 5'd0;
            end
            tick <= lfsr[24:20] == 5'd3;
            if (done >= 2 * COUNT) begin
                if (wrong == 0 && beyond == 0 && lates > 0 && bads > 0 && outsides > 0 && moves > 0 && slow > 0)
                    $display("guard: %0d observations, %0d late, %0d mistrusted, %0d outside, %0d limited, 0 wrong",
                             done, lates, bads, outsides, slow);
                else
                    $display("FAILED: guard, %0d wrong, %0d beyond, %0d late, %0d bad, %0d outside, %0d, %0d slow",
                             wrong, beyond, lates, bads, outsides, moves, slow);
                $finish;
            end
            if (clocks > {most}) begin
                $display("FAILED: guard, no end; %0d observations", done);
                $finish;
            end
        end
    end
endmodule
"""


def _packed(numbers: tuple[int, ...], width: int) -> str:
    """A constant of Verilog: the first number lowest."""
    whole = sum((n & ((1 << width) - 1)) << (k * width) for k, n in enumerate(numbers))
    return f"{len(numbers) * width}'h{whole:x}"


def _numbers(quantised: Quantised, guard: Guard) -> dict[str, object]:
    shape = quantised.shape
    return {
        "actions": shape.sizes[-1],
        "inputs": shape.sizes[0],
        "width": OUT_WIDTH,
        "act_width": shape.act_width,
        "cols": shape.cols,
        "words": shape.pieces(shape.sizes[0], shape.cols),
        "act_bits": OUT_WIDTH * shape.sizes[-1],
        "obs_bits": shape.cols * shape.act_width,
        "seen_bits": shape.sizes[0] * shape.act_width,
        "wait": guard.wait,
        "latency": cycles.answer(shape),
        **{name: _packed(getattr(guard, name), OUT_WIDTH) for name in ("low", "high", "step", "safe")},
        **{name: _packed(getattr(guard, name), shape.act_width) for name in ("seen_low", "seen_high")},
    }


def top(quantised: Quantised, guard: Guard, folder: str = "../mem/") -> str:
    """policy_guarded.v"""
    return _MODULE.format(**inits(quantised.shape, folder), **_numbers(quantised, guard))


def bench(quantised: Quantised, guard: Guard, integers: np.ndarray) -> dict[str, str]:
    """Files of the guard's bench by name. integers: observations that were recorded; some are pushed out of range."""
    shape, rng = quantised.shape, np.random.default_rng(1)
    x = integers[:64].copy()
    while len(x) < 16:
        x = np.concatenate([x, x])
    least, most = (np.array(n) for n in (guard.seen_low, guard.seen_high))
    ends = -(1 << (shape.act_width - 1)), (1 << (shape.act_width - 1)) - 1
    places = [i for i in range(shape.sizes[0]) if most[i] < ends[1] or least[i] > ends[0]]
    for row in range(0, len(x), 5):
        for place in rng.permutation(places)[:1]:
            x[row, place] = most[place] + 1 if most[place] < ends[1] else least[place] - 1
    outside = ((x < least) | (x > most)).any(axis=1)
    words = shape.pieces(shape.sizes[0], shape.cols)
    padded = np.full((len(x), words * shape.cols), -1, dtype=np.int64)
    padded[:, : shape.sizes[0]] = x
    numbers = _numbers(quantised, guard)
    text = _BENCH.format(
        count=len(x), most=20000 + 40 * len(x) * (cycles.answer(shape) + words + 80 * guard.wait), **numbers
    )
    if not places:  # every integer is within the range: nothing can be out of it
        text = text.replace(" && outsides > 0", "")
    if all(s >= h - low for s, h, low in zip(guard.step, guard.high, guard.low, strict=True)):
        text = text.replace(" && slow > 0", "")  # a step reaches everything
    return {
        "tb_guard.v": text,
        "guard_observations.hex": hexadecimal(padded.reshape(-1, shape.cols), shape.cols * shape.act_width),
        "guard_answers.hex": hexadecimal(MlpModel(quantised.weights).act(x), OUT_WIDTH * shape.sizes[-1]),
        "guard_outside.hex": "".join(f"{int(n)}\n" for n in outside),
    }
