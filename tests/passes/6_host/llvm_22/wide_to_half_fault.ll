; If FAULT, the first run, fails, LLVM is mended: remove the pass wide-to-half. A report for LLVM:
;   Title: [X86] Crash: sitofp <2 x i128> to <2 x half> with avx512fp16
;   Input: this function; llc -mcpu=sapphirerapids
;   Expected: two calls of __floattihf, as for a scalar
;   Got: a crash in X86 DAG->DAG Instruction Selection; also for uitofp and <4 x i128>
; RUN: not --crash llc -mtriple=x86_64 -mcpu=sapphirerapids %s -o /dev/null 2>&1 | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(wide-to-half)' %s | llc -mtriple=x86_64 -mcpu=sapphirerapids | FileCheck --check-prefix=MENDED %s

; FAULT: X86 DAG->DAG Instruction Selection
; MENDED-COUNT-2: call{{.*}}__floattisf
define <2 x half> @f(<2 x i128> %n) {
  %h = sitofp <2 x i128> %n to <2 x half>
  ret <2 x half> %h
}
