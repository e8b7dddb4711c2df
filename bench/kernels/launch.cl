kernel void store_id(global uint* out) { out[get_global_id(0)] = get_global_id(0); }
kernel void increment(global uint* value) { *value += 1; }
