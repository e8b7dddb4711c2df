// RUN: hostclc --width=4 %s 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: hostclc --width=1 --kernel=second %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: hostclc --version | FileCheck %s --check-prefix=VERSION
// RUN: hostclc --help | FileCheck %s --check-prefix=HELP
// RUN: not hostclc --width=3 %s 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not hostclc --local=8,x %s 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not hostclc --global=1,2,3,4 %s 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not hostclc --print=nothing %s 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not hostclc --kernel=third %s 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not hostclc --cpu=nothing %s 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not hostclc --assemble %s 2>&1 | FileCheck %s --check-prefix=OPTION
//
// What hostclc says to options, right and wrong.
// FOUR: kernel 'first': 4 work-items at a time
// FOUR: kernel 'second': 4 work-items at a time
// ONE-NOT: 'first'
// ONE: kernel 'second': 1 work-item at a time
// VERSION: hostclc {{[0-9]+\.[0-9]+.*}}, LLVM 22
// HELP: USAGE: hostclc
// HELP: --cpu=NAME {{.*}}this machine's
// HELP: --without=NAME
// WIDTH: --width=3: the width must be a power of two up to 64
// LOCAL: --local=8,x: each size must be a positive number
// GLOBAL: --global=1,2,3,4: there are more than three sizes
// STEP: --print=nothing: no such step
// KERNEL: --kernel=third: {{.*}} has no such kernel
// CPU: --cpu=nothing: is not a CPU that LLVM knows
// OPTION: --assemble: unknown option

kernel void first(global int* v) {
  v[get_global_id(0)] += 1;
}

kernel void second(global int* v) {
  v[get_global_id(0)] += 2;
}
