; RUN: hostclc --passes='function(lower-printf)' %s | FileCheck %s
; Only direct calls of the variadic printf are lowered; users get the host's result, and the call keeps its source line.

@format = private addrspace(2) constant [3 x i8] c"%d\00"
declare i32 @printf(ptr addrspace(2), ...)
declare i32 @other_printf(ptr addrspace(2), ...)

; CHECK-LABEL: define i32 @result(
; CHECK: [[R:%.*]] = call i32 @__hostcl_printf({{.*}}), !dbg [[LINE:![0-9]+]]
; CHECK: [[S:%.*]] = add i32 [[R]], 1
; CHECK: ret i32 [[S]]
define i32 @result(i32 %x) !dbg !4 {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x), !dbg !6
  %s = add i32 %r, 1
  ret i32 %s
}

; CHECK-LABEL: define i32 @others(
; CHECK-NOT: alloca
; CHECK-NEXT: call i32 (ptr addrspace(2), ...) @other_printf(
; CHECK-NEXT: call i32 (ptr addrspace(2), ...) %function(
; CHECK-NOT: @__hostcl_printf
; CHECK: ret i32
define i32 @others(i32 %x, ptr %function) {
  %r = call i32 (ptr addrspace(2), ...) @other_printf(ptr addrspace(2) @format, i32 %x)
  %s = call i32 (ptr addrspace(2), ...) %function(ptr addrspace(2) @format, i32 %x)
  %t = add i32 %r, %s
  ret i32 %t
}

; The block is in the function's first block, also for a call in a loop: it does not grow the stack.
; CHECK-LABEL: define void @in_loop(
; CHECK: entry:
; CHECK-NEXT: alloca [24 x i8]
; CHECK: loop:
; CHECK-NOT: alloca
; CHECK: call i32 @__hostcl_printf(
define void @in_loop(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: [[LINE]] = !DILocation(line: 7,
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "result", file: !1, line: 5, type: !2, unit: !0)
!6 = !DILocation(line: 7, scope: !4)
