"""Letters that look like others, from Unicode's table of confusables."""

# Made from confusables.txt, version 13.0.0 (Unicode Security Mechanisms for UTS #39): letters and digits of
# the Basic Multilingual Plane that NFKC leaves as they are and that look like ASCII, and those of Latin,
# Greek, Cyrillic, Armenian, Hebrew, Georgian, Coptic and Cherokee that look like letters.
#
# UNICODE LICENSE V3
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright (c) 1991-2020 Unicode, Inc.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any
# associated documentation (the "Data Files") or software and any associated documentation (the "Software")
# to deal in the Data Files or Software without restriction, including without limitation the rights to use,
# copy, modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit
# persons to whom the Data Files or Software are furnished to do so, provided that either (a) this copyright
# and permission notice appear with all copies of the Data Files or Software, or (b) this copyright and
# permission notice appear in associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
# INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
# NONINFRINGEMENT OF THIRD PARTY RIGHTS.
#
# IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR
# PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN
# CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or
# otherwise to promote the sale, use or other dealings in these Data Files or Software without prior written
# authorization of the copyright holder.

from __future__ import annotations

from typing import Final

LOOKALIKES: Final = """
! ǃⵑ  & ꝸ  , ꓹ  - Ⲻ  . ٠۰ꓸ  ., ꓻ  .. ꓺ  / Ⳇ〳ノ丿  2 ƧϨᒿꙄꛯꝚ  2̵ ƻ  3 ƷȜЗӠⳌꝪꞫ  3̦ Ҙ  4 Ꮞ  5 Ƽ
6 бᏮⳒ  8 Ȣȣ৪੪  9 ৭੧୨൭ⳊꝮ  : ːꓽ  < ᐸᚲ  > ᐳ  ? ɁʔॽᎮꛫ  A ΑАᎪᗅꓮ  AA Ꜳ  AE ÆӔ  AO Ꜵ  AU Ꜷ  AV ꜸꜺ
AY Ꜽ  B ΒВᏴᗷꓐꞴ  C СᏟⲤꓚ  C̦ ÇҪ  D Ꭰᗞᗪꓓ  D̵ ÐĐƉ  E ΕЕᎬⴹꓰ  E̸ Ɇ  F ϜᖴꓝꞘ  F̦ Ƒ  G ԌᏀᏳꓖ  G̵ Ǥ
H ΗНᎻᕼⲎꓧ  H̦ ӇӉ  H̩ ҢⱧ  H̵ Ħ  J ͿЈᎫᒍꓙꞲ  J̵ Ɉ  K ΚКᏦᛕⲔꓗ  K̩ ҚⱩ  K̵ ҞꝀ  L ᏞᒪⳐꓡ  L̸ Ł
M ΜϺМᎷᗰᛖⲘꓟ  M̦ Ӎ  N ΝⲚꓠ  N̦ Ɲ  O 0ΟОՕ߀০ଠ୦ዐⲞⵔ〇ꓳ  OE Œ  OO ꚘꝎ  O̵ ƟΘθѲӨᎾᏫꝊ  O̸ Ø  Ó̸ Ǿ
P ΡРᏢᑭⲢꓑ  Q ⵕ  R ƦᎡᏒᖇꓣ  S ЅՏᏕᏚꓢ  T ΤТᎢⲦꓔ  T3 Ꜩ  T̨ Ʈ  T̩ Ҭ  T̵ Ŧ  T̸ Ⱦ  U Սሀᑌꓴ  U̵ ɄᏌ
V Ѵ٧۷Ꮩᐯⴸꓦꛟ  W ԜᎳᏔꓪ  X ΧХᚷⲬⵝꓫꞳ  X̩ Ҳ  Y ΥУҮᎩᎽⲨꓬ  Y̵ ɎҰ  Z ΖᏃꓜ  Z̦ Ȥ  Z̵ Ƶ  ^ ˆ  _ ߺ  a ɑαа
aa ꜳ  ae æӕ  ao ꜵ  au ꜷ  av ꜹꜻ  ay ꜽ  b ƄЬᏏᑲᖯ  bl Ы  b̄ ƂƃБ  b̔ ɓ  b̵ ƀѢѣҌҍ  c сᴄⲥꮯ  c̦ çҫ
c̸ ȼ  d ԁᏧᑯꓒ  dz ʣ  dȝ ʤ  dʑ ʥ  d̄ ƌ  d̔ ɗ  d̨ ɖ  d̵ đ  e еҽꬲ  ę ҿ  e̸ ɇ  f քẝꞙꬵ  fŋ ʩ
f̦ ƒ  f̴ ᵮ  g ƍɡցᶃ  g̔ ɠ  g̵ ǥ  h һհᏂ  h̔ ɦᏲꚕ  h̵ ħћ  i ıɩɪιіӏᎥꙇꭵ  i̵ ɨᵻᵼ  j ϳј  j̵ ɉ
k̔ ƙ  l 1I|ƖǀΙІӀוןا١۱ߊᛁⲒⵏꓲ  lO Ю  ll ǁװ  ls ʪ  lz ʫ  lȝ ɮ  l̨ ɭ  l̴ ɫ  l̵ Ɨƚ  l̸ ł  n ոռ
n̨ ɳ  n̩ ƞη  n̴ ᵰ  o οσоօסه٥ھہە۵०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ  oe œ  oo ꚙꝏ  ơ ꭴ  o̵ ɵѳөꝋꮎꮻ  o̸ øꬾ
oᴇ ɶ  p ρрⲣ  p̔ ƥ  p̵ ᵽ  q ԛգզ  q̔ ʠ  r гᴦⲅꭇꭈꮁ  rn m  rn̦ ɱ  rn̴ ᵯ  r̨ ɽ  r̩ ɼ  r̴ ᵲ
r̵ ɍғ  s ƽѕꜱꮪ  s̨ ʂ  s̴ ᵴ  tf ꝷ  ts ʦ  tȝ ꜩ  tɕ ʨ  tʃ ʧ  t̔ ƭ  t̴ ᵵ  t̵ ŧ  u ʋυսᴜꞟꭎꭒ  ue ᵫ
uo ꭣ  u̵ ᵾꮜ  v νѵטᴠꮩ  w ɯѡԝաᴡꮃ  w̦ ꝡ  w҆҇ ѽ  x хᕁᕽ  y ɣʏγуүყᶌỿꭚ  y̔ ƴ  y̵ ɏұ  z ᴢꮓ  z̦ ȥ
z̨ ʐ  z̴ ᵶ  z̵ ƶ  Å Ȧ  Ö Ő  Þ Ϸ  ß βᏰꞵ  å ȧ  þ ƿϸ  Ă Ǎ  ă ǎ  Ĕ Ě  ĕ ě  Ğ Ǧ  ğ ǧ  ģ ǵ  Ĭ Ǐ
ĭ ǐ  ĸ κкᴋⲕꮶ  ĸ̩ қ  ĸ̵ ҟ  Ŏ Ǒ  ŏ ǒ  Ţ Ț  Ŭ Ǔ  ŭ ǔ  ƅ ьꮟ  ƅi ы  Ɔ Ͻ  Ə Ә  Ɛ ԐᏋ  ƨ ϩᴤꙅ  Ʃ Σ
ƫ ţțᎿ  ǝ əә  ǝo ᴔ  ǝo̵ ꭂ  ǝo̸ ꭁ  Ƕ Ԋ  ȝ ʒӡჳⳍꝫ  ȷ յ  ɂ ꭾ  Ʌ ΛЛ  Ʌ̦ Ӆ  ɋ ᶐ  ɔ ͻᴐↄ  ɔe ꭢ
ɔ̸ ꬿ  ɜ зᴈ  ɜ̦ ҙ  ɢ ԍᏻꮐ  ɰ պ  ɲ ņ  ɸ φфⲫ  ɾ̴ ᵳ  ʀ ꭱꮢ  ʃ ꭍ  ʊ̵ ᵿ  ʌ ᴧ  ʍ мᴍꮇ  ʍ̦ ӎ  ʘ Ꙩ
ʙ вᏼ  ʚ ꞝ  ʜ нꮋ  ʜ̦ ӈӊ  ʜ̩ ң  ʟ ⳑꮮ  ˉb ъ  ˉbi ꙑ  Γ ГᎱⲄ  Γ̵ Ғ  Δ Ⲇ  Π ПⲠ  Φ ФՓⲪ  Ψ ѰⲮ  λ Ⲗ
π пᴨ  ς ϛ  χ ⲭꭓꭕ  ψ ѱ  ω ⲱꙍꞷ  ϗ ⳤ  Ϭ Ⳝ  Ѝ Й  Ѝ̦ Ҋ  Ж̩ Җ  И Ͷ  Ш Ⲽ  Ъl Ꙑ  ж̩ җ  й ѝ  й̦ ҋ
л ᴫ  л̦ ӆ  ш ⲽ  љ ꭠ  Ѡ Ꮗ  Ѡ҆҇ Ѽ  Ҷ Ӌ  ҷ ӌ  Ҽ̨ Ҿ  ة ö  ሆ Մ  ቡ Ռ  ኮ Ի  ጣ Պ  Ꮿ ῶ  ᴀ ꭺ  ᴅ ꭰ
ᴇ ꭼ  ᴊ ꭻ  ᴎ ͷи  ᴘ ᴩꮲ  ᴙ я  ᴛ τтꭲ  ᴛ̩ ҭ  ẟ δծ  Ⱶ ͰᎨᎰ  ⱶ ꮀ  ー ꟷ  ꓕ Ʇ  ꓤ Ꞟ  Ꙍ Ꞷ  ꜧ ꞕ  Ꜿ Ͽ
ꜿ ͽ  Ꝺ ꝺ  Ꞇ Ⴀ  Ꞓ ЄⲈ  ꞓ ɛεєԑⲉꮛ  ꭑ ṃ  𐊨 Ꚛ  𐐒 Ꞛ  𐐺 ꞛ
"""
"""What letters look like, a space, and these letters; between such pairs stand two spaces or a line feed."""
