// Sorting networks and radix sort.

kernel void bitonic_step(global uint* keys, int distance, int size) {
  int pair = get_global_id(0);
  int low = pair / distance * 2 * distance + pair % distance, high = low + distance;
  uint a = keys[low], b = keys[high];
  int ascending = (low & size) == 0;
  if ((a > b) == ascending) {
    keys[low] = b;
    keys[high] = a;
  }
}

// Each work-item counts the digits of its own chunk of keys; counts of one digit lie side by side.
kernel void radix_count(global const uint* keys, global int* counts, int chunk, int shift) {
  int item = get_global_id(0), items = get_global_size(0);
  int mine[256];
  for (int digit = 0; digit < 256; digit++)
    mine[digit] = 0;
  for (int i = item * chunk; i < (item + 1) * chunk; i++)
    mine[(keys[i] >> shift) & 255]++;
  for (int digit = 0; digit < 256; digit++)
    counts[digit * items + item] = mine[digit];
}

// Exclusive sums of all counts, by one work-group.
kernel void radix_scan(global int* counts, local int* part, int n) {
  int item = get_local_id(0), items = get_local_size(0), share = n / items, sum = 0;
  for (int i = item * share; i < (item + 1) * share; i++)
    sum += counts[i];
  part[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    int total = 0;
    for (int i = 0; i < items; i++) {
      int next = part[i];
      part[i] = total;
      total += next;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = part[item];
  for (int i = item * share; i < (item + 1) * share; i++) {
    int next = counts[i];
    counts[i] = sum;
    sum += next;
  }
}

kernel void radix_scatter(global const uint* from, global uint* to, global const int* places, int chunk,
                          int shift) {
  int item = get_global_id(0), items = get_global_size(0);
  int mine[256];
  for (int digit = 0; digit < 256; digit++)
    mine[digit] = places[digit * items + item];
  for (int i = item * chunk; i < (item + 1) * chunk; i++)
    to[mine[(from[i] >> shift) & 255]++] = from[i];
}
