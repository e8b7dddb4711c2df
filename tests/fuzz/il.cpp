// A module in SPIR-V: it is compiled to machine code or refused.

#include "compiler/compiler.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hostcl;
  const auto il = std::as_bytes(std::span(data, size));
  compiler::inspect_il(il);
  const auto program = compiler::build_il(compiler::default_settings(), il, {}, "");
  if (program.status != compiler::Status::success) return 0;
  const abi::NDRange launch{{1024, 1, 1}, {0, 0, 0}, {64, 1, 1}, {16, 1, 1}, 1, 0};
  for (std::size_t kernel = 0; kernel < program.value.executable->kernels().size(); ++kernel)
    program.value.executable->kernel(kernel).tier1_code(launch);
  return 0;
}
