// rlc_learns_rom.v — first weights of the chip that learns by itself: 755 of 27 bits, the actor's, then the critic's.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores docs` from the declaration tools/rlcores/train/learns.yaml; do not edit.
//
// latency    2 clocks, the second a plain register that a RAM block has inside
`default_nettype none
module rlc_learns_rom #(
    parameter WORDS = 755,             // derived; leave it alone
    parameter ADDRESS = $clog2(WORDS)  // derived; leave it alone
) (
    input  wire               clk,
    input  wire [ADDRESS-1:0] addr,
    output wire [26:0]        data
);
    (* rom_style = "block", ram_style = "block" *)
    reg [26:0] rom [0:WORDS-1];
    reg [26:0] read_s1;
    reg [26:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 27'h011aed7; rom[1] = 27'h7ed367f; rom[2] = 27'h7fadac9; rom[3] = 27'h00f179d;
        rom[4] = 27'h7e3273e; rom[5] = 27'h7e6f01f; rom[6] = 27'h00f64f7; rom[7] = 27'h7e9efb2;
        rom[8] = 27'h7e34cda; rom[9] = 27'h7efd139; rom[10] = 27'h7e816a0; rom[11] = 27'h00659dc;
        rom[12] = 27'h01d9d18; rom[13] = 27'h0125773; rom[14] = 27'h7e32398; rom[15] = 27'h7fedbb0;
        rom[16] = 27'h7fae5dd; rom[17] = 27'h00166f1; rom[18] = 27'h018a1fd; rom[19] = 27'h00a563b;
        rom[20] = 27'h7ff1609; rom[21] = 27'h01789e8; rom[22] = 27'h004c88c; rom[23] = 27'h016d8af;
        rom[24] = 27'h0008f0f; rom[25] = 27'h0004896; rom[26] = 27'h01d389e; rom[27] = 27'h7fe8692;
        rom[28] = 27'h00fbc2f; rom[29] = 27'h0199e05; rom[30] = 27'h7fd8726; rom[31] = 27'h00f6beb;
        rom[32] = 27'h00054f8; rom[33] = 27'h0057efd; rom[34] = 27'h000ec79; rom[35] = 27'h00ce92a;
        rom[36] = 27'h012dcd0; rom[37] = 27'h000ace1; rom[38] = 27'h7e54bc1; rom[39] = 27'h005ffa8;
        rom[40] = 27'h7f8f0a0; rom[41] = 27'h7f97a6d; rom[42] = 27'h0145518; rom[43] = 27'h0043b82;
        rom[44] = 27'h7ef41ab; rom[45] = 27'h00428ce; rom[46] = 27'h7f00769; rom[47] = 27'h7e81560;
        rom[48] = 27'h7e79f86; rom[49] = 27'h01dfd46; rom[50] = 27'h7f0e0ca; rom[51] = 27'h7fbb7d8;
        rom[52] = 27'h0061bbf; rom[53] = 27'h7e7bfee; rom[54] = 27'h7e1e0a1; rom[55] = 27'h0093fd1;
        rom[56] = 27'h7fb228d; rom[57] = 27'h7f80544; rom[58] = 27'h7fa74cf; rom[59] = 27'h0155eb4;
        rom[60] = 27'h7e86e26; rom[61] = 27'h01ec780; rom[62] = 27'h0072956; rom[63] = 27'h7e525e6;
        rom[64] = 27'h7e89e9c; rom[65] = 27'h0099659; rom[66] = 27'h7f73a2d; rom[67] = 27'h01bff74;
        rom[68] = 27'h7eaf4da; rom[69] = 27'h7f97008; rom[70] = 27'h0116b5b; rom[71] = 27'h01d2122;
        rom[72] = 27'h00a58aa; rom[73] = 27'h7e67e6b; rom[74] = 27'h7ede915; rom[75] = 27'h7e6dd8a;
        rom[76] = 27'h0072e68; rom[77] = 27'h7fc1f32; rom[78] = 27'h7e16311; rom[79] = 27'h7ef5bf3;
        rom[80] = 27'h7fb3f3b; rom[81] = 27'h0045ac4; rom[82] = 27'h7f34f03; rom[83] = 27'h00c739e;
        rom[84] = 27'h7f7d2fc; rom[85] = 27'h00a20a7; rom[86] = 27'h7ff3ebb; rom[87] = 27'h7f5d1af;
        rom[88] = 27'h7f1f67b; rom[89] = 27'h7f6bb88; rom[90] = 27'h7f9fedd; rom[91] = 27'h004aec0;
        rom[92] = 27'h00fb992; rom[93] = 27'h00a9f93; rom[94] = 27'h00d21de; rom[95] = 27'h7f77130;
        rom[96] = 27'h7f9e7db; rom[97] = 27'h7ff07ee; rom[98] = 27'h00f8d12; rom[99] = 27'h008cced;
        rom[100] = 27'h7f93d7d; rom[101] = 27'h00aae8e; rom[102] = 27'h7f499c1; rom[103] = 27'h00b8ef8;
        rom[104] = 27'h7f3658d; rom[105] = 27'h0007666; rom[106] = 27'h7f8bae1; rom[107] = 27'h007f06d;
        rom[108] = 27'h0019b54; rom[109] = 27'h7fbc2b1; rom[110] = 27'h7fc4e09; rom[111] = 27'h7fb6839;
        rom[112] = 27'h7f68d95; rom[113] = 27'h7fd78f9; rom[114] = 27'h0016b43; rom[115] = 27'h7f814d6;
        rom[116] = 27'h7ff13ea; rom[117] = 27'h0051d33; rom[118] = 27'h006ece8; rom[119] = 27'h7f51661;
        rom[120] = 27'h00cf8e9; rom[121] = 27'h7f46af8; rom[122] = 27'h7fb5797; rom[123] = 27'h7fc720b;
        rom[124] = 27'h00ba4b6; rom[125] = 27'h00e5258; rom[126] = 27'h0098bae; rom[127] = 27'h7f9d9e1;
        rom[128] = 27'h00313a4; rom[129] = 27'h7f4b612; rom[130] = 27'h002bf01; rom[131] = 27'h7f7daae;
        rom[132] = 27'h00aae38; rom[133] = 27'h7f156f2; rom[134] = 27'h7fe7dd1; rom[135] = 27'h7ff24fc;
        rom[136] = 27'h009fbd7; rom[137] = 27'h00abb9f; rom[138] = 27'h0004de6; rom[139] = 27'h7fc403d;
        rom[140] = 27'h7fae465; rom[141] = 27'h00a2552; rom[142] = 27'h7f04388; rom[143] = 27'h00fd0d5;
        rom[144] = 27'h00ff114; rom[145] = 27'h00f222e; rom[146] = 27'h0033bed; rom[147] = 27'h00df229;
        rom[148] = 27'h00b9f96; rom[149] = 27'h00815ad; rom[150] = 27'h003be44; rom[151] = 27'h7f1c1ba;
        rom[152] = 27'h00dd3cd; rom[153] = 27'h00f8f2a; rom[154] = 27'h008dd5c; rom[155] = 27'h003f14f;
        rom[156] = 27'h7fad2bf; rom[157] = 27'h009dba6; rom[158] = 27'h7fbc386; rom[159] = 27'h00eded9;
        rom[160] = 27'h00f6c2d; rom[161] = 27'h00e574c; rom[162] = 27'h0057301; rom[163] = 27'h7f451a0;
        rom[164] = 27'h7f0f7da; rom[165] = 27'h0031ee2; rom[166] = 27'h00ff436; rom[167] = 27'h000e280;
        rom[168] = 27'h7f67a09; rom[169] = 27'h7f876c4; rom[170] = 27'h00953c8; rom[171] = 27'h7f3595e;
        rom[172] = 27'h006ec9b; rom[173] = 27'h7f4f536; rom[174] = 27'h7f7e796; rom[175] = 27'h0019755;
        rom[176] = 27'h7f90339; rom[177] = 27'h7fac916; rom[178] = 27'h7f7f375; rom[179] = 27'h7ff4463;
        rom[180] = 27'h00e983e; rom[181] = 27'h004d616; rom[182] = 27'h0057cd4; rom[183] = 27'h00417f9;
        rom[184] = 27'h004b0a0; rom[185] = 27'h7f0ee56; rom[186] = 27'h000b154; rom[187] = 27'h7f15525;
        rom[188] = 27'h0048c55; rom[189] = 27'h002a217; rom[190] = 27'h7fbd37e; rom[191] = 27'h005f53d;
        rom[192] = 27'h00e7837; rom[193] = 27'h7fb21c5; rom[194] = 27'h00b58f5; rom[195] = 27'h00db587;
        rom[196] = 27'h7f61230; rom[197] = 27'h7fbeef8; rom[198] = 27'h7f52473; rom[199] = 27'h0004f51;
        rom[200] = 27'h7f40c3b; rom[201] = 27'h7f77d13; rom[202] = 27'h00b0d6e; rom[203] = 27'h7fb2398;
        rom[204] = 27'h7f602a2; rom[205] = 27'h7f91c2a; rom[206] = 27'h7f1da14; rom[207] = 27'h7fe6266;
        rom[208] = 27'h7fe019e; rom[209] = 27'h004c010; rom[210] = 27'h7ffdc32; rom[211] = 27'h00fe0e3;
        rom[212] = 27'h7fe948c; rom[213] = 27'h7f873f3; rom[214] = 27'h0051157; rom[215] = 27'h006c968;
        rom[216] = 27'h003d769; rom[217] = 27'h7fc1a88; rom[218] = 27'h00c3483; rom[219] = 27'h7f76568;
        rom[220] = 27'h7f06cfd; rom[221] = 27'h7f0805a; rom[222] = 27'h009bcdd; rom[223] = 27'h7f6b695;
        rom[224] = 27'h7f182f1; rom[225] = 27'h004d92b; rom[226] = 27'h002332d; rom[227] = 27'h7f7e2df;
        rom[228] = 27'h00ecee9; rom[229] = 27'h005a2bd; rom[230] = 27'h7f3a4e3; rom[231] = 27'h00c294a;
        rom[232] = 27'h00b1acf; rom[233] = 27'h7f2454d; rom[234] = 27'h7f9e85d; rom[235] = 27'h00b353f;
        rom[236] = 27'h00ba10d; rom[237] = 27'h0050ec4; rom[238] = 27'h0091640; rom[239] = 27'h00ec69b;
        rom[240] = 27'h7fc82e7; rom[241] = 27'h00cb51b; rom[242] = 27'h7f14e5c; rom[243] = 27'h7f1985a;
        rom[244] = 27'h7f66885; rom[245] = 27'h00e84ad; rom[246] = 27'h002e330; rom[247] = 27'h7f5ebe5;
        rom[248] = 27'h00dab49; rom[249] = 27'h7fdb4dc; rom[250] = 27'h000dbed; rom[251] = 27'h7fcd985;
        rom[252] = 27'h7f58ec0; rom[253] = 27'h0025469; rom[254] = 27'h7fa623a; rom[255] = 27'h7fdf535;
        rom[256] = 27'h0096000; rom[257] = 27'h00ea5e3; rom[258] = 27'h008bcdc; rom[259] = 27'h7fcf799;
        rom[260] = 27'h0022d06; rom[261] = 27'h7fc0215; rom[262] = 27'h0047189; rom[263] = 27'h00dea65;
        rom[264] = 27'h7fd4c3a; rom[265] = 27'h7fdbe1a; rom[266] = 27'h7f56d22; rom[267] = 27'h7fc2613;
        rom[268] = 27'h7f8f617; rom[269] = 27'h7f34e60; rom[270] = 27'h7f8d78f; rom[271] = 27'h7f7ed35;
        rom[272] = 27'h00b4960; rom[273] = 27'h00c0ea2; rom[274] = 27'h7f36521; rom[275] = 27'h004aa31;
        rom[276] = 27'h004a40a; rom[277] = 27'h00fc0da; rom[278] = 27'h7f79965; rom[279] = 27'h0082949;
        rom[280] = 27'h7fb8506; rom[281] = 27'h00f0dbc; rom[282] = 27'h7fc0a21; rom[283] = 27'h7f298d9;
        rom[284] = 27'h0014bd7; rom[285] = 27'h7f6ffaf; rom[286] = 27'h0051dc3; rom[287] = 27'h0056fa0;
        rom[288] = 27'h7f3b129; rom[289] = 27'h00023b1; rom[290] = 27'h007b083; rom[291] = 27'h7fde088;
        rom[292] = 27'h7f13e51; rom[293] = 27'h003e844; rom[294] = 27'h7fc11cb; rom[295] = 27'h7f697bc;
        rom[296] = 27'h7fe5ea1; rom[297] = 27'h7f5ac3f; rom[298] = 27'h008fcef; rom[299] = 27'h7fe89b5;
        rom[300] = 27'h7fff7a4; rom[301] = 27'h00e4ff3; rom[302] = 27'h00b7932; rom[303] = 27'h008d520;
        rom[304] = 27'h00cb3b2; rom[305] = 27'h7f3ce0c; rom[306] = 27'h7fcf1db; rom[307] = 27'h00e7138;
        rom[308] = 27'h008856c; rom[309] = 27'h009027c; rom[310] = 27'h7f5f734; rom[311] = 27'h009d8ab;
        rom[312] = 27'h7f3f25f; rom[313] = 27'h0016b3a; rom[314] = 27'h7faf518; rom[315] = 27'h7ffe7e6;
        rom[316] = 27'h7f7425c; rom[317] = 27'h00cc204; rom[318] = 27'h7f35de6; rom[319] = 27'h7f2597e;
        rom[320] = 27'h7f3b2a8; rom[321] = 27'h7f56c95; rom[322] = 27'h0034d0b; rom[323] = 27'h7f96618;
        rom[324] = 27'h009460b; rom[325] = 27'h7f3d08c; rom[326] = 27'h00f8271; rom[327] = 27'h000e457;
        rom[328] = 27'h7fb4312; rom[329] = 27'h7f6f40b; rom[330] = 27'h00c1b64; rom[331] = 27'h00e6d18;
        rom[332] = 27'h7fb628f; rom[333] = 27'h7f3339b; rom[334] = 27'h002a3ed; rom[335] = 27'h0060733;
        rom[336] = 27'h7f8a724; rom[337] = 27'h0003361; rom[338] = 27'h0006c42; rom[339] = 27'h7fe8ac5;
        rom[340] = 27'h7f6bf49; rom[341] = 27'h00622cf; rom[342] = 27'h002f46f; rom[343] = 27'h7f4f875;
        rom[344] = 27'h00c150a; rom[345] = 27'h7f297f1; rom[346] = 27'h7f46891; rom[347] = 27'h00656a9;
        rom[348] = 27'h7fd3be6; rom[349] = 27'h7f45880; rom[350] = 27'h0097d43; rom[351] = 27'h7fc84d9;
        rom[352] = 27'h7ff6659; rom[353] = 27'h000014e; rom[354] = 27'h0002751; rom[355] = 27'h0007df1;
        rom[356] = 27'h00039c3; rom[357] = 27'h7ff934d; rom[358] = 27'h7ff894a; rom[359] = 27'h00051bd;
        rom[360] = 27'h0000e39; rom[361] = 27'h0000bc6; rom[362] = 27'h7ff7464; rom[363] = 27'h7ffcfaa;
        rom[364] = 27'h7ff8f29; rom[365] = 27'h0002742; rom[366] = 27'h7ff6fd3; rom[367] = 27'h7fff8a9;
        rom[368] = 27'h7ffa569; rom[369] = 27'h7ffbb21; rom[370] = 27'h7ffc9d7; rom[371] = 27'h0008854;
        rom[372] = 27'h7ffc629; rom[373] = 27'h00084d2; rom[374] = 27'h0002f4e; rom[375] = 27'h7ffa2f9;
        rom[376] = 27'h00028d4; rom[377] = 27'h0007ad1; rom[378] = 27'h00011f9; rom[379] = 27'h00053c3;
        rom[380] = 27'h0009151; rom[381] = 27'h7ffac11; rom[382] = 27'h7ff867c; rom[383] = 27'h7ffd7a9;
        rom[384] = 27'h7fffe71; rom[385] = 27'h7ffbb5d; rom[386] = 27'h00eb56f; rom[387] = 27'h00256f6;
        rom[388] = 27'h00a7e08; rom[389] = 27'h7eb30be; rom[390] = 27'h7fb7060; rom[391] = 27'h0026d2a;
        rom[392] = 27'h0065794; rom[393] = 27'h7f74961; rom[394] = 27'h7e1f71b; rom[395] = 27'h7fd692e;
        rom[396] = 27'h0122635; rom[397] = 27'h0093b9e; rom[398] = 27'h00a58c7; rom[399] = 27'h7e503f1;
        rom[400] = 27'h00a5986; rom[401] = 27'h7f9f6ac; rom[402] = 27'h001a299; rom[403] = 27'h7f96442;
        rom[404] = 27'h008acdd; rom[405] = 27'h01da121; rom[406] = 27'h010ddfe; rom[407] = 27'h00c2d0f;
        rom[408] = 27'h004bf08; rom[409] = 27'h7fa5985; rom[410] = 27'h01a66c9; rom[411] = 27'h7fb1cc2;
        rom[412] = 27'h7faacc2; rom[413] = 27'h7e7aae1; rom[414] = 27'h7f7214d; rom[415] = 27'h00fd59d;
        rom[416] = 27'h7f35ee1; rom[417] = 27'h7e1fab9; rom[418] = 27'h7e7d2fe; rom[419] = 27'h7e85190;
        rom[420] = 27'h7eb5376; rom[421] = 27'h00948dc; rom[422] = 27'h01a760d; rom[423] = 27'h7e4b894;
        rom[424] = 27'h01d9e00; rom[425] = 27'h7fddcbd; rom[426] = 27'h7f22ed8; rom[427] = 27'h017b15d;
        rom[428] = 27'h7f03cd9; rom[429] = 27'h00da467; rom[430] = 27'h7ecd22f; rom[431] = 27'h7f73a00;
        rom[432] = 27'h7e54c6d; rom[433] = 27'h000bd40; rom[434] = 27'h7efc84b; rom[435] = 27'h7ef86b7;
        rom[436] = 27'h7e46d3b; rom[437] = 27'h7f29a74; rom[438] = 27'h7f5b04b; rom[439] = 27'h7f42c19;
        rom[440] = 27'h7ea6cc3; rom[441] = 27'h7ed4acd; rom[442] = 27'h01ac680; rom[443] = 27'h7e6284b;
        rom[444] = 27'h01f941d; rom[445] = 27'h7ec76fc; rom[446] = 27'h7f59d4d; rom[447] = 27'h7fc1065;
        rom[448] = 27'h01c1061; rom[449] = 27'h01a0445; rom[450] = 27'h7f03aa0; rom[451] = 27'h7e5951c;
        rom[452] = 27'h003efe5; rom[453] = 27'h7ffd240; rom[454] = 27'h7ffa7e0; rom[455] = 27'h015fb45;
        rom[456] = 27'h7f9951b; rom[457] = 27'h7e5fc08; rom[458] = 27'h015db24; rom[459] = 27'h7e28472;
        rom[460] = 27'h015f5a6; rom[461] = 27'h0127c5f; rom[462] = 27'h7e5d4a3; rom[463] = 27'h7ec4fb3;
        rom[464] = 27'h7feec25; rom[465] = 27'h011e49e; rom[466] = 27'h7f43efc; rom[467] = 27'h00cfc76;
        rom[468] = 27'h0055f2a; rom[469] = 27'h00afb6c; rom[470] = 27'h0063223; rom[471] = 27'h7f6cc22;
        rom[472] = 27'h7fcec31; rom[473] = 27'h00379da; rom[474] = 27'h008f478; rom[475] = 27'h7feb1bf;
        rom[476] = 27'h00827e3; rom[477] = 27'h00048eb; rom[478] = 27'h7fd8e84; rom[479] = 27'h00240fb;
        rom[480] = 27'h000b553; rom[481] = 27'h7f180b8; rom[482] = 27'h00146e5; rom[483] = 27'h00ec4e0;
        rom[484] = 27'h0098125; rom[485] = 27'h7f36618; rom[486] = 27'h00907d0; rom[487] = 27'h0014faf;
        rom[488] = 27'h00af226; rom[489] = 27'h7f49332; rom[490] = 27'h0014c9b; rom[491] = 27'h00c1200;
        rom[492] = 27'h7f1229b; rom[493] = 27'h7fad73a; rom[494] = 27'h002cf5e; rom[495] = 27'h00e75a6;
        rom[496] = 27'h005ef6a; rom[497] = 27'h00b1fdf; rom[498] = 27'h7f6b0df; rom[499] = 27'h7f3d27d;
        rom[500] = 27'h7fb5307; rom[501] = 27'h7ff0ebe; rom[502] = 27'h00dcc20; rom[503] = 27'h7f02a25;
        rom[504] = 27'h7fa0432; rom[505] = 27'h0097cad; rom[506] = 27'h7f46d49; rom[507] = 27'h007bb3e;
        rom[508] = 27'h00ef9d6; rom[509] = 27'h004130a; rom[510] = 27'h7f53b27; rom[511] = 27'h00b0b43;
        rom[512] = 27'h008e396; rom[513] = 27'h7f0d877; rom[514] = 27'h7f973ab; rom[515] = 27'h007ecfe;
        rom[516] = 27'h00a22f8; rom[517] = 27'h7f5d24f; rom[518] = 27'h00ff2df; rom[519] = 27'h00c9ec6;
        rom[520] = 27'h00896be; rom[521] = 27'h00b0458; rom[522] = 27'h7f90e42; rom[523] = 27'h7fd0dcc;
        rom[524] = 27'h7f76832; rom[525] = 27'h00571d9; rom[526] = 27'h0078a73; rom[527] = 27'h004f293;
        rom[528] = 27'h004236d; rom[529] = 27'h7f31c1e; rom[530] = 27'h00c2e8c; rom[531] = 27'h7f0b489;
        rom[532] = 27'h7f49b04; rom[533] = 27'h7f2a73f; rom[534] = 27'h0027289; rom[535] = 27'h7f67a23;
        rom[536] = 27'h0018b79; rom[537] = 27'h00f7180; rom[538] = 27'h7f3cd89; rom[539] = 27'h7fd047f;
        rom[540] = 27'h00d7ff9; rom[541] = 27'h002effe; rom[542] = 27'h0051cc4; rom[543] = 27'h00ae714;
        rom[544] = 27'h00839f9; rom[545] = 27'h00a66c9; rom[546] = 27'h001118a; rom[547] = 27'h7f43279;
        rom[548] = 27'h7f534f1; rom[549] = 27'h7fcac96; rom[550] = 27'h7f51cba; rom[551] = 27'h7f107ea;
        rom[552] = 27'h0062fc5; rom[553] = 27'h7fbf83a; rom[554] = 27'h7f1cb3e; rom[555] = 27'h7f7207e;
        rom[556] = 27'h0060c08; rom[557] = 27'h006db71; rom[558] = 27'h001d25b; rom[559] = 27'h009bc98;
        rom[560] = 27'h7fe56fb; rom[561] = 27'h7fd1a2b; rom[562] = 27'h000f546; rom[563] = 27'h0025352;
        rom[564] = 27'h008d16b; rom[565] = 27'h0003b05; rom[566] = 27'h007df06; rom[567] = 27'h7f76b33;
        rom[568] = 27'h0062dfe; rom[569] = 27'h7f734bb; rom[570] = 27'h00b5812; rom[571] = 27'h7f38a31;
        rom[572] = 27'h7f96d8f; rom[573] = 27'h00185ac; rom[574] = 27'h7f01545; rom[575] = 27'h7f22b81;
        rom[576] = 27'h7f14a48; rom[577] = 27'h7ffde18; rom[578] = 27'h7fd067b; rom[579] = 27'h7ff755b;
        rom[580] = 27'h7f5cc34; rom[581] = 27'h7f0f390; rom[582] = 27'h7f21b30; rom[583] = 27'h7fa3595;
        rom[584] = 27'h7f500e3; rom[585] = 27'h0044efc; rom[586] = 27'h7fb72b2; rom[587] = 27'h001ce7e;
        rom[588] = 27'h7f71ca2; rom[589] = 27'h7fcfd58; rom[590] = 27'h7fefebb; rom[591] = 27'h00f2952;
        rom[592] = 27'h00db970; rom[593] = 27'h00fc324; rom[594] = 27'h0061a3e; rom[595] = 27'h7f080d8;
        rom[596] = 27'h00be8a8; rom[597] = 27'h008e442; rom[598] = 27'h7fa9fcf; rom[599] = 27'h00874eb;
        rom[600] = 27'h0032051; rom[601] = 27'h00f209d; rom[602] = 27'h7fbeb2e; rom[603] = 27'h008a9bf;
        rom[604] = 27'h000f0a1; rom[605] = 27'h00913ef; rom[606] = 27'h00a388e; rom[607] = 27'h7ff7a08;
        rom[608] = 27'h008bd54; rom[609] = 27'h7fd3747; rom[610] = 27'h00a756a; rom[611] = 27'h7fca8b7;
        rom[612] = 27'h7f01546; rom[613] = 27'h7f46bc1; rom[614] = 27'h7f2a38b; rom[615] = 27'h00cb54c;
        rom[616] = 27'h7f15d27; rom[617] = 27'h004acd8; rom[618] = 27'h7f463ce; rom[619] = 27'h009ae95;
        rom[620] = 27'h7f8aa73; rom[621] = 27'h00068fa; rom[622] = 27'h00a0447; rom[623] = 27'h0096b29;
        rom[624] = 27'h7f18fcb; rom[625] = 27'h7f9c928; rom[626] = 27'h00b9fa6; rom[627] = 27'h005985f;
        rom[628] = 27'h008e175; rom[629] = 27'h002dc6c; rom[630] = 27'h000b8df; rom[631] = 27'h0041d61;
        rom[632] = 27'h7f22df5; rom[633] = 27'h7f6c24f; rom[634] = 27'h00e70da; rom[635] = 27'h7f164f9;
        rom[636] = 27'h0022eb9; rom[637] = 27'h0045c9b; rom[638] = 27'h0038233; rom[639] = 27'h002fb03;
        rom[640] = 27'h7f227a4; rom[641] = 27'h7f5dbd4; rom[642] = 27'h0036807; rom[643] = 27'h00fe199;
        rom[644] = 27'h7fefb86; rom[645] = 27'h7f34051; rom[646] = 27'h00bfdbd; rom[647] = 27'h7fc06c6;
        rom[648] = 27'h00ef1a6; rom[649] = 27'h7f7f206; rom[650] = 27'h00f50b7; rom[651] = 27'h0048d6c;
        rom[652] = 27'h7f5e3e2; rom[653] = 27'h00ae4b5; rom[654] = 27'h7fc16d0; rom[655] = 27'h00fc440;
        rom[656] = 27'h0078a12; rom[657] = 27'h7f2ebeb; rom[658] = 27'h7fd29f9; rom[659] = 27'h009a857;
        rom[660] = 27'h00f1ade; rom[661] = 27'h7f48c13; rom[662] = 27'h00b9271; rom[663] = 27'h7fb0649;
        rom[664] = 27'h00d629c; rom[665] = 27'h7f42748; rom[666] = 27'h7f88c58; rom[667] = 27'h7f0e1c6;
        rom[668] = 27'h0035543; rom[669] = 27'h00a87d8; rom[670] = 27'h7f688c0; rom[671] = 27'h00427ff;
        rom[672] = 27'h0035249; rom[673] = 27'h0000eeb; rom[674] = 27'h0000475; rom[675] = 27'h006fb80;
        rom[676] = 27'h7f28bce; rom[677] = 27'h00d23c9; rom[678] = 27'h00cd1a2; rom[679] = 27'h7f4f341;
        rom[680] = 27'h7f3ff1c; rom[681] = 27'h00f7a57; rom[682] = 27'h0001be6; rom[683] = 27'h7fb02be;
        rom[684] = 27'h7feaecc; rom[685] = 27'h7fd8866; rom[686] = 27'h7f9b5bd; rom[687] = 27'h008bd67;
        rom[688] = 27'h0043d1f; rom[689] = 27'h7fe7f5d; rom[690] = 27'h7fbc020; rom[691] = 27'h7fc2948;
        rom[692] = 27'h0011217; rom[693] = 27'h0099d5e; rom[694] = 27'h0065f9a; rom[695] = 27'h7f8c126;
        rom[696] = 27'h7fbdcc1; rom[697] = 27'h00162f3; rom[698] = 27'h7f35561; rom[699] = 27'h0022795;
        rom[700] = 27'h7fa3c99; rom[701] = 27'h0026481; rom[702] = 27'h7f86666; rom[703] = 27'h004c83f;
        rom[704] = 27'h7f565f9; rom[705] = 27'h7fa9010; rom[706] = 27'h7f75a87; rom[707] = 27'h7fd7890;
        rom[708] = 27'h7f207fa; rom[709] = 27'h7f57f7b; rom[710] = 27'h7f98c57; rom[711] = 27'h00e82e7;
        rom[712] = 27'h0035669; rom[713] = 27'h00ffe52; rom[714] = 27'h7f0a995; rom[715] = 27'h0039876;
        rom[716] = 27'h7f87197; rom[717] = 27'h001e5a0; rom[718] = 27'h00e8ca5; rom[719] = 27'h0091423;
        rom[720] = 27'h7f9f181; rom[721] = 27'h7ff64ee; rom[722] = 27'h009026f; rom[723] = 27'h7f35f86;
        rom[724] = 27'h0061076; rom[725] = 27'h7ff46aa; rom[726] = 27'h7fd37ae; rom[727] = 27'h009a629;
        rom[728] = 27'h00f28d9; rom[729] = 27'h00f7a62; rom[730] = 27'h00b0d92; rom[731] = 27'h7fbc2c3;
        rom[732] = 27'h7f1525c; rom[733] = 27'h0064026; rom[734] = 27'h7ff82e1; rom[735] = 27'h0072bcd;
        rom[736] = 27'h7f884d7; rom[737] = 27'h7f9a40f; rom[738] = 27'h00790bf; rom[739] = 27'h7ffc912;
        rom[740] = 27'h0029c6a; rom[741] = 27'h7ff3433; rom[742] = 27'h7fdf188; rom[743] = 27'h00ee799;
        rom[744] = 27'h7f54f83; rom[745] = 27'h00930ea; rom[746] = 27'h7f49f35; rom[747] = 27'h7f99b59;
        rom[748] = 27'h00e064d; rom[749] = 27'h0099cff; rom[750] = 27'h7fe9b39; rom[751] = 27'h7f616f5;
        rom[752] = 27'h7ff2224; rom[753] = 27'h00fcd8a; rom[754] = 27'h00b9a5c;
    end
endmodule
`default_nettype wire
