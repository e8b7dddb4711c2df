# LAUNCH: locals.cl locals 8 4 "-g -cl-opt-disable"
break main
run
python
try:
  gdb.execute("hostcl work-item")
except gdb.error as error:
  print("refused:", error)
end
# CHECK: refused: no work-item runs here
hostcl groups
# CHECK: No work-group runs.
