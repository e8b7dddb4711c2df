# LAUNCH: early.cl early 16 4 "-g -cl-opt-disable"
break program.cl:2 if value > 20
run
backtrace 3
# CHECK: #0 {{.*}}clamped (value=26)
# CHECK-NEXT: #1 {{.*}}twice_clamped (value=13) at {{.*}}program.cl:8
# CHECK-NEXT: #2 {{.*}}early (in={{.*}}) at {{.*}}program.cl:14
