# LAUNCH: locals.cl locals 4 4 "-g -cl-opt-disable"
break program.cl:10 if i == 1
run
delete
hostcl step
# CHECK: work-item (1,0,0) has ended.
continue
# CHECK: All results are right.
