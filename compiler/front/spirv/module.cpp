#include "compiler/front/spirv/module.hpp"

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context,
                                                          std::span<const std::byte> il,
                                                          std::span<const Specialisation> values) {
  try {
    const Words words(il);
    return Reader(context, words, values).read();
  } catch (const Refusal& refusal) {
    return llvm::createStringError(refusal.what());
  }
}

} // namespace hostcl::compiler::spirv
