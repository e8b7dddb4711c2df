; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; The table of places has one for each access in the order of the code, after one that is unknown. A finding tells the
; position in an argument or variable, and an address where there is none.

@k.tile = internal addrspace(3) global [16 x i32] undef

; CHECK: @[[NAME:.*]] = {{.*}}c"tile\00"
; CHECK: @[[ONE:hostcl.site[.0-9]*]] = internal constant { {{.*}} } { {{.*}}, i64 64, i64 4, i32 0, i32 0, i32 -1, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK: @[[TWO:hostcl.site[.0-9]*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 8, i32 0, i32 0, i32 0, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK: @[[THREE:hostcl.site[.0-9]*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 4, i32 0, i32 0, i32 -1, i32 0, i32 0, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK: @[[TABLE:.*]] = internal constant [4 x ptr] [ptr null, ptr @[[ONE]], ptr @[[TWO]], ptr @[[THREE]]]

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: or i64 %item, 32
; CHECK: %[[INSIDE:.*]] = sub i64 %{{.*}}, ptrtoint (ptr addrspace(3) @k.tile to i64)
; CHECK: store i64 %[[INSIDE]], ptr
; CHECK: call void @__hostcl_race_access({{.*}}, ptr @[[TABLE]])
; CHECK: or i64 %item, 64
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK: %[[POSITION:.*]] = sub i64 %{{.*}}, %[[A]]
; CHECK: store i64 %[[POSITION]], ptr
; CHECK: call void @__hostcl_race_access(
; CHECK: or i64 %item, 96
; CHECK-NOT: sub
; CHECK: call void @__hostcl_race_access(
; CHECK: load i32
define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
  %p = getelementptr i32, ptr addrspace(3) @k.tile, i64 %i
  store i32 1, ptr addrspace(3) %p
  %q = getelementptr i64, ptr addrspace(1) %a, i64 %i
  store i64 %i, ptr addrspace(1) %q
  %r = inttoptr i64 %i to ptr addrspace(1)
  %y = load i32, ptr addrspace(1) %r
  ret void
}
