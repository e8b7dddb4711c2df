; Pointers that a loop moves on become indices, and counters that run down run up.
; RUN: hostclc --passes='function(canonical-indices)' %s | FileCheck %s
; RUN: hostclc --passes='function(canonical-indices<no-canonical_indices>)' %s | FileCheck %s --check-prefix=OFF

declare i64 @__hostcl_local_id(i32) memory(none)

; Steps that are constant, that are not, and that go down.
; CHECK-LABEL: @rows
; CHECK: loop:
; CHECK: %[[K:.*]] = phi i64 [ 0, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK-NOT: phi ptr
; CHECK: %p = getelementptr i32, ptr addrspace(1) %a, i64 %[[K]]
; CHECK: %[[COLUMN:.*]] = mul i64 %[[K]], %size
; CHECK: %q = getelementptr i32, ptr addrspace(1) %b, i64 %[[COLUMN]]
; CHECK: %[[DOWN:.*]] = sub i64 0, %[[K]]
; CHECK: %r = getelementptr [12 x i8], ptr addrspace(1) %c, i64 %[[DOWN]]
; CHECK: %[[NEXT]] = add i64 %[[K]], 1
; CHECK: icmp eq i64 %[[NEXT]], %n
; OFF-LABEL: @rows
; OFF: phi ptr
define spir_kernel void @rows(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %size, i64 %n) {
entry:
  %bytes = shl i64 %size, 2
  br label %loop
loop:
  %left = phi i64 [ %n, %entry ], [ %left.next, %loop ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %q.next, %loop ]
  %r = phi ptr addrspace(1) [ %c, %entry ], [ %r.next, %loop ]
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %q
  store i32 %x, ptr addrspace(1) %r
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %bytes
  %r.next = getelementptr i32, ptr addrspace(1) %r, i64 -3
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Each work-item's own row of a sparse matrix: the index of the program, in 32 bits.
; OFF-LABEL: @own_rows
; CHECK-LABEL: @own_rows
; CHECK: loop:
; CHECK-NEXT: %[[I:.*]] = phi i32 [ %from, %rows ], [ %[[NEXT:.*]], %loop ]
; CHECK-NEXT: %[[WIDE:.*]] = zext i32 %[[I]] to i64
; CHECK-NEXT: %p = getelementptr i32, ptr addrspace(1) %values, i64 %[[WIDE]]
; CHECK: %q = getelementptr i32, ptr addrspace(1) %columns, i64
; CHECK: %[[NEXT]] = add nuw i32 %[[I]], 1
; CHECK: icmp eq i32 %[[NEXT]], %to
define spir_kernel void @own_rows(ptr addrspace(1) %begin, ptr addrspace(1) %values, ptr addrspace(1) %columns) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %id
  %from = load i32, ptr addrspace(1) %at
  %after = getelementptr i32, ptr addrspace(1) %at, i64 1
  %to = load i32, ptr addrspace(1) %after
  %some = icmp ult i32 %from, %to
  br i1 %some, label %rows, label %end
rows:
  %first = zext i32 %from to i64
  %bytes = shl nuw nsw i64 %first, 2
  %v = getelementptr i8, ptr addrspace(1) %values, i64 %bytes
  %c = getelementptr i8, ptr addrspace(1) %columns, i64 %bytes
  %n = sub nuw i32 %to, %from
  %n64 = zext i32 %n to i64
  br label %loop
loop:
  %left = phi i64 [ %n64, %rows ], [ %left.next, %loop ]
  %p = phi ptr addrspace(1) [ %v, %rows ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %c, %rows ], [ %q.next, %loop ]
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %q
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 4
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The same without a test that there is a row: an index of 32 bits could wrap.
; CHECK-LABEL: @own_rows_unknown
; CHECK: %[[END:.*]] = add i64 %first, %n64
; CHECK: loop:
; CHECK-NEXT: %[[I:.*]] = phi i64 [ %first, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK-NEXT: %p = getelementptr i32, ptr addrspace(1) %values, i64 %[[I]]
; CHECK: %[[NEXT]] = add i64 %[[I]], 1
; CHECK: icmp eq i64 %[[NEXT]], %[[END]]
define spir_kernel void @own_rows_unknown(ptr addrspace(1) %begin, ptr addrspace(1) %values) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %id
  %from = load i32, ptr addrspace(1) %at
  %after = getelementptr i32, ptr addrspace(1) %at, i64 1
  %to = load i32, ptr addrspace(1) %after
  %first = zext i32 %from to i64
  %bytes = shl nuw nsw i64 %first, 2
  %v = getelementptr i8, ptr addrspace(1) %values, i64 %bytes
  %n = sub nuw i32 %to, %from
  %n64 = zext i32 %n to i64
  br label %loop
loop:
  %left = phi i64 [ %n64, %entry ], [ %left.next, %loop ]
  %p = phi ptr addrspace(1) [ %v, %entry ], [ %p.next, %loop ]
  store i32 7, ptr addrspace(1) %p
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 4
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A counter that something else uses stays, and so does a pointer with steps of each work-item's own.
; CHECK-LABEL: @refused
; CHECK: phi i64 [ %n, %entry ]
; CHECK: %q = phi ptr addrspace(1)
; CHECK: %p = getelementptr i32, ptr addrspace(1) %a, i64
; CHECK: icmp eq i64 %left.next, 0
define spir_kernel void @refused(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %left = phi i64 [ %n, %entry ], [ %left.next, %loop ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %q.next, %loop ]
  store i64 %left, ptr addrspace(1) %p
  store i64 %left, ptr addrspace(1) %q
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %id
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Of this counter the low 32 bits are used alone.
; CHECK-LABEL: @low_bits
; CHECK: loop:
; CHECK-NEXT: %[[I:.*]] = phi i32 [ %{{.*}}, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK-NEXT: %[[WIDE:.*]] = zext i32 %[[I]] to i64
; CHECK-NEXT: getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 %[[WIDE]]
; CHECK: %[[NEXT]] = add i32 %{{.*}}, %[[I]]
; CHECK: icmp ult i32 %[[NEXT]], 256
define spir_kernel void @low_bits(ptr addrspace(1) %a, i64 %step) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %id, %entry ], [ %i.next, %loop ]
  %low = and i64 %i, 4294967295
  %p = getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 %low
  store i8 0, ptr addrspace(1) %p
  %i.next = add i64 %step, %low
  %high = and i64 %i.next, 4294967040
  %more = icmp eq i64 %high, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A number that grows beside the pointer, and starts at the work-item's own.
; CHECK-LABEL: @beside
; CHECK: %[[K:.*]] = phi i64 [ 0, %entry ]
; CHECK-NOT: phi
; CHECK: %[[LOW:.*]] = trunc i64 %[[K]] to i32
; CHECK: %[[GROWN:.*]] = mul i32 %[[LOW]], 16
; CHECK: %[[I:.*]] = add i32 %start, %[[GROWN]]
; CHECK: sext i32 %[[I]] to i64
define spir_kernel void @beside(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %start = trunc i64 %id to i32
  br label %loop
loop:
  %left = phi i64 [ %n, %entry ], [ %left.next, %loop ]
  %i = phi i32 [ %start, %entry ], [ %i.next, %loop ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %p.next, %loop ]
  %wide = sext i32 %i to i64
  %q = getelementptr float, ptr addrspace(1) %b, i64 %wide
  %x = load float, ptr addrspace(1) %q
  store float %x, ptr addrspace(1) %p
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 4
  %i.next = add i32 %i, 16
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
