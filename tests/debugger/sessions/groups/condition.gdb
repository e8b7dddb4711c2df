# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:10 if i == 5
run
print x
# CHECK: program.cl:10
# CHECK: = 16
print y
# CHECK: = 161
delete
continue
# CHECK: All results are right.
