// Long stretches are cut by a way around that is never taken.
// RUN: hostclc --local=1 --kernel=few --print=long-blocks %s | FileCheck %s --check-prefix=FEW
// RUN: hostclc --local=1 --without=group_size_agnostic --kernel=many --print=long-blocks %s | FileCheck %s --check-prefix=MANY
// RUN: hostclc --local=64 --kernel=cases --print=long-blocks %s | FileCheck %s --check-prefix=CASES
// RUN: hostclc --local=64 --kernel=iterations --print=optimise %s | FileCheck %s --check-prefix=LOOPS
// RUN: hostclc --cpu=znver4 --width=16 --kernel=bytes --print=long-blocks %s | FileCheck %s --check-prefix=BYTES

#define FOUR(x) x x x x
#define SIXTYFOUR(x) FOUR(FOUR(FOUR(x)))

// FEW: define {{.*}} @few
// FEW-NOT: detour
// FEW: ret void
kernel void few(global volatile int* p) { SIXTYFOUR(*p;) }

// MANY: define {{.*}} @many
// MANY: %zero = call i32 asm "", "=r,0"(i32 0)
// MANY: %never{{.*}} = icmp ne i32 %zero, 0
// MANY-NEXT: br i1 %never{{.*}}, label %detour, label %cut
// MANY: detour:
// MANY-NEXT: call void asm sideeffect
// MANY-NEXT: br label %cut
// MANY: cut:
// MANY-NOT: detour{{.*}}:
kernel void many(global volatile int* p) { FOUR(SIXTYFOUR(*p;)) }

// CPUs have no scatters of bytes, so each is as many accesses as it has lanes.
// BYTES: define {{.*}} @bytes
// BYTES-COUNT-12: @llvm.masked.scatter.v16i8
// BYTES-NOT: @llvm.masked.scatter
// BYTES: detour{{.*}}:
// BYTES: @llvm.masked.scatter.v16i8
struct block { uchar b[64]; };
kernel void bytes(global struct block* p) {
  struct block x = p[get_global_id(0)];
  for (int k = 0; k < 64; ++k) x.b[k] += k;
  p[get_global_id(0)] = x;
}

// Each region between barriers is a loop.
// LOOPS: define {{.*}} @iterations
// LOOPS: label %detour
// LOOPS: detour{{[0-9]+}}:
kernel void iterations(global int* p, local int* t) {
  int i = get_local_id(0);
  FOUR(FOUR(FOUR(t[i] += *p; barrier(CLK_LOCAL_MEM_FENCE); t[i] -= t[63 - i]; barrier(CLK_LOCAL_MEM_FENCE);)))
  p[i] = t[i];
}

// Conditions stand at what needs them.
// CASES: define {{.*}} @cases
// CASES: %[[IS:.*]] = icmp eq <{{.*}}
// CASES-NEXT: select <{{.*}} %[[IS]]
// CASES: %[[NEXT:.*]] = icmp eq <{{.*}}
// CASES-NEXT: select <{{.*}} %[[NEXT]]
#define CASE(n) case n: v = n * n + 5; break;
#define CASES4(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASES16(n) CASES4(n) CASES4(n + 4) CASES4(n + 8) CASES4(n + 12)
#define CASES64(n) CASES16(n) CASES16(n + 16) CASES16(n + 32) CASES16(n + 48)
#define CASES256(n) CASES64(n) CASES64(n + 64) CASES64(n + 128) CASES64(n + 192)
kernel void cases(global uint* p) {
  uint v = p[get_global_id(0)];
  switch (v) { CASES256(0) CASES256(256) }
  p[get_global_id(0)] = v;
}
