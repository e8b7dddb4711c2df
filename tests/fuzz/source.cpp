// Source in OpenCL C: it is compiled to machine code or refused. It reads no files.

#include "compiler/compiler.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hostcl;
  const auto program =
      compiler::build(compiler::default_settings(), fuzz::text_of(data, size), "-cl-hostcl-no-include");
  if (program.status != compiler::Status::success) return 0;
  const abi::NDRange launch{{1024, 1, 1}, {0, 0, 0}, {64, 1, 1}, {16, 1, 1}, 1, 0};
  for (std::size_t kernel = 0; kernel < program.value.executable->kernels().size(); ++kernel)
    program.value.executable->kernel(kernel).tier1_code(launch);
  return 0;
}
