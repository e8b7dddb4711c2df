# LAUNCH: values.cl values 8 4 "-g -cl-opt-disable -cl-std=CL3.0"
break program.cl:20 if i == 3
run
print *pointer
# CHECK: = 30
delete
continue
# CHECK: All results are right.
