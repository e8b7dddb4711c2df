; Indices that LLVM wrote as shifts, masks and bytes become extensions and indices again.
; RUN: hostclc --passes='function(canonical-indices)' %s | FileCheck %s

; CHECK-LABEL: @signed_index
; CHECK: %[[LOW:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE:.*]] = sext i32 %[[LOW]] to i64
; CHECK: getelementptr i32, ptr addrspace(1) %a, i64 %[[WIDE]]
; CHECK-NOT: shl
define spir_kernel void @signed_index(ptr addrspace(1) %a, i64 %x) {
  %up = shl i64 %x, 32
  %offset = ashr exact i64 %up, 30
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  store i32 7, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @unsigned_indices
; CHECK: %[[LOW:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[LOW]] to i64
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %[[WIDE]]
; CHECK: %[[LOW2:.*]] = trunc i64 %y to i32
; CHECK: %[[WIDE2:.*]] = zext i32 %[[LOW2]] to i64
; CHECK: getelementptr i64, ptr addrspace(1) %a, i64 %[[WIDE2]]
; CHECK: %[[LOW3:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE3:.*]] = zext i32 %[[LOW3]] to i64
; CHECK: getelementptr i16, ptr addrspace(1) %a, i64 %[[WIDE3]]
define spir_kernel void @unsigned_indices(ptr addrspace(1) %a, i64 %x, i64 %y) {
  %i = and i64 %x, 4294967295
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 0.0, ptr addrspace(1) %p
  %up = shl i64 %y, 3
  %offset = and i64 %up, 34359738360
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  store i64 0, ptr addrspace(1) %q
  %high = shl i64 %x, 32
  %back = lshr exact i64 %high, 31
  %r = getelementptr i8, ptr addrspace(1) %a, i64 %back
  store i16 0, ptr addrspace(1) %r
  ret void
}

; Flags of the address stay where the shift cannot have wrapped.
; CHECK-LABEL: @flags
; CHECK: getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
; CHECK: getelementptr i32, ptr addrspace(1) %a, i64 %j
; CHECK: getelementptr nuw i32, ptr addrspace(1) %a, i64 %i
define spir_kernel void @flags(ptr addrspace(1) %a, i64 %i, i64 %j) {
  %s = shl nsw i64 %i, 2
  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %s
  store i32 0, ptr addrspace(1) %p
  %t = shl i64 %j, 2
  %q = getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 %t
  store i32 0, ptr addrspace(1) %q
  %u = shl nuw i64 %i, 2
  %r = getelementptr nusw nuw i8, ptr addrspace(1) %a, i64 %u
  store i32 0, ptr addrspace(1) %r
  ret void
}

; A mask that drops what is zero by the guard is the sign extension that the program had.
; CHECK-LABEL: @guarded
; CHECK: inside:
; CHECK: %[[LOW4:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE4:.*]] = sext i32 %[[LOW4]] to i64
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %[[WIDE4]]
; CHECK: outside:
; CHECK: %j = and i64 %x, 2147483647
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %j
define spir_kernel void @guarded(ptr addrspace(1) %a, i64 %x, i32 %n) {
  %low = trunc i64 %x to i32
  %not.first = icmp sgt i32 %low, 0
  %not.last = icmp slt i32 %low, %n
  %is.inside = select i1 %not.first, i1 %not.last, i1 false
  br i1 %is.inside, label %inside, label %outside

inside:
  %i = and i64 %x, 2147483647
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 0.0, ptr addrspace(1) %p
  ret void

outside:
  %j = and i64 %x, 2147483647
  %q = getelementptr float, ptr addrspace(1) %a, i64 %j
  store float 1.0, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @guarded_by_constants
; CHECK: inside:
; CHECK: sext i32
; CHECK: smaller:
; CHECK: and i64 %x, 511
define spir_kernel void @guarded_by_constants(ptr addrspace(1) %a, i64 %x) {
  %low = trunc i64 %x to i32
  %below = icmp ult i32 %low, 1024
  br i1 %below, label %inside, label %outside

inside:
  %i = and i64 %x, 1023
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 0.0, ptr addrspace(1) %p
  br label %smaller

smaller:
  %j = and i64 %x, 511
  %q = getelementptr float, ptr addrspace(1) %a, i64 %j
  store float 1.0, ptr addrspace(1) %q
  ret void

outside:
  ret void
}

; Coordinates that are joined again are the number that they were made of, and the remainder agrees with the quotient.
; CHECK-LABEL: @joined
; CHECK: %[[Y:.*]] = sdiv i32 %n, %safe
; CHECK: %[[START:.*]] = mul i32 %[[Y]], %w
; CHECK: %[[X:.*]] = sub i32 %n, %[[START]]
; CHECK: store i32 %[[X]], ptr addrspace(1) %a
; CHECK: store i32 %n, ptr addrspace(1) %a
define spir_kernel void @joined(ptr addrspace(1) %a, i32 %n, i32 %w) {
  %zero = icmp eq i32 %w, 0
  %least = icmp eq i32 %n, -2147483648
  %minus = icmp eq i32 %w, -1
  %overflows = and i1 %least, %minus
  %bad = or i1 %zero, %overflows
  %safe = select i1 %bad, i32 1, i32 %w, !hostcl.guarded_divisor !0
  %x = srem i32 %n, %safe
  store i32 %x, ptr addrspace(1) %a
  %y = sdiv i32 %n, %safe
  %row = mul nsw i32 %y, %w
  %i = add nsw i32 %x, %row
  store i32 %i, ptr addrspace(1) %a
  ret void
}

; Coordinates of another width, or of another number, are not, nor those by a width that the program keeps from being 0.
; CHECK-LABEL: @not_joined
; CHECK: add i32 %x, %row
; CHECK: add i32 %x, %other.row
; CHECK: add i32 %x, %same.row
define spir_kernel void @not_joined(ptr addrspace(1) %a, i32 %n, i32 %m, i32 %w, i32 %pitch) {
  %zero = icmp eq i32 %w, 0
  %safe = select i1 %zero, i32 1, i32 %w
  %x = urem i32 %n, %safe
  %y = udiv i32 %n, %safe
  %row = mul i32 %y, %pitch
  %i = add i32 %x, %row
  store i32 %i, ptr addrspace(1) %a
  %other.y = udiv i32 %m, %safe
  %other.row = mul i32 %other.y, %w
  %j = add i32 %x, %other.row
  store i32 %j, ptr addrspace(1) %a
  %same.row = mul i32 %y, %w
  %k = add i32 %x, %same.row
  store i32 %k, ptr addrspace(1) %a
  ret void
}

; What is no index stays as it is.
; CHECK-LABEL: @data
; CHECK: and i64 %x, 4294967295
; CHECK: lshr i64
; CHECK-NOT: zext
define spir_kernel void @data(ptr addrspace(1) %a, i64 %x) {
  %low = and i64 %x, 4294967295
  %up = shl i64 %x, 32
  %down = lshr i64 %up, 32
  %sum = add i64 %low, %down
  store i64 %sum, ptr addrspace(1) %a
  ret void
}

!0 = !{}
