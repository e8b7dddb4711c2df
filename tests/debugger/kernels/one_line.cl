kernel void one(global const int* in, global int* out, int by) { int i = get_global_id(0); out[i] = in[i] * by; }
