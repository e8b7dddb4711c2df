kernel void width_choice(global const uchar* a, global uchar* b) {
  b[get_global_id(0)] = a[get_global_id(0)] ^ 77;
}nn#define TIMES_4(step) step step step step
#define TIMES_64(step) TIMES_4(TIMES_4(TIMES_4(step)))nn