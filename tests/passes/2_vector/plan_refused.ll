; If an instruction has no form for lanes, the kernel is refused before any code is written. The message names the first
; such instruction.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @keep(ptr)

; CHECK: plan of 'size{{.*}}' for 8 lanes, refused: a private array of variable size{{$}}
; CHECK: REFUSED           %array = alloca i8, i64 %k
; CHECK: size: not vectorised: a private array of variable size
define spir_kernel void @size(i64 %k) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %array = alloca i8, i64 %k
  store i8 1, ptr %array
  call void @keep(ptr %array)
  ret void
}

; CHECK: plan of 'type{{.*}}' for 8 lanes, refused: a value of a type that cannot be vectorised{{$}}
; CHECK: REPLICATE         %x = load [2 x i32]
; CHECK: REFUSED           %e = extractvalue [2 x i32] %x, 0
; CHECK: type: not vectorised: a value of a type that cannot be vectorised
define spir_kernel void @type(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr [2 x i32], ptr addrspace(1) %a, i64 %i
  %x = load [2 x i32], ptr addrspace(1) %p
  %e = extractvalue [2 x i32] %x, 0
  store i32 %e, ptr addrspace(1) %p
  ret void
}

; CHECK: plan of 'instruction{{.*}}' for 8 lanes, refused: an instruction that cannot be vectorised: va_arg{{$}}
; CHECK: REFUSED           %e = va_arg ptr %v, i32
define spir_kernel void @instruction(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %v = alloca ptr
  %e = va_arg ptr %v, i32
  store i32 %e, ptr addrspace(1) %a
  ret void
}
