__asm__(".globl main");
kernel void k(global int* v) { *v = 1; }
