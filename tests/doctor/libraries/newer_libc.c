// Stands for a C library that is newer than the system's: linked with, and not there when it is used.

int hostcl_test_function(void) {
  return 1;
}
