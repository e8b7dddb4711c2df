// Vectors that would have hundreds of accesses of single lanes are left to the code that is made in the background.
// RUN: hostclc --cpu=sapphirerapids --tier0 --kernel=bytes %s 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: hostclc --cpu=sapphirerapids --tier0 --kernel=some_bytes %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --cpu=sapphirerapids --tier0 --kernel=one_place %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --cpu=sapphirerapids --tier0 --kernel=words %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --cpu=x86-64-v3 --tier0 --kernel=words %s 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: hostclc --cpu=x86-64-v3 --tier0 --kernel=loads %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --cpu=x86-64-v2 --tier0 --kernel=loads %s 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: hostclc --cpu=sapphirerapids --width=16 --tier0 --kernel=bytes %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --cpu=sapphirerapids --local=64 --kernel=bytes %s 2>&1 | FileCheck %s --check-prefix=VECTORS
// SHORT: 1 work-item at a time: not vectorised: its accesses would need separate code for each lane
// VECTORS: {{[0-9]+}} work-items at a time

#define TWICE(step) step step
#define TIMES_32(step) TWICE(TWICE(TWICE(TWICE(TWICE(step)))))
#define TIMES_96(step) TWICE(TIMES_32(step)) TIMES_32(step)

#define STORES(name, type, steps)                                      \
  kernel void name(global type* places, global const uint* at) {       \
    uint x = at[get_global_id(0)];                                      \
    steps                                                               \
    places[get_global_id(0)] = x;                                       \
  }
#define STORE                                                           \
  x = x * 5 + (x >> 7);                                                 \
  places[x & 255] = x;

STORES(bytes, uchar, TIMES_96(STORE))
STORES(some_bytes, uchar, TWICE(STORE))
STORES(words, uint, TIMES_96(STORE))

kernel void loads(global uint* places, global const uint* at) {
  uint x = at[get_global_id(0)];
  TIMES_96(x = x * 5 + at[(x ^ (x >> 7)) & 255];)
  places[get_global_id(0)] = x;
}

// One store for all lanes.
kernel void one_place(global uchar* places, global const uint* at) {
  uint x = at[get_global_id(0)], y = at[0];
  TIMES_96(y = y * 5 + (y >> 7); places[y & 255] = y;)
  places[get_global_id(0)] = x;
}
