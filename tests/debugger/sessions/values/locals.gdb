# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:10
run
info locals
info args
# CHECK: program.cl:10
# CHECK-DAG: i = 0
# CHECK-DAG: x = 1
# CHECK-DAG: y = 11
# CHECK: by = 10
continue
info locals
# CHECK: program.cl:10
# CHECK-DAG: i = 1
# CHECK-DAG: x = 4
# CHECK-DAG: y = 41
delete
continue
# CHECK: All results are right.
