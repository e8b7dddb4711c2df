// Two fields of records of eight words.
// global: 65536
// local: 256
// a: float 524288 random
// b: float 524288 zero

typedef struct {
  float u;
  float pad[5];
  float k;
  float v;
} Record;

kernel void record_fields(global const Record* a, global float* b) {
  int i = get_global_id(0);
  b[i] = a[i].u + a[i].k;
}
