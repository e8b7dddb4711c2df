; If this fails, LLVM is mended: LaneBuilder::insert_lane may insert bits by insertelement. A report for LLVM:
;   Title: [X86] Cannot select v64i1 = truncate v64i8: insertelement into <64 x i1> with prefer-vector-width=256
;   Input: this function; llc
;   Expected: code, as without "min-legal-vector-width" and "prefer-vector-width"
;   Got: LLVM ERROR: Cannot select: v64i1 = truncate
; RUN: not --crash llc -mtriple=x86_64 %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: Cannot select: {{.*}}v64i1 = truncate
define i64 @f(i64 %bits, i1 %bit, i32 %n) "target-cpu"="icelake-server" "min-legal-vector-width"="256" "prefer-vector-width"="256" {
  %v = bitcast i64 %bits to <64 x i1>
  %w = insertelement <64 x i1> %v, i1 %bit, i32 %n
  %r = bitcast <64 x i1> %w to i64
  ret i64 %r
}
