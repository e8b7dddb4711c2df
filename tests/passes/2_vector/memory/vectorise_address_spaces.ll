; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; Accesses stay in their address space, whatever their form: rows, gathers, and one address for all lanes; a cast of consecutive
; pointers is consecutive.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @rows(
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p3(ptr addrspace(3)
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p2(ptr addrspace(2)
; CHECK: call void @llvm.masked.store.v8i32.p4(<8 x i32> %{{.*}}, ptr addrspace(4)
define spir_kernel void @rows(ptr addrspace(3) %l, ptr addrspace(2) %c, ptr addrspace(1) %g) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(3) %l, i64 %x
  %q = getelementptr i32, ptr addrspace(2) %c, i64 %x
  %r = getelementptr i32, ptr addrspace(1) %g, i64 %x
  %s = addrspacecast ptr addrspace(1) %r to ptr addrspace(4)
  %v = load i32, ptr addrspace(3) %p
  %w = load i32, ptr addrspace(2) %q
  %u = add i32 %v, %w
  store i32 %u, ptr addrspace(4) %s
  ret void
}

; CHECK-LABEL: define {{.*}}void @scattered(
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32.v8p3(<8 x ptr addrspace(3)>
; CHECK: call void @llvm.masked.scatter.v8i32.v8p1(<8 x i32> %{{.*}}, <8 x ptr addrspace(1)>
define spir_kernel void @scattered(ptr addrspace(3) %l, ptr addrspace(1) %g) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %g, i64 %x
  %i = load i64, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(3) %l, i64 %i
  %v = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr addrspace(1) %g, i64 %i
  store i32 %v, ptr addrspace(1) %r
  ret void
}

; One address, different values: the last active lane's stays, as if lanes ran in order; only if a lane is active.
; CHECK-LABEL: define {{.*}}void @same(
; CHECK: br i1
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: [[WIDER:%.*]] = zext i8 [[BITS]] to i32
; CHECK: [[ZEROS:%.*]] = call i32 @llvm.ctlz.i32(i32 [[WIDER]], i1 true)
; CHECK: [[LAST:%.*]] = sub i32 31, [[ZEROS]]
; CHECK: [[V:%.*]] = extractelement <8 x i32> %{{.*}}, i32 [[LAST]]
; CHECK: store i32 [[V]], ptr addrspace(3) %l
define spir_kernel void @same(ptr addrspace(3) %l, ptr addrspace(1) %g) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %g, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %v, 5
  br i1 %c, label %then, label %end
then:
  store i32 %v, ptr addrspace(3) %l
  br label %end
end:
  ret void
}
