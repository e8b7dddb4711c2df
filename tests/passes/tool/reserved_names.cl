// A program's own functions with names of the compiler's steps of mathematical functions are functions like any other.
// RUN: hostclc --assembly %s 2>&1 | FileCheck %s
// CHECK-NOT: error
// CHECK: kernel 'own'
// CHECK: kernel 'has_name'
// CHECK-NOT: error

__attribute__((noinline)) float __hostcl_maths_exponent(float x) { return x * 3; }
bool __hostcl_maths_has_float_parts(void) { return false; }

kernel void own(global float* a) {
  int i = get_global_id(0);
  a[i] = __hostcl_maths_exponent(a[i]) + __hostcl_maths_has_float_parts();
}

kernel void has_name(global float* a) { a[get_global_id(0)] = log(a[get_global_id(0)]); }
