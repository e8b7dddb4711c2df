# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break locals
run
list 1,4
# CHECK: 1{{.*}}int scaled(int value, int by) {
# CHECK: 3{{.*}}return product + 1;
info source
# CHECK: Located in {{.*}}program.cl
