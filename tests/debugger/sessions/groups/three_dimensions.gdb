# LAUNCH: locals.cl second 4,2,2 2,2,1 "-g -cl-opt-disable"
break program.cl:16 if $hostcl_item(3, 1, 1)
run
print __hostcl_local_id
# CHECK: = {1, 1, 0}
print __hostcl_group_id
# CHECK: = {1, 0, 1}
print sum
# CHECK: = 20
