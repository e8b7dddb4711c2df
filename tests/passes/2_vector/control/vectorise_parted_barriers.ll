; Lanes that part wait for each other where their paths join. A kernel is refused if work-items that part may meet one
; barrier in different iterations of a loop.
; RUN: hostclc --passes='function(vectorise<width=8>)' %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not=refused \
; RUN:   --implicit-check-not='not vectorised'
; RUN: hostclc --passes='function(vectorise<width=8>)' %s 2>/dev/null | FileCheck %s --check-prefix=CODE

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent

; A compiler has made two loops of one: work-items that leave the inner loop come back to the same barrier.
; CHECK: counts: not vectorised: work-items may reach a barrier in different iterations of a loop
define spir_kernel void @counts(ptr addrspace(3) %t, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(3) %t, i64 %x
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k1, %more ]
  %j = phi i64 [ 1, %entry ], [ %next, %more ]
  %k1 = add i64 %k, 1
  store i64 %k1, ptr addrspace(3) %p
  br label %inner
inner:
  %i = phi i64 [ %j, %outer ], [ %next, %step ]
  call void @__hostcl_barrier(i32 1)
  %goes = icmp ult i64 %i, %n
  br i1 %goes, label %step, label %out
step:
  %next = shl i64 %i, 1
  %rest = urem i64 %x, %next
  %is_some = icmp eq i64 %rest, 0
  br i1 %is_some, label %more, label %inner
more:
  br label %outer
out:
  ret void
}

; The same loops, which all work-items leave together.
; CODE-LABEL: define {{.*}}void @all_count(
; CODE: call void @llvm.masked.store{{.*}}, <8 x i1> %mask)
; CODE: call void @__hostcl_barrier(i32 1)
; CODE-NOT: phi <8 x i1>
; CODE: ret void
define spir_kernel void @all_count(ptr addrspace(3) %t, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(3) %t, i64 %x
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k1, %more ]
  %j = phi i64 [ 1, %entry ], [ %next, %more ]
  %k1 = add i64 %k, 1
  store i64 %k1, ptr addrspace(3) %p
  br label %inner
inner:
  %i = phi i64 [ %j, %outer ], [ %next, %step ]
  call void @__hostcl_barrier(i32 1)
  %goes = icmp ult i64 %i, %n
  br i1 %goes, label %step, label %out
step:
  %next = add i64 %i, 1
  %rest = and i64 %next, 3
  %is_some = icmp eq i64 %rest, 0
  br i1 %is_some, label %more, label %inner
more:
  br label %outer
out:
  ret void
}

; A loop before the barrier has the same header as the loop around both.
; CHECK: folded: not vectorised: work-items may reach a barrier in different iterations of a loop
define spir_kernel void @folded(ptr addrspace(3) %t, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(3) %t, i64 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i, %before ], [ %next, %meet ]
  %v = phi i64 [ %x, %entry ], [ %less, %before ], [ %x, %meet ]
  %is_before = icmp sgt i64 %v, %i
  br i1 %is_before, label %before, label %meet
before:
  %less = sub i64 %v, 1
  store i64 %less, ptr addrspace(3) %p
  br label %loop
meet:
  call void @__hostcl_barrier(i32 1)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Work-items part and join between two barriers of each iteration, and before a loop of their own ends.
; CODE-LABEL: define {{.*}}void @joins(
; CODE: phi <8 x i1>
; CODE: call void @__hostcl_barrier(i32 1)
; CODE: call void @__hostcl_barrier(i32 2)
; CODE: ret void
define spir_kernel void @joins(ptr addrspace(3) %t, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(3) %t, i64 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  br label %own
own:
  %v = phi i64 [ %x, %loop ], [ %less, %own ]
  %less = sub i64 %v, 1
  %again = icmp sgt i64 %less, %i
  br i1 %again, label %own, label %meet
meet:
  call void @__hostcl_barrier(i32 1)
  %is_some = icmp ugt i64 %x, %i
  br i1 %is_some, label %some, label %join
some:
  store i64 %less, ptr addrspace(3) %p
  br label %join
join:
  call void @__hostcl_barrier(i32 2)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
