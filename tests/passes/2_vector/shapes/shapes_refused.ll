; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Control flow that has no vector form is refused with the reason. A loop with two entries is rewritten as a loop with
; one entry.

; CHECK: indirect:
; CHECK-NEXT: a kind of jump that the vectoriser does not support
; CHECK-NEXT: for_ever:
define spir_kernel void @indirect(i1 %c, i64 %n) {
entry:
  %to = select i1 %c, ptr blockaddress(@indirect, %a), ptr blockaddress(@indirect, %b)
  indirectbr ptr %to, [ label %a, label %b ]
a:
  ret void
b:
  ret void
}

; CHECK-NEXT: the kernel never returns
; CHECK-NEXT: two_entries:
define spir_kernel void @for_ever() {
entry:
  br label %loop
loop:
  br label %loop
}

; CHECK-NEXT: %c.inv: uniform
; CHECK-NEXT: %Guard.b: uniform
; CHECK-NEXT: it cannot tell groups
; CHECK-NOT: {{.}}
define spir_kernel void @two_entries(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %exit
b:
  br i1 %d, label %a, label %exit
exit:
  ret void
}
