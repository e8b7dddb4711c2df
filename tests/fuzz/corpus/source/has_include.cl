#if __has_include("/etc/passwd") || __has_embed("/etc/passwd")
#error files are read
#endif
kernel void k(global int* v) { *v = 1; }
