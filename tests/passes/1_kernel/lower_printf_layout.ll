; RUN: hostclc --passes='function(lower-printf)' %s | FileCheck %s
; Each argument begins at a multiple of 8 after its header; elements of a vector follow each other without padding; one
; block, as large as the largest call needs, serves all calls of a function.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
@format = private addrspace(2) constant [3 x i8] c"%d\00"
declare i32 @printf(ptr addrspace(2), ...)

; Header bytes, little-endian: kind (1 integer, 2 real, 3 pointer), bytes of an element, elements.
; CHECK-LABEL: define void @types(
; CHECK: [[BLOCK:%.*]] = alloca [80 x i8], align 8
; 3 bytes: 1 + 3 << 16 + 1 << 8
; CHECK: [[A:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 0
; CHECK-NEXT: store i64 196865, ptr [[A]], align 8
; CHECK: getelementptr inbounds i8, ptr [[BLOCK]], i32 8
; CHECK: getelementptr inbounds i8, ptr [[BLOCK]], i32 9
; CHECK: [[THIRD:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 10
; CHECK-NEXT: store i8 %{{.*}}, ptr [[THIRD]], align 1
; A double: 2 + 8 << 8 + 1 << 16.
; CHECK: [[D:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 16
; CHECK-NEXT: store i64 67586, ptr [[D]], align 8
; CHECK: [[V:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 24
; CHECK-NEXT: store double %d, ptr [[V]], align 8
; Five halves take 10 bytes, so the next header is at 56.
; CHECK: [[H:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 32
; CHECK-NEXT: store i64 328194, ptr [[H]], align 8
; CHECK: [[P:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 56
; CHECK-NEXT: store i64 {{[0-9]+}}, ptr [[P]], align 8
; CHECK: [[W:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 64
; CHECK-NEXT: store ptr addrspace(1) %p, ptr [[W]], align 8
; CHECK: [[END:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i32 72
; CHECK-NEXT: store i64 0, ptr [[END]], align 8
; CHECK: call i32 @__hostcl_printf(ptr addrspace(2) @format, ptr [[BLOCK]])
define void @types(<3 x i8> %b, double %d, <5 x half> %h, ptr addrspace(1) %p) {
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, <3 x i8> %b, double %d, <5 x half> %h, ptr addrspace(1) %p)
  ret void
}

; CHECK-LABEL: define void @several(
; CHECK: [[BLOCK:%.*]] = alloca [40 x i8], align 8
; CHECK-NOT: alloca
; CHECK-COUNT-3: call i32 @__hostcl_printf(ptr addrspace(2) @format, ptr [[BLOCK]])
; CHECK-NOT: @printf(
; CHECK: ret void
define void @several(i32 %x, i1 %c) {
entry:
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  br i1 %c, label %then, label %end
then:
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x, i32 %x)
  br label %end
end:
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x)
  ret void
}
