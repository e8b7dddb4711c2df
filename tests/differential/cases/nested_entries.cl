// range: dimensions 1 global 16 local 16 offset 0
// Loops with several entries in each other: LLVM's fix-irreducible makes code of them that never ends.
kernel void test(global ulong* result, int n) {
  const int i = (int)get_global_id(0);
  uint fuel = 4, word = (uint)i * 2u;
  goto b1;
  b1:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  switch (word >> 28 & 3u) { case 1: goto b3; default: goto b5; }
  b2:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  switch (word >> 28 & 3u) { case 1: goto b5; default: goto b3; }
  b3:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  if (word >> 29 & 1u) goto b2; goto b1;
  b5:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  goto b2;
  end:;
  result[i] = word;
}
