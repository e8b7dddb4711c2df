; In the debug form, variables stay in memory until the work-item ends, and the work-item's ids are variables, too.
; RUN: hostclc --passes='function(debug-variables)' %s | FileCheck %s

declare i32 @__hostcl_sub_group_lane()

; The debugger sees each store to %x, and the value at the end. A variable with an id has an element for each dimension.
; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-DAG:  #dbg_declare(ptr %x, ![[X:[0-9]+]],
; CHECK-DAG:  store volatile i32 %v, ptr %x
; CHECK-DAG:  #dbg_declare(ptr %__hostcl_global_id, ![[GLOBAL:[0-9]+]],
; CHECK-DAG:  #dbg_declare(ptr %__hostcl_local_id, ![[LOCAL:[0-9]+]],
; CHECK-DAG:  #dbg_declare(ptr %__hostcl_group_id, ![[GROUP:[0-9]+]],
; CHECK-DAG:  %[[ID:.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK-DAG:  %[[ELEMENT:.*]] = getelementptr inbounds [3 x i64], ptr %__hostcl_local_id, i64 0, i64 0
; CHECK-DAG:  store i64 %[[ID]], ptr %[[ELEMENT]]
; CHECK:      store i32 %v, ptr addrspace(1) %p
; CHECK-DAG:  call void (...) @llvm.fake.use(ptr %x)
; CHECK-DAG:  call void (...) @llvm.fake.use(ptr %__hostcl_global_id)
; CHECK-DAG:  call void (...) @llvm.fake.use(ptr %__hostcl_local_id)
; CHECK-DAG:  call void (...) @llvm.fake.use(ptr %__hostcl_group_id)
; CHECK:      ret void
define spir_kernel void @kernel(ptr addrspace(1) %p, i32 %v) !dbg !10 {
  %x = alloca i32
  #dbg_declare(ptr %x, !11, !DIExpression(), !12)
  store i32 %v, ptr %x, !dbg !12
  store i32 %v, ptr addrspace(1) %p, !dbg !12
  ret void, !dbg !12
}

; A function that is called has no ids. A generic pointer goes to a copy as well: the pass address-space-queries does not
; look through memory, so mem2reg has to promote the variable itself.
; CHECK-LABEL: define spir_func void @function(
; CHECK-NOT:  __hostcl
; CHECK:      %[[COPY:.*copy]] = alloca ptr addrspace(4)
; CHECK:      #dbg_declare(ptr %[[COPY]],
; CHECK:      store ptr addrspace(4) %v, ptr %y
; CHECK-NEXT: store volatile ptr addrspace(4) %v, ptr %[[COPY]]
; CHECK-NEXT: call void (...) @llvm.fake.use(ptr %[[COPY]])
; CHECK-NEXT: ret void
define spir_func void @function(ptr addrspace(4) %v) !dbg !20 {
  %y = alloca ptr addrspace(4)
  #dbg_declare(ptr %y, !21, !DIExpression(), !22)
  store ptr addrspace(4) %v, ptr %y, !dbg !22
  ret void, !dbg !22
}

; Kernels with sub-group operations run as vectors, which debuggers cannot describe.
; CHECK-LABEL: define spir_kernel void @sub_groups(
; CHECK-NEXT: %x = alloca i32
; CHECK-NEXT: %lane = call i32 @__hostcl_sub_group_lane()
; CHECK-NEXT: store i32 %lane, ptr %x
; CHECK-NEXT: ret void
define spir_kernel void @sub_groups() !dbg !30 {
  %x = alloca i32
  #dbg_declare(ptr %x, !31, !DIExpression(), !32)
  %lane = call i32 @__hostcl_sub_group_lane(), !dbg !32
  store i32 %lane, ptr %x, !dbg !32
  ret void, !dbg !32
}

; A function without a description, such as a built-in function, stays as it is.
; CHECK-LABEL: define spir_func void @not_described(
; CHECK-NEXT: %x = alloca i32
; CHECK-NEXT: store i32 1, ptr %x
; CHECK-NEXT: ret void
define spir_func void @not_described() {
  %x = alloca i32
  store i32 1, ptr %x
  ret void
}

; CHECK-DAG: ![[X]] = !DILocalVariable(name: "x"
; CHECK-DAG: ![[GLOBAL]] = !DILocalVariable(name: "__hostcl_global_id", {{.*}}, type: ![[IDS:[0-9]+]], flags: DIFlagArtificial)
; CHECK-DAG: ![[LOCAL]] = !DILocalVariable(name: "__hostcl_local_id", {{.*}}, type: ![[IDS]], flags: DIFlagArtificial)
; CHECK-DAG: ![[GROUP]] = !DILocalVariable(name: "__hostcl_group_id", {{.*}}, type: ![[IDS]], flags: DIFlagArtificial)
; CHECK-DAG: ![[IDS]] = !DICompositeType(tag: DW_TAG_array_type, {{.*}}, size: 192

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 1, !"hostcl.debug_form", i32 1}
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, emissionKind: FullDebug)
!3 = !DIFile(filename: "a.cl", directory: "/")
!4 = !DISubroutineType(types: !{null})
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!10 = distinct !DISubprogram(name: "kernel", file: !3, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !2)
!11 = !DILocalVariable(name: "x", scope: !10, file: !3, line: 2, type: !5)
!12 = !DILocation(line: 2, scope: !10)
!20 = distinct !DISubprogram(name: "function", file: !3, line: 5, type: !4, spFlags: DISPFlagDefinition, unit: !2)
!21 = !DILocalVariable(name: "y", scope: !20, file: !3, line: 6, type: !6)
!22 = !DILocation(line: 6, scope: !20)
!30 = distinct !DISubprogram(name: "sub_groups", file: !3, line: 9, type: !4, spFlags: DISPFlagDefinition, unit: !2)
!31 = !DILocalVariable(name: "x", scope: !30, file: !3, line: 10, type: !5)
!32 = !DILocation(line: 10, scope: !30)
