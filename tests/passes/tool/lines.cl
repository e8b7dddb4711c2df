// Lines for debuggers and profilers cost nothing: with -g, and beside a kernel that is built for debuggers, the
// instructions of a kernel are the same. Labels and padding are left out.
// RUN: only='s/#.*//; s/[.]L[A-Za-z]*[0-9_]*/label/g; s/[[:space:]]*$//; /^[[:space:]][a-z]/!d; /^[[:space:]]nop/d' && \
// RUN:   hostclc --assembly --kernel=rows %s | sed "$only" > %t.without && test -s %t.without && \
// RUN:   for options in -g -cl-hostcl-debug=other; do \
// RUN:     hostclc $options --assembly --kernel=rows %s | sed "$only" > %t.with && cmp %t.without %t.with || exit 1; done && \
// RUN:   hostclc -cl-hostcl-debug=rows --fallback-level=bare --assembly --kernel=rows %s | sed "$only" > %t.form && \
// RUN:   not cmp -s %t.without %t.form

float weight(float x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x * i;
  return sum;
}

kernel void rows(global const float* in, global float* out, int n) {
  local float shared[64];
  int i = get_global_id(0), l = get_local_id(0);
  shared[l] = weight(in[i], n);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (shared[63 - l] > 1) out[i] = shared[63 - l] + sqrt(in[i]);
}

kernel void other(global float* out) { out[get_global_id(0)] = 1; }
