; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Calls that are left: one with side effects runs once for each active lane, in order, with its attributes and source line; a
; pure one of what is the same for all runs once; a pure one of what differs runs for each lane; convergent ones are not merged.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @effect(i32)
declare i32 @pure(i32) memory(none) nounwind willreturn
declare i32 @pure_together(i32) convergent memory(none) nounwind willreturn
declare i32 @may_unwind(i32) memory(none)

; CHECK-LABEL: define {{.*}}void @effects(
; CHECK: bitcast <4 x i1> %{{.*}} to i4
; CHECK: call i{{[0-9]+}} @llvm.cttz
; CHECK: call void @effect(i32 %{{.*}}) [[NOINLINE:#[0-9]+]], !dbg [[LINE:![0-9]+]]
; CHECK-NOT: @effect
; CHECK: ret void
define spir_kernel void @effects(ptr addrspace(1) %a) !dbg !4 {
  %x = call i64 @__hostcl_local_id(i32 0), !dbg !6
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x, !dbg !6
  %v = load i32, ptr addrspace(1) %p, !dbg !6
  call void @effect(i32 %v) noinline, !dbg !7
  ret void, !dbg !6
}

; CHECK-LABEL: define {{.*}}void @same_for_all(
; CHECK-COUNT-1: call i32 @pure(i32 %n)
; CHECK-NOT: call i32 @pure(
; CHECK: ret void
define spir_kernel void @same_for_all(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %r = call i32 @pure(i32 %n)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; The same argument, but the function may look at who calls it together, or not come back.
; CHECK-LABEL: define {{.*}}void @not_merged(
; CHECK: bitcast <4 x i1>
; CHECK: call i32 @pure_together(i32 %n)
; CHECK: bitcast <4 x i1>
; CHECK: call i32 @may_unwind(i32 %n)
; CHECK: call void @llvm.masked.store
define spir_kernel void @not_merged(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %r = call i32 @pure_together(i32 %n)
  %s = call i32 @may_unwind(i32 %n)
  %t = add i32 %r, %s
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 %t, ptr addrspace(1) %p
  ret void
}

; Intrinsics with an operand that must be one number, and such that lanes need no form of.
; CHECK-LABEL: define {{.*}}void @intrinsics(
; CHECK: call <4 x i32> @llvm.ctlz.v4i32(<4 x i32> %{{.*}}, i1 true)
; CHECK: call <4 x i32> @llvm.fshl.v4i32(
; CHECK: call <4 x i32> @llvm.abs.v4i32(<4 x i32> %{{.*}}, i1 false)
; CHECK: call <4 x float> @llvm.powi.v4f32.i32(<4 x float> %{{.*}}, i32 %n)
; CHECK-NOT: @llvm.assume
; CHECK: ret void
define spir_kernel void @intrinsics(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %zeros = call i32 @llvm.ctlz.i32(i32 %v, i1 true)
  %turned = call i32 @llvm.fshl.i32(i32 %zeros, i32 %v, i32 %n)
  %size = call i32 @llvm.abs.i32(i32 %turned, i1 false)
  %small = icmp ult i32 %size, 100
  call void @llvm.assume(i1 %small)
  %f = sitofp i32 %size to float
  %g = call float @llvm.powi.f32.i32(float %f, i32 %n)
  store float %g, ptr addrspace(1) %p
  ret void
}

; An exponent of each lane's own has no vector form.
; CHECK-LABEL: define {{.*}}void @own_exponent(
; CHECK-NOT: @llvm.powi.v4
; CHECK: call float @llvm.powi.f32.i32(
; CHECK: ret void
define spir_kernel void @own_exponent(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %g = call float @llvm.powi.f32.i32(float 3.0, i32 %v)
  store float %g, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes [[NOINLINE]] = { noinline }
; CHECK: [[LINE]] = !DILocation(line: 7,
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "effects", file: !1, line: 5, type: !2, unit: !0)
!6 = !DILocation(line: 6, scope: !4)
!7 = !DILocation(line: 7, scope: !4)
