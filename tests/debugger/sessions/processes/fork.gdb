# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable" fork
set follow-fork-mode child
set detach-on-fork on
break program.cl:10 if i == 6
run
print y
# CHECK: = 191
