; RUN: hostclc --passes='function(address-space-queries)' %s | FileCheck %s
; The number goes along with the pointer through phis, selects, freezes and address arithmetic, also in circles.

declare i32 @__hostcl_address_space(ptr addrspace(4)) nounwind willreturn speculatable memory(none)
declare void @use(i32)

; Two pointers that a loop exchanges in each iteration.
; CHECK-LABEL: define void @exchanged(
; CHECK: loop:
; CHECK-NEXT: [[A:%.*]] = phi i32 [ 3, %entry ], [ [[B:%.*]], %loop ]
; CHECK-NEXT: phi ptr addrspace(4)
; CHECK-NEXT: [[B]] = phi i32 [ 1, %entry ], [ [[A]], %loop ]
; CHECK: call void @use(i32 [[A]])
; CHECK: call void @use(i32 [[B]])
; CHECK-NOT: @__hostcl_address_space
define void @exchanged(ptr addrspace(3) %l, ptr addrspace(1) %g, i1 %c) {
entry:
  %gl = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %gg = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  br label %loop
loop:
  %a = phi ptr addrspace(4) [ %gl, %entry ], [ %b, %loop ]
  %b = phi ptr addrspace(4) [ %gg, %entry ], [ %a, %loop ]
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %a)
  %t = call i32 @__hostcl_address_space(ptr addrspace(4) %b)
  call void @use(i32 %s)
  call void @use(i32 %t)
  br i1 %c, label %loop, label %end
end:
  ret void
}

; A pointer that is moved on by each iteration keeps its space: the circle has one entry.
; CHECK-LABEL: define void @moved_on(
; CHECK: loop:
; CHECK-NEXT: [[S:%.*]] = phi i32 [ 3, %entry ], [ [[S]], %loop ]
; CHECK: call void @use(i32 [[S]])
define void @moved_on(ptr addrspace(3) %l, i1 %c) {
entry:
  %start = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  br label %loop
loop:
  %p = phi ptr addrspace(4) [ %start, %entry ], [ %next, %loop ]
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %p)
  call void @use(i32 %s)
  %next = getelementptr i8, ptr addrspace(4) %p, i64 8
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @frozen(
; CHECK: [[S:%.*]] = select i1 %c, i32 0, i32 3
; CHECK: call void @use(i32 [[S]])
define void @frozen(ptr %own, ptr addrspace(3) %l, i1 %c) {
  %a = addrspacecast ptr %own to ptr addrspace(4)
  %b = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %b.2 = getelementptr i32, ptr addrspace(4) %b, i64 2
  %p = select i1 %c, ptr addrspace(4) %a, ptr addrspace(4) %b.2
  %f = freeze ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %f, i64 1
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %q)
  call void @use(i32 %s)
  ret void
}

; A switch may come to a block by two cases: one entry for each.
; CHECK-LABEL: define void @by_cases(
; CHECK: join:
; CHECK-NEXT: phi i32 [ 3, %entry ], [ 3, %entry ], [ 1, %other ]
define void @by_cases(ptr addrspace(3) %l, ptr addrspace(1) %g, i32 %n) {
entry:
  %a = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %b = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  switch i32 %n, label %other [ i32 0, label %join
                                i32 1, label %join ]
other:
  br label %join
join:
  %p = phi ptr addrspace(4) [ %a, %entry ], [ %a, %entry ], [ %b, %other ]
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %p)
  call void @use(i32 %s)
  ret void
}
