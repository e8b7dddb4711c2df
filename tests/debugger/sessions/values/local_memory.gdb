# LAUNCH: barriers.cl barriers 16 8 "-g -cl-opt-disable"
break program.cl:8 if l == 0
run
print shared
# CHECK: = {10, 40, 70, 100, 130, 160, 190, 220}
