; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Promises about aliasing hold for one execution of one work-item: with barriers they go; without, they stay. Debug records
; go, source lines stay. Atomic and volatile accesses, private memory and calls are not said to be independent.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @unknown()

; CHECK-LABEL: define {{.*}}void @with_barrier(
; CHECK-NOT: noalias.scope.decl
; CHECK-NOT: !alias.scope
; CHECK-NOT: !noalias
; CHECK: ret void
define spir_kernel void @with_barrier(ptr addrspace(1) %p, ptr addrspace(1) %q) "hostcl.dimensions"="1" {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %v = load i32, ptr addrspace(1) %p, !alias.scope !0
  call void @__hostcl_barrier(i32 1)
  store i32 %v, ptr addrspace(1) %q, !noalias !0
  ret void
}

; CHECK-LABEL: define {{.*}}void @without_barrier(
; CHECK: noalias.scope.decl
; CHECK: load i32, {{.*}}!alias.scope
; CHECK: store i32 {{.*}}!noalias
define spir_kernel void @without_barrier(ptr addrspace(1) %p, ptr addrspace(1) %q) "hostcl.dimensions"="1" {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %v = load i32, ptr addrspace(1) %p, !alias.scope !0
  store i32 %v, ptr addrspace(1) %q, !noalias !0
  ret void
}

; Scopes of a caller, which are not declared here, hold for all of the kernel.
; CHECK-LABEL: define {{.*}}void @of_arguments(
; CHECK: store i32 {{.*}}!noalias
define spir_kernel void @of_arguments(ptr addrspace(1) %q) "hostcl.dimensions"="1" {
  call void @__hostcl_barrier(i32 1)
  store i32 1, ptr addrspace(1) %q, !noalias !0
  ret void
}

; CHECK-LABEL: define {{.*}}void @independent(
; CHECK: load i32, ptr addrspace(1) %p, align 4, !llvm.access.group
; CHECK: load i32, ptr addrspace(2) %c, align 4, !llvm.access.group
; CHECK: load volatile i32, ptr addrspace(1) %p, align 4{{$}}
; CHECK: load atomic i32, ptr addrspace(1) %p monotonic, align 4{{$}}
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4{{$}}
; CHECK: load i32, ptr %own, align 4{{$}}
; CHECK: load i32, ptr addrspace(4) %g, align 4{{$}}
define spir_kernel void @independent(ptr addrspace(1) %p, ptr addrspace(2) %c, ptr addrspace(4) %g) "hostcl.dimensions"="1" {
  %own = alloca i32
  %a = load i32, ptr addrspace(1) %p
  store i32 %a, ptr %own
  %b = load i32, ptr addrspace(2) %c
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %f = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %h = load i32, ptr %own
  %i = load i32, ptr addrspace(4) %g
  call void @unknown()
  ret void
}

; CHECK-LABEL: define {{.*}}void @lines(
; CHECK-NOT: #dbg_value
; CHECK: store i64 %{{.*}}, !dbg [[LINE:![0-9]+]]
define spir_kernel void @lines(ptr addrspace(1) %p) "hostcl.dimensions"="1" !dbg !14 {
  %x = call i64 @__hostcl_local_id(i32 0), !dbg !16
    #dbg_value(i64 %x, !17, !DIExpression(), !16)
  store i64 %x, ptr addrspace(1) %p, !dbg !18
  ret void
}

; CHECK: [[LINE]] = !DILocation(line: 8,
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!13}
!10 = distinct !DICompileUnit(language: DW_LANG_C99, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "k.cl", directory: "/")
!12 = !DISubroutineType(types: !{})
!13 = !{i32 2, !"Debug Info Version", i32 3}
!14 = distinct !DISubprogram(name: "lines", file: !11, line: 5, type: !12, unit: !10)
!15 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!16 = !DILocation(line: 7, scope: !14)
!17 = !DILocalVariable(name: "x", scope: !14, file: !11, line: 7, type: !15)
!18 = !DILocation(line: 8, scope: !14)
