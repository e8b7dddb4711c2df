# LAUNCH: locals.cl locals 64 4 "-g -cl-opt-disable" threads
break program.cl:10 if i == 40
run
print x
# CHECK: = 121
delete
continue
# CHECK: All results are right.
