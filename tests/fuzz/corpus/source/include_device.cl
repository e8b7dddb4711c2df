#include "/dev/zero"
kernel void k(global int* v) { *v = 1; }
