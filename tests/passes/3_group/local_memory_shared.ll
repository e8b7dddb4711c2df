; RUN: hostclc --passes='function(local-memory)' %s | FileCheck %s
; A variable that two kernels use has a place in each of them, in the module's order; uses in constant expressions, phis and
; other blocks all get it; what stays used elsewhere stays.

@a = internal addrspace(3) global [16 x i32] undef, align 4
@b = internal addrspace(3) global [16 x i32] undef, align 4
@table = internal addrspace(1) global ptr addrspace(3) @kept
@kept = internal addrspace(3) global i32 undef, align 4

; CHECK-NOT: @a =
; CHECK-NOT: @b =
; CHECK: @kept =

; CHECK-LABEL: define {{.*}}void @first(
; CHECK: [[A:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: [[B:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 128
; CHECK: [[G:%.*]] = addrspacecast ptr addrspace(3) [[A]] to ptr addrspace(4)
; CHECK: store i32 1, ptr addrspace(4) [[G]]
; CHECK: store i32 2, ptr addrspace(3) [[B]]
define spir_kernel void @first() {
  store i32 1, ptr addrspace(4) addrspacecast (ptr addrspace(3) @a to ptr addrspace(4))
  store i32 2, ptr addrspace(3) @b
  ret void
}

; Here @b is alone, at the start.
; CHECK-LABEL: define {{.*}}void @second(
; CHECK: entry:
; CHECK: [[LOCAL:%.*]] = call ptr addrspace(3) @__hostcl_local_base()
; CHECK-NEXT: [[B:%.*]] = getelementptr inbounds i8, ptr addrspace(3) [[LOCAL]], i64 0
; CHECK: [[ELEMENT:%.*]] = getelementptr {{.*}}ptr addrspace(3) [[B]], {{.*}}8
; CHECK: join:
; CHECK: phi ptr addrspace(3) [ [[ELEMENT]], %then ], [ %p, %entry ]
define spir_kernel void @second(ptr addrspace(3) %p, i1 %c) {
entry:
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %q = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @b, i64 8), %then ], [ %p, %entry ]
  store i32 3, ptr addrspace(3) %q
  ret void
}

; A function that is no kernel has no group, and keeps what it refers to.
; CHECK-LABEL: define void @function(
; CHECK: store i32 4, ptr addrspace(3) @kept
define void @function() {
  store i32 4, ptr addrspace(3) @kept
  ret void
}
