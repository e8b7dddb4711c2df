; Except in the debug form, variables are not described, because optimised code no longer has them. Line numbers remain.
; RUN: hostclc --passes='function(debug-variables)' %s | FileCheck %s --implicit-check-not='#dbg_declare'

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NEXT: %x = alloca i32
; CHECK-NEXT: store i32 %v, ptr %x{{.*}}, !dbg ![[LINE:[0-9]+]]
; CHECK-NEXT: ret void, !dbg ![[LINE]]
define spir_kernel void @kernel(i32 %v) !dbg !10 {
  %x = alloca i32
  #dbg_declare(ptr %x, !11, !DIExpression(), !12)
  store i32 %v, ptr %x, !dbg !12
  ret void, !dbg !12
}

; The kernel is a wrapper into which the function of the source was inlined: it takes over the function's description.
; CHECK-LABEL: define spir_kernel void @wrapper(
; CHECK-SAME: !dbg ![[SOURCE:[0-9]+]]
; CHECK:      ret void
define spir_kernel void @wrapper(ptr addrspace(1) %p, i32 %v) {
  store i32 %v, ptr addrspace(1) %p, !dbg !22
  ret void
}

; CHECK: ![[SOURCE]] = distinct !DISubprogram(name: "source"

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, emissionKind: FullDebug)
!3 = !DIFile(filename: "a.cl", directory: "/")
!4 = !DISubroutineType(types: !{null})
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "kernel", file: !3, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !2)
!11 = !DILocalVariable(name: "x", scope: !10, file: !3, line: 2, type: !5)
!12 = !DILocation(line: 2, scope: !10)
!20 = distinct !DISubprogram(name: "source", file: !3, line: 5, type: !4, spFlags: DISPFlagDefinition, unit: !2)
!22 = !DILocation(line: 6, scope: !20)
