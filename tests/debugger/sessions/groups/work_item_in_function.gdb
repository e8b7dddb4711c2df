# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break scaled if $hostcl_item(5)
run
print value
# CHECK: = 16
up
print i
# CHECK: = 5
