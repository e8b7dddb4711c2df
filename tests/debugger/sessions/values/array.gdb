# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:14 if i == 2
run
print table
# CHECK: = {7, 14, 21, 28}
print sizeof(table)
# CHECK: = 16
