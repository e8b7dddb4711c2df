# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
set can-use-hw-watchpoints 0
break program.cl:12 if i == 1
run
watch table[1]
continue
# CHECK: atchpoint {{[0-9]+}}: table[1]
# CHECK: New value = 8
print k
# CHECK: = 1
