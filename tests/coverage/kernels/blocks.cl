// Launched with 16 work-items.
void child(global int* a, int i) { // 15
  if (i > 1) // 15
    atomic_add(a + i, 1); // 9
}

kernel void enqueues(global int* a) {
  int i = get_global_id(0); // 16
  if (i == 5) { // 16
    ndrange_t range = ndrange_1D(15 - 10); // 1
    for (int j = 0; j < 3; ++j)
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, // 3
                     ^{
        int k = get_global_id(0); // 15
        child(a, k); // 15
      });
  }
}
