# LAUNCH: early.cl early 16 4 "-g -cl-opt-disable"
break program.cl:14
commands
silent
printf "reached %d\n", i
continue
end
run
# CHECK: reached 0
# CHECK: reached 11
# CHECK-NOT: reached 12
# CHECK: All results are right.
