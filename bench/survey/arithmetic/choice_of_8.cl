// A switch of eight cases.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void choice_of_8(global const float* a, global float* b) {
  int i = get_global_id(0);
  float x = a[i];
  switch (((int)(x * 8)) & 7) {
  case 0:
    x = x + 1;
    break;
  case 1:
    x = x * 2;
    break;
  case 2:
    x = x * x;
    break;
  case 3:
    x = 1 / x;
    break;
  case 4:
    x = sqrt(x);
    break;
  case 5:
    x = -x;
    break;
  case 6:
    x = x - 3;
    break;
  default:
    x = 0;
  }
  b[i] = x;
}
