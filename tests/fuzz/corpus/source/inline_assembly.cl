kernel void k(global int* v) { __asm__ volatile("syscall"); }
