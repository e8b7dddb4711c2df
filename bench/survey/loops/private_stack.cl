// A traversal with a stack in a private array.
// global: 32768
// local: 64
// a: uint 524288 random
// b: uint 524288 zero

kernel void private_stack(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  int t[16];
  int top = 0, s = 0;
  t[top++] = 1;
  while (top > 0) {
    int v = t[--top];
    s += v;
    if (v < 64 && top < 14 && ((a[i] >> (v & 31)) & 1)) {
      t[top++] = 2 * v;
      t[top++] = 2 * v + 1;
    }
  }
  b[i] = s;
}
