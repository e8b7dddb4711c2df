# LAUNCH: barriers.cl barriers 16 8 "-g -cl-opt-disable"
break program.cl:9 if l == 3
run
print x
# CHECK: = 10
print y
# CHECK: = 130
print squares
# CHECK: = {9, 100}
print __hostcl_local_id[0]
# CHECK: = 3
delete
continue
# CHECK: All results are right.
