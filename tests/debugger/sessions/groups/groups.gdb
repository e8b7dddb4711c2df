# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break program.cl:3 if $hostcl_item(6)
run
hostcl groups
# CHECK: thread {{[0-9]+}}: locals, work-group (1,0,0), work-item (6,0,0), scaled at line 3
hostcl lanes product
# CHECK: work-item (6,0,0): 190
