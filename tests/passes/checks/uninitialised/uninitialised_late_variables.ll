; Variables that are made after an initialiser has been stored, as modules in SPIR-V have them, lie before all other code.
; RUN: hostclc --passes=mark-uninitialised %s | FileCheck %s --check-prefix=MARKED
; RUN: hostclc --passes=check-uninitialised %s | FileCheck %s --check-prefix=CHECKED

; MARKED-LABEL: define spir_kernel void @k
; MARKED-NEXT: %first = alloca i32
; MARKED-NEXT: %second = alloca i32
; MARKED-NEXT: %first.unwritten = call i32 @__hostcl_uninitialised.i32()
; MARKED-NEXT: store i32 %first.unwritten, ptr %first
; MARKED-NEXT: %second.unwritten = call i32 @__hostcl_uninitialised.i32()
; MARKED-NEXT: store i32 %second.unwritten, ptr %second
; MARKED-NEXT: store i32 1, ptr %first

; CHECKED-LABEL: define spir_kernel void @k
; CHECKED-DAG: %[[SHADOW:.*]] = alloca i32
; CHECKED-DAG: %second = alloca i32
; CHECKED: call void @llvm.memset.p0.i64(ptr align 4 %second, i8 0, i64 4, i1 false)
; CHECKED: store i32 1, ptr %first
define spir_kernel void @k(ptr addrspace(1) %p) {
  %first = alloca i32
  store i32 1, ptr %first
  %second = alloca i32
  %x = load i32, ptr %first
  %y = load i32, ptr %second
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
