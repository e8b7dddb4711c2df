// Bytes in the place of a program's binary, as they are.

#include "compiler/compiler.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hostcl::compiler::deserialise(hostcl::compiler::default_settings(), std::as_bytes(std::span(data, size)));
  return 0;
}
