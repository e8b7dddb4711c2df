# LAUNCH: lines.spvasm lines 64 16 "-g"
break some_kernel.cl:7
run
# CHECK: lines ({{.*}}) at {{.*}}some_kernel.cl:7
delete
continue
# CHECK: All results are right.
