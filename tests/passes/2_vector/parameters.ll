; The parameters of the vectoriser, as the pipeline and tests write them; and switches, which other passes have as well.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s --check-prefix=FOUR
; RUN: hostclc --passes='vectorise<width=16;cpu=avx512;no-permutes;no-small-ids>' %s | FileCheck %s --check-prefix=SIXTEEN
; RUN: hostclc --passes='vectorise<vector-bits=512>' %s | FileCheck %s --check-prefix=EIGHT
; RUN: hostclc --passes='vectorise<no-width_choice;vector-bits=512;check-bounds>' %s | FileCheck %s --check-prefix=SIXTEEN
; RUN: hostclc --passes='vectorise<width=1>' %s 2>&1 | FileCheck %s --check-prefix=ONE
; RUN: hostclc --passes='function(vectorise<>,tree-reductions<no-records;check-all>,loop-updates<>)' %s | FileCheck %s --check-prefix=FOUR
; RUN: not hostclc --passes='vectorise<width>' %s 2>&1 | FileCheck %s --check-prefix=NUMBER
; RUN: not hostclc --passes='vectorise<fast>' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not hostclc --passes='vectorise<no-fast>' %s 2>&1 | FileCheck %s --check-prefix=HEURISTIC
; RUN: not hostclc --passes='vectorise<gathers=1>' %s 2>&1 | FileCheck %s --check-prefix=FLAG
; RUN: not hostclc --passes='loop-updates<no-records;no-fast>' %s 2>&1 | FileCheck %s --check-prefix=SWITCH

; FOUR: "hostcl.width"="4"
; EIGHT: "hostcl.width"="8"
; SIXTEEN: "hostcl.width"="16"
; ONE-NOT: {{hostcl.width|remark}}
; NUMBER: vectorise: 'width' has no number
; UNKNOWN: vectorise: the parameter 'fast' is unknown
; HEURISTIC: vectorise: the parameter 'no-fast' is unknown
; FLAG: vectorise: the parameter 'gathers=1' is unknown
; SWITCH: 'no-fast' is neither no-HEURISTIC nor check-CHECK

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable

define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr double, ptr addrspace(1) %p, i64 %i
  %x = load double, ptr addrspace(1) %a
  %y = fmul double %x, %x
  store double %y, ptr addrspace(1) %a
  ret void
}
