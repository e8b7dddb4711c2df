# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:13 if k * 8 + i == 20
run
print k
# CHECK: = 2
print table[0]
# CHECK: = 13
print table[1]
# CHECK: = 26
