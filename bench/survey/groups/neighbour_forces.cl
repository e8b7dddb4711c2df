// Forces of a box's particles, kept in local memory, added to structures in global memory.
// global: 16384
// local: 64
// a: float 65536 random
// b: float 65536 zero reset

kernel void neighbour_forces(global const float4* a, global float4* b) {
  local float4 t[64];
  int l = get_local_id(0), g = get_group_id(0);
  t[l] = a[g * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 p = a[g * 64 + l];
  for (int k = 0; k < 64; k++) {
    float4 d = p - t[k];
    float r = exp(-dot(d, d));
    b[g * 64 + l].x += r * d.x;
    b[g * 64 + l].y += r * d.y;
    b[g * 64 + l].z += r * d.z;
    b[g * 64 + l].w += r;
  }
}
