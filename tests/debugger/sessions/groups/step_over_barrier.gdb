# LAUNCH: barriers.cl barriers 16 8 "-g -cl-opt-disable"
break program.cl:6 if l == 2
run
hostcl work-item
# CHECK: work-item (2,0,0), local id (2,0,0), work-group (0,0,0)
hostcl step
hostcl step
print l
# CHECK: = 2
hostcl step
print y
# CHECK: = 100
hostcl work-item
# CHECK: work-item (2,0,0), local id (2,0,0), work-group (0,0,0)
