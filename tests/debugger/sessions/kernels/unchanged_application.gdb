# LAUNCH: locals.cl locals 8 4 "-cl-std=CL3.0"
# SET: HOSTCL_DEBUG=1
break program.cl:10 if i == 3
run
print y
# CHECK: = 101
delete
continue
# CHECK: All results are right.
