# LAUNCH: early.cl early 16 4 "-g -cl-opt-disable"
break program.cl:21
run
print extra
# CHECK: = 20
print i
# CHECK: = 1
print sum
# CHECK: = 12
