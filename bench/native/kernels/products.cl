// Products of matrices and vectors and what is made of them, one element of the result per work-item.

kernel void gemm(global const float* a, global const float* b, global float* c, int n, float alpha,
                 float beta) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) {
    c[i * n + j] *= beta;
    for (int k = 0; k < n; k++)
      c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
  }
}

kernel void syr2k(global const float* a, global const float* b, global float* c, int n, float alpha,
                  float beta) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n) return;
  float sum = c[i * n + j] * beta;
  for (int k = 0; k < n; k++)
    sum += alpha * a[i * n + k] * b[j * n + k] + alpha * b[i * n + k] * a[j * n + k];
  c[i * n + j] = sum;
}

// The lower triangle of a, without its diagonal.
kernel void trmm(global const float* a, global const float* b, global float* out, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = b[i * n + j];
  for (int k = 0; k < i; k++)
    sum += a[i * n + k] * b[k * n + j];
  out[i * n + j] = sum;
}

kernel void atax_rows(global const float* a, global const float* x, global float* y, int rows, int columns) {
  int i = get_global_id(0);
  if (i < rows) {
    float sum = 0;
    for (int j = 0; j < columns; j++)
      sum += a[i * columns + j] * x[j];
    y[i] = sum;
  }
}

kernel void atax_columns(global const float* a, global const float* x, global float* y, int rows,
                         int columns) {
  int j = get_global_id(0);
  if (j < columns) {
    float sum = 0;
    for (int i = 0; i < rows; i++)
      sum += a[i * columns + j] * x[i];
    y[j] = sum;
  }
}

kernel void mean_and_deviation(global const float* data, global float* mean, global float* deviation,
                               int rows, int columns) {
  int j = get_global_id(0);
  if (j >= columns) return;
  float sum = 0, squares = 0;
  for (int i = 0; i < rows; i++)
    sum += data[i * columns + j];
  float average = sum / rows;
  for (int i = 0; i < rows; i++)
    squares += (data[i * columns + j] - average) * (data[i * columns + j] - average);
  mean[j] = average;
  deviation[j] = sqrt(squares / rows);
}

kernel void normalise(global float* data, global const float* mean, global const float* deviation, int rows,
                      int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < rows && j < columns)
    data[i * columns + j] = (data[i * columns + j] - mean[j]) / (sqrt((float)rows) * deviation[j]);
}

kernel void correlate(global const float* data, global float* result, int rows, int columns) {
  int first = get_global_id(0);
  if (first >= columns) return;
  result[first * columns + first] = 1;
  for (int second = first + 1; second < columns; second++) {
    float sum = 0;
    for (int i = 0; i < rows; i++)
      sum += data[i * columns + first] * data[i * columns + second];
    result[first * columns + second] = sum;
    result[second * columns + first] = sum;
  }
}

kernel void column_means(global const float* data, global float* mean, int rows, int columns) {
  int j = get_global_id(0);
  if (j >= columns) return;
  float sum = 0;
  for (int i = 0; i < rows; i++)
    sum += data[i * columns + j];
  mean[j] = sum / rows;
}

kernel void centre(global float* data, global const float* mean, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < rows && j < columns) data[i * columns + j] -= mean[j];
}

kernel void covary(global const float* data, global float* result, int rows, int columns) {
  int first = get_global_id(0);
  if (first >= columns) return;
  for (int second = first; second < columns; second++) {
    float sum = 0;
    for (int i = 0; i < rows; i++)
      sum += data[i * columns + first] * data[i * columns + second];
    result[first * columns + second] = sum / (rows - 1);
    result[second * columns + first] = sum / (rows - 1);
  }
}

kernel void gramschmidt_norm(global const float* a, global float* r, int n, int k) {
  if (get_global_id(0) == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[i * n + k] * a[i * n + k];
    r[k * n + k] = sqrt(sum);
  }
}

kernel void gramschmidt_column(global const float* a, global const float* r, global float* q, int n, int k) {
  int i = get_global_id(0);
  if (i < n) q[i * n + k] = a[i * n + k] / r[k * n + k];
}

kernel void gramschmidt_rest(global float* a, global float* r, global const float* q, int n, int k) {
  int j = get_global_id(0);
  if (j > k && j < n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += q[i * n + k] * a[i * n + j];
    r[k * n + j] = sum;
    for (int i = 0; i < n; i++)
      a[i * n + j] -= q[i * n + k] * sum;
  }
}

kernel void gaussian_factors(global const float* a, global float* m, int n, int t) {
  int i = get_global_id(0);
  if (i < n - 1 - t) m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

kernel void gaussian_rows(global float* a, global const float* m, int n, int t) {
  int x = get_global_id(0), y = get_global_id(1);
  if (y >= n - 1 - t || x >= n - t) return;
  a[n * (y + 1 + t) + x + t] -= m[n * (y + 1 + t) + t] * a[n * t + x + t];
}
