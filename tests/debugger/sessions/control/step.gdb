# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:8
run
next
# CHECK: 9{{.*}}int y = scaled(x, by);
step
# CHECK: scaled (value=1, by=10)
# CHECK: 2{{.*}}int product = value * by;
next
# CHECK: 3{{.*}}return product + 1;
print product
# CHECK: = 10
