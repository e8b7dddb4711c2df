#include "compiler/front/spirv/module.hpp"

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, std::span<const std::byte> il,
                                          std::span<const Specialisation> values, std::string& log) {
  try {
    const Words words(il);
    return Reader(context, words, values).read();
  } catch (const Refusal& refusal) {
    log += std::string("error: ") + refusal.what() + "\n";
    return nullptr;
  }
}

} // namespace hostcl::compiler::spirv
