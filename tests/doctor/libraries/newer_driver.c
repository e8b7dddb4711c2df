// A driver that was built with a newer C library than the system's.

int hostcl_test_function(void);

int newer_driver(void) {
  return hostcl_test_function();
}
