// A loader that says what Khronos' says of itself, and finds no driver. The name of a variable in it tells its kind.

#include <string.h>

const char* hostcl_test_variable = "OCL_ICD_FILENAMES";

static int loader_info(unsigned what, size_t size, void* value, size_t* size_ret) {
  const char* answer = "3.0.6";
  if (what != 2 || size < strlen(answer) + 1) return -30;
  memcpy(value, answer, strlen(answer) + 1);
  if (size_ret) *size_ret = strlen(answer) + 1;
  return 0;
}

void* clGetExtensionFunctionAddress(const char* name) {
  return strcmp(name, "clGetICDLoaderInfoOCLICD") == 0 ? (void*)loader_info : 0;
}

int clGetPlatformIDs(unsigned entries, void* platforms, unsigned* number) {
  if (number) *number = 0;
  return -1001;
}
