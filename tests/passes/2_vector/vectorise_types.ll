; RUN: hostclc --passes='function(vectorise<width=8>)' %s 2>&1 | FileCheck %s
; Scalars of every width have a vector form: halves, doubles, bits, bytes and i128, whose accesses go lane by lane because
; hosts have no masked access for them; what has none keeps the kernel scalar, with a remark.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: array: not vectorised: {{.*}}a value of a type that cannot be vectorised

; CHECK-LABEL: define {{.*}}void @halves(
; CHECK: call <8 x half> @llvm.masked.load.v8f16.p1(ptr addrspace(1) align 2 %p
; CHECK: fmul <8 x half>
; CHECK: call void @llvm.masked.store.v8f16.p1(
define spir_kernel void @halves(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr half, ptr addrspace(1) %a, i64 %x
  %v = load half, ptr addrspace(1) %p
  %w = fmul half %v, %v
  store half %w, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}void @doubles(
; CHECK: call <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) align 8 %p
; CHECK: call <8 x double> @llvm.fma.v8f64
; CHECK: fptosi <8 x double> %{{.*}} to <8 x i8>
; CHECK: call void @llvm.masked.store.v8i8.p1(
define spir_kernel void @doubles(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %x
  %v = load double, ptr addrspace(1) %p
  %w = call double @llvm.fma.f64(double %v, double %v, double 1.0)
  %i = fptosi double %w to i8
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %x
  store i8 %i, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}}void @wide(
; CHECK-NOT: masked.load.v8i128
; CHECK: load i128, ptr addrspace(1)
; CHECK: mul <8 x i128>
; CHECK-NOT: masked.store.v8i128
; CHECK: store i128
; CHECK: ret void
define spir_kernel void @wide(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i128, ptr addrspace(1) %a, i64 %x
  %v = load i128, ptr addrspace(1) %p
  %w = mul i128 %v, %v
  store i128 %w, ptr addrspace(1) %p
  ret void
}

; Bits have no place of their own in memory: the first lane's byte is not the second's.
; CHECK-LABEL: define {{.*}}void @bits(
; CHECK-NOT: @llvm.masked.load.v8i1
; CHECK: load i1, ptr addrspace(1)
; CHECK: ret void
define spir_kernel void @bits(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i1, ptr addrspace(1) %a, i64 %x
  %v = load i1, ptr addrspace(1) %p
  %w = zext i1 %v to i32
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %w, ptr addrspace(1) %q
  ret void
}

; Records of one call's results have one vector for each member.
; CHECK-LABEL: define {{.*}}void @record(
; CHECK: phi { <8 x i32>, <8 x i1> }
; CHECK-LABEL: define {{.*}}void @array(
; CHECK-NOT: <8 x i1>
; CHECK: ret void
define spir_kernel void @record(ptr addrspace(1) %a, i1 %c) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %one = insertvalue { i32, i1 } poison, i32 %v, 0
  br i1 %c, label %then, label %join
then:
  %w = add i32 %v, 1
  %flag = icmp eq i32 %w, 7
  %two = insertvalue { i32, i1 } poison, i32 %w, 0
  %three = insertvalue { i32, i1 } %two, i1 %flag, 1
  br label %join
join:
  %pair = phi { i32, i1 } [ %one, %entry ], [ %three, %then ]
  %r = extractvalue { i32, i1 } %pair, 0
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @array(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %one = insertvalue [2 x i32] poison, i32 %v, 0
  %r = extractvalue [2 x i32] %one, 0
  store i32 %r, ptr addrspace(1) %p
  ret void
}
