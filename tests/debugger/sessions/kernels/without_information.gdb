# LAUNCH: locals.cl locals 8 4 "-cl-opt-disable"
break program.cl:8
run
# CHECK-NOT: Breakpoint {{[.0-9]+}}, {{.*}}program.cl
# CHECK: All results are right.
