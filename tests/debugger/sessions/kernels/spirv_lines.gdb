# LAUNCH: lines.spvasm lines 8 4 "-g -cl-opt-disable"
break some_kernel.cl:7 if __hostcl_global_id[0] == 5
run
# CHECK: lines ({{.*}}) at {{.*}}some_kernel.cl:7
print __hostcl_local_id
# CHECK: = {1, 0, 0}
delete
continue
# CHECK: All results are right.
