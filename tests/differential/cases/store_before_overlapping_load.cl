// range: dimensions 1 global 64 local 64 offset 0
// The same with stores: the first one is not to wait for the one that completes the slot.
typedef uint __attribute__((may_alias)) any_uint;
typedef uint __attribute__((may_alias, aligned(2))) uint_at_2;
kernel void test(global ulong* out64, global ulong* result) {
  const int i = (int)get_global_linear_id();
  global char* slot = (global char*)out64 + i * 8;
  *(global any_uint*)slot = i * 77777;
  const uint between = *(global uint_at_2*)(slot + 2);
  *(global any_uint*)(slot + 4) = between;
  result[i] = between;
}
