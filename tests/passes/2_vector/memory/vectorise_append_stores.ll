; Places that an atomic has handed out follow each other: what is stored there is compressed.
; RUN: hostclc --passes='vectorise<width=16;cpu=avx512;fetches-overwritten>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=8>' %s | FileCheck --check-prefix=NARROW %s

declare i64 @__hostcl_local_id(i32) memory(none)

; Hosts without an instruction for it scatter.
; NARROW-NOT: vector.compress

; CHECK-LABEL: @append
; CHECK: %[[COUNT:.*]] = atomicrmw add ptr addrspace(1) %n, i32
; CHECK: %[[FITS:.*]] = icmp ule i32 %[[COUNT]], -16
; CHECK: %[[INDEX:.*]] = zext i32 %[[COUNT]] to i64
; CHECK: %[[FIRST:.*]] = getelementptr float, ptr addrspace(1) %out, i64 %[[INDEX]]
; CHECK: br i1 %{{.*}}, label %handed.out, label %scattered
; CHECK: handed.out:
; CHECK: %[[VALUES:.*]] = call <16 x i32> @llvm.experimental.vector.compress.v16i32(<16 x i32> %{{.*}}, <16 x i1> %{{.*}}, <16 x i32> poison)
; CHECK: %[[ACTIVE:.*]] = call i16 @llvm.ctpop.i16
; CHECK: %[[FILLED:.*]] = icmp ult <16 x i32>
; CHECK: masked.store.v16i32.p1(<16 x i32> %[[VALUES]], ptr addrspace(1) align 4 %[[FIRST]], <16 x i1> %[[FILLED]])
; CHECK: scattered:
; CHECK: masked.scatter
define spir_kernel void @append(ptr addrspace(1) %in, ptr addrspace(1) %n, ptr addrspace(1) %out) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %take, label %done
take:
  %at = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %wide = zext i32 %at to i64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float %v, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

; Lanes that find no room make gaps: asked when the program runs. A 64-bit number does not wrap.
; CHECK-LABEL: @bounded
; CHECK: %[[COUNT:.*]] = atomicrmw add ptr addrspace(1) %n, i64
; CHECK: icmp eq i16
; CHECK: label %handed.out, label %scattered
define spir_kernel void @bounded(ptr addrspace(1) %n, ptr addrspace(1) %out, i64 %room) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  %fits = icmp ult i64 %at, %room
  br i1 %fits, label %take, label %done
take:
  %shifted = add i64 %at, %room
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %shifted
  store i64 %i, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

; Not one element apart.
; CHECK-LABEL: @apart
; CHECK-NOT: vector.compress
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) %n, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %two = atomicrmw add ptr addrspace(1) %n, i64 2 monotonic
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %two
  store i64 %i, ptr addrspace(1) %p
  %one = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  %q = getelementptr { i64, i64 }, ptr addrspace(1) %out, i64 %one
  store i64 %i, ptr addrspace(1) %q
  %turned = sub i64 100, %one
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %turned
  store i64 %i, ptr addrspace(1) %r
  ret void
}
