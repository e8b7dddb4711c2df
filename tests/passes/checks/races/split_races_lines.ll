; RUN: hostclc --passes='split-races,function(check-races)' %s | FileCheck %s
; The form with checks has no subprogram. Accesses that have lost their locations still get the kernel's line.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)

; CHECK: @hostcl.text.lines.cl = {{.*}} c"lines.cl\00"
; CHECK: @hostcl.site = {{.*}}@hostcl.text.races, {{.*}}@hostcl.text.own, {{.*}}@hostcl.text.lines.cl, {{.*}} i64 4, i32 7, i32 0,
; CHECK-LABEL: define spir_kernel void @own.checked(
define spir_kernel void @own(ptr addrspace(1) %to) !dbg !3 {
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %group, %size
  %local = call i64 @__hostcl_local_id(i32 0)
  %id = add i64 %start, %local
  %p = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %p
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "lines.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "own", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
