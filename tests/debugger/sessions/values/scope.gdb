# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:22
run
# CHECK: program.cl:22
print inner
# CHECK: = 17
print i
# CHECK: = 1
