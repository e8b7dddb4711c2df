// A program's binary whose checksum is right: what follows the kind of module, a byte, is its bitcode. It is refused,
// or linked, loaded and compiled to machine code. Nothing of it is run: a binary is code.

#include "compiler/compiler.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hostcl;
  if (size == 0) return 0;
  const compiler::ModuleProperties properties{static_cast<compiler::ModuleKind>(data[0] % 3),
                                              (data[0] & 4) != 0};
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  const auto read =
      compiler::deserialise(compiler::default_settings(),
                            compiler::serialise(compiler::Module(properties, {bytes.begin(), bytes.end()})));
  if (read.status != compiler::Status::success) return 0;
  const auto linked = compiler::link(compiler::default_settings(), read.value);
  if (linked.status != compiler::Status::success) return 0;
  const auto loaded = compiler::load(compiler::default_settings(), linked.value);
  if (loaded.status != compiler::Status::success) return 0;
  const abi::NDRange launch{{1024, 1, 1}, {0, 0, 0}, {64, 1, 1}, {16, 1, 1}, 1, 0};
  for (std::size_t kernel = 0; kernel < loaded.value->kernels().size(); ++kernel)
    loaded.value->kernel(kernel).tier1_code(launch);
  return 0;
}
