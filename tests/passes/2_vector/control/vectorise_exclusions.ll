; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
;
; Lanes that go on because a value is none of some numbers: whether it is another one does not depend on that.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @k(
; CHECK: [[MASK:%mask]] = call <8 x i1> @__hostcl_lane_mask()
; CHECK: [[ONE:%.+]] = icmp eq <8 x i32> %v, splat (i32 1)
; CHECK-NEXT: [[AT_ONE:%.+]] = select <8 x i1> [[MASK]], <8 x i1> [[ONE]], <8 x i1> zeroinitializer
; CHECK: [[ABOVE_ONE:%.+]] = select <8 x i1> [[MASK]], <8 x i1> %{{.+}}, <8 x i1> zeroinitializer
; CHECK: [[TWO:%.+]] = icmp eq <8 x i32> %v, splat (i32 2)
; CHECK-NEXT: [[AT_TWO:%.+]] = select <8 x i1> [[MASK]], <8 x i1> [[TWO]], <8 x i1> zeroinitializer
; CHECK: [[ABOVE_TWO:%.+]] = select <8 x i1> [[ABOVE_ONE]], <8 x i1> %{{.+}}, <8 x i1> zeroinitializer
; A number that has been excluded, and another value.
; CHECK: [[AGAIN:%.+]] = icmp eq <8 x i32> %v, splat (i32 1)
; CHECK-NEXT: select <8 x i1> [[ABOVE_TWO]], <8 x i1> [[AGAIN]], <8 x i1> zeroinitializer
; CHECK: [[ABOVE_THREE:%.+]] = select <8 x i1> [[ABOVE_TWO]], <8 x i1> %{{.+}}, <8 x i1> zeroinitializer
; CHECK: [[OTHER:%.+]] = icmp eq <8 x i32> %w, splat (i32 3)
; CHECK-NEXT: select <8 x i1> [[ABOVE_THREE]], <8 x i1> [[OTHER]], <8 x i1> zeroinitializer
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  %b = getelementptr i32, ptr addrspace(1) %a, i64 8
  %w = load i32, ptr addrspace(1) %b, align 4
  %is_one = icmp eq i32 %v, 1
  br i1 %is_one, label %one, label %next
one:
  store i32 11, ptr addrspace(1) %a, align 4
  br label %end
next:
  %is_two = icmp eq i32 %v, 2
  br i1 %is_two, label %two, label %rest
two:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %end
rest:
  %is_again = icmp eq i32 %v, 1
  br i1 %is_again, label %again, label %other
again:
  store i32 33, ptr addrspace(1) %a, align 4
  br label %end
other:
  %is_three = icmp eq i32 %w, 3
  br i1 %is_three, label %three, label %end
three:
  store i32 44, ptr addrspace(1) %a, align 4
  br label %end
end:
  ret void
}

; Numbers that differ between lanes exclude nothing that could be told.
; CHECK-LABEL: define {{.*}}void @vary(
; CHECK: [[FIRST:%.+]] = icmp eq <8 x i32> %v, [[IDS:%.+]]
; CHECK-NEXT: select <8 x i1> %mask, <8 x i1> [[FIRST]], <8 x i1> zeroinitializer
; CHECK: [[NOT_FIRST:%.+]] = select <8 x i1> %mask, <8 x i1> %{{.+}}, <8 x i1> zeroinitializer
; CHECK: [[SECOND:%.+]] = icmp eq <8 x i32> %v, splat (i32 5)
; CHECK-NEXT: select <8 x i1> [[NOT_FIRST]], <8 x i1> [[SECOND]], <8 x i1> zeroinitializer
define spir_kernel void @vary(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  %id = trunc i64 %x to i32
  %is_first = icmp eq i32 %v, %id
  br i1 %is_first, label %first, label %next
first:
  store i32 11, ptr addrspace(1) %a, align 4
  br label %end
next:
  %is_second = icmp eq i32 %v, 5
  br i1 %is_second, label %second, label %end
second:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %end
end:
  ret void
}
