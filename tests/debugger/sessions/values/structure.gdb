# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable"
break program.cl:15 if i == 3
run
print thing
# CHECK: = {first = 3, place = {1.5, 2.5, 3.5, 3}, tail = {7, 8, 9}}
ptype thing
# CHECK: float4 place;
