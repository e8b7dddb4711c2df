typedef struct {
  int first;
  float4 place;
  short tail[3];
} Thing;

constant int primes[3] = {2, 3, 5};

kernel void values(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  int table[4];
  for (int k = 0; k < 4; ++k)
    table[k] = in[i] * (k + 1);
  Thing thing = {i, (float4)(1.5f, 2.5f, 3.5f, i), {7, 8, 9}};
  int4 wide = (int4)(table[0], table[1], table[2], table[3]);
  uchar small = 200 + i;
  float third = by / 4.0f;
  bool odd = i & 1;
  int* pointer = &table[2];
  if (odd) {
    int inner = *pointer + primes[2];
    wide.x += inner;
  }
  wide.y += small;
  out[i] = wide.x + wide.y + thing.tail[1] + (int)third;
}
