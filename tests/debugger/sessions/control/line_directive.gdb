# LAUNCH: lines.cl lines 8 4 "-g -cl-opt-disable"
break other_name.cl:103 if i == 2
run
# CHECK: other_name.cl:103
print doubled
# CHECK: = 14
