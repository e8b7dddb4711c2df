constant char text[] = {
#embed "/proc/self/environ"
};
kernel void k(global char* v) { *v = text[0]; }
