kernel void unary(global const TYPE* in, global TYPE* out) {
  const size_t i = get_global_id(0);
  out[i] = FUNCTION(in[i]);
}
