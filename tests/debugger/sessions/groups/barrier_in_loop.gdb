# LAUNCH: barriers.cl barriers 16 8 "-g -cl-opt-disable"
break program.cl:13 if l + 8 * iteration == 14
run
print x
# CHECK: = 19
print squares
# CHECK: = {36, 361}
print y
# CHECK: = 261
print __hostcl_global_id
# CHECK: = {6, 0, 0}
