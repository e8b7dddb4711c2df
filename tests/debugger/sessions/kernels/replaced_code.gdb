# LAUNCH: locals.cl locals 64 4 "-g -cl-opt-disable" twice
# SET: HOSTCL_CODE=auto
break program.cl:10 if i == 60
run
print y - x
# CHECK: = 1630
continue
print y - x
# CHECK: = 1630
delete
continue
# CHECK: All results are right.
