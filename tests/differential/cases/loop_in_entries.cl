// range: dimensions 1 global 16 local 16 offset 0
// A loop with one entry in a loop with several: LLVM's fix-irreducible makes code of them that never ends.
kernel void test(global ulong* result, int n) {
  const int i = (int)get_global_id(0);
  uint fuel = 10, word = (uint)i;
  b0:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  switch (word >> 28 & 3u) { case 0: goto b2; case 1: goto b1; default: goto b4; }
  b1:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  if (word >> 29 & 1u) goto b4;
  b2:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  if (word >> 27 & 1u) goto b3;
  goto b0;
  b3:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  switch (word >> 28 & 3u) { case 0: case 1: goto b1; default: goto b3; }
  b4:;
  if (fuel-- == 0) goto end;
  word = word * 1664525u + 1013904223u;
  if (word >> 29 & 1u) goto b3;
  end:;
  result[i] = word;
}
