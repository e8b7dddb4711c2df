; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; Division where a lane that is not active must not trap: hosts' instruction gets 1 as divisor of such lanes; a constant -1 is
; a divisor that may trap; quotients of 8 and 16 bits are exact in float, of 32 in double, signed ones as signed.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @by_minus_one(
; CHECK: [[SAFE:%.*]] = select <8 x i1> %mask, <8 x i64> splat (i64 -1), <8 x i64> splat (i64 1)
; CHECK: sdiv <8 x i64> %{{.*}}, [[SAFE]]
define spir_kernel void @by_minus_one(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %q = sdiv i64 %v, -1
  store i64 %q, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}void @narrow(
; CHECK: sitofp <8 x i8> %{{.*}} to <8 x float>
; CHECK: fptosi <8 x float> %{{.*}} to <8 x i8>
; CHECK: uitofp <8 x i16> %{{.*}} to <8 x float>
; CHECK: fptoui <8 x float> %{{.*}} to <8 x i16>
; CHECK: sitofp <8 x i32> %{{.*}} to <8 x double>
; CHECK: fptosi <8 x double> %{{.*}} to <8 x i32>
; CHECK: ret void
define spir_kernel void @narrow(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %x
  %v = load i8, ptr addrspace(1) %p
  %q = sdiv i8 100, %v
  store i8 %q, ptr addrspace(1) %p
  %p2 = getelementptr i16, ptr addrspace(1) %b, i64 %x
  %v2 = load i16, ptr addrspace(1) %p2
  %q2 = udiv i16 60000, %v2
  store i16 %q2, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %c, i64 %x
  %v3 = load i32, ptr addrspace(1) %p3
  %q3 = srem i32 -7, %v3
  store i32 %q3, ptr addrspace(1) %p3
  ret void
}

; 64 bits do not fit into the 53 of a double.
; CHECK-LABEL: define {{.*}}void @long(
; CHECK-NOT: to <8 x double>
; CHECK: [[SAFE:%.*]] = select <8 x i1> %{{.*}}, <8 x i64> %v, <8 x i64> splat (i64 1)
; CHECK: urem <8 x i64> %{{.*}}, [[SAFE]]
; CHECK-NOT: to <8 x double>
; CHECK: ret void
define spir_kernel void @long(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %r = urem i64 %n, %v
  store i64 %r, ptr addrspace(1) %p
  ret void
}

; A divisor that is the same for all lanes, in a branch that perhaps none takes: the branch is not run without lanes.
; CHECK-LABEL: define {{.*}}void @same_divisor(
; CHECK: br i1 %{{.*}}, label %then
; CHECK: then:
; CHECK: udiv i32 7, %d
define spir_kernel void @same_divisor(ptr addrspace(1) %a, i32 %d) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %v, 5
  br i1 %c, label %then, label %end
then:
  %q = udiv i32 7, %d
  store i32 %q, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
