// Square tiles through local memory; a column more than a tile needs, as one does on a GPU.
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose(global const float* in, global float* out) {
  local float tile[16][17];
  const size_t width = get_global_size(0), height = get_global_size(1);
  const size_t lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + ly) * height + get_group_id(1) * 16 + lx] = tile[lx][ly];
}
