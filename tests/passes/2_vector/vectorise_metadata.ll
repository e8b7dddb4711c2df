; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; What is known about an access holds for the vector's access if it is about its kind (tbaa, alias scopes), and not if it is about
; one value (range, nonnull) or about the loop; the kernel keeps its own attributes, metadata and source.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @k(
; CHECK-SAME: ptr addrspace(1) noalias readonly align 64 %a
; CHECK-SAME: [[K:#[0-9]+]] !dbg [[SOURCE:![0-9]+]] !reqd_work_group_size [[SIZE:![0-9]+]] !intel_reqd_sub_group_size
; CHECK: call <8 x i32> @llvm.masked.load{{.*}}, !tbaa !{{[0-9]+}}, !alias.scope !{{[0-9]+}}, !noalias !{{[0-9]+}}{{$}}
; CHECK: call void @llvm.masked.store{{.*}}, !dbg [[LINE:![0-9]+]], !tbaa !{{[0-9]+}}{{$}}
; CHECK: call void @llvm.masked.scatter{{.*}}, !tbaa !{{[0-9]+}}{{$}}
define spir_kernel void @k(ptr addrspace(1) noalias readonly align 64 %a, ptr addrspace(1) %b, ptr addrspace(1) %c) #0 !dbg !24 !reqd_work_group_size !10 !intel_reqd_sub_group_size !11 {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p, !tbaa !1, !alias.scope !4, !noalias !4, !range !7, !noundef !8
  store i32 %v, ptr addrspace(1) %q, !dbg !26, !tbaa !1, !nontemporal.not.known !8
  %w = sext i32 %v to i64
  %r = getelementptr i32, ptr addrspace(1) %c, i64 %w
  store i32 1, ptr addrspace(1) %r, !tbaa !1
  ret void
}

; CHECK: attributes [[K]] = { {{.*}}"hostcl.width"="8" "own"="kept" }
; CHECK-DAG: [[SIZE]] = !{i32 64, i32 1, i32 1}
; CHECK-DAG: [[SOURCE]] = distinct !DISubprogram(name: "k"
; CHECK-DAG: [[LINE]] = !DILocation(line: 9,
attributes #0 = { nounwind "own"="kept" }
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3}
!3 = !{!"root"}
!4 = !{!5}
!5 = distinct !{!5, !6}
!6 = distinct !{!6}
!7 = !{i32 0, i32 100}
!8 = !{}
!10 = !{i32 64, i32 1, i32 1}
!11 = !{i32 8}
!llvm.dbg.cu = !{!20}
!llvm.module.flags = !{!23}
!20 = distinct !DICompileUnit(language: DW_LANG_C99, file: !21, emissionKind: LineTablesOnly)
!21 = !DIFile(filename: "k.cl", directory: "/")
!22 = !DISubroutineType(types: !{})
!23 = !{i32 2, !"Debug Info Version", i32 3}
!24 = distinct !DISubprogram(name: "k", file: !21, line: 5, type: !22, unit: !20)
!26 = !DILocation(line: 9, scope: !24)
