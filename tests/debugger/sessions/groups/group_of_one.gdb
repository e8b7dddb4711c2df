# LAUNCH: locals.cl locals 8 1 "-g -cl-opt-disable"
break program.cl:10 if __hostcl_group_id[0] == 4
run
print y
# CHECK: = 131
