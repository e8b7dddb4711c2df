# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable" pair
break locals
break second
run
# CHECK: locals (in=
tbreak program.cl:16
clear locals
continue
# CHECK: second (in=
continue
# CHECK: program.cl:16
print sum
# CHECK: = 11
