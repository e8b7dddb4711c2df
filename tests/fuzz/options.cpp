// Build options for a small program.

#include "compiler/compiler.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hostcl::compiler::compile(hostcl::compiler::default_settings(), "kernel void k(global int* v) { *v = X; }",
                            fuzz::text_of(data, size));
  return 0;
}
