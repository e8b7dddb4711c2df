// Records of four floats.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

typedef struct {
  float x, y, z, w;
} Point;

kernel void record_4(global const Point* a, global Point* b) {
  int i = get_global_id(0);
  Point p = a[i];
  p.x += p.w;
  p.y *= p.w;
  b[i] = p;
}
