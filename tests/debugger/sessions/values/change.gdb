# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:9 if i == 2
run
set variable x = 50
next
print y
# CHECK: = 501
