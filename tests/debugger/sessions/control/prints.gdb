# LAUNCH: prints.cl prints 4 4 "-g -cl-opt-disable"
break program.cl:5 if i == 3
run
print after
# CHECK: = 13
delete
continue
# CHECK: item 2 has 7
# CHECK: All results are right.
