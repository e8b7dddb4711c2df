// hostclc, a program that calls the driver.

#include "compiler/tools/entry.hpp"

int main(int count, char** arguments) {
  return hcl_compile(count, arguments);
}
