# LAUNCH: locals.cl locals 64 16 "-cl-std=CL3.0" pair
# SET: HOSTCL_DEBUG=second,unknown
break program.cl:8
break program.cl:16
run
# CHECK: locals
# CHECK-SAME: program.cl:8
print x
# CHECK: = <optimized out>
clear program.cl:8
continue
# CHECK: second (in=
# CHECK-SAME: program.cl:16
print sum
# CHECK: = 11
delete
continue
# CHECK: All results are right.
