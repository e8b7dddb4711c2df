; LLVM's Scalarizer reads past the end of its list of elements (llvm/llvm-project#179880, fixed in LLVM 23). If this fails, LLVM
; is mended: remove drop_missing_elements() in split_vectors.cpp.
; RUN: not --crash opt -passes=scalarizer -disable-output %s

define i32 @f(<4 x i32> %v) {
  %s = add <4 x i32> %v, %v
  %e = extractelement <4 x i32> %s, i32 2147483647
  ret i32 %e
}
