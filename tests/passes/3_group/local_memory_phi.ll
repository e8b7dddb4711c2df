; RUN: hostclc --passes='function(local-memory)' %s | FileCheck %s
; A phi's value from the entry block is a constant expression with a variable: its instruction follows the variable's place.

@tile = internal addrspace(3) global [6 x i32] undef, align 4

; CHECK-LABEL: define {{.*}}void @k(
; CHECK-NEXT: %local = call ptr addrspace(3) @__hostcl_local_base()
; CHECK-NEXT: %tile = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK-NEXT: [[THIRD:%.*]] = getelementptr i8, ptr addrspace(3) %tile, i64 8
; CHECK: phi ptr addrspace(3) [ [[THIRD]], %0 ]
define spir_kernel void @k(i32 %n) {
  %slot = alloca i32, align 4
  br label %loop

loop:
  %p = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @tile, i64 8), %0 ], [ %next, %loop ]
  %i = phi i32 [ %n, %0 ], [ %less, %loop ]
  store i32 %i, ptr %slot, align 4
  store i32 %i, ptr addrspace(3) %p, align 4
  %next = getelementptr i32, ptr addrspace(3) %p, i32 %i
  %less = add i32 %i, -1
  %more = icmp ne i32 %less, 0
  br i1 %more, label %loop, label %end

end:
  ret void
}

; Both edges from one block have the same value.
; CHECK-LABEL: define {{.*}}void @two_edges(
; CHECK: phi ptr addrspace(3) [ [[SAME:%.*]], %0 ], [ [[SAME]], %0 ], [ %tile{{.*}}, %other ]
define spir_kernel void @two_edges(i32 %n) {
  switch i32 %n, label %other [ i32 0, label %end
                                i32 5, label %end ]

other:
  br label %end

end:
  %p = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @tile, i64 8), %0 ],
                            [ getelementptr (i8, ptr addrspace(3) @tile, i64 8), %0 ], [ @tile, %other ]
  store i32 1, ptr addrspace(3) %p, align 4
  ret void
}
