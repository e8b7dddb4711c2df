// Sparse rows and graphs.

kernel void sparse_rows(global const int* begin, global const int* column, global const float* value,
                        global const float* x, global float* y, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

kernel void search_level(global const int* begin, global const int* edge, global int* level, int nodes,
                         int depth) {
  int node = get_global_id(0);
  if (node >= nodes || level[node] != depth) return;
  for (int k = begin[node]; k < begin[node + 1]; k++) {
    int next = edge[k];
    if (level[next] < 0) level[next] = depth + 1;
  }
}
