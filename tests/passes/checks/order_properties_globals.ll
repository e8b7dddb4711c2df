; RUN: hostclc --passes='function(order-properties)' %s | FileCheck %s

; Places are in the address space that global variables have, as null is: a module with others is not read again.
; CHECK: @__hostcl_order.places = internal addrspace(1) constant [2 x ptr addrspace(1)] [ptr addrspace(1) @hostcl.site, ptr addrspace(1) null]
; CHECK: @__hostcl_order = addrspace(1) constant { ptr addrspace(1), ptr addrspace(1) } {

target datalayout = "G1"

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  store i32 1, ptr addrspace(1) %a
  ret void
}
