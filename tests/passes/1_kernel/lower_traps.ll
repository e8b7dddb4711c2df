; RUN: hostclc --passes='function(lower-traps)' %s | FileCheck %s
; RUN: hostclc --passes='function(lower-traps,vectorise<width=8>)' %s | FileCheck %s --check-prefix=VECTOR
; Traps are calls of a host callback, after which control flow goes on where it would have gone otherwise.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

declare void @llvm.trap() cold noreturn nounwind
declare void @llvm.debugtrap() nounwind
declare void @llvm.ubsantrap(i8 immarg) cold noreturn nounwind
declare void @abort()
declare void @__assert_fail(ptr addrspace(2), ptr addrspace(2), i32, ptr addrspace(2))
declare i32 @__hostcl_printf(ptr addrspace(2), ptr)
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

@text = private addrspace(2) constant [2 x i8] c"t\00"

; CHECK-DAG: @hostcl.text.a = {{.*}}
; CHECK-DAG: c"a trap\00"
; CHECK-DAG: c"a breakpoint\00"
; CHECK-DAG: c"abort()\00"
; CHECK-DAG: c"code that is declared unreachable\00"
@hostcl.text.a = internal constant i8 0

; One call for the first lane that traps, under the mask of those that do.
; CHECK-LABEL: define spir_kernel void @branch(
; CHECK: br i1 %bad, label %[[WRONG:.*]], label %right
; CHECK: right:
; CHECK-NEXT: phi i32 [ 1, %entry ], [ 1, %[[WRONG]] ]
; CHECK: [[WRONG]]:
; CHECK: %[[GROUP:.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK: %[[SIZE:.*]] = call i64 @__hostcl_enqueued_local_size(i32 0)
; CHECK: mul i64 %[[GROUP]], %[[SIZE]]
; CHECK: call void @__hostcl_trap(i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, ptr addrspace(1) @hostcl.trap{{.*}}, i64 0, i64 0, i64 0, i64 0)
; CHECK-NEXT: br label %right
; VECTOR-LABEL: define spir_kernel void @branch(
; VECTOR: call i8 @llvm.cttz.i8(
; VECTOR: call void @__hostcl_trap(
; VECTOR-NOT: call void @__hostcl_trap(
; VECTOR: ret void
define spir_kernel void @branch(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %address = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = load i32, ptr addrspace(1) %address
  %bad = icmp sgt i32 %x, 5
  br i1 %bad, label %wrong, label %right
wrong:
  call void @llvm.trap()
  unreachable
right:
  %one = phi i32 [ 1, %entry ]
  store i32 %one, ptr addrspace(1) %address
  ret void
}

; A block that two branches lead to is copied for each, with what comes before the trap.
; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: br i1 %a, label %[[FIRST:.*]], label %next
; CHECK: next:
; CHECK: br i1 %b, label %[[SECOND:.*]], label %end
; CHECK: end:
; CHECK: ret void
; CHECK: [[FIRST]]:
; CHECK: call i32 @__hostcl_printf(ptr addrspace(2) @text, ptr null)
; CHECK: call void @__hostcl_trap(
; CHECK-NEXT: br label %next
; CHECK: [[SECOND]]:
; CHECK: call i32 @__hostcl_printf(ptr addrspace(2) @text, ptr null)
; CHECK: call void @__hostcl_trap(
; CHECK-NEXT: br label %end
define spir_kernel void @shared(i1 %a, i1 %b) {
  br i1 %a, label %wrong, label %next
next:
  br i1 %b, label %wrong, label %end
wrong:
  %which = phi i32 [ 1, %0 ], [ 2, %next ]
  %r = call i32 @__hostcl_printf(ptr addrspace(2) @text, ptr null)
  call void @abort()
  br label %end
end:
  ret void
}

; Assertions tell their texts.
; CHECK-LABEL: define spir_kernel void @assertion(
; CHECK: call void @__hostcl_trap({{.*}}, i64 ptrtoint (ptr addrspace(2) @text to i64), i64 ptrtoint (ptr addrspace(2) @text to i64), i64 7, i64 ptrtoint (ptr addrspace(2) @text to i64))
; CHECK-NEXT: br label %end
define spir_kernel void @assertion(i1 %a) {
  br i1 %a, label %wrong, label %end
wrong:
  call void @__assert_fail(ptr addrspace(2) @text, ptr addrspace(2) @text, i32 7, ptr addrspace(2) @text)
  unreachable
end:
  ret void
}

; The work-item does not go on after a breakpoint, whatever stands there.
; CHECK-LABEL: define spir_kernel void @always(
; CHECK: store i32 1
; CHECK: call void @__hostcl_trap(
; CHECK-NEXT: ret void
; CHECK-NOT: store i32 2
define spir_kernel void @always(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.debugtrap()
  store i32 2, ptr addrspace(1) %p
  ret void
}

; `unreachable` after something is a trap; a block that is nothing else stays what it is.
; CHECK-LABEL: define spir_kernel void @unreachable(
; CHECK: switch i32 %x, label %nowhere
; CHECK: nowhere:
; CHECK-NEXT: unreachable
; CHECK: call i32 @__hostcl_printf
; CHECK: call void @__hostcl_trap(
; CHECK-NEXT: br label %end
define spir_kernel void @unreachable(i32 %x) {
  switch i32 %x, label %nowhere [
    i32 0, label %end
    i32 1, label %said
  ]
nowhere:
  unreachable
said:
  %r = call i32 @__hostcl_printf(ptr addrspace(2) @text, ptr null)
  unreachable
end:
  ret void
}

; A function that stays a call has no launch.
; CHECK-LABEL: define spir_func void @function(
; CHECK: call void @__hostcl_trap_in_call(ptr addrspace(1) @hostcl.trap
; CHECK-NEXT: unreachable
define spir_func void @function() {
  call void @abort()
  ret void
}
