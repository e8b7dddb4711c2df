# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:19 if i == 5
run
print/u small
# CHECK: = 205
print third
# CHECK: = 2.5
print odd
# CHECK: = true
whatis small
# CHECK: = uchar
