kernel void write_items(global const uint* values, write_only pipe uint packets) {
  write_pipe(packets, values + get_global_id(0));
}

kernel void write_odd(global const uint* values, write_only pipe uint packets) {
  const uint value = values[get_global_id(0)];
  if (value & 1)
    write_pipe(packets, &value);
}

kernel void read_items(read_only pipe uint packets, global uint* values) {
  read_pipe(packets, values + get_global_id(0));
}

kernel void write_groups(global const uint* values, write_only pipe uint packets) {
  reserve_id_t id = work_group_reserve_write_pipe(packets, get_local_size(0));
  if (!is_valid_reserve_id(id))
    return;
  write_pipe(packets, id, get_local_id(0), values + get_global_id(0));
  work_group_commit_write_pipe(packets, id);
}

kernel void read_groups(read_only pipe uint packets, global uint* values) {
  reserve_id_t id = work_group_reserve_read_pipe(packets, get_local_size(0));
  if (!is_valid_reserve_id(id))
    return;
  read_pipe(packets, id, get_local_id(0), values + get_global_id(0));
  work_group_commit_read_pipe(packets, id);
}
