// Forces between the particles of a box, added up in a structure in global memory.
// global: 16384
// local: 128
// a: float 65536 random
// f: float 65536 zero

typedef struct {
  float potential, x, y, z;
} particle;

kernel void forces_in_boxes(global const particle* a, global particle* f) {
  local particle box[128];
  int i = get_global_id(0);
  particle p = a[i];
  box[get_local_id(0)] = p;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 128; ++k) {
    float r = p.potential + box[k].potential - (p.x * box[k].x + p.y * box[k].y + p.z * box[k].z);
    float u = exp(-r);
    f[i].potential += u;
    f[i].x += 2 * u * (p.x - box[k].x);
    f[i].y += 2 * u * (p.y - box[k].y);
    f[i].z += 2 * u * (p.z - box[k].z);
  }
}
