; RUN: hostclc --passes=opaque-values %s | FileCheck %s
; Pipes are addresses and reservations numbers, in parameters, variables, structures and arrays of any memory.

%pair = type { target("spirv.ReserveId"), i32 }
%plain = type { i64, i32 }

; CHECK-DAG: %pair.plain = type { i64, i32 }
; CHECK-DAG: @id = internal addrspace(3) global i64 undef, align 8
; CHECK-DAG: @ids = internal addrspace(3) global [4 x %pair.plain] undef, align 8
; CHECK-DAG: @other = internal addrspace(3) global %plain undef, align 8
@id = internal addrspace(3) global target("spirv.ReserveId") undef, align 8
@ids = internal addrspace(3) global [4 x %pair] undef, align 8
@other = internal addrspace(3) global %plain undef, align 8

declare spir_func target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0), i32, i32, i32)
declare spir_func void @__commit_read_pipe(target("spirv.Pipe", 0), target("spirv.ReserveId"), i32, i32)
declare spir_func i32 @__write_pipe_2(target("spirv.Pipe", 1), ptr addrspace(4), i32, i32)

; CHECK-LABEL: define spir_kernel void @has_none(ptr addrspace(1) %p)
; CHECK: store %plain zeroinitializer, ptr addrspace(3) @other
define spir_kernel void @has_none(ptr addrspace(1) %p) {
  store %plain zeroinitializer, ptr addrspace(3) @other
  ret void
}

; CHECK-LABEL: define spir_kernel void @reads(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %i) {
; CHECK: %cell = alloca [2 x i64], align 8
; CHECK: %id = call spir_func i64 @__reserve_read_pipe(ptr addrspace(1) %p, i32 1, i32 4, i32 4)
; CHECK: store i64 %id, ptr %cell, align 8
; CHECK: store i64 %id, ptr addrspace(3) @id, align 8
; CHECK: %place = getelementptr %pair.plain, ptr addrspace(3) @ids, i32 %i, i32 0
; CHECK: %loaded = load i64, ptr addrspace(3) %place, align 8
; CHECK: %chosen = select i1 %which, i64 %loaded, i64 0
; CHECK: call spir_func void @__commit_read_pipe(ptr addrspace(1) %p, i64 %chosen, i32 4, i32 4)
; CHECK: call spir_func void @helper(ptr byval(%pair.plain) %cell, ptr addrspace(1) %q)
define spir_kernel void @reads(target("spirv.Pipe", 0) %p, target("spirv.Pipe", 1) %q, i32 %i) {
  %cell = alloca [2 x target("spirv.ReserveId")], align 8
  %id = call spir_func target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0) %p, i32 1, i32 4, i32 4)
  store target("spirv.ReserveId") %id, ptr %cell, align 8
  store target("spirv.ReserveId") %id, ptr addrspace(3) @id, align 8
  %place = getelementptr %pair, ptr addrspace(3) @ids, i32 %i, i32 0
  %loaded = load target("spirv.ReserveId"), ptr addrspace(3) %place, align 8
  %which = icmp eq i32 %i, 0
  %chosen = select i1 %which, target("spirv.ReserveId") %loaded, target("spirv.ReserveId") zeroinitializer
  call spir_func void @__commit_read_pipe(target("spirv.Pipe", 0) %p, target("spirv.ReserveId") %chosen, i32 4, i32 4)
  call spir_func void @helper(ptr byval(%pair) %cell, target("spirv.Pipe", 1) %q)
  ret void
}

; CHECK-LABEL: define internal spir_func void @helper(ptr byval(%pair.plain) %x, ptr addrspace(1) %q) {
; CHECK: extractvalue %pair.plain %record, 0
define internal spir_func void @helper(ptr byval(%pair) %x, target("spirv.Pipe", 1) %q) {
  %record = load %pair, ptr %x
  %id = extractvalue %pair %record, 0
  %generic = addrspacecast ptr %x to ptr addrspace(4)
  %r = call spir_func i32 @__write_pipe_2(target("spirv.Pipe", 1) %q, ptr addrspace(4) %generic, i32 4, i32 4)
  ret void
}
