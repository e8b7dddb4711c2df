; Rows under a mask are jumped over where no lane is active, if the jump is foreseen.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @behind_border
; CHECK: br i1 %{{.*}}, label %then, label %skip
; CHECK: then:
; CHECK: @llvm.masked.store
define spir_kernel void @behind_border(ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %then, label %done
then:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 7, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: @by_data
; CHECK-NOT: br i1
; CHECK: @llvm.masked.store
; CHECK: ret void
define spir_kernel void @by_data(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %q
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %then, label %done
then:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %v, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; Not inside a block that depends on data either, whose own jump says all there is to say.
; CHECK-LABEL: @border_by_data
; CHECK-NOT: label %skip
; CHECK: @llvm.masked.store
; CHECK: ret void
define spir_kernel void @border_by_data(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %q
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %then, label %done
then:
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %both, label %done
both:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %v, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; Private memory is always there.
; CHECK-LABEL: @in_private
; CHECK-NOT: label %skip
; CHECK: @llvm.masked.store
; CHECK: ret void
define spir_kernel void @in_private(ptr addrspace(1) %out, i64 %n, i64 %k) {
  %array = alloca [4 x i32]
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr %array, i64 %k
  store i32 1, ptr %p
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %then, label %done
then:
  store i32 7, ptr %p
  br label %done
done:
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %v, ptr addrspace(1) %q
  ret void
}
