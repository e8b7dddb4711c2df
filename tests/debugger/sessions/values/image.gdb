# LAUNCH: image.cl image 8,8 4,4 "-g -cl-opt-disable"
break program.cl:7 if place == 19
run
print pixel[0]
# CHECK: = 58
print at
# CHECK: = {3, 2}
print __hostcl_global_id
# CHECK: = {3, 2, 0}
print __hostcl_group_id
# CHECK: = {0, 0, 0}
delete
continue
# CHECK: All results are right.
