# LAUNCH: one_line.cl one 8 4 "-g -cl-opt-disable"
break program.cl:1
hostcl work-item 5
run
# CHECK: hit Breakpoint {{.*}}, one (in={{.*}}, by=10) at program.cl:1
info locals
# CHECK: __hostcl_global_id = {5, 0, 0}
hostcl work-item
# CHECK: work-item (5,0,0), local id (1,0,0), work-group (1,0,0)
hostcl work-item all
