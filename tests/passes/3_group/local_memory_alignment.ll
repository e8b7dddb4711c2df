; RUN: hostclc --passes='function(local-memory)' %s | FileCheck %s
; Every variable begins at a multiple of 128 and of its own alignment, and no two of them overlap, whatever their sizes: of
; 1 byte, of exactly 128, empty, and more than 128 bytes of alignment in the middle.

@one = internal addrspace(3) global i8 undef, align 1
@exact = internal addrspace(3) global [128 x i8] undef, align 1
@empty = internal addrspace(3) global [0 x i32] undef, align 4
@page = internal addrspace(3) global [65 x i8] undef, align 256
@last = internal addrspace(3) global double undef, align 8

; @page takes 65 bytes, and up to 128 to align it; @empty takes none.
; CHECK-LABEL: define {{.*}}void @k(
; CHECK-SAME: [[K:#[0-9]+]]
; CHECK: %one = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: %exact = getelementptr inbounds i8, ptr addrspace(3) %local, i64 128
; CHECK: %empty = getelementptr inbounds i8, ptr addrspace(3) %local, i64 256
; CHECK: %page = getelementptr inbounds i8, ptr addrspace(3) %local, i64 256
; CHECK: [[END:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %page, i64 128
; CHECK: [[PAGE:%.*]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) [[END]], i64 -256)
; CHECK: %last = getelementptr inbounds i8, ptr addrspace(3) %local, i64 512
; CHECK: store i8 3, ptr addrspace(3) [[PAGE]]
define spir_kernel void @k() {
  store i8 1, ptr addrspace(3) @one
  store i8 2, ptr addrspace(3) @exact
  store i32 0, ptr addrspace(3) @empty
  store i8 3, ptr addrspace(3) @page
  store double 4.0, ptr addrspace(3) @last
  ret void
}

; A kernel without local variables has none, and says so.
; CHECK-LABEL: define {{.*}}void @none(
; CHECK-SAME: [[NONE:#[0-9]+]]
; CHECK-NOT: @__hostcl_local_base
; CHECK: ret void
define spir_kernel void @none(ptr addrspace(3) %argument) {
  store i32 1, ptr addrspace(3) %argument
  ret void
}

; CHECK: attributes [[K]] = {{.*}}"hostcl.static_local_bytes"="640"
; CHECK: attributes [[NONE]] = { "hostcl.static_local_bytes"="0" }
