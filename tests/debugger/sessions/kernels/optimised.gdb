# LAUNCH: locals.cl locals 64 16 "-g"
break program.cl:8
run
# CHECK: locals
# CHECK-SAME: program.cl:8
print x
# CHECK: = <optimized out>
print by
# CHECK: = <optimized out>
delete
continue
# CHECK: All results are right.
