; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; What findings tell: the kernel and its line, the name that the programmer gave, sizes, and who the work-item is.

; CHECK-DAG: @[[CHECK:.*]] = internal constant {{.*}}c"bounds\00"
; CHECK-DAG: @[[KERNEL:.*]] = internal constant {{.*}}c"k\00"
; CHECK-DAG: @[[FILE:.*]] = internal constant {{.*}}c"a.cl\00"
; CHECK-DAG: @[[ARGUMENT:.*]] = internal constant {{.*}}c"out\00"
; CHECK-DAG: @[[VARIABLE:.*]] = internal constant {{.*}}c"own\00"
; CHECK-DAG: @[[TILE:.*]] = internal constant {{.*}}c"tile\00"

; An argument has its number, a variable its size. Lines and columns are those of the
; instruction; one without begins where its kernel does.
; CHECK-DAG: @[[FIRST:.*]] = internal constant { {{.*}} } { ptr @[[CHECK]], ptr @[[KERNEL]], ptr @[[FILE]], ptr @{{.*}}, ptr @[[ARGUMENT]], ptr @{{.*}}, i64 0, i64 4, i32 7, i32 3, i32 1, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK-DAG: @[[SECOND:.*]] = internal constant { {{.*}} } { {{.*}}ptr @[[VARIABLE]], ptr @{{.*}}, i64 12, i64 8, i32 8, i32 5, i32 -1, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK-DAG: @[[THIRD:.*]] = internal constant { {{.*}} } { {{.*}}ptr @[[TILE]], ptr @{{.*}}, i64 20, i64 1, i32 1, i32 0, i32 -1, i32 1, i32 1, i32 0, i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK-NOT: @hostcl.site.3

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: call void @__hostcl_report({{.*}}ptr {{.*}}@[[FIRST]]), !dbg
; CHECK: call void @__hostcl_report({{.*}}ptr {{.*}}@[[SECOND]]), !dbg
; CHECK: %[[X:.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK-NEXT: %[[Y:.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK-NEXT: %[[Z:.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK-NEXT: %[[GX:.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK-NEXT: %[[GY:.*]] = call i64 @__hostcl_group_id(i32 1)
; CHECK-NEXT: %[[GZ:.*]] = call i64 @__hostcl_group_id(i32 2)
; CHECK-NEXT: call void @__hostcl_report(i64 %{{.*}}, i64 %[[X]], i64 %[[Y]], i64 %[[Z]], i64 %[[GX]], i64 %[[GY]], i64 %[[GZ]], ptr {{.*}}@[[THIRD]])

@k.tile = internal addrspace(3) global [20 x i8] undef

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out.coerce) !dbg !4 {
  %own.addr = alloca [3 x i32]
  %i = load volatile i64, ptr %own.addr, align 4, !dbg !8
  %p = getelementptr i32, ptr addrspace(1) %out.coerce, i64 %i
  store i32 1, ptr addrspace(1) %p, !dbg !6
  %q = getelementptr i8, ptr %own.addr, i64 %i
  store i64 1, ptr %q, !dbg !7
  %r = getelementptr i8, ptr addrspace(3) @k.tile, i64 %i
  store i8 1, ptr addrspace(3) %r
  ret void
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !2, producer: "test", emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.cl", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, column: 3, scope: !4)
!7 = !DILocation(line: 8, column: 5, scope: !4)
!8 = !DILocation(line: 6, column: 1, scope: !4)
