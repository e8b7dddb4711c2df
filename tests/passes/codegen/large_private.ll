; Much private memory of an entry lies in its context.
; RUN: hostclc --passes='function(large-private)' %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @use(ptr)
declare void @llvm.lifetime.start.p0(ptr)

; CHECK-LABEL: @large.entry(
; CHECK: [[BEHIND:%.*]] = getelementptr inbounds i8, ptr %context, i64 9004928
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i8, ptr %context, i64 0
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i8, ptr %context, i64 9000064
; CHECK: [[UP:%.*]] = getelementptr inbounds i8, ptr [[SECOND]], i64 4095
; CHECK: [[ALIGNED:%.*]] = call ptr @llvm.ptrmask.p0.i64(ptr [[UP]], i64 -4096)
; CHECK-NOT: lifetime
; CHECK: alloca i32
; CHECK: call void @use(ptr [[FIRST]])
; CHECK: call void @use(ptr [[ALIGNED]])
; CHECK: call void @use(ptr [[BEHIND]])
define void @large.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) {
  %x = alloca [9000000 x i8], align 16
  %y = alloca [800 x i8], align 4096
  %z = alloca i32
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @use(ptr %x)
  call void @use(ptr %y)
  call void @use(ptr %z)
  call void @use(ptr %context)
  ret void
}

; CHECK-LABEL: @small.entry(
; CHECK: alloca [60000 x i8]
; CHECK: call void @use(ptr %context)
define void @small.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) {
  %x = alloca [60000 x i8]
  call void @use(ptr %x)
  call void @use(ptr %context)
  ret void
}

; CHECK-LABEL: @other(
; CHECK: alloca [9000000 x i8]
define void @other(ptr %context) {
  %x = alloca [9000000 x i8]
  call void @use(ptr %x)
  ret void
}

; CHECK: "hostcl.private_bytes"="9004928"
