; Pointers of lanes are compared and converted as numbers; LLVM is shown no comparison of vectors of pointers.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s --implicit-check-not='icmp {{.*}} <4 x ptr' --implicit-check-not='ptrtoint <4 x ptr'
; RUN: hostclc '--passes=function(vectorise<width=4>,instcombine<no-verify-fixpoint>,gvn,loop-mssa(licm),instcombine<no-verify-fixpoint>)' %s | \
; RUN:   FileCheck %s --check-prefix=COMBINED --implicit-check-not='icmp {{.*}} <4 x ptr'

declare i64 @__hostcl_local_id(i32) memory(none)

; One base: its distances are compared, as they are.
; CHECK-LABEL: @equal
; CHECK: %[[X:.*]] = mul <4 x i64> %{{.*}}, splat (i64 4)
; CHECK: %[[Y:.*]] = mul <4 x i64> %{{.*}}, splat (i64 4)
; CHECK: icmp eq <4 x i64> %[[X]], %[[Y]]
; COMBINED-LABEL: @equal
define spir_kernel void @equal(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %n.at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %n = load i64, ptr addrspace(1) %n.at
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %q = getelementptr i32, ptr addrspace(1) %in, i64 %n
  %c = icmp eq ptr addrspace(1) %p, %q
  %r = zext i1 %c to i64
  store i64 %r, ptr addrspace(1) %n.at
  ret void
}

; The index of elements without a size does not change the address, but is an operand: the address is not uniform.
; CHECK-LABEL: @no_size
; CHECK: getelementptr [0 x i64], ptr addrspace(1) %in, <4 x i64> %{{.*}}, i64 %n
; CHECK: masked.gather
; COMBINED-LABEL: @no_size
define spir_kernel void @no_size(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %v.at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %v = load i64, ptr addrspace(1) %v.at
  %p = getelementptr [0 x i64], ptr addrspace(1) %in, i64 %v, i64 %n
  %q = load i64, ptr addrspace(1) %p
  store i64 %q, ptr addrspace(1) %v.at
  ret void
}

; The size of scalable elements is not known, so neither is the stride.
; CHECK-LABEL: @scalable
; CHECK: getelementptr <vscale x 2 x i32>, ptr addrspace(1) %out, <4 x i64>
; CHECK: masked.scatter
; COMBINED-LABEL: @scalable
define spir_kernel void @scalable(ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr <vscale x 2 x i32>, ptr addrspace(1) %out, i64 %i
  store i32 1, ptr addrspace(1) %p
  ret void
}

; An order within an object is that of the distances, which have signs.
; CHECK-LABEL: @below
; CHECK: icmp slt <4 x i64>
define spir_kernel void @below(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %n.at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %n = load i64, ptr addrspace(1) %n.at
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %i
  %q = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %n
  %c = icmp ult ptr addrspace(1) %p, %q
  %r = zext i1 %c to i64
  store i64 %r, ptr addrspace(1) %n.at
  ret void
}

; An address that may wrap is a whole number.
; CHECK-LABEL: @below_anywhere
; CHECK: ptrtoint ptr addrspace(1) %in to i64
; CHECK: icmp ult <4 x i64>
define spir_kernel void @below_anywhere(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %n.at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %n = load i64, ptr addrspace(1) %n.at
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %q = getelementptr i32, ptr addrspace(1) %in, i64 %n
  %c = icmp ult ptr addrspace(1) %p, %q
  %r = zext i1 %c to i64
  store i64 %r, ptr addrspace(1) %n.at
  ret void
}

; Pointers of which nothing is known, in two address spaces, and null.
; CHECK-LABEL: @loaded
; CHECK: call <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)>
; CHECK: icmp ne <4 x i64> %{{.*}}, zeroinitializer
; CHECK: call <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)>
; CHECK: icmp eq <4 x i64>
define spir_kernel void @loaded(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr ptr addrspace(1), ptr addrspace(1) %in, i64 %i
  %p = load ptr addrspace(1), ptr addrspace(1) %at
  %set = icmp ne ptr addrspace(1) %p, null
  %generic = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %other = addrspacecast ptr addrspace(1) %at to ptr addrspace(4)
  %same = icmp eq ptr addrspace(4) %generic, %other
  %both = and i1 %set, %same
  %r = zext i1 %both to i64
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %r, ptr addrspace(1) %to
  ret void
}

; Differences are made of numbers, too, and may be narrow.
; CHECK-LABEL: @difference
; CHECK: call <4 x i64> @__hostcl_addresses.v4p1
; CHECK: trunc <4 x i64> %{{.*}} to <4 x i32>
; CHECK: sub <4 x i32>
define spir_kernel void @difference(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr ptr addrspace(1), ptr addrspace(1) %in, i64 %i
  %p = load ptr addrspace(1), ptr addrspace(1) %at
  %q = getelementptr i16, ptr addrspace(1) %p, i64 %i
  %from = ptrtoint ptr addrspace(1) %q to i32
  %to.number = ptrtoint ptr addrspace(1) %in to i32
  %r = sub i32 %from, %to.number
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %r, ptr addrspace(1) %to
  ret void
}

; The first lane's pointer stays a scalar, whoever else uses it.
; COMBINED-LABEL: @walked
; COMBINED: call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1)
define spir_kernel void @walked(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %n.at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %n = load i64, ptr addrspace(1) %n.at
  %last = add i64 %i, %n
  %end = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %last
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %at = add i64 %i, %k
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %v = load i32, ptr addrspace(1) %p
  %sum = add i32 %s, %v
  %next = add i64 %k, 1
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %c = icmp eq ptr addrspace(1) %q, %end
  br i1 %c, label %done, label %loop
done:
  %r = zext i32 %sum to i64
  store i64 %r, ptr addrspace(1) %n.at
  ret void
}
