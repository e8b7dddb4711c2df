; RUN: hostclc --passes=query-arguments %s | FileCheck %s

declare i64 @__hostcl_local_id(i32)
declare i64 @__hostcl_group_id(i32)
declare i32 @__hostcl_work_dim()
declare i32 @__hostcl_sub_group_lane()

; The kernel asks, in the order of the functions' own queries.
; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) %p)
; CHECK: [[G:%.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK: [[L:%.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK: [[D:%.*]] = call i32 @__hostcl_work_dim()
; CHECK: call fastcc i64 @outer(i64 5, i64 [[G]], i64 [[L]], i32 [[D]]) #[[ATTRIBUTE:.*]]
; CHECK: call i64 @nothing(i64 5)
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = call fastcc i64 @outer(i64 5) #0
  %b = call i64 @nothing(i64 5)
  store i64 %a, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal i64 @nothing(i64 %n)
define internal i64 @nothing(i64 %n) noinline {
  ret i64 %n
}

; A second kernel asks for itself.
; CHECK-LABEL: define spir_kernel void @second(
; CHECK: [[L2:%.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK: [[D2:%.*]] = call i32 @__hostcl_work_dim()
; CHECK: call i64 @inner(i64 [[L2]], i32 [[D2]])
define spir_kernel void @second(ptr addrspace(1) %p) {
  %x = call i64 @inner()
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; What the callee asks for is handed on; the same query is one argument.
; CHECK: define internal fastcc i64 @outer(i64 %n, i64 %{{.*}}, i64 %{{.*}}, i32 %{{.*}})
; CHECK-NOT: @__hostcl
; CHECK: call i64 @inner(i64 %{{[0-9]+}}, i32 %{{[0-9]+}})
; CHECK-NOT: @__hostcl
; CHECK: ret i64
define internal fastcc i64 @outer(i64 %n) noinline {
  %g = call i64 @__hostcl_group_id(i32 0)
  %h = call i64 @__hostcl_group_id(i32 0)
  %l = call i64 @__hostcl_local_id(i32 1)
  %x = call i64 @inner()
  %s = add i64 %g, %l
  %t = add i64 %s, %x
  %u = add i64 %t, %h
  ret i64 %u
}

; CHECK: define internal i64 @inner(i64 %{{.*}}, i32 %{{.*}})
; CHECK-NOT: @__hostcl
; CHECK: ret i64
define internal i64 @inner() noinline {
  %l = call i64 @__hostcl_local_id(i32 1)
  %d = call i32 @__hostcl_work_dim()
  %w = zext i32 %d to i64
  %s = add i64 %l, %w
  ret i64 %s
}

; A dimension that is not constant asks for all three.
; CHECK: define internal i64 @any(i32 %n, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK-NOT: @__hostcl
; CHECK: select i1
; CHECK: ret i64
define internal i64 @any(i32 %n) noinline {
  %l = call i64 @__hostcl_local_id(i32 %n)
  ret i64 %l
}

define spir_kernel void @third(i32 %n, ptr addrspace(1) %p) {
  %x = call i64 @any(i32 %n)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[ATTRIBUTE]] = { nounwind }
attributes #0 = { nounwind }
