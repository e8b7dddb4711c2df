// Particles of seven floats in an array of structs.
// global: 74752
// local: 256
// a: float 524288 random
// b: float 524288 zero

typedef struct {
  float x, y, z, vx, vy, vz, mass;
} Particle;

kernel void array_of_structs(global const Particle* a, global Particle* b) {
  int i = get_global_id(0);
  Particle p = a[i];
  p.x += p.vx * 0.1f;
  p.y += p.vy * 0.1f;
  p.z += p.vz * 0.1f;
  p.vz -= p.mass;
  b[i] = p;
}
