// Long stretches are cut by a way around that is never taken.
// RUN: hostclc --local=1 --kernel=few --print=long-blocks %s | FileCheck %s --check-prefix=FEW
// RUN: hostclc --local=1 --kernel=many --print=long-blocks %s | FileCheck %s --check-prefix=MANY
// RUN: hostclc --local=64 --kernel=rounds --print=optimise %s | FileCheck %s --check-prefix=LOOPS

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

// Each region between barriers is a loop.
// LOOPS: define {{.*}} @rounds
// LOOPS: label %detour
// LOOPS: detour{{[0-9]+}}:
kernel void rounds(global int* p, local int* t) {
  int i = get_local_id(0);
  FOUR(FOUR(FOUR(t[i] += *p; barrier(CLK_LOCAL_MEM_FENCE); t[i] -= t[63 - i]; barrier(CLK_LOCAL_MEM_FENCE);)))
  p[i] = t[i];
}
