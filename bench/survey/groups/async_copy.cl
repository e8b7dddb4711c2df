// A copy of the group's part to local memory.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void async_copy(global const float* a, global float* b) {
  local float t[256];
  event_t e = async_work_group_copy(t, a + get_group_id(0) * 256, 256, 0);
  wait_group_events(1, &e);
  b[get_global_id(0)] = t[get_local_id(0)] * 2;
}
