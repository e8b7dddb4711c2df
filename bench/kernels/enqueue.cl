/// Enqueues `count` children that add 1, in any order.
kernel void fan_out(global uint* value, uint count) {
  const queue_t queue = get_default_queue();
  for (uint i = 0; i < count; ++i)
    if (enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
          atomic_inc((volatile global uint*)value);
        }) != CLK_SUCCESS)
      return;
}

void step(global uint* value, uint left) {
  *value += 1;
  if (left > 1)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ step(value, left - 1); });
}

/// Enqueues a child that adds 1 and enqueues the next one, `count` in all.
kernel void chain(global uint* value, uint count) { step(value, count); }
