# LAUNCH: locals.cl locals 8 4 "-g -O0"
break program.cl:10 if i == 7
run
print y - x
# CHECK: = 199
