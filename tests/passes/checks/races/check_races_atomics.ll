; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; Records of atomics have the bit that exempts them from races with each other, and the host records them. Plain accesses
; beside them look at their cells. A compare-exchange writes if it succeeds. Those that update are updates in the table.

; CHECK-DAG: @[[LOAD:.*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 4, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK-DAG: @[[STORE:.*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 4, i32 0, i32 0, i32 0, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK-DAG: @[[UPDATE:.*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 4, i32 0, i32 0, i32 0, i32 2, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }

; Place 1 of the table is 32, atomic is 16, all bytes are 15.
; CHECK-LABEL: define spir_kernel void @atomics(
; CHECK: %[[R1:.*]] = or i64 %item, 32
; CHECK-NEXT: %[[R1B:.*]] = or i64 %[[R1]], 15
; CHECK: call i1 @hostcl.race.read.global.atomics.1(ptr %group, i64 %{{.*}}, i64 %[[R1B]])
; CHECK: %[[R2:.*]] = or i64 %item, 80
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 4, i64 %[[R2]], i32 0,
; CHECK: load atomic
; CHECK: %[[R3:.*]] = or i64 %item, 112
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 4, i64 %[[R3]], i32 1,
; CHECK: store atomic
; CHECK: %[[R4:.*]] = or i64 %item, 144
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 4, i64 %[[R4]], i32 1,
; CHECK: atomicrmw
; CHECK: cmpxchg
; CHECK: %[[DONE:.*]] = extractvalue { i32, i1 } %z, 1
; CHECK-NEXT: %[[HOW:.*]] = select i1 %[[DONE]], i32 1, i32 0
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 4, i64 %{{.*}}, i32 %[[HOW]],
define spir_kernel void @atomics(ptr addrspace(1) %a) {
  %plain = load i32, ptr addrspace(1) %a
  %x = load atomic i32, ptr addrspace(1) %a monotonic, align 4
  store atomic i32 0, ptr addrspace(1) %a monotonic, align 4
  %y = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %z = cmpxchg ptr addrspace(1) %a, i32 1, i32 2 monotonic monotonic
  ret void
}
