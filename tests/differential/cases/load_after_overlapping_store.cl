// range: dimensions 1 global 64 local 64 offset 0
// One work-item at a time, LLVM's loop vectoriser read the second half of an item's slot together with the first,
// before the store that overlaps with it.
typedef ulong __attribute__((may_alias)) any_ulong;
typedef ulong __attribute__((may_alias, aligned(2))) ulong_at_2;
kernel void test(global ulong* out64, global ulong* result) {
  const int i = (int)get_global_linear_id();
  global char* slot = (global char*)out64 + i * 16;
  const ulong first = *(global any_ulong*)slot;
  *(global ulong_at_2*)(slot + 6) = 0;
  const ulong second = *(global any_ulong*)(slot + 8);
  result[i] = first * 3 + second;
}
