; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A read may race with the last write; a write with the reads as well. What may race, and memory without cells yet, is
; left to the host; all else is recorded at once. Two reads are kept, of local memory by whichever work-items.

define spir_kernel void @accesses(ptr addrspace(1) %a, ptr addrspace(3) %t) {
  %x = load i32, ptr addrspace(1) %a
  store i32 1, ptr addrspace(3) %t
  %y = load i32, ptr addrspace(3) %t
  store i32 1, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define internal i1 @hostcl.race.read.global.1(
; CHECK: %chunk = load ptr
; CHECK: br i1 %{{.*}}, label %odd, label %known
; CHECK: odd:
; CHECK-NEXT: ret i1 true
; CHECK: record:
; CHECK: br i1 %{{.*}}, label %other, label %renew
; CHECK: known:
; CHECK: %[[WRITE:.*]] = getelementptr inbounds i8, ptr %cell, i64 0
; CHECK-NEXT: load atomic i64, ptr %[[WRITE]] monotonic, align 8
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %odd, label %record
; CHECK: renew:
; CHECK-NEXT: %[[FIRST:.*]] = getelementptr inbounds i8, ptr %cell, i64 8
; CHECK-NEXT: store atomic i64 %me, ptr %[[FIRST]]
; CHECK: other:
; CHECK-NEXT: %[[LAST:.*]] = getelementptr inbounds i8, ptr %cell, i64 16
; CHECK-NEXT: load atomic i64, ptr %[[LAST]]
; CHECK: lshr i64 %{{.*}}, 40
; CHECK: replace:
; CHECK: store atomic i64 %me,
; CHECK: next:
; CHECK-NEXT: ret i1 false

; CHECK-LABEL: define internal i1 @hostcl.race.write.local.1(
; CHECK: record:
; CHECK-NEXT: %[[WRITE:.*]] = getelementptr inbounds i8, ptr %cell, i64 0
; CHECK-NEXT: store atomic i64 %me, ptr %[[WRITE]] monotonic, align 8
; CHECK-NEXT: ret i1 false
; CHECK: known:
; CHECK-COUNT-3: load atomic i64
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %odd, label %record

; Groups do not share local memory.
; CHECK-LABEL: define internal i1 @hostcl.race.read.local.1(
; CHECK-NOT: launch_first
; CHECK: other:
; CHECK-NOT: lshr i64 %{{.*}}, 40
; CHECK: }
