// A step of bodies in records of eight floats, in place.
// global: 65536
// local: 256
// a: float 524288 random
// b: float 524288 zero reset

typedef struct {
  float place[3], mass, speed[3], age;
} Body;

kernel void bodies_step(global const Body* a, global Body* b) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; k++)
    b[i].place[k] = a[i].place[k] + a[i].speed[k] * 0.01f;
}
