# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:20 if i == 3
run
print *pointer
# CHECK: = 30
print pointer - table
# CHECK: = 2
