# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
# SET: HOSTCL_COMPILER=process
break program.cl:10 if i == 5
run
print y
# CHECK: = 161
