; Much private memory of an entry, and of the functions that it calls, lies in its context.
; RUN: hostclc --passes=large-private %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @use(ptr)
declare void @llvm.lifetime.start.p0(ptr)

; Names tell nothing: the driver has none.
; CHECK-LABEL: @large.entry(
; CHECK: [[BEHIND:%.*]] = getelementptr inbounds i8, ptr %3, i64 9004928
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i8, ptr %3, i64 0
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i8, ptr %3, i64 9000064
; CHECK: [[UP:%.*]] = getelementptr inbounds i8, ptr [[SECOND]], i64 4095
; CHECK: [[ALIGNED:%.*]] = call ptr @llvm.ptrmask.p0.i64(ptr [[UP]], i64 -4096)
; CHECK-NOT: lifetime
; CHECK: alloca i32
; CHECK: call void @use(ptr [[FIRST]])
; CHECK: call void @use(ptr [[ALIGNED]])
; CHECK: call void @use(ptr [[BEHIND]])
define void @large.entry(ptr, ptr, ptr, ptr, i64, i64) "hostcl.entry"="true" {
  %x = alloca [9000000 x i8], align 16
  %y = alloca [800 x i8], align 4096
  %z = alloca i32
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @use(ptr %x)
  call void @use(ptr %y)
  call void @use(ptr %z)
  call void @use(ptr %3)
  ret void
}

; CHECK-LABEL: @small.entry(
; CHECK: alloca [12000 x i8]
; CHECK: call void @small.helper(ptr %context)
define void @small.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) "hostcl.entry"="true" {
  %x = alloca [12000 x i8]
  call void @use(ptr %x)
  call void @small.helper(ptr %context)
  ret void
}

; CHECK-LABEL: @small.helper(ptr %x)
; CHECK: alloca [2000 x i8]
define internal void @small.helper(ptr %x) {
  %y = alloca [2000 x i8]
  call void @use(ptr %y)
  ret void
}

; Functions that are called one by the other have memory one after the other; those that the entry calls in turn, the
; same. It is memory that they change.
; CHECK-LABEL: @calls.entry(
; CHECK: getelementptr inbounds i8, ptr %context, i64 16128
; CHECK: [[PRIVATE:%.*]] = getelementptr inbounds i8, ptr %context, i64 0
; CHECK: call void @outer(i32 1, ptr [[PRIVATE]])
; CHECK: call i32 @inner(i32 2, ptr [[PRIVATE]]){{$}}
; CHECK: call i32 @plain(i32 3)
define void @calls.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) "hostcl.entry"="true" {
  call void @outer(i32 1)
  call i32 @inner(i32 2) memory(none)
  call i32 @plain(i32 3)
  ret void
}

; CHECK-LABEL: define internal i32 @plain(i32 %n)
define internal i32 @plain(i32 %n) {
  ret i32 %n
}

; What something else may call keeps its variables, and so does all that it calls.
; CHECK-LABEL: @pointer.entry(
; CHECK: call void @taken()
define void @pointer.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) "hostcl.entry"="true" {
  call void @use(ptr @taken)
  call void @taken()
  ret void
}

; CHECK-LABEL: define internal void @taken()
; CHECK: alloca [9000 x i8]
; CHECK: call void @below.taken()
define internal void @taken() {
  %x = alloca [9000 x i8]
  call void @use(ptr %x)
  call void @below.taken()
  ret void
}

; CHECK-LABEL: define internal void @below.taken()
; CHECK: alloca [9000 x i8]
define internal void @below.taken() {
  %x = alloca [9000 x i8]
  call void @use(ptr %x)
  ret void
}

; No entry.
; CHECK-LABEL: define void @other(
; CHECK: alloca [9000000 x i8]
define void @other(ptr %context) {
  %x = alloca [9000000 x i8]
  call void @use(ptr %x)
  ret void
}

; Code of an entry that became a function.
; CHECK-LABEL: define internal void @body(
; CHECK: alloca [9000000 x i8]
define internal void @body(ptr %context) "hostcl.entry"="true" {
  %x = alloca [9000000 x i8]
  call void @use(ptr %x)
  ret void
}

; Each call of a recursive function needs variables of its own.
; CHECK-LABEL: @recursive.entry(
; CHECK: call void @itself(i32 2)
define void @recursive.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context, i64 %first, i64 %last) "hostcl.entry"="true" {
  %x = alloca [9000000 x i8]
  call void @use(ptr %x)
  call void @itself(i32 2)
  ret void
}

; CHECK-LABEL: define internal void @itself(i32 %n)
; CHECK: alloca [9000 x i8]
define internal void @itself(i32 %n) {
  %x = alloca [9000 x i8]
  call void @use(ptr %x)
  call void @itself(i32 %n)
  ret void
}

; CHECK-LABEL: define internal i32 @inner(i32 %n, ptr noalias noundef align 128 %0) {
; CHECK-NOT: alloca
; CHECK: load i32
define internal i32 @inner(i32 %n) memory(none) {
  %x = alloca [8000 x i8]
  %at = getelementptr i8, ptr %x, i32 %n
  store volatile i32 %n, ptr %at
  %value = load i32, ptr %at
  ret i32 %value
}

; CHECK-LABEL: define internal void @outer(i32 %n, ptr noalias noundef align 128 %0)
; CHECK: [[REST:%.*]] = getelementptr inbounds i8, ptr %0, i64 8064
; CHECK: [[OWN:%.*]] = getelementptr inbounds i8, ptr %0, i64 0
; CHECK: call void @use(ptr [[OWN]])
; CHECK: call i32 @inner(i32 %n, ptr [[REST]])
define internal void @outer(i32 %n) {
  %x = alloca [8000 x i8]
  call void @use(ptr %x)
  call i32 @inner(i32 %n)
  ret void
}

; CHECK: "hostcl.private_bytes"="9004928"
; CHECK: "hostcl.private_bytes"="16128"
; CHECK: "hostcl.private_bytes"="9000064"
