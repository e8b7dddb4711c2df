// RUN: hostclc -g -cl-opt-disable --fallback-level=bare --print=debug-variables --kernel=k %s | FileCheck %s
// RUN: hostclc -g -cl-opt-disable --fallback-level=bare --print=host --kernel=k %s | FileCheck %s --check-prefix=HOST
// RUN: hostclc -g --print=debug-variables --kernel=k %s | FileCheck %s --check-prefix=OPTIMISED
// RUN: hostclc -cl-hostcl-debug=other,k --fallback-level=bare --print=debug-variables --kernel=k %s | FileCheck %s
// RUN: hostclc -cl-hostcl-debug=lanes --print=debug-variables --kernel=k %s | FileCheck %s --check-prefix=OPTIMISED
// RUN: hostclc -g -cl-opt-disable --fallback-level=bare --print=debug-variables --kernel=lanes %s | FileCheck %s --check-prefix=LANES

// Each variable stays in memory until the work-item ends, and its stores stay where they are; ids are variables, too.
// CHECK: define {{.*}}void @k(
// CHECK-DAG: #dbg_declare(ptr %__hostcl_global_id, ![[GLOBAL:[0-9]+]],
// CHECK-DAG: #dbg_declare(ptr %__hostcl_local_id,
// CHECK-DAG: #dbg_declare(ptr %__hostcl_group_id,
// CHECK-DAG: #dbg_declare(ptr %x{{.*}}, ![[X:[0-9]+]],
// Local memory is found by its address.
// CHECK-DAG: #dbg_declare(ptr %k.shared.address, ![[SHARED:[0-9]+]], !DIExpression(DW_OP_deref)
// CHECK-DAG: store volatile i32 {{.*}}, ptr %x
// CHECK-DAG: call void (...) @llvm.fake.use(ptr %x
// CHECK: ret void
// CHECK-DAG: ![[GLOBAL]] = !DILocalVariable(name: "__hostcl_global_id", {{.*}}flags: DIFlagArtificial)
// CHECK-DAG: ![[X]] = !DILocalVariable(name: "x"
// CHECK-DAG: ![[SHARED]] = !DILocalVariable(name: "shared"

// What outlives a barrier is found by an address that each work-item sets. The kernel is one function, inlined where its
// work-groups run.
// HOST: define {{.*}}!dbg ![[GROUPS:[0-9]+]]
// HOST: #dbg_declare(ptr %x{{.*}}address{{[.i]*}}, {{.*}}, !DIExpression(DW_OP_deref), ![[PLACE:[0-9]+]])
// HOST-DAG: ![[GROUPS]] = distinct !DISubprogram(name: "k [work-groups]", {{.*}}flags: DIFlagArtificial
// HOST-DAG: ![[PLACE]] = !DILocation({{.*}}, inlinedAt: ![[CALL:[0-9]+]])
// HOST-DAG: ![[CALL]] = {{.*}}!DILocation(line: 0, scope: ![[GROUPS]])

// OPTIMISED-NOT: #dbg_
// OPTIMISED-NOT: @llvm.fake.use
// OPTIMISED: store i32 {{.*}}addrspace(1){{.*}} !dbg
// OPTIMISED-NEXT: ret void

// LANES-NOT: #dbg_
// LANES: ret void

kernel void k(global int* v) {
  local int shared[4];
  int x = v[get_global_id(0)];
  shared[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  v[get_global_id(0)] = x + shared[0];
}

kernel void lanes(global int* v) {
  int x = v[get_global_id(0)];
  v[get_global_id(0)] = sub_group_reduce_add(x);
}
