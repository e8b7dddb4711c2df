; The form of an access follows from the shape and the likely stride of its address, and from the CPU's capabilities.
; RUN: hostclc --passes='function(vectorise<width=8;cpu=avx512;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;no-byte-masks;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=WITHOUT-MASKS
; RUN: hostclc --passes='function(vectorise<width=8;cpu=avx512;no-likely_strides;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=WITHOUT-GUESSES

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i32 @llvm.smin.i32(i32, i32)

; CHECK: plan of 'accesses
; CHECK: LANE-COPIES       %own = alloca [32 x i8]
; CHECK: CLONE             %uniform = load i32
; CHECK: CONTIGUOUS        %reversed = load i32, ptr addrspace(1) %r, align 4; stride -4{{$}}
; CHECK: STRIDED           %gaps = load i8, ptr addrspace(1) %s, align 1; stride 3{{$}}
; CHECK: SCATTERED         %far = load i32, ptr addrspace(1) %f, align 4; stride 400{{$}}
; CHECK: REPLICATE         %volatile = load volatile i32, ptr addrspace(1) %r, align 4; stride -4{{$}}
; CHECK: CONTIGUOUS        %clamped = load i32, ptr addrspace(1) %c, align 4; stride 4; unless an index wraps{{$}}
; CHECK: CONTIGUOUS        %masked = load i32, ptr addrspace(1) %k, align 4; stride 4; if a test of the guess succeeds{{$}}
; CHECK: SAME              %row = load i32, ptr addrspace(1) %d, align 4; if a test of the guess succeeds{{$}}
; CHECK: SCATTERED         %gathered = load i32, ptr addrspace(1) %g, align 4{{$}}
; CHECK: CONTIGUOUS        store i32 %gathered, ptr %own, align 4; stride 4{{$}}
; CHECK: LAST-LANE         store i32 %far, ptr addrspace(1) %a, align 4{{$}}
; WITHOUT-MASKS: SCATTERED         %gaps = load i8
; WITHOUT-GUESSES: SCATTERED         %masked = load i32, ptr addrspace(1) %k, align 4{{$}}
; WITHOUT-GUESSES: SCATTERED         %row = load i32, ptr addrspace(1) %d, align 4{{$}}
define spir_kernel void @accesses(ptr addrspace(1) %a, i64 %n, i32 %last) {
  %own = alloca i32
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %uniform = load i32, ptr addrspace(1) %a
  %back = sub i64 %n, %i
  %r = getelementptr i32, ptr addrspace(1) %a, i64 %back
  %reversed = load i32, ptr addrspace(1) %r
  %s = getelementptr [3 x i8], ptr addrspace(1) %a, i64 %i
  %gaps = load i8, ptr addrspace(1) %s
  %f = getelementptr [100 x i32], ptr addrspace(1) %a, i64 %i
  %far = load i32, ptr addrspace(1) %f
  %volatile = load volatile i32, ptr addrspace(1) %r
  %low = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %low.wide = sext i32 %low to i64
  %c = getelementptr i32, ptr addrspace(1) %a, i64 %low.wide
  %clamped = load i32, ptr addrspace(1) %c
  %m = and i64 %i, %n
  %k = getelementptr i32, ptr addrspace(1) %a, i64 %m
  %masked = load i32, ptr addrspace(1) %k
  %q = udiv i64 %i, %n
  %d = getelementptr i32, ptr addrspace(1) %a, i64 %q
  %row = load i32, ptr addrspace(1) %d
  %index = sext i32 %row to i64
  %g = getelementptr i32, ptr addrspace(1) %a, i64 %index
  %gathered = load i32, ptr addrspace(1) %g
  store i32 %gathered, ptr %own
  store i32 %far, ptr addrspace(1) %a
  ret void
}
