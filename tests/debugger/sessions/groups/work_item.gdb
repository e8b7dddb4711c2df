# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:10
hostcl work-item 6
# CHECK: Breakpoints in kernels stop in work-item (6,0,0).
run
print i
# CHECK: = 6
hostcl work-item all
continue
print i
# CHECK: = 7
