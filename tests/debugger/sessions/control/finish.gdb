# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break scaled
run
# CHECK: Breakpoint {{[.0-9]+}}, scaled (value=1, by=10)
finish
# CHECK: locals
next
# CHECK: 10{{.*}}out[i] = y - x;
print y
# CHECK: = 11
