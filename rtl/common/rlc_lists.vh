// rlc_lists.vh — lists of decimal numbers in strings, such as "4-64-64-2". Included inside a module.
// SPDX-License-Identifier: Apache-2.0

// Field `index` of decimal numbers joined by "-"; 0 where there is no such field.
function integer field(input [1023:0] text, input integer index);
    integer   at;
    integer   value;
    integer   i;
    reg [7:0] letter;
    begin
        at    = 0;
        value = 0;
        for (i = 127; i >= 0; i = i - 1) begin
            letter = text[8*i +: 8];
            if (letter == 8'h2d) at = at + 1;
            else if (letter >= 8'h30 && letter <= 8'h39 && at == index) value = 10 * value + {28'd0, letter[3:0]};
        end
        field = value;
    end
endfunction

// How many fields the text has.
function integer fields(input [1023:0] text);
    integer i;
    begin
        fields = 1;
        for (i = 0; i < 128; i = i + 1)
            if (text[8*i +: 8] == 8'h2d) fields = fields + 1;
    end
endfunction

// Whether every field is `least` to `most`.
function all_in(input [1023:0] text, input integer least, input integer most);
    integer at;
    begin
        all_in = 1'b1;
        for (at = 0; at < fields(text); at = at + 1)
            if (field(text, at) < least || field(text, at) > most) all_in = 1'b0;
    end
endfunction
