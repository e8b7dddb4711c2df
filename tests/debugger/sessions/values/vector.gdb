# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:24 if i == 1
run
print wide
# CHECK: = {21, 8, 12, 16}
next
print wide[1]
# CHECK: = 209
