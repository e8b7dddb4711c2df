; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s
; Arguments lie in order, each at the next multiple of its alignment: vectors of three as large as of four, halves and chars
; next to each other, structures as a whole; loads know no more than that.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
%S = type { i64, i8 }

; i8 at 0, half at 2, <3 x float> at 16, i8 at 32, double at 40, <16 x i32> at 64, %S at 128, i16 at 144.
; CHECK-LABEL: define void @layout.entry(
; CHECK-SAME: ptr noalias noundef readonly %launch, ptr noalias noundef readonly %arguments, ptr noalias noundef align 128 %local
; CHECK: [[A:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 0
; CHECK: load i8, ptr [[A]], align 1, !invariant.load ![[EMPTY:[0-9]+]], !noundef
; CHECK: [[B:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 2
; CHECK: load half, ptr [[B]], align 2, !invariant.load ![[EMPTY]]{{$}}
; CHECK: [[C:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 16
; CHECK: load <3 x float>, ptr [[C]], align 16, !invariant.load
; CHECK: [[D:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 32
; CHECK: load i8, ptr [[D]], align 1
; CHECK: [[E:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 40
; CHECK: load double, ptr [[E]], align 8
; CHECK: [[F:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 64
; CHECK: load <16 x i32>, ptr [[F]], align 64
; CHECK: [[G:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 128
; CHECK: [[H:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 144
; CHECK: load i16, ptr [[H]], align 2
; CHECK: load i64, ptr [[G]]
define spir_kernel void @layout(i8 %a, half %b, <3 x float> %c, i8 %d, double %e, <16 x i32> %f, ptr byval(%S) align 8 %g, i16 %h, ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  store i8 %a, ptr addrspace(1) %p
  store half %b, ptr addrspace(1) %p
  store <3 x float> %c, ptr addrspace(1) %p
  store i8 %d, ptr addrspace(1) %p
  store double %e, ptr addrspace(1) %p
  store <16 x i32> %f, ptr addrspace(1) %p
  %v = load i64, ptr %g
  store i64 %v, ptr addrspace(1) %p
  store i16 %h, ptr addrspace(1) %p
  ret void
}

; Of a pointer to local memory the block has the offset, 8 bytes; constant pointers are themselves.
; CHECK-LABEL: define void @pointers.entry(
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 8
; CHECK: [[OFFSET:%.*]] = load i64, ptr [[AT]], align 8
; CHECK: [[BASE:%.*]] = addrspacecast ptr %local to ptr addrspace(3)
; CHECK: [[TILE:%.*]] = getelementptr inbounds i8, ptr addrspace(3) [[BASE]], i64 [[OFFSET]]
; CHECK: [[NEXT:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 16
; CHECK: load ptr addrspace(2), ptr [[NEXT]], align 8
; CHECK: store i32 1, ptr addrspace(3) [[TILE]]
define spir_kernel void @pointers(i32 %n, ptr addrspace(3) align 4 %tile, ptr addrspace(2) %table) "hostcl.dimensions"="1" {
  store i32 1, ptr addrspace(3) %tile
  %v = load i32, ptr addrspace(2) %table
  store i32 %v, ptr addrspace(3) %tile
  ret void
}

; The parameter for an image's descriptor has the attribute `dereferenceable`. The load of the pointer gets the same
; number of bytes as metadata.
; CHECK-LABEL: define void @descriptor.entry(
; CHECK: load ptr addrspace(2), ptr %{{.*}}, align 8, {{.*}}!dereferenceable ![[BYTES:[0-9]+]], !align ![[BYTES]]
define spir_kernel void @descriptor(ptr addrspace(2) align 64 dereferenceable(64) %image) "hostcl.dimensions"="1" {
  ret void
}

; On other parameters, `dereferenceable` is a claim of the program that need not be true, so the loads get no such
; metadata. The argument of a local pointer is an offset, not a pointer.
; CHECK-LABEL: @claims
; CHECK-NOT: dereferenceable
; CHECK: ret void
define spir_kernel void @claims(ptr addrspace(2) align 4 dereferenceable(16) %c, ptr addrspace(3) align 4 dereferenceable(16) %l) "hostcl.dimensions"="1" {
  %x = load i32, ptr addrspace(2) %c
  store i32 %x, ptr addrspace(3) %l
  ret void
}

; CHECK-LABEL: define void @none.entry(
; CHECK-NOT: ptr %arguments
; CHECK: ret void
define spir_kernel void @none() "hostcl.dimensions"="1" {
  ret void
}

; CHECK: ![[BYTES]] = !{i64 64}
