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
        rom[0] = 27'h7e0a361; rom[1] = 27'h008a7d7; rom[2] = 27'h001694d; rom[3] = 27'h0070721;
        rom[4] = 27'h7e9efec; rom[5] = 27'h7fc2446; rom[6] = 27'h007a593; rom[7] = 27'h7e6f072;
        rom[8] = 27'h00024a1; rom[9] = 27'h7ef5f57; rom[10] = 27'h7e179a1; rom[11] = 27'h0006bdd;
        rom[12] = 27'h7f99804; rom[13] = 27'h0099c0e; rom[14] = 27'h7ec6eae; rom[15] = 27'h7f82acd;
        rom[16] = 27'h7efefb9; rom[17] = 27'h015a372; rom[18] = 27'h00e308c; rom[19] = 27'h7f1fbae;
        rom[20] = 27'h7f568bb; rom[21] = 27'h7ed26ae; rom[22] = 27'h00fe6be; rom[23] = 27'h7e58095;
        rom[24] = 27'h7fece28; rom[25] = 27'h007b7fc; rom[26] = 27'h01807e9; rom[27] = 27'h7fcfcbf;
        rom[28] = 27'h7ec37d6; rom[29] = 27'h0120913; rom[30] = 27'h7fefbb7; rom[31] = 27'h00d2b78;
        rom[32] = 27'h7eede55; rom[33] = 27'h7fb1b24; rom[34] = 27'h7f6925a; rom[35] = 27'h7f047ef;
        rom[36] = 27'h003127c; rom[37] = 27'h01ef8c1; rom[38] = 27'h7eb0010; rom[39] = 27'h7ee4ba3;
        rom[40] = 27'h0123e41; rom[41] = 27'h7f26c2b; rom[42] = 27'h7e429ab; rom[43] = 27'h7f6602b;
        rom[44] = 27'h005c50d; rom[45] = 27'h009a9bf; rom[46] = 27'h00c09a4; rom[47] = 27'h010e76f;
        rom[48] = 27'h7eda2f3; rom[49] = 27'h01a0130; rom[50] = 27'h7f8799c; rom[51] = 27'h0174bee;
        rom[52] = 27'h7e5ee6c; rom[53] = 27'h7eaf831; rom[54] = 27'h7e280a9; rom[55] = 27'h7fecb8c;
        rom[56] = 27'h007e58a; rom[57] = 27'h01b9fdb; rom[58] = 27'h019bef6; rom[59] = 27'h016efbc;
        rom[60] = 27'h01605d7; rom[61] = 27'h7f88b1e; rom[62] = 27'h00ca432; rom[63] = 27'h7f71dfe;
        rom[64] = 27'h7fbd1e6; rom[65] = 27'h7fb5657; rom[66] = 27'h016d395; rom[67] = 27'h0030e15;
        rom[68] = 27'h7f5e72c; rom[69] = 27'h00da69d; rom[70] = 27'h7f1af52; rom[71] = 27'h01b9056;
        rom[72] = 27'h7e1eedf; rom[73] = 27'h7ff9664; rom[74] = 27'h007a97f; rom[75] = 27'h7e412c6;
        rom[76] = 27'h7e78e37; rom[77] = 27'h01272b7; rom[78] = 27'h7e4eea3; rom[79] = 27'h00b1d0d;
        rom[80] = 27'h7f7de6c; rom[81] = 27'h7febccf; rom[82] = 27'h7f56970; rom[83] = 27'h7ff7662;
        rom[84] = 27'h001435b; rom[85] = 27'h7fb3565; rom[86] = 27'h00f5afd; rom[87] = 27'h00d1e31;
        rom[88] = 27'h00da6b4; rom[89] = 27'h00dadc7; rom[90] = 27'h00f6dc9; rom[91] = 27'h7f04599;
        rom[92] = 27'h007068d; rom[93] = 27'h00f9a06; rom[94] = 27'h7f44f5a; rom[95] = 27'h00d40d6;
        rom[96] = 27'h0037a4a; rom[97] = 27'h0042894; rom[98] = 27'h0023910; rom[99] = 27'h7f2bf5b;
        rom[100] = 27'h7fcabea; rom[101] = 27'h009977b; rom[102] = 27'h7f60c1a; rom[103] = 27'h7fd96c0;
        rom[104] = 27'h008bd51; rom[105] = 27'h7f0ef32; rom[106] = 27'h7fa4c65; rom[107] = 27'h00bbe84;
        rom[108] = 27'h00d58a8; rom[109] = 27'h7f56ad8; rom[110] = 27'h00b5db9; rom[111] = 27'h7f646db;
        rom[112] = 27'h7f25464; rom[113] = 27'h00af78a; rom[114] = 27'h7fec095; rom[115] = 27'h7f0da70;
        rom[116] = 27'h00dbac6; rom[117] = 27'h7ff2565; rom[118] = 27'h7f581bd; rom[119] = 27'h007dd32;
        rom[120] = 27'h7fd2aa4; rom[121] = 27'h7f9d570; rom[122] = 27'h00b1950; rom[123] = 27'h0046c2d;
        rom[124] = 27'h0038bba; rom[125] = 27'h7f994c1; rom[126] = 27'h7f4c71b; rom[127] = 27'h005d6cc;
        rom[128] = 27'h7f021b2; rom[129] = 27'h005cba0; rom[130] = 27'h005089e; rom[131] = 27'h7f67472;
        rom[132] = 27'h00a7b3e; rom[133] = 27'h0088333; rom[134] = 27'h7fabbcb; rom[135] = 27'h7f1b3ae;
        rom[136] = 27'h7f5ce5a; rom[137] = 27'h7f948bc; rom[138] = 27'h7fd511b; rom[139] = 27'h00f494f;
        rom[140] = 27'h7f7a3f6; rom[141] = 27'h00a344d; rom[142] = 27'h7f13b6f; rom[143] = 27'h00fbcb6;
        rom[144] = 27'h0032214; rom[145] = 27'h002d02e; rom[146] = 27'h00128db; rom[147] = 27'h7f3fd51;
        rom[148] = 27'h005bfec; rom[149] = 27'h00ba8aa; rom[150] = 27'h7fc9a87; rom[151] = 27'h000f28e;
        rom[152] = 27'h7fdc9b8; rom[153] = 27'h00a25c1; rom[154] = 27'h003f6b3; rom[155] = 27'h7fa1499;
        rom[156] = 27'h0067406; rom[157] = 27'h7f31f2e; rom[158] = 27'h00813d1; rom[159] = 27'h7f91c82;
        rom[160] = 27'h006ced0; rom[161] = 27'h7f42e69; rom[162] = 27'h7ff3ff1; rom[163] = 27'h7f5c5b4;
        rom[164] = 27'h7f24488; rom[165] = 27'h7fe3169; rom[166] = 27'h000450e; rom[167] = 27'h006466c;
        rom[168] = 27'h00a706e; rom[169] = 27'h7febac7; rom[170] = 27'h00bd978; rom[171] = 27'h7fa4b3f;
        rom[172] = 27'h7f4799c; rom[173] = 27'h7f563be; rom[174] = 27'h0033c71; rom[175] = 27'h00bedd4;
        rom[176] = 27'h002406e; rom[177] = 27'h00f2c95; rom[178] = 27'h004b58b; rom[179] = 27'h00e3e03;
        rom[180] = 27'h7f12cd3; rom[181] = 27'h7fe981d; rom[182] = 27'h7f32558; rom[183] = 27'h00952cb;
        rom[184] = 27'h007d5c0; rom[185] = 27'h002a94e; rom[186] = 27'h7f50f8e; rom[187] = 27'h0066414;
        rom[188] = 27'h7f9e2f8; rom[189] = 27'h005eb31; rom[190] = 27'h7f23056; rom[191] = 27'h00668b8;
        rom[192] = 27'h00df050; rom[193] = 27'h7f2e3f7; rom[194] = 27'h0051c8b; rom[195] = 27'h7fb28f9;
        rom[196] = 27'h7f1fd38; rom[197] = 27'h7f5ae2e; rom[198] = 27'h006d94f; rom[199] = 27'h008baad;
        rom[200] = 27'h7f4bc57; rom[201] = 27'h00cb645; rom[202] = 27'h007b58c; rom[203] = 27'h007211d;
        rom[204] = 27'h0098f0d; rom[205] = 27'h7fc3ddf; rom[206] = 27'h00aecf3; rom[207] = 27'h0073a93;
        rom[208] = 27'h7fa99f1; rom[209] = 27'h00fa513; rom[210] = 27'h7f72882; rom[211] = 27'h7f1172a;
        rom[212] = 27'h0069148; rom[213] = 27'h002838b; rom[214] = 27'h7f86c0c; rom[215] = 27'h7fdbdff;
        rom[216] = 27'h7f332bb; rom[217] = 27'h0002138; rom[218] = 27'h005df4f; rom[219] = 27'h00c5f6f;
        rom[220] = 27'h7f33949; rom[221] = 27'h7f741b4; rom[222] = 27'h7f34d2d; rom[223] = 27'h008145a;
        rom[224] = 27'h7fa11cc; rom[225] = 27'h7f20a49; rom[226] = 27'h7f28f4c; rom[227] = 27'h7f2f1e6;
        rom[228] = 27'h00a6d74; rom[229] = 27'h7f06313; rom[230] = 27'h7fb7613; rom[231] = 27'h00cac1c;
        rom[232] = 27'h008bcb9; rom[233] = 27'h7f60ef6; rom[234] = 27'h0089793; rom[235] = 27'h7f81598;
        rom[236] = 27'h0041f49; rom[237] = 27'h0042da9; rom[238] = 27'h000c9cd; rom[239] = 27'h7f19a8c;
        rom[240] = 27'h0084539; rom[241] = 27'h00c6bf5; rom[242] = 27'h7f56d00; rom[243] = 27'h00b4014;
        rom[244] = 27'h00c863c; rom[245] = 27'h001efed; rom[246] = 27'h7fab971; rom[247] = 27'h7f56ffe;
        rom[248] = 27'h7f28b1b; rom[249] = 27'h00bf4df; rom[250] = 27'h7f151c6; rom[251] = 27'h7f4715b;
        rom[252] = 27'h7f19824; rom[253] = 27'h7fdaf06; rom[254] = 27'h00d6a24; rom[255] = 27'h7f98958;
        rom[256] = 27'h7fbdc23; rom[257] = 27'h7fea48a; rom[258] = 27'h00d619e; rom[259] = 27'h7f4e041;
        rom[260] = 27'h7f16a96; rom[261] = 27'h7f4a622; rom[262] = 27'h0066df3; rom[263] = 27'h001a9e5;
        rom[264] = 27'h006e17e; rom[265] = 27'h00474ef; rom[266] = 27'h003ecd7; rom[267] = 27'h00747c2;
        rom[268] = 27'h008bbac; rom[269] = 27'h00dd242; rom[270] = 27'h7f39476; rom[271] = 27'h7f73164;
        rom[272] = 27'h7fe1f8a; rom[273] = 27'h7f3925b; rom[274] = 27'h7fc372f; rom[275] = 27'h00156e3;
        rom[276] = 27'h7fd1005; rom[277] = 27'h00a0af6; rom[278] = 27'h7ff081f; rom[279] = 27'h7f70022;
        rom[280] = 27'h7fa6e30; rom[281] = 27'h7fcde3f; rom[282] = 27'h7fd1a79; rom[283] = 27'h7f6a75a;
        rom[284] = 27'h7f60360; rom[285] = 27'h0021a7a; rom[286] = 27'h7fbd217; rom[287] = 27'h00d364e;
        rom[288] = 27'h00df505; rom[289] = 27'h7ff2d93; rom[290] = 27'h7f2efa4; rom[291] = 27'h00626af;
        rom[292] = 27'h7f16499; rom[293] = 27'h009df74; rom[294] = 27'h7f62d51; rom[295] = 27'h00f618b;
        rom[296] = 27'h7f9dd02; rom[297] = 27'h006155f; rom[298] = 27'h7f039da; rom[299] = 27'h007d66b;
        rom[300] = 27'h005916a; rom[301] = 27'h7f631d5; rom[302] = 27'h00b1a1f; rom[303] = 27'h0029817;
        rom[304] = 27'h008b8b9; rom[305] = 27'h7fc4d89; rom[306] = 27'h0048077; rom[307] = 27'h7fe9c78;
        rom[308] = 27'h7ffd12f; rom[309] = 27'h00e2419; rom[310] = 27'h00c9d59; rom[311] = 27'h007d0f9;
        rom[312] = 27'h7f51ad3; rom[313] = 27'h7fefc35; rom[314] = 27'h006c3e8; rom[315] = 27'h002518f;
        rom[316] = 27'h7f0c962; rom[317] = 27'h00dd5f9; rom[318] = 27'h0008455; rom[319] = 27'h7f292d7;
        rom[320] = 27'h001bb1e; rom[321] = 27'h7f7aba4; rom[322] = 27'h006ab86; rom[323] = 27'h00e9d80;
        rom[324] = 27'h00d29c1; rom[325] = 27'h0037849; rom[326] = 27'h7f054fc; rom[327] = 27'h00316bd;
        rom[328] = 27'h00b2838; rom[329] = 27'h00091ba; rom[330] = 27'h0087352; rom[331] = 27'h7f5f652;
        rom[332] = 27'h7f1ca97; rom[333] = 27'h006dc5d; rom[334] = 27'h7f8b421; rom[335] = 27'h7f09d70;
        rom[336] = 27'h7f30dfe; rom[337] = 27'h00242e3; rom[338] = 27'h009478d; rom[339] = 27'h0040789;
        rom[340] = 27'h004b336; rom[341] = 27'h0037aa0; rom[342] = 27'h7f0e963; rom[343] = 27'h7f1bc68;
        rom[344] = 27'h003f385; rom[345] = 27'h7f750cd; rom[346] = 27'h7fdc05d; rom[347] = 27'h7f76487;
        rom[348] = 27'h7f8f165; rom[349] = 27'h0088b5b; rom[350] = 27'h7f018ea; rom[351] = 27'h00fc50f;
        rom[352] = 27'h0008fab; rom[353] = 27'h000a192; rom[354] = 27'h000a395; rom[355] = 27'h7ff60ab;
        rom[356] = 27'h7ff9196; rom[357] = 27'h7ff982c; rom[358] = 27'h00063a1; rom[359] = 27'h0001336;
        rom[360] = 27'h0002ed7; rom[361] = 27'h7ff6ff3; rom[362] = 27'h00073ab; rom[363] = 27'h0005616;
        rom[364] = 27'h00012fc; rom[365] = 27'h00008b9; rom[366] = 27'h0008bbd; rom[367] = 27'h0000975;
        rom[368] = 27'h00070eb; rom[369] = 27'h7ff803e; rom[370] = 27'h7ff89f8; rom[371] = 27'h7ff6010;
        rom[372] = 27'h7ff9c60; rom[373] = 27'h7ff8d73; rom[374] = 27'h0006181; rom[375] = 27'h7ff704d;
        rom[376] = 27'h000887c; rom[377] = 27'h7ff90ca; rom[378] = 27'h7ff7135; rom[379] = 27'h7fff05d;
        rom[380] = 27'h7ffc9e6; rom[381] = 27'h7ffba7f; rom[382] = 27'h000967e; rom[383] = 27'h00075c6;
        rom[384] = 27'h0000ce3; rom[385] = 27'h7ff8fb2; rom[386] = 27'h0030dca; rom[387] = 27'h7fc404c;
        rom[388] = 27'h7e41127; rom[389] = 27'h014e8c8; rom[390] = 27'h7ececbe; rom[391] = 27'h7fd9a55;
        rom[392] = 27'h7e7b80e; rom[393] = 27'h7faeeea; rom[394] = 27'h0176f14; rom[395] = 27'h0170182;
        rom[396] = 27'h7ea973b; rom[397] = 27'h00f87df; rom[398] = 27'h7f5b2f3; rom[399] = 27'h0136f31;
        rom[400] = 27'h7e1b661; rom[401] = 27'h7e2a1da; rom[402] = 27'h00b0284; rom[403] = 27'h7f8319c;
        rom[404] = 27'h7faeadd; rom[405] = 27'h000a65a; rom[406] = 27'h7e57b1c; rom[407] = 27'h004a3b2;
        rom[408] = 27'h00c96df; rom[409] = 27'h01dc398; rom[410] = 27'h7e8cae6; rom[411] = 27'h7fd8d58;
        rom[412] = 27'h7e10e74; rom[413] = 27'h7f4edbb; rom[414] = 27'h7e22df6; rom[415] = 27'h0137a5b;
        rom[416] = 27'h7eb9f3c; rom[417] = 27'h0083ef8; rom[418] = 27'h00d34fa; rom[419] = 27'h7f0c935;
        rom[420] = 27'h7ef0391; rom[421] = 27'h7e52571; rom[422] = 27'h01abcc8; rom[423] = 27'h7f10d0f;
        rom[424] = 27'h0076d75; rom[425] = 27'h7f6d258; rom[426] = 27'h0040ee1; rom[427] = 27'h00e03a4;
        rom[428] = 27'h01f7fd6; rom[429] = 27'h0063c9c; rom[430] = 27'h01e1ba6; rom[431] = 27'h0049d75;
        rom[432] = 27'h00d1adf; rom[433] = 27'h001e9d3; rom[434] = 27'h01e0d9f; rom[435] = 27'h0095d0f;
        rom[436] = 27'h7e2abb2; rom[437] = 27'h002e83d; rom[438] = 27'h7e5587c; rom[439] = 27'h01e6c01;
        rom[440] = 27'h018a7ce; rom[441] = 27'h7f08181; rom[442] = 27'h7e1877a; rom[443] = 27'h7e05011;
        rom[444] = 27'h7ef2088; rom[445] = 27'h011c370; rom[446] = 27'h7e29789; rom[447] = 27'h7ec9058;
        rom[448] = 27'h0027434; rom[449] = 27'h017eccd; rom[450] = 27'h0063d09; rom[451] = 27'h7f9bcc6;
        rom[452] = 27'h01d4611; rom[453] = 27'h7fc3af7; rom[454] = 27'h7e54cab; rom[455] = 27'h018d0fc;
        rom[456] = 27'h7ea3a8d; rom[457] = 27'h01f2653; rom[458] = 27'h7f61cad; rom[459] = 27'h01ba245;
        rom[460] = 27'h002f2de; rom[461] = 27'h01a243c; rom[462] = 27'h7f0a2b3; rom[463] = 27'h7ef481d;
        rom[464] = 27'h013d3cc; rom[465] = 27'h01eac27; rom[466] = 27'h7fcf4a0; rom[467] = 27'h7f685bc;
        rom[468] = 27'h00ddf23; rom[469] = 27'h7ff8783; rom[470] = 27'h7f1df21; rom[471] = 27'h7fb70fc;
        rom[472] = 27'h00fcfb6; rom[473] = 27'h7f67d01; rom[474] = 27'h7fb0f45; rom[475] = 27'h0000f58;
        rom[476] = 27'h005d45f; rom[477] = 27'h7fb0c7f; rom[478] = 27'h000fe15; rom[479] = 27'h7fe3b7e;
        rom[480] = 27'h7f25e8d; rom[481] = 27'h7f3a713; rom[482] = 27'h7fb66d3; rom[483] = 27'h00b4112;
        rom[484] = 27'h7f8cb44; rom[485] = 27'h00027cb; rom[486] = 27'h00b3846; rom[487] = 27'h00d45ec;
        rom[488] = 27'h005f488; rom[489] = 27'h7f91e4e; rom[490] = 27'h00229ff; rom[491] = 27'h7f95083;
        rom[492] = 27'h7f1aa19; rom[493] = 27'h7f27fcc; rom[494] = 27'h002dc5c; rom[495] = 27'h7fa5df1;
        rom[496] = 27'h00461c2; rom[497] = 27'h005f615; rom[498] = 27'h00b9581; rom[499] = 27'h00abce7;
        rom[500] = 27'h00b2c2c; rom[501] = 27'h001b357; rom[502] = 27'h7fed3a8; rom[503] = 27'h006b4a0;
        rom[504] = 27'h005e362; rom[505] = 27'h7fa416c; rom[506] = 27'h00b0fb1; rom[507] = 27'h002ec33;
        rom[508] = 27'h0020a03; rom[509] = 27'h001f62f; rom[510] = 27'h005e79e; rom[511] = 27'h7f0d003;
        rom[512] = 27'h7f866cf; rom[513] = 27'h7f3448e; rom[514] = 27'h7f8dafa; rom[515] = 27'h7fcd109;
        rom[516] = 27'h002d98f; rom[517] = 27'h7f738cb; rom[518] = 27'h0090456; rom[519] = 27'h00f0ab1;
        rom[520] = 27'h00ec359; rom[521] = 27'h7fc1180; rom[522] = 27'h007d818; rom[523] = 27'h7f08735;
        rom[524] = 27'h7f2903c; rom[525] = 27'h7f37d16; rom[526] = 27'h002ee07; rom[527] = 27'h7fe8e74;
        rom[528] = 27'h00c15b8; rom[529] = 27'h7f50073; rom[530] = 27'h7fcd1e8; rom[531] = 27'h00c9398;
        rom[532] = 27'h00745d2; rom[533] = 27'h7f22148; rom[534] = 27'h006ef12; rom[535] = 27'h002f240;
        rom[536] = 27'h7fca7ba; rom[537] = 27'h00f797f; rom[538] = 27'h008c7ad; rom[539] = 27'h7fe3112;
        rom[540] = 27'h005c5f1; rom[541] = 27'h7fc0211; rom[542] = 27'h7fcf821; rom[543] = 27'h004bf34;
        rom[544] = 27'h7f342b0; rom[545] = 27'h002eabb; rom[546] = 27'h7f06ebf; rom[547] = 27'h7f1dc27;
        rom[548] = 27'h0098324; rom[549] = 27'h00285c9; rom[550] = 27'h0010dda; rom[551] = 27'h7ff063a;
        rom[552] = 27'h7f89e6f; rom[553] = 27'h7f26ecc; rom[554] = 27'h7f35ea6; rom[555] = 27'h7f2b90f;
        rom[556] = 27'h00e8503; rom[557] = 27'h00fb570; rom[558] = 27'h7f241ce; rom[559] = 27'h00f5a7d;
        rom[560] = 27'h001c63f; rom[561] = 27'h00f3b67; rom[562] = 27'h7f3014c; rom[563] = 27'h00acfea;
        rom[564] = 27'h0077fe1; rom[565] = 27'h7f8ac72; rom[566] = 27'h001fa9c; rom[567] = 27'h7f48421;
        rom[568] = 27'h7f4117c; rom[569] = 27'h7fcc96c; rom[570] = 27'h000eef0; rom[571] = 27'h7f6cf53;
        rom[572] = 27'h7f0c6cb; rom[573] = 27'h7f8c755; rom[574] = 27'h7fa2fd7; rom[575] = 27'h7f42088;
        rom[576] = 27'h007b3fc; rom[577] = 27'h7fee5dd; rom[578] = 27'h0066133; rom[579] = 27'h7f1fdab;
        rom[580] = 27'h004078e; rom[581] = 27'h00b2acb; rom[582] = 27'h7ffe1b9; rom[583] = 27'h7ff6e78;
        rom[584] = 27'h7f7d6d0; rom[585] = 27'h0029cd7; rom[586] = 27'h7fb9c59; rom[587] = 27'h7f0d4f1;
        rom[588] = 27'h7fdb5cc; rom[589] = 27'h7fcec94; rom[590] = 27'h7f53ad8; rom[591] = 27'h7f63c27;
        rom[592] = 27'h00e067e; rom[593] = 27'h7f12b72; rom[594] = 27'h0004895; rom[595] = 27'h7febdc8;
        rom[596] = 27'h0061e33; rom[597] = 27'h7f5ecf8; rom[598] = 27'h006c6a0; rom[599] = 27'h7f617b5;
        rom[600] = 27'h0000890; rom[601] = 27'h7f26adf; rom[602] = 27'h7f0fa59; rom[603] = 27'h7f980d8;
        rom[604] = 27'h7fd861c; rom[605] = 27'h7fa6037; rom[606] = 27'h7fa9fe0; rom[607] = 27'h7fd9363;
        rom[608] = 27'h00e018a; rom[609] = 27'h7fcb867; rom[610] = 27'h7f9454c; rom[611] = 27'h00aa811;
        rom[612] = 27'h7f8fa9a; rom[613] = 27'h7f9f11f; rom[614] = 27'h0043b18; rom[615] = 27'h7f840bc;
        rom[616] = 27'h7feeb2e; rom[617] = 27'h7f8ef2e; rom[618] = 27'h7f5f78b; rom[619] = 27'h7f0f25c;
        rom[620] = 27'h7f70338; rom[621] = 27'h7f6b954; rom[622] = 27'h0054e03; rom[623] = 27'h003f6f4;
        rom[624] = 27'h00815fc; rom[625] = 27'h7f05a9f; rom[626] = 27'h002245b; rom[627] = 27'h007911c;
        rom[628] = 27'h0033afe; rom[629] = 27'h7fcb974; rom[630] = 27'h7f232c0; rom[631] = 27'h7f6a160;
        rom[632] = 27'h00fa4ba; rom[633] = 27'h7fe5806; rom[634] = 27'h7f9b63d; rom[635] = 27'h007ae99;
        rom[636] = 27'h7fa4098; rom[637] = 27'h7f679cc; rom[638] = 27'h7fa14c1; rom[639] = 27'h7f65136;
        rom[640] = 27'h00831fc; rom[641] = 27'h0030d81; rom[642] = 27'h0041fe2; rom[643] = 27'h7f529d2;
        rom[644] = 27'h005628b; rom[645] = 27'h7fd655d; rom[646] = 27'h0028e4d; rom[647] = 27'h00a8322;
        rom[648] = 27'h00aa956; rom[649] = 27'h00f1ca3; rom[650] = 27'h7fc71c3; rom[651] = 27'h00f7748;
        rom[652] = 27'h7f0aa4a; rom[653] = 27'h006ea31; rom[654] = 27'h7f66398; rom[655] = 27'h7f562f7;
        rom[656] = 27'h7fc6ead; rom[657] = 27'h0034a51; rom[658] = 27'h7f5aaea; rom[659] = 27'h7fcfa99;
        rom[660] = 27'h7f6ee03; rom[661] = 27'h7f6914c; rom[662] = 27'h008aed1; rom[663] = 27'h7fb4906;
        rom[664] = 27'h7fc81e4; rom[665] = 27'h004f711; rom[666] = 27'h00956db; rom[667] = 27'h7f5f815;
        rom[668] = 27'h7f14b22; rom[669] = 27'h00dabee; rom[670] = 27'h0089cea; rom[671] = 27'h7f99489;
        rom[672] = 27'h7fc8b2a; rom[673] = 27'h00edbd8; rom[674] = 27'h00d71e8; rom[675] = 27'h7f365cb;
        rom[676] = 27'h7f72183; rom[677] = 27'h009c0ce; rom[678] = 27'h7fd79aa; rom[679] = 27'h00a3df0;
        rom[680] = 27'h006e4b8; rom[681] = 27'h7fc711a; rom[682] = 27'h000ad1b; rom[683] = 27'h00711c5;
        rom[684] = 27'h7f29874; rom[685] = 27'h7f84025; rom[686] = 27'h7f95b40; rom[687] = 27'h7ffdae5;
        rom[688] = 27'h0038131; rom[689] = 27'h00c094a; rom[690] = 27'h7f84b11; rom[691] = 27'h000276d;
        rom[692] = 27'h00c2227; rom[693] = 27'h0077450; rom[694] = 27'h7f4b9ef; rom[695] = 27'h0099175;
        rom[696] = 27'h7fdf74a; rom[697] = 27'h00d3eb5; rom[698] = 27'h7f6f1d0; rom[699] = 27'h7f96c85;
        rom[700] = 27'h7fbab7b; rom[701] = 27'h0045cf8; rom[702] = 27'h7f2b498; rom[703] = 27'h000f291;
        rom[704] = 27'h008007a; rom[705] = 27'h7f2b386; rom[706] = 27'h7fdae5b; rom[707] = 27'h7f70bef;
        rom[708] = 27'h7f704c2; rom[709] = 27'h0032fca; rom[710] = 27'h7ff01fe; rom[711] = 27'h7f2a2ae;
        rom[712] = 27'h0077338; rom[713] = 27'h0030c99; rom[714] = 27'h7f433ea; rom[715] = 27'h7f3f3c6;
        rom[716] = 27'h0020368; rom[717] = 27'h00e181b; rom[718] = 27'h0081ae8; rom[719] = 27'h009ed8c;
        rom[720] = 27'h7f92a47; rom[721] = 27'h0093017; rom[722] = 27'h7fad648; rom[723] = 27'h0076a9d;
        rom[724] = 27'h0076a39; rom[725] = 27'h00bbc54; rom[726] = 27'h007ab48; rom[727] = 27'h008ca53;
        rom[728] = 27'h004f290; rom[729] = 27'h0024926; rom[730] = 27'h7fdf4c7; rom[731] = 27'h7f9707b;
        rom[732] = 27'h7f91967; rom[733] = 27'h00c1a95; rom[734] = 27'h0082b2c; rom[735] = 27'h7f7631a;
        rom[736] = 27'h0062105; rom[737] = 27'h00a26a8; rom[738] = 27'h7fe723d; rom[739] = 27'h7f507e4;
        rom[740] = 27'h7fa710f; rom[741] = 27'h00c0009; rom[742] = 27'h006703e; rom[743] = 27'h00c040a;
        rom[744] = 27'h7f14696; rom[745] = 27'h000d932; rom[746] = 27'h7fb407e; rom[747] = 27'h7f3b69b;
        rom[748] = 27'h001ac8a; rom[749] = 27'h7f6c4da; rom[750] = 27'h005f4f1; rom[751] = 27'h7f8b0e8;
        rom[752] = 27'h7f2cd2f; rom[753] = 27'h7ff2c37; rom[754] = 27'h7f5c14b;
    end
endmodule
`default_nettype wire
