# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:10 if __hostcl_global_id[0] == 6
run
print i
# CHECK: program.cl:10
# CHECK: = 6
print __hostcl_local_id
# CHECK: = {2, 0, 0}
print __hostcl_group_id
# CHECK: = {1, 0, 0}
