# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:3
run
backtrace
# CHECK: #0 {{.*}}scaled (value=1, by=10) at {{.*}}program.cl:3
# CHECK-NEXT: #1 {{.*}}locals (in={{.*}}, out={{.*}}, by=10) at {{.*}}program.cl:9
# CHECK-NEXT: #2 {{.*}}locals [work-groups]
print product
# CHECK: = 10
up
print x
# CHECK: = 1
print __hostcl_global_id[0]
# CHECK: = 0
