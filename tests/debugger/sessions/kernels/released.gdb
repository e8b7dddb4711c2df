# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable" released
break program.cl:10 if i == 4
run
print y
# CHECK: = 131
continue
print y
# CHECK: = 131
delete
continue
# CHECK: All results are right.
