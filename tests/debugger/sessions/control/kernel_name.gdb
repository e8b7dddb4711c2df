# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break locals
run
# CHECK: Breakpoint {{[.0-9]+}}, locals (in={{.*}}, out={{.*}}, by=10)
# CHECK: 7{{.*}}int i = get_global_id(0);
print in[2]
# CHECK: = 7
continue
# CHECK: Breakpoint {{[.0-9]+}}, locals
print __hostcl_global_id
# CHECK: = {1, 0, 0}
