# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable" twice
break program.cl:10 if i == 4
run
print x
# CHECK: = 13
continue
print x
# CHECK: = 13
delete
continue
# CHECK: All results are right.
