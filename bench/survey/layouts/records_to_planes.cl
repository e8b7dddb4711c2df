// Records of eight words, taken apart into eight arrays.
// global: 65536
// local: 256
// a: float 524288 random
// b: float 524288 zero

typedef struct {
  float x, y, z, u, v, w, t, id;
} Record;

kernel void records_to_planes(global const Record* a, global float* b) {
  int i = get_global_id(0), n = get_global_size(0);
  Record r = a[i];
  b[i] = r.x;
  b[n + i] = r.y;
  b[2 * n + i] = r.z;
  b[3 * n + i] = r.u;
  b[4 * n + i] = r.v;
  b[5 * n + i] = r.w;
  b[6 * n + i] = r.t;
  b[7 * n + i] = r.id;
}
