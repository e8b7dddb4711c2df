# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:10 if i == 7
run
delete
hostcl step
# CHECK: work-item (7,0,0) has ended.
continue
# CHECK: All results are right.
