; Atomics on local memory are plain operations; others stay, as do those through generic pointers.
; RUN: hostclc --passes='function(local-atomics)' %s | FileCheck %s

; CHECK-LABEL: @local(
; CHECK-NOT: {{atomic|cmpxchg}}
; CHECK: [[OLD:%.*]] = load i32, ptr addrspace(3) %cell
; CHECK: [[SUM:%.*]] = add i32 [[OLD]], %x
; CHECK: store i32 [[SUM]], ptr addrspace(3) %cell
; CHECK-NOT: {{atomic|cmpxchg}}
; CHECK: [[SEEN:%.*]] = load i32, ptr addrspace(3) %cell
; CHECK: icmp eq i32 [[SEEN]], [[OLD]]
; CHECK-NOT: {{atomic|cmpxchg}}
; CHECK: load i32, ptr addrspace(3) %cell
; CHECK-NOT: {{atomic|cmpxchg}}
; CHECK: store i32 {{.*}}, ptr addrspace(3) %cell
; CHECK-NOT: {{atomic|cmpxchg}}
; CHECK: ret i32
define i32 @local(ptr addrspace(3) %cell, i32 %x) {
  %old = atomicrmw add ptr addrspace(3) %cell, i32 %x monotonic
  %pair = cmpxchg ptr addrspace(3) %cell, i32 %old, i32 7 monotonic monotonic
  %seen = extractvalue { i32, i1 } %pair, 0
  %now = load atomic i32, ptr addrspace(3) %cell monotonic, align 4
  %sum = add i32 %seen, %now
  store atomic i32 %sum, ptr addrspace(3) %cell release, align 4
  ret i32 %sum
}

; CHECK-LABEL: @others(
; CHECK: atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
; CHECK: cmpxchg ptr addrspace(4) %generic, i32 0, i32 1 monotonic monotonic
; CHECK: load atomic i32, ptr addrspace(1) %global monotonic
; CHECK: store atomic i32 {{.*}}, ptr addrspace(4) %generic monotonic
define void @others(ptr addrspace(1) %global, ptr addrspace(4) %generic) {
  %old = atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(4) %generic, i32 0, i32 1 monotonic monotonic
  %now = load atomic i32, ptr addrspace(1) %global monotonic, align 4
  store atomic i32 %now, ptr addrspace(4) %generic monotonic, align 4
  ret void
}
