// rlc_lists.vh — lists of decimal numbers in strings, such as "4-64-64-2"; several lists, one per network, are joined by ":".
// Included inside a module. `field` and `fields` are of a list, or of the first of several.
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
            if (letter == 8'h3a) at = 128;
            else if (letter == 8'h2d) at = at + 1;
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
            if (text[8*i +: 8] == 8'h3a) fields = 1;
            else if (text[8*i +: 8] == 8'h2d) fields = fields + 1;
    end
endfunction

// How many lists the text has.
function integer lists(input [1023:0] text);
    integer i;
    begin
        lists = 1;
        for (i = 0; i < 128; i = i + 1)
            if (text[8*i +: 8] == 8'h3a) lists = lists + 1;
    end
endfunction

// List `index` of them; no text, which has one field, 0, where there is no such list.
function [1023:0] list(input [1023:0] text, input integer index);
    integer      at;
    integer      i;
    reg [1023:0] found;
    begin
        at    = 0;
        found = 1024'd0;
        for (i = 127; i >= 0; i = i - 1)
            if (text[8*i +: 8] == 8'h3a) at = at + 1;
            else if (at == index) found = {found[1015:0], text[8*i +: 8]};
        list = found;
    end
endfunction

// Whether every field of every list is `least` to `most`.
function all_in(input [1023:0] text, input integer least, input integer most);
    integer      n;
    integer      at;
    reg [1023:0] one;
    begin
        all_in = 1'b1;
        for (n = 0; n < lists(text); n = n + 1) begin
            one = list(text, n);
            for (at = 0; at < fields(one); at = at + 1)
                if (field(one, at) < least || field(one, at) > most) all_in = 1'b0;
        end
    end
endfunction

// Bits of an index into `count` things, at least 1.
function integer index_bits(input integer count);
    index_bits = (count > 2) ? $clog2(count) : 1;
endfunction
